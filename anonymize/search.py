"""Looking for faces: everywhere with a low bar first, then closely at what may be one.

A face needs 24 to 30 pixels at the size that the detector sees, and scores low when it leans, so a
picture is looked at in two sizes and in eight turns. Whatever scores a little is then looked at
again, enlarged and in eight turns, where a face scores high in one of them at every size, and
leaves, lamps and fur do not. Figures: bench/faces.py.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from anonymize.boxes import FaceBox, clip, enclosing, inside, iou, merge_boxes, scaled, turned_back
from anonymize.closely import Closer
from anonymize.detectors import FaceDetector, Pixels

__all__ = ["ALL_TURNS", "confirmed", "find_faces", "glimpses", "remaining_faces", "surely_left"]

CANDIDATE = 0.05
CHECK_THRESHOLD = 0.3
SURE = 0.5
PLAIN = 0.9
TURNED_SIZE = 2400
"""Beyond it a face is sought upright only: turned and of 24 pixels, it is 16 in a derivative."""
REDUCED = 640
LEAN_SIZE = 1600
CHECK_SIZES = (800, 400)
ALL_TURNS = (0, 1, 2, 3)
LEAST_SIDE = 8
NESTED = 0.95
GREY = (127, 127, 127)
WEAK_ONES = 100
"""So many candidates below SURE are looked at again; gravel has thousands."""
TILE = 3000
TILE_OVERLAP = 400
LARGE = 16_000_000


def find_faces(rgb: Pixels, detector: FaceDetector) -> list[FaceBox]:
    """Every face of an upright picture, by all sizes and eight turns, one box a face."""
    large = max(rgb.shape[:2]) > TURNED_SIZE
    upright = glimpses(rgb, detector, CANDIDATE, (None,), (0,)) if large else []
    sizes = (TURNED_SIZE if large else None, REDUCED)
    seen = upright + glimpses(rgb, detector, CANDIDATE, sizes, ALL_TURNS)
    leaning = _clipped(_leaning(rgb, detector, CANDIDATE), rgb)
    return confirmed(rgb, [*seen, *leaning], detector)


def remaining_faces(
    rgb: Pixels, detector: FaceDetector, longest: int | None = None
) -> list[FaceBox]:
    """What looks like a face at all in a picture whose faces were destroyed.

    longest: long side that the picture is looked at with at most, None for its own
    """
    return merge_boxes(_left(rgb, detector, longest))


def surely_left(rgb: Pixels, detector: FaceDetector, longest: int | None = None) -> list[FaceBox]:
    """What of it is a face at a closer look, too, or is plain; for pictures of perhaps no face.

    Nothing that the detector calls a face at 0.9 stays, whatever the closer look says.
    """
    left = _left(rgb, detector, longest)
    plain = [box for box in left if box.score >= PLAIN]
    return merge_boxes([*confirmed(rgb, left, detector), *plain])


def _left(rgb: Pixels, detector: FaceDetector, longest: int | None) -> list[FaceBox]:
    first = longest if longest is not None and max(rgb.shape[:2]) > longest else None
    return glimpses(rgb, detector, CHECK_THRESHOLD, (first, *CHECK_SIZES), (0,))


def glimpses(
    rgb: Pixels,
    detector: FaceDetector,
    threshold: float,
    sizes: Iterable[int | None],
    turns: Sequence[int],
) -> list[FaceBox]:
    """What is seen at the given long sides (None: as it is) and quarter turns, a box a sight."""
    seen = (box for size in sizes for box in _at_size(rgb, detector, threshold, size, turns))
    return _clipped(seen, rgb)


def confirmed(
    rgb: Pixels, candidates: Iterable[FaceBox], detector: FaceDetector, weak_ones: int = WEAK_ONES
) -> list[FaceBox]:
    """Those candidates that are faces at a closer look, one box a face.

    weak_ones: how many candidates below SURE are looked at, the best first
    """
    distinct = _distinct(candidates)
    sure = [box for box in distinct if box.score >= SURE]
    weak = [box for box in distinct if box.side >= LEAST_SIDE and box.score < SURE]
    faces = Closer(rgb, detector).faces([*sure, *weak[:weak_ones]])
    return _without_nested(merge_boxes(_clipped(faces, rgb)))


def _without_nested(boxes: Sequence[FaceBox]) -> list[FaceBox]:
    """Those that do not lie in a larger one: the same face, seen at two sizes."""
    return [
        box
        for box in boxes
        if not any(other.side > box.side and inside(box, other) > NESTED for other in boxes)
    ]


def _distinct(boxes: Iterable[FaceBox]) -> list[FaceBox]:
    """The best of those that lie on each other, best first."""
    kept: list[FaceBox] = []
    for box in sorted(boxes, key=lambda each: -each.score):
        if all(iou(box, other) <= 0.4 for other in kept):
            kept.append(box)
    return kept


def _clipped(boxes: Iterable[FaceBox], rgb: Pixels) -> list[FaceBox]:
    inner = (clip(box, rgb.shape[1], rgb.shape[0]) for box in boxes)
    return [box for box in inner if box is not None]


def _at_size(
    rgb: Pixels, detector: FaceDetector, threshold: float, size: int | None, turns: Sequence[int]
) -> Iterator[FaceBox]:
    view, factor = _reduced(rgb, size)
    if view is rgb and size is not None:
        return
    for tile, left, top in _tiles(view):
        for turn in turns:
            for box in detector.detect(np.rot90(tile, turn), threshold):
                upright = turned_back(box, turn, tile.shape[1], tile.shape[0])
                moved = replace(upright, left=upright.left + left, top=upright.top + top)
                yield scaled(moved, factor)


def _leaning(rgb: Pixels, detector: FaceDetector, threshold: float) -> Iterator[FaceBox]:
    """Faces between the quarter turns: the picture is looked at turned by 45 degrees, too."""
    import cv2

    view, factor = _reduced(rgb, LEAN_SIZE)
    height, width = view.shape[:2]
    side = int(np.ceil((height + width) / np.sqrt(2)))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 45, 1)
    matrix[:, 2] += (side - width) / 2, (side - height) / 2
    turned = cv2.warpAffine(view, matrix, (side, side), borderValue=GREY)
    back = np.asarray(cv2.invertAffineTransform(matrix), dtype=np.float64)
    for box in _at_size(np.asarray(turned, np.uint8), detector, threshold, None, ALL_TURNS):
        yield scaled(enclosing(box, back), factor)


def _reduced(rgb: Pixels, size: int | None) -> tuple[Pixels, float]:
    """The picture at that long side and what to multiply by to go back; itself if not larger."""
    import cv2

    long_side = max(rgb.shape[:2])
    if size is None or long_side <= size:
        return rgb, 1.0
    share = size / long_side
    width, height = (max(1, round(side * share)) for side in (rgb.shape[1], rgb.shape[0]))
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA)), 1 / share


def _tiles(rgb: Pixels) -> Iterator[tuple[Pixels, int, int]]:
    """Pieces of a very large picture with their left and top, so that memory stays bounded."""
    height, width = rgb.shape[:2]
    if height * width <= LARGE:
        yield rgb, 0, 0
        return
    step = TILE - TILE_OVERLAP
    for top in range(0, max(1, height - TILE_OVERLAP), step):
        for left in range(0, max(1, width - TILE_OVERLAP), step):
            yield rgb[top : top + TILE, left : left + TILE], left, top
