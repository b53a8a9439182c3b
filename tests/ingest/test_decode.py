"""Pixels come upright, in RGB, in bounded memory: rows F4 to F8."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from archive_mem.errors import DamagedMedia, UnreadableMedia
from archive_mem.ingest.decode import MAX_PIXELS, upright
from archive_mem.ingest.metadata import read
from archive_mem.ingest.sniff import sniff_file
from tests.gnarly_media import write
from tests.gnarly_media.pictures import marks

UPRIGHT = np.asarray(marks())
# How a camera held so stores the picture that orientation N turns upright again (EXIF 2.32).
STORED = {
    1: UPRIGHT,
    2: UPRIGHT[:, ::-1],
    3: UPRIGHT[::-1, ::-1],
    4: UPRIGHT[::-1],
    5: UPRIGHT.transpose(1, 0, 2),
    6: np.rot90(UPRIGHT),
    7: UPRIGHT.transpose(1, 0, 2)[::-1, ::-1],
    8: np.rot90(UPRIGHT, -1),
}


OPTIONS: dict[str, dict[str, int]] = {
    "JPEG": {"quality": 95, "subsampling": 0},
    "AVIF": {"quality": 95},
}


def saved(path: Path, pixels: NDArray[np.uint8], kind: str, orientation: int = 1) -> Path:
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = Image.fromarray(np.ascontiguousarray(pixels))
    # As bytes: pillow-heif makes irot and imir of those alone.
    image.save(path, kind, exif=exif.tobytes(), **OPTIONS.get(kind, {}))
    return path


def decoded(path: Path, max_side: int | None = None) -> NDArray[np.uint8]:
    form = sniff_file(path)
    return upright(path, "application/octet-stream" if form is None else form.mime, max_side)


def corners(pixels: NDArray[np.uint8]) -> list[str]:
    named = {"r": (255, 0, 0), "g": (0, 128, 0), "b": (0, 0, 255), "w": (255, 255, 255)}
    height, width = pixels.shape[:2]
    inset = ((y, x) for y in (height // 4, 3 * height // 4) for x in (width // 4, 3 * width // 4))
    return [
        min(named, key=lambda name: int(np.abs(pixels[at].astype(int) - named[name]).sum()))  # type: ignore[call-overload]
        for at in inset
    ]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_every_orientation_gives_the_same_picture(
    kind: str, orientation: int, tmp_path: Path
) -> None:
    """F5: pixels, and the size that the metadata tell."""
    path = saved(tmp_path / "photo", STORED[orientation], kind, orientation)
    pixels = decoded(path)
    assert pixels.shape == UPRIGHT.shape
    assert pixels.dtype == np.uint8
    assert corners(pixels) == ["r", "g", "b", "w"]
    item = read(path).item
    assert item is not None
    assert (item.height, item.width) == pixels.shape[:2]


@pytest.mark.parametrize(
    "name", ["irot-and-exif-orientation.heic", "exif-orientation-without-irot.heic"]
)
def test_a_heic_is_turned_by_its_container_alone(name: str, tmp_path: Path) -> None:
    """F4: once, and by its irot."""
    path = write(name, tmp_path)
    pixels = decoded(path)
    item = read(path, name_places=False).item
    assert item is not None
    assert pixels.shape == (item.height, item.width, 3)
    assert corners(pixels) == (
        ["b", "r", "w", "g"] if name.startswith("irot") else ["r", "g", "b", "w"]
    )


def test_a_heif_of_every_orientation_is_upright(tmp_path: Path) -> None:
    """F4: as pillow-heif writes them, with irot and imir."""
    import pillow_heif

    pillow_heif.register_heif_opener()
    for orientation, stored in STORED.items():
        large = np.asarray(
            Image.fromarray(np.ascontiguousarray(stored)).resize(stored.shape[1::-1])
        )
        path = saved(tmp_path / f"{orientation}.heic", large, "HEIF", orientation)
        pixels = decoded(path)
        assert corners(pixels) == ["r", "g", "b", "w"], orientation
        item = read(path).item
        assert item is not None
        assert (item.height, item.width) == pixels.shape[:2], orientation


def test_transparency_lies_on_white(tmp_path: Path) -> None:
    for mode in ("RGBA", "LA", "P"):
        image = Image.new("RGBA", (8, 8), (0, 0, 0, 0)).convert(mode)
        if mode == "P":
            image.info["transparency"] = image.getpixel((0, 0))
        image.save(tmp_path / "clear.png")
        assert (decoded(tmp_path / "clear.png") == 255).all(), mode


def test_deep_grey_keeps_its_tones(tmp_path: Path) -> None:
    ramp = np.linspace(0, 65_535, 256, dtype=np.uint16).reshape(16, 16)
    Image.fromarray(ramp).save(tmp_path / "deep.png")
    pixels = decoded(tmp_path / "deep.png")
    assert pixels[..., 0].ravel().tolist() == pytest.approx(list(range(256)), abs=1)


def test_floats_are_scaled_to_their_range(tmp_path: Path) -> None:
    values = np.array([[0.0, 0.25], [0.5, np.nan]], dtype=np.float32)
    Image.fromarray(values).save(tmp_path / "float.tif")
    assert decoded(tmp_path / "float.tif")[..., 0].ravel().tolist() == [0, 63, 127, 0]


@pytest.mark.parametrize("mode", ["CMYK", "L", "1", "P"])
def test_every_mode_becomes_rgb(mode: str, tmp_path: Path) -> None:
    kind = "PNG" if mode in ("1", "P") else "JPEG"
    marks().convert(mode).save(tmp_path / "photo", kind)
    assert decoded(tmp_path / "photo").shape == UPRIGHT.shape
    if mode == "CMYK":
        assert corners(decoded(tmp_path / "photo")) == ["r", "g", "b", "w"]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "MPO", "TIFF"])
def test_of_many_pictures_the_first_is_used_and_it_is_noted(kind: str, tmp_path: Path) -> None:
    """F6."""
    path = tmp_path / "many"
    first, second = marks(), Image.new("RGB", marks().size, "black")
    lossless = {"lossless": True} if kind == "WEBP" else {}
    first.save(path, kind, save_all=True, append_images=[second], **lossless)
    assert corners(decoded(path)) == ["r", "g", "b", "w"]
    item = read(path).item
    assert item is not None
    assert (item.note is not None) == (kind != "TIFF")


@pytest.mark.parametrize("name", ["truncated.jpg", "truncated.png", "truncated-in-header.jpg"])
def test_a_cut_picture_is_damaged(name: str, tmp_path: Path) -> None:
    """F7: never half a picture as if it were whole."""
    with pytest.raises((DamagedMedia, UnreadableMedia)):
        decoded(write(name, tmp_path))


@pytest.mark.parametrize("name", ["empty.jpg", "text-named.jpg", "quicktime-utc.mp4"])
def test_what_is_no_picture_is_unreadable(name: str, tmp_path: Path) -> None:
    """F7."""
    with pytest.raises(UnreadableMedia, match="not a known image format"):
        decoded(write(name, tmp_path))


def test_a_missing_reader_is_told_with_the_line_that_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("pillow_jxl", "rawpy"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnreadableMedia, match=r"seen after: pip install 'archive-mem\[jxl\]'"):
        decoded(write("boxes.jxl", tmp_path))
    for name in ("sensor.dng", "nikon.nef", "fuji.raf", "canon.cr3", "olympus.orf"):
        with pytest.raises(UnreadableMedia, match=r"seen after: pip install 'archive-mem\[raw\]'"):
            decoded(write(name, tmp_path))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_jpeg_xl_made_of_a_jpeg_is_upright(orientation: int, tmp_path: Path) -> None:
    """F5: the turn is in the codestream; that of EXIF, there too, is not applied again."""
    pytest.importorskip("pillow_jxl")
    large = np.repeat(np.repeat(STORED[orientation], 4, axis=0), 4, axis=1)
    source = saved(tmp_path / "a.jpg", large, "JPEG", orientation)
    path = tmp_path / "a.jxl"
    with Image.open(source) as image:
        image.save(path, lossless_jpeg=True)
    pixels = decoded(path)
    assert corners(pixels) == ["r", "g", "b", "w"]
    item = read(path, name_places=False).item
    assert item is not None
    assert (item.height, item.width) == pixels.shape[:2]


@pytest.mark.parametrize(("name", "turned"), [("sensor.dng", False), ("sensor-turned.dng", True)])
def test_a_raw_is_developed_upright(name: str, turned: bool, tmp_path: Path) -> None:
    """The upper half of the sensor is bright: turned by orientation 6, it is the right one."""
    pytest.importorskip("rawpy")
    path = write(name, tmp_path)
    pixels = decoded(path)
    assert pixels.shape == ((48, 32, 3) if turned else (32, 48, 3))
    bright, dark = pixels[4, -5].mean(), pixels[-5, 4].mean()
    assert bright > dark + 50
    assert max(decoded(path, max_side=12).shape) == 12


@pytest.mark.parametrize("name", ["photoshop.psd", "jpeg-2000.jp2"])
def test_photoshop_and_jpeg_2000_are_decoded(name: str, tmp_path: Path) -> None:
    path = write(name, tmp_path)
    item = read(path, name_places=False).item
    assert item is not None
    assert decoded(path).shape == (item.height, item.width, 3)


@pytest.mark.parametrize("size", [(4000, 20), (20, 4000)])
def test_a_panorama_keeps_its_shape(size: tuple[int, int], tmp_path: Path) -> None:
    """F8: an aspect ratio over 100 stays a picture."""
    Image.new("RGB", size, "red").save(tmp_path / "wide.png")
    pixels = decoded(tmp_path / "wide.png", max_side=100)
    assert max(pixels.shape[:2]) == 100
    assert min(pixels.shape[:2]) >= 1


def test_a_picture_that_is_small_enough_stays_as_it_is(tmp_path: Path) -> None:
    path = saved(tmp_path / "photo.png", UPRIGHT, "PNG")
    assert (decoded(path, max_side=48) == UPRIGHT).all()


def test_a_huge_jpeg_never_exists_in_full(tmp_path: Path) -> None:
    """F8: 200 megapixels decode in a fraction of their 600 MB."""
    path = tmp_path / "huge.jpg"
    Image.new("L", (20_000, 10_000), 128).save(path)
    shape, megabytes = _peak(path)
    assert shape == (1000, 2000, 3)
    assert megabytes < 350


def _peak(path: Path) -> tuple[tuple[int, ...], int]:
    import multiprocessing

    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_decode_and_measure, (path,))


def _decode_and_measure(path: Path) -> tuple[tuple[int, ...], int]:
    pixels = upright(path, "image/jpeg", 2000)
    # Not getrusage: its peak is handed on by the process that started this one.
    status = Path("/proc/self/status").read_text("ascii")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return pixels.shape, int(peak.split()[1]) // 1024


def test_more_than_the_limit_is_refused_with_a_reason(tmp_path: Path) -> None:
    """F8: never silently."""
    buffer = io.BytesIO()
    Image.new("1", (64, 64)).save(buffer, "PNG")
    data = bytearray(buffer.getvalue())
    side = int(MAX_PIXELS**0.5) + 1
    data[16:24] = side.to_bytes(4, "big") * 2
    import zlib

    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    (tmp_path / "bomb.png").write_bytes(data)
    with pytest.raises(UnreadableMedia, match="megapixels are more than 400"):
        decoded(tmp_path / "bomb.png")
