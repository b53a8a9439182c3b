"""Personal details that can be read in a picture are filled there, as words get placeholders."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anonymize.boxes import FaceBox
from anonymize.faces import FaceDetector, destroy_faces
from anonymize.finish import write_checked
from anonymize.reopen import reopen_picture
from archive_mem.schema.minting import mint_image

__all__ = ["Region", "cover_faces", "cover_text"]

Region = tuple[float, float, float, float]
"""Left, top, width, height as shares of the picture, 0 to 1."""

MARGIN = 0.2
"""Of a line's height, on every side: ascenders and the ends of a line reach out of its box."""


def cover_text(
    path: Path, regions: Iterable[Region], faces: int, detector: FaceDetector, quality: int
) -> None:
    """Fill regions of a derived JPEG and write it in its place, looked at for faces once more.

    Raises DamagedMedia, and FacesNotChecked with the file as it was.
    """
    pixels = reopen_picture(path, faces).pixels.copy()
    for region in regions:
        _fill(pixels, region)
    write_checked(mint_image(pixels, faces), path, max(pixels.shape[:2]), quality, detector)


def cover_faces(
    path: Path, regions: Iterable[Region], faces: int, detector: FaceDetector, quality: int
) -> None:
    """Destroy faces of a derived JPEG that a person marked, and write it in its place.

    Raises DamagedMedia, and FacesNotChecked with the file as it was.
    """
    pixels = reopen_picture(path, faces).pixels
    height, width = pixels.shape[:2]
    boxes = [
        FaceBox(
            left=left * width, top=top * height, width=across * width, height=down * height, score=1
        )
        for left, top, across, down in regions
    ]
    hidden = mint_image(destroy_faces(pixels, boxes), faces)
    write_checked(hidden, path, max(height, width), quality, detector)


def _fill(pixels: NDArray[np.uint8], region: Region) -> None:
    """One flat colour, that of what surrounds it."""
    left, top, right, bottom = _edges(region, *pixels.shape[:2])
    if right <= left or bottom <= top:
        return
    rim = pixels[max(0, top - 2) : bottom + 2, max(0, left - 2) : right + 2]
    around = np.concatenate([rim[:2], rim[-2:]], axis=0).reshape(-1, 3)
    pixels[top:bottom, left:right] = np.median(around, axis=0).astype(np.uint8)


def _edges(region: Region, height: int, width: int) -> tuple[int, int, int, int]:
    left, top, across, down = region
    margin = MARGIN * down * height
    return (
        max(0, int(left * width - margin)),
        max(0, int(top * height - margin)),
        min(width, int((left + across) * width + margin) + 1),
        min(height, int((top + down) * height + margin) + 1),
    )
