"""Small videos, made for the tests: a face that turns, vanishes and comes back, and a tone."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from anonymize.faces import Pixels

SIZE = (640, 360)
TICKS = 600
GONE = range(24, 32)


def scene(number: int, face: Pixels) -> Pixels:
    """Frame `number`: the face moves to the right and turns, and is away in the frames of GONE."""
    picture = np.full((SIZE[1], SIZE[0], 3), (96, 120, 110), np.uint8)
    picture[::16] = (90, 110, 104)
    if number not in GONE:
        matrix = cv2.getRotationMatrix2D((100, 100), number * 9, 1)
        turned = cv2.warpAffine(face, matrix, (200, 200), borderMode=cv2.BORDER_REPLICATE)
        left = 20 + number * 6
        picture[100:240, left : left + 140] = cv2.resize(turned, (140, 140))
    return picture


def write_clip(
    path: Path,
    frames: Sequence[Pixels],
    steps: Sequence[int] | None = None,
    sound: str | None = "aac",
    turn: int = 0,
    options: dict[str, str] | None = None,
) -> None:
    """Write frames, each lasting its number of 1/600 seconds (20 by default), with a tone."""
    steps = steps or [20] * len(frames)
    with av.open(str(path), "w", options={"movflags": "use_metadata_tags"}) as out:
        out.metadata.update({"title": "Sarah", "location": "+35.0116+135.7681/"})
        out.metadata["creation_time"] = "2024-01-02T03:04:05Z"
        picture = out.add_stream("libx264", rate=30, options=options or {"preset": "ultrafast"})
        picture.width, picture.height, picture.pix_fmt = (
            frames[0].shape[1],
            frames[0].shape[0],
            "yuv420p",
        )
        picture.codec_context.time_base = Fraction(1, TICKS)
        if turn:
            picture.set_display_rotation(turn)
        audio = out.add_stream(sound, rate=44100) if sound else None
        now = 0
        for pixels, step in zip(frames, steps, strict=True):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = now, Fraction(1, TICKS)
            out.mux(picture.encode(frame))
            now += step
        if audio is not None:
            _tone(out, audio, now / TICKS)
        out.mux(picture.encode(None))


def _tone(out: Any, audio: Any, seconds: float) -> None:
    wave = 0.3 * np.sin(2 * np.pi * 440 * np.arange(int(seconds * 44100)) / 44100)
    for start in range(0, len(wave) - 1024, 1024):
        frame = av.AudioFrame.from_ndarray(
            wave[None, start : start + 1024].astype(np.float32), format="fltp", layout="mono"
        )
        frame.sample_rate, frame.pts, frame.time_base = 44100, start, Fraction(1, 44100)
        out.mux(audio.encode(frame))
    out.mux(audio.encode(None))


def read_frames(path: Path) -> list[tuple[float, Pixels]]:
    """Seconds and upright pixels of each frame."""
    with av.open(str(path)) as container:
        return [
            (
                float(frame.time or 0),
                np.rot90(frame.to_ndarray(format="rgb24"), (frame.rotation // 90) % 4).astype(
                    np.uint8
                ),
            )
            for frame in container.decode(video=0)
        ]


def sound_bytes(path: Path) -> list[bytes]:
    """The packets of sound."""
    with av.open(str(path)) as container:
        return [bytes(packet) for packet in container.demux(audio=0) if packet.size]
