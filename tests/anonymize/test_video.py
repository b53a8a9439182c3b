"""A blurred video shows no face in any frame, and is otherwise the video that it was (V1 to V4)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from anonymize.boxes import FaceBox
from anonymize.detectors import Pixels, RetinaFaceDetector
from anonymize.tonemap import HLG, PQ, to_standard
from anonymize.verify import scan_derivative
from anonymize.video import anonymise_video
from archive_mem.errors import DamagedMedia, FacesNotChecked, UnreadableMedia
from tests.anonymize.clips import GONE, read_frames, scene, sound_bytes, write_clip
from tests.anonymize.doubles import NoFaces

PLAIN = [np.full((90, 160, 3), 10 * number, np.uint8) for number in range(12)]


class Breaking(NoFaces):
    """Fails at the tenth look."""

    def __init__(self) -> None:
        self.looks = 0

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        self.looks += 1
        if self.looks == 10:
            raise RuntimeError("out of memory")
        return []


def test_a_turning_vanishing_and_returning_face_is_in_no_frame(
    tmp_path: Path, detector: RetinaFaceDetector
) -> None:
    data = pytest.importorskip("skimage.data")
    face: Pixels = data.astronaut()[0:200, 120:320]
    frames = [scene(number, face) for number in range(60)]
    source, target = tmp_path / "turning_face.mp4", tmp_path / "derived" / "x.mp4"
    write_clip(source, frames)
    steps: list[tuple[int, int | None]] = []
    result = anonymise_video(source, target, detector, lambda *now: steps.append(now))
    written = read_frames(target)
    assert len(written) == result.frames == 60
    assert steps[-1] == (60, 60)
    assert scan_derivative(target) == []
    for number, (_, pixels) in enumerate(written):
        assert not detector.detect(pixels, 0.5), number
        middle = pixels[150:190, 70 + number * 6 : 110 + number * 6].astype(int)
        if number not in GONE:
            shown = frames[number][150:190, 70 + number * 6 : 110 + number * 6].astype(int)
            assert middle.std() < 0.5 * shown.std(), number
    assert all(not detector.detect(image.pixels, 0.5) for _, image in result.samples)
    assert 3 <= len(result.samples) <= 6


def test_sound_is_the_same_bit_for_bit_and_in_step(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mp4", tmp_path / "b.mp4"
    write_clip(source, PLAIN)
    result = anonymise_video(source, target, NoFaces())
    assert sound_bytes(target) == sound_bytes(source)
    assert result.duration == pytest.approx(0.4, abs=0.05)


def test_variable_timing_is_kept(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mp4", tmp_path / "b.mp4"
    write_clip(source, PLAIN, steps=[20, 50, 10] * 4)
    anonymise_video(source, target, NoFaces())
    before, after = ([at for at, _ in read_frames(path)] for path in (source, target))
    assert after == pytest.approx(before, abs=0.002)


@pytest.mark.parametrize("turn", [90, 180, -90])
def test_a_turned_video_is_upright_once(tmp_path: Path, turn: int) -> None:
    frames = [frame.copy() for frame in PLAIN]
    for frame in frames:
        frame[:30, :30] = (250, 40, 40)
    source, target = tmp_path / "a.mp4", tmp_path / "b.mp4"
    write_clip(source, frames, turn=turn)
    result = anonymise_video(source, target, NoFaces())
    (_, before), (_, after) = read_frames(source)[0], read_frames(target)[0]
    assert after.shape == before.shape == (result.height, result.width, 3)
    assert np.abs(after.astype(int) - before).mean() < 6


def test_a_large_video_is_made_smaller(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mp4", tmp_path / "b.mp4"
    write_clip(source, PLAIN)
    result = anonymise_video(source, target, NoFaces(), long_side=81)
    assert (result.width, result.height) == (80, 46)


@pytest.mark.parametrize(("name", "sound"), [("pcm.mov", "pcm_s16le"), ("silent.mp4", None)])
def test_other_sound_becomes_aac_and_none_stays_none(
    tmp_path: Path, name: str, sound: str | None
) -> None:
    import av

    source, target = tmp_path / name, tmp_path / "b.mp4"
    write_clip(source, PLAIN, sound=sound)
    anonymise_video(source, target, NoFaces())
    with av.open(str(target)) as container:
        kinds = [stream.codec_context.name for stream in container.streams.audio]
    assert kinds == (["aac"] if sound else [])
    assert scan_derivative(target) == []


def test_metadata_of_the_source_is_seen_and_dropped(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mp4", tmp_path / "b.mp4"
    write_clip(source, PLAIN)
    assert scan_derivative(source)
    anonymise_video(source, target, NoFaces())
    assert scan_derivative(target) == []
    assert b"Sarah" in source.read_bytes()
    assert b"Sarah" not in target.read_bytes()


def test_a_failing_detector_leaves_no_file(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mp4", tmp_path / "derived" / "b.mp4"
    write_clip(source, PLAIN)
    with pytest.raises(FacesNotChecked):
        anonymise_video(source, target, Breaking())
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not a video", b"\0\0\0\x18ftypmp42" + b"\0" * 400])
def test_what_is_no_video_leaves_no_file(tmp_path: Path, content: bytes) -> None:
    source, target = tmp_path / "a.mp4", tmp_path / "derived" / "b.mp4"
    source.write_bytes(content)
    with pytest.raises(DamagedMedia):
        anonymise_video(source, target, NoFaces())
    assert list(target.parent.iterdir()) == []


def test_a_sound_recording_is_no_video(tmp_path: Path) -> None:
    import av

    source = tmp_path / "memo.m4a"
    with av.open(str(source), "w", format="mp4") as out:
        stream = out.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 44100
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with pytest.raises(UnreadableMedia, match="sound"):
        anonymise_video(source, tmp_path / "b.mp4", NoFaces())


def test_a_process_killed_in_a_video_leaves_nothing_under_its_name(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mp4", tmp_path / "derived" / "b.mp4"
    write_clip(source, PLAIN * 20)
    code = (
        "import sys, time; from pathlib import Path; from tests.anonymize.doubles import NoFaces\n"
        "from anonymize.video import anonymise_video\n"
        "def slow(done, total):\n    print(done, flush=True); time.sleep(0.02)\n"
        "anonymise_video(Path(sys.argv[1]), Path(sys.argv[2]), NoFaces(), slow)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(source), str(target)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    for _ in range(10):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert not target.exists()
    assert len(list(target.parent.iterdir())) == 1
    write_clip(source, PLAIN)
    anonymise_video(source, target, NoFaces())
    assert [each.name for each in target.parent.iterdir()] == ["b.mp4"]


@pytest.mark.parametrize("transfer", [PQ, HLG])
def test_high_dynamic_range_becomes_ordinary_light(transfer: int) -> None:
    ramp = np.linspace(0, 65535, 256).astype(np.uint16)
    shown = to_standard(np.repeat(ramp[None, :, None], 3, axis=2), transfer)[0, :, 0].astype(int)
    assert (np.diff(shown) >= 0).all()
    assert shown[0] == 0
    assert shown[-1] == 255
    white = int((0.58 if transfer == PQ else 0.75) * 255)
    assert 170 <= shown[white] <= 245
