"""Destroying faces, so that nothing of them can be recovered. Figures: bench/faces.py."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from anonymize.boxes import FaceBox, clip, widened
from anonymize.detectors import FaceDetector, Pixels, RetinaFaceDetector
from anonymize.search import find_faces, remaining_faces, surely_left
from archive_mem.errors import FacesNotChecked
from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage

__all__ = [
    "FaceBox",
    "FaceDetector",
    "Pixels",
    "RetinaFaceDetector",
    "anonymise_picture",
    "block_faces",
    "destroy_faces",
    "fill_faces",
    "without_leftovers",
]

CELLS = 5
MARGIN = 0.25
CANVAS = 48
SEEN_SIDE = 1600
"""A larger picture is checked at this long side: huge faces are seen where none are otherwise.
What is written is checked once more at its own size."""


def destroy_faces(rgb: Pixels, boxes: Iterable[FaceBox]) -> Pixels:
    """A copy in which each face is a few soft blotches of its mean colours.

    The widened box is averaged to at most five cells (what was in them is gone), blurred with a
    Gaussian kernel of the box's longer side, and laid over the face as an ellipse around the whole
    detected box with a soft edge outside of it.
    """
    out = rgb.copy()
    for box in boxes:
        _cover(out, box, _blotches)
    return out


def _cover(out: Pixels, box: FaceBox, paint: Callable[[Pixels], NDArray[np.float32]]) -> None:
    area = clip(widened(box, MARGIN), out.shape[1], out.shape[0])
    if area is None:
        return
    left, top = int(area.left), int(area.top)
    right, bottom = int(np.ceil(area.right)), int(np.ceil(area.bottom))
    patch = out[top:bottom, left:right]
    alpha = _ellipse(box, left, top, right - left, bottom - top)[..., None]
    mixed = patch * (1 - alpha) + paint(patch) * alpha
    out[top:bottom, left:right] = np.rint(mixed).astype(np.uint8)


def _blotches(patch: Pixels) -> NDArray[np.float32]:
    import cv2

    height, width = patch.shape[:2]
    share = CELLS / max(height, width, CELLS)
    cells = (max(1, int(width * share)), max(1, int(height * share)))
    small = cv2.resize(patch, cells, interpolation=cv2.INTER_AREA)
    canvas = cv2.resize(small, (CANVAS, CANVAS), interpolation=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(canvas, (CANVAS + 1, CANVAS + 1), 0)
    large = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, dtype=np.float32)


def _ellipse(box: FaceBox, left: int, top: int, width: int, height: int) -> NDArray[np.float32]:
    """1 over the whole box, falling to 0 at the sides of the widened box.

    In units of the half box the corners lie at a distance of sqrt 2 and the widened sides at 1.5.
    """
    x = (np.arange(width) + left + 0.5 - (box.left + box.width / 2)) / (box.width / 2)
    y = (np.arange(height) + top + 0.5 - (box.top + box.height / 2)) / (box.height / 2)
    distance = np.sqrt(x[None, :] ** 2 + y[:, None] ** 2)
    alpha = np.clip((1.5 - distance) / (1.5 - np.sqrt(2)), 0, 1)
    return np.asarray(alpha, dtype=np.float32)


def fill_faces(rgb: Pixels, boxes: Iterable[FaceBox]) -> Pixels:
    """A copy in which each box has one colour, its mean, with a soft edge outside of it."""
    out = rgb.copy()
    for box in boxes:
        _cover(out, box, _one_colour)
    return out


def block_faces(rgb: Pixels, boxes: Iterable[FaceBox]) -> Pixels:
    """A copy in which the whole of each widened box has one colour, its mean."""
    out = rgb.copy()
    for box in boxes:
        area = clip(widened(box, MARGIN), out.shape[1], out.shape[0])
        if area is not None:
            rows = slice(int(area.top), int(np.ceil(area.bottom)))
            columns = slice(int(area.left), int(np.ceil(area.right)))
            out[rows, columns] = out[rows, columns].mean(axis=(0, 1)).astype(np.uint8)
    return out


def _one_colour(patch: Pixels) -> NDArray[np.float32]:
    return np.asarray(patch.mean(axis=(0, 1)), dtype=np.float32)


COVERS = (destroy_faces, destroy_faces, fill_faces, fill_faces, block_faces, block_faces)
"""What is done about faces that are left, one after the other."""


def anonymise_picture(rgb: Pixels, detector: FaceDetector) -> tuple[SafeImage, tuple[FaceBox, ...]]:
    """The picture with every face destroyed, and where the faces were.

    Looks again at the result, covers what still looks like a face, and looks once more. Raises
    FacesNotChecked when the detector fails or a face is left: nothing comes out then.
    """
    try:
        boxes = find_faces(rgb, detector)
        pixels, more = without_leftovers(
            destroy_faces(rgb, boxes), detector, bool(boxes), longest=SEEN_SIDE
        )
    except FacesNotChecked:
        raise
    except Exception as error:
        raise FacesNotChecked(f"faces could not be looked for: {type(error).__name__}") from error
    faces = (*boxes, *more)
    return mint_image(pixels, len(faces)), faces


def without_leftovers(
    pixels: Pixels,
    detector: FaceDetector,
    had_faces: bool,
    as_shown: Callable[[Pixels], Pixels] = lambda pixels: pixels,
    longest: int | None = None,
) -> tuple[Pixels, tuple[FaceBox, ...]]:
    """The picture in which nothing looks like a face, and what more was covered.

    had_faces: where people are, whatever looks like a face at all is covered; where nobody was
        found, only what is one at a closer look
    as_shown: the picture as it will be seen, of the same size
    longest: long side that it is looked at with at most, None for its own
    Raises FacesNotChecked when something is left after some rounds: softly covered at first, then
    filled, then blocked out; a covered patch can make its surroundings look like a face.
    """
    check = remaining_faces if had_faces else surely_left
    covered: tuple[FaceBox, ...] = ()
    for cover in (*COVERS, None):
        left = check(as_shown(pixels), detector, longest)
        if not left:
            return pixels, covered
        if cover is not None:
            pixels = cover(pixels, left)
            covered = (*covered, *left)
    raise FacesNotChecked("a face was left after the blur")
