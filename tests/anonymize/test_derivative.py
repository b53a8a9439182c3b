"""No derivative carries what its original hid behind the picture (R1), and half a file never lies
under its name."""

import io
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from anonymize.derivative import atomic
from anonymize.faces import anonymise_picture
from anonymize.finish import write_checked
from anonymize.verify import find_secrets, scan_derivative
from tests.anonymize.doubles import NoFaces

SECRET = "Sarah Millerová"


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def jpeg(size: tuple[int, int] = (400, 300)) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(out, "JPEG")
    return out.getvalue()


def exif_with_thumbnail() -> bytes:
    """A TIFF with an artist in IFD0 and a JPEG in IFD1."""
    small, artist = jpeg((64, 48)), SECRET.encode() + b"\0"
    ifd0 = struct.pack("<HHHLL", 1, 0x013B, 2, len(artist), 60)
    ifd1 = struct.pack("<HHHLLHHLL", 2, 0x0201, 4, 1, 200, 0x0202, 4, 1, len(small))
    tiff = b"II*\0" + struct.pack("<L", 8) + ifd0 + struct.pack("<L", 120)
    tiff = tiff.ljust(60, b"\0") + artist
    tiff = tiff.ljust(120, b"\0") + ifd1 + struct.pack("<L", 0)
    return b"Exif\0\0" + tiff.ljust(200, b"\0") + small


def leaky() -> bytes:
    """A JPEG with everything that other programs were seen to pass on."""
    name = SECRET.encode()
    plain = jpeg()
    video = b"\0\0\0\x18ftypmp42" + name
    return b"".join(
        (
            plain[:2],
            segment(0xE1, exif_with_thumbnail()),
            segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>" + name + b"</x:xmpmeta>"),
            segment(0xED, b"Photoshop 3.0\0" + b"8BIM\x04\x04\0\0\0\0\0\x10" + name),
            segment(0xFE, b"for " + name),
            segment(0xE2, b"MPF\0II*\0" + name),
            segment(0xE2, b"ICC_PROFILE\0\x01\x01" + name),
            segment(0xE4, b"maker " + name),
            plain[2:],
            jpeg((80, 60)),
            video,
        )
    )


@pytest.fixture
def original(tmp_path: Path) -> Path:
    path = tmp_path / "exif_thumbnail_xmp_iptc_comment_mpf_trailing_video.jpg"
    path.write_bytes(leaky())
    return path


def test_every_hiding_place_of_the_original_is_seen(original: Path) -> None:
    found = scan_derivative(original)
    assert found[:8] == [
        "EXIF",
        "EXIF thumbnail (IFD1)",
        "XMP",
        "IPTC",
        "JPEG comment (COM)",
        "MPF (further pictures)",
        "ICC profile",
        "APP4",
    ]
    assert found[8].endswith("bytes after the picture")


@pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO")
def test_a_derivative_carries_none_of_it(original: Path, tmp_path: Path) -> None:
    with Image.open(original) as opened:
        image, _ = anonymise_picture(np.asarray(opened.convert("RGB")), NoFaces())
    folder = tmp_path / "derived" / "ab"
    write_checked(image, folder / "x.jpg", 300, 85, NoFaces())
    write_checked(image, folder / "x.thumb.jpg", 100, 85, NoFaces())
    assert scan_derivative(folder / "x.jpg") == []
    assert scan_derivative(folder / "x.thumb.jpg") == []
    assert find_secrets(folder, [SECRET]) == []
    with Image.open(folder / "x.jpg") as written:
        assert written.size == (300, 225)
        assert set(written.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
        assert written.layer[0][1:3] == (2, 2)  # type: ignore[attr-defined]


def test_a_derivative_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    image, _ = anonymise_picture(np.zeros((20, 20, 3), np.uint8), NoFaces())
    write_checked(image, tmp_path / "x.jpg", 100, 85, NoFaces())
    assert (tmp_path / "x.jpg").stat().st_mode & 0o777 == 0o600


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "x.jpg"
    target.write_bytes(b"old")

    def broken_off() -> None:
        with atomic(target) as draft:
            draft.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert [each.name for each in tmp_path.iterdir()] == ["x.jpg"]
    assert target.read_bytes() == b"old"


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xe1", b"%PDF-1.7", b"\xff\xd8\0"]
)
def test_what_is_no_picture_is_a_finding(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "odd"
    path.write_bytes(data)
    assert scan_derivative(path)


def test_bytes_after_the_end_are_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "trailing.jpg"
    path.write_bytes(jpeg() + b"x")
    assert scan_derivative(path) == ["1 bytes after the picture"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_secret_is_found_in_any_encoding_across_read_borders(
    tmp_path: Path, encoding: str
) -> None:
    edge = (1 << 20) - 7
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "store.bin").write_bytes(b"\1" * edge + "SARAH Miller".encode(encoding))
    found = find_secrets(tmp_path, ["nobody", "Sarah Miller"])
    assert found == [f"deep/store.bin: secret 1 as {encoding}"]
