"""Pixels of a photo as a person sees them: upright, RGB, the first picture, in bounded memory.

JPEG, PNG, WebP and TIFF are turned by their EXIF orientation; HEIC, AVIF and JPEG XL by their
container alone, which pillow-heif has done already and Pillow reports for AVIF.
"""

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import DamagedMedia, UnreadableMedia
from archive_mem.ingest.metadata.raw import jxl_orientation
from archive_mem.ingest.sniff import RAW_MIME

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["MAX_PIXELS", "upright"]

MAX_PIXELS = 400_000_000
"""Larger pictures are refused with a reason: 400 megapixels take 1.2 GB as RGB."""

_OPTIONAL = {
    "image/jxl": ("pillow_jxl", "JPEG XL is seen after: pip install 'archive-mem[jxl]'"),
}
_NO_RAW = "camera RAW is seen after: pip install 'archive-mem[raw]'"


def upright(path: Path, mime: str, max_side: int | None = None) -> NDArray[np.uint8]:
    """Upright RGB pixels, shape (height, width, 3), transparency on white.

    max_side: longest side of the result in pixels, None for full size
    Raises UnreadableMedia (no reader, no access, too large) and DamagedMedia (broken content).
    """
    if mime.startswith(RAW_MIME):
        return _raw(path, max_side)
    _register(mime)
    with _reasons(), _open(path) as image:
        _check_pixels(*image.size)
        _draft(image, max_side)
        image.load()
        return np.asarray(_shown(image, _turn_of(path, image, mime), max_side))


def _register(mime: str) -> None:
    if mime.startswith(("image/heic", "image/heif")):
        from pillow_heif import register_heif_opener

        register_heif_opener()
    if mime in _OPTIONAL:
        module, reason = _OPTIONAL[mime]
        try:
            __import__(module)
        except ImportError as error:
            raise UnreadableMedia(reason) from error


@contextlib.contextmanager
def _reasons() -> Iterator[None]:
    """Turn whatever a decoder raises into one of two reasons."""
    from PIL import UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # Pillow warns of odd EXIF and of large pictures; size is checked by ourselves.
            warnings.simplefilter("ignore")
            yield
    except (UnreadableMedia, DamagedMedia, MemoryError):
        raise
    except PermissionError as error:
        raise UnreadableMedia("no permission to read it") from error
    except UnidentifiedImageError as error:
        raise UnreadableMedia("not a known image format") from error
    except Exception as error:
        raise DamagedMedia(f"the picture is broken: {_one_line(error)}") from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def _open(path: Path) -> "Image.Image":
    from PIL import Image

    # The bomb check is ours: MAX_PIXELS, with a reason.
    Image.MAX_IMAGE_PIXELS = None
    return Image.open(path)


def _check_pixels(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        millions = width * height // 1_000_000
        raise UnreadableMedia(f"{millions} megapixels are more than {MAX_PIXELS // 1_000_000}")


def _draft(image: "Image.Image", max_side: int | None) -> None:
    """Let the JPEG decoder itself shrink by 2, 4 or 8: a large picture never exists in full."""
    if max_side is not None and max(image.size) > max_side:
        scale = max_side / max(image.size)
        width, height = image.size
        image.draft("RGB", (round(width * scale), round(height * scale)))


def _shown(
    image: "Image.Image", turn: "Image.Transpose | None", max_side: int | None
) -> "Image.Image":
    flat = _rgb(_shrunk(image, max_side))
    return flat if turn is None else flat.transpose(turn)


def _turn_of(path: Path, image: "Image.Image", mime: str) -> "Image.Transpose | None":
    if mime.startswith(("image/heic", "image/heif")):
        return None
    if mime == "image/jxl":
        with path.open("rb") as file:
            return _turn(jxl_orientation(file))
    return _turn(_orientation(image))


def _shrunk(image: "Image.Image", max_side: int | None) -> "Image.Image":
    """A smaller copy where one is asked for, made before any other copy of a large picture."""
    from PIL import Image

    if max_side is None or max(image.size) <= max_side:
        return image
    smooth = image if image.mode not in ("P", "PA", "1") else image.convert("RGBA")
    scale = max_side / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    deep = smooth.mode.startswith(("I", "F"))
    method = Image.Resampling.NEAREST if deep else Image.Resampling.LANCZOS
    return smooth.resize(size, method, reducing_gap=None if deep else 2.0)


def _turn(orientation: int) -> "Image.Transpose | None":
    from PIL import Image

    turns = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }
    return turns.get(orientation)


def _orientation(image: "Image.Image") -> int:
    with contextlib.suppress(Exception):
        return int(image.getexif().get(0x0112, 1))
    return 1


def _rgb(image: "Image.Image") -> "Image.Image":
    from PIL import Image

    if image.mode.startswith(("I", "F")):
        return _from_deep(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(white, layer).convert("RGB")
    return image.convert("RGB")


def _from_deep(image: "Image.Image") -> "Image.Image":
    """Greyscale of 16 or 32 bits, integers or floats, to 8 bits; Pillow alone would clip it."""
    from PIL import Image

    values = np.nan_to_num(np.asarray(image, dtype=np.float32), posinf=0.0, neginf=0.0)
    white = max(float(values.max(initial=0.0)), 65_535.0 if image.mode.startswith("I") else 1.0)
    return Image.fromarray((values / white * 255).clip(0, 255).astype(np.uint8)).convert("RGB")


def _raw(path: Path, max_side: int | None) -> NDArray[np.uint8]:
    try:
        import rawpy
    except ImportError as error:
        raise UnreadableMedia(_NO_RAW) from error
    from PIL import Image

    with _reasons(), rawpy.imread(str(path)) as raw:
        _check_pixels(raw.sizes.raw_width, raw.sizes.raw_height)
        # Half the size is four times as fast, and all that a small copy needs.
        half = max_side is not None and min(raw.sizes.width, raw.sizes.height) >= 2 * max_side
        image = Image.fromarray(raw.postprocess(use_camera_wb=True, half_size=half))
        if max_side is not None:
            image.thumbnail((max_side, max_side))
        return np.asarray(image)
