"""Each hiding place of a derivative is seen when something is planted in it."""

import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from anonymize.detectors import Pixels, RetinaFaceDetector
from anonymize.faces import anonymise_picture
from anonymize.finish import write_checked
from anonymize.verify import faces_left, find_secrets, scan_derivative
from anonymize.video import anonymise_video
from archive_mem.errors import UnreadableMedia
from tests.anonymize.clips import write_clip
from tests.anonymize.doubles import NoFaces

SECRET = b"Sarah Miller"


def box(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", len(body) + 8, kind) + body


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clean")
    source, target = folder / "a.mp4", folder / "b.mp4"
    write_clip(source, [np.full((90, 160, 3), 10 * number, np.uint8) for number in range(8)])
    anonymise_video(source, target, NoFaces())
    return target


def in_moov(data: bytes, planted: bytes) -> bytes:
    """The boxes with one more at the end of moov; places in mdat are wrong then, no matter."""
    at = data.index(b"moov") - 4
    size = struct.unpack(">I", data[at : at + 4])[0]
    grown = struct.pack(">I", size + len(planted)) + data[at + 4 : at + size] + planted
    return data[:at] + grown + data[at + size :]


def dated(data: bytes, kind: bytes) -> bytes:
    at = data.index(kind) + 8
    return data[:at] + struct.pack(">I", 3_700_000_000) + data[at + 4 :]


def in_mdat(data: bytes) -> bytes:
    at = data.index(b"mdat") - 4
    size = struct.unpack(">I", data[at : at + 4])[0]
    return data[:at] + struct.pack(">I", size + 12) + data[at + 4 : at + size] + SECRET


def test_a_clean_video_is_clean(clean: Path) -> None:
    assert scan_derivative(clean) == []


@pytest.mark.parametrize(
    ("plant", "named"),
    [
        (lambda data: in_moov(data, box(b"udta", box(b"\xa9nam", SECRET))), "user data (©nam)"),
        (lambda data: in_moov(data, box(b"meta", b"\0\0\0\0" + SECRET)), "box meta"),
        (lambda data: data + box(b"uuid", bytes(16) + SECRET), "box uuid"),
        (lambda data: data + box(b"free", SECRET), "data in free"),
        (lambda data: data + box(b"skip", SECRET), "data in skip"),
        (lambda data: data + box(b"XMP_", SECRET), "box XMP_"),
        (lambda data: in_moov(data, box(b"trak", box(b"tref", SECRET))), "box tref"),
        (lambda data: dated(data, b"mvhd"), "a date in mvhd"),
        (lambda data: dated(data, b"tkhd"), "a date in tkhd"),
        (lambda data: dated(data, b"mdhd"), "a date in mdhd"),
        (lambda data: data.replace(b"soun", b"text"), "a foreign track (text)"),
        (lambda data: data + b"Sarah", "5 bytes after the last box"),
        (lambda data: data + struct.pack(">I4s", 900, b"free") + SECRET, "broken box 'free'"),
        (in_mdat, "12 bytes in mdat that no track plays"),
    ],
)
def test_what_is_planted_in_a_video_is_seen(
    clean: Path, tmp_path: Path, plant: Callable[[bytes], bytes], named: str
) -> None:
    path = tmp_path / "x.mp4"
    path.write_bytes(plant(clean.read_bytes()))
    assert named in scan_derivative(path)


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


@pytest.mark.parametrize(
    ("planted", "named"),
    [
        (segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"), "EXIF"),
        (segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET), "XMP"),
        (segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + SECRET), "XMP"),
        (segment(0xED, b"Photoshop 3.0\0" + SECRET), "IPTC"),
        (segment(0xFE, SECRET), "JPEG comment (COM)"),
        (segment(0xE2, b"MPF\0" + SECRET), "MPF (further pictures)"),
        (segment(0xE2, b"ICC_PROFILE\0\x01\x01" + SECRET), "ICC profile"),
        (segment(0xE0, b"JFXX\0\x10" + SECRET), "APP0"),
        (segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\2\2" + bytes(12)), "JFIF thumbnail"),
        (segment(0xEB, SECRET), "APP11"),
    ],
)
def test_what_is_planted_in_a_picture_is_seen(tmp_path: Path, planted: bytes, named: str) -> None:
    path = tmp_path / "x.jpg"
    Image.new("RGB", (40, 30)).save(path)
    plain = path.read_bytes()
    assert scan_derivative(path) == []
    path.write_bytes(plain[:2] + planted + plain[2:])
    assert scan_derivative(path) == [named]


@pytest.mark.parametrize("side", [160, 1200])
def test_a_face_that_was_left_is_counted_large_or_small(
    tmp_path: Path, detector: RetinaFaceDetector, astronaut: Pixels, side: int
) -> None:
    path = tmp_path / "x.jpg"
    Image.fromarray(astronaut).resize((side, side)).save(path)
    assert faces_left(path, detector) == 1


def test_no_face_is_counted_where_it_was_destroyed(
    tmp_path: Path, detector: RetinaFaceDetector, astronaut: Pixels
) -> None:
    image, _ = anonymise_picture(astronaut, detector)
    for side in (512, 128):
        write_checked(image, tmp_path / "x.jpg", side, 85, detector)
        assert faces_left(tmp_path / "x.jpg", detector) == 0


def test_a_face_late_in_a_video_is_counted(
    tmp_path: Path, detector: RetinaFaceDetector, astronaut: Pixels
) -> None:
    frames = [np.full((300, 300, 3), 90, np.uint8)] * 20 + [astronaut[:300, 100:400].copy()] * 10
    write_clip(tmp_path / "x.mp4", frames)
    assert faces_left(tmp_path / "x.mp4", detector) == 1


@pytest.mark.parametrize("name", ["x.jpg", "x.mp4"])
def test_what_cannot_be_read_is_no_proof(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"half")
    with pytest.raises(UnreadableMedia):
        faces_left(tmp_path / name, NoFaces())


def test_the_clean_copy_holds_no_secret(clean: Path, tmp_path: Path) -> None:
    shutil.copy(clean, tmp_path / "x.mp4")
    assert find_secrets(tmp_path, ["Sarah", "+35.0116"]) == []
