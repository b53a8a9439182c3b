"""Face boxes as plain values: widening, moving, merging. All sizes are in pixels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FaceBox",
    "clip",
    "enclosing",
    "grown",
    "inside",
    "iou",
    "merge_boxes",
    "scaled",
    "turned_back",
    "widened",
]

LEAN = 1.2
"""A face that leans fills an upright box somewhat larger than its own."""


@dataclass(frozen=True, slots=True)
class FaceBox:
    """Where a face is.

    left, top: of its upper left corner
    width, height: of the face
    score: of the detector, 0 to 1
    """

    left: float
    top: float
    width: float
    height: float
    score: float = 1.0

    @property
    def right(self) -> float:
        """First column after the face."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """First row after the face."""
        return self.top + self.height

    @property
    def side(self) -> float:
        """The longer of width and height."""
        return max(self.width, self.height)


def widened(box: FaceBox, share: float) -> FaceBox:
    """The box with `share` of its size added on each side."""
    return replace(
        box,
        left=box.left - share * box.width,
        top=box.top - share * box.height,
        width=box.width * (1 + 2 * share),
        height=box.height * (1 + 2 * share),
    )


def scaled(box: FaceBox, factor: float) -> FaceBox:
    """The same face in a picture `factor` times as large."""
    return FaceBox(
        box.left * factor, box.top * factor, box.width * factor, box.height * factor, box.score
    )


def clip(box: FaceBox, width: int, height: int) -> FaceBox | None:
    """The part of the box inside a picture of that size, None when there is none."""
    left, top = max(0.0, box.left), max(0.0, box.top)
    right, bottom = min(float(width), box.right), min(float(height), box.bottom)
    if right - left < 1 or bottom - top < 1:
        return None
    return FaceBox(left, top, right - left, bottom - top, box.score)


def turned_back(box: FaceBox, turns: int, width: int, height: int) -> FaceBox:
    """A box found in `np.rot90(picture, turns)` in the picture's own pixels.

    width, height: of the picture before it was turned
    """
    match turns % 4:
        case 1:
            left, top = width - box.bottom, box.left
        case 2:
            left, top = width - box.right, height - box.bottom
        case 3:
            left, top = box.top, height - box.right
        case _:
            return box
    if turns % 2:
        return FaceBox(left, top, box.height, box.width, box.score)
    return FaceBox(left, top, box.width, box.height, box.score)


def enclosing(box: FaceBox, matrix: NDArray[np.float64]) -> FaceBox:
    """The upright box of a face that was found in a turned and scaled view.

    matrix: of shape (2, 3), from the view's pixels to the picture's: a turn, a scale and a shift
    """
    x, y = matrix @ (box.left + box.width / 2, box.top + box.height / 2, 1.0)
    cosine, sine = np.abs(matrix[0, :2])
    scale = float(np.hypot(cosine, sine))
    quarter = min(cosine, sine) < 0.01 * scale
    if quarter:
        width, height = (
            float(a * box.width + b * box.height) for a, b in ((cosine, sine), (sine, cosine))
        )
    else:
        width = height = box.side * scale * LEAN
    return FaceBox(float(x) - width / 2, float(y) - height / 2, width, height, box.score)


def _overlap(first: FaceBox, second: FaceBox) -> float:
    wide = min(first.right, second.right) - max(first.left, second.left)
    high = min(first.bottom, second.bottom) - max(first.top, second.top)
    return max(0.0, wide) * max(0.0, high)


def iou(first: FaceBox, second: FaceBox) -> float:
    """Shared area over the area of both, 0 to 1."""
    shared = _overlap(first, second)
    union = first.width * first.height + second.width * second.height - shared
    return shared / union if union > 0 else 0.0


def inside(inner: FaceBox, outer: FaceBox) -> float:
    """Share of the inner box that lies in the outer one, 0 to 1."""
    area = inner.width * inner.height
    return _overlap(inner, outer) / area if area > 0 else 0.0


def merge_boxes(boxes: Iterable[FaceBox], overlap: float = 0.4) -> list[FaceBox]:
    """One box a face (non-maximum suppression), best score first.

    A weaker box that reaches beyond a stronger one makes it grow: what any pass took for face is
    covered.
    """
    kept: list[FaceBox] = []
    for box in sorted(boxes, key=lambda each: -each.score):
        rival = _rival(box, kept, overlap)
        if rival is None:
            kept.append(box)
        else:
            kept[rival] = grown(kept[rival], box)
    return kept


def _rival(box: FaceBox, kept: Sequence[FaceBox], overlap: float) -> int | None:
    return next((at for at, other in enumerate(kept) if iou(box, other) > overlap), None)


def grown(strong: FaceBox, weak: FaceBox) -> FaceBox:
    """The smallest box around both, with the first one's score."""
    left, top = min(strong.left, weak.left), min(strong.top, weak.top)
    right, bottom = max(strong.right, weak.right), max(strong.bottom, weak.bottom)
    return FaceBox(left, top, right - left, bottom - top, strong.score)
