"""Writing a derivative that was looked at as it will be seen: at its size, after its compression.

A shrunken or recompressed picture can show a detector what the large one did not, so the check that
counts is the one on the bytes that are served.
"""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anonymize.derivative import atomic, clear_drafts
from anonymize.detectors import FaceDetector
from anonymize.faces import without_leftovers
from archive_mem.schema.safe import SafeImage

__all__ = ["write_checked"]


def write_checked(
    image: SafeImage, target: Path, long_side: int, quality: int, detector: FaceDetector
) -> int:
    """Write a JPEG (4:2:0, no metadata) without faces; returns how many more places were covered.

    Raises FacesNotChecked when a face is left after some rounds; nothing is written then.
    """
    pixels, covered = without_leftovers(
        _resized(image.pixels, long_side),
        detector,
        image.faces > 0,
        lambda each: _decoded(_encoded(each, quality)),
    )
    clear_drafts(target)
    with atomic(target) as draft:
        draft.write_bytes(_encoded(pixels, quality))
    return len(covered)


def _resized(pixels: NDArray[np.uint8], long_side: int) -> NDArray[np.uint8]:
    from PIL import Image

    picture = Image.fromarray(pixels)
    picture.thumbnail((long_side, long_side), Image.Resampling.LANCZOS)
    return np.asarray(picture, dtype=np.uint8)


def _encoded(pixels: NDArray[np.uint8], quality: int) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality, subsampling="4:2:0", optimize=True)
    return out.getvalue()


def _decoded(data: bytes) -> NDArray[np.uint8]:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGB"), dtype=np.uint8)
