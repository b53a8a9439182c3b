"""A closer look at places that may show a face: enlarged or reduced, and in eight turns.

Many small views are laid side by side in one picture, so that the detector is called a few times
only, and any detector will do.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anonymize.boxes import FaceBox, enclosing, grown
from anonymize.detectors import FaceDetector, Pixels

__all__ = ["BAR", "Closer", "evidence"]

ANGLES = tuple(range(0, 360, 45))
FIRST, FURTHER = 36, (46, 60)
"""Pixels that the box's longer side takes in the views: at first, and of those that pass."""
ROOM = 2.4
GAP = 8
COLUMNS = 16
ROWS = 8
LEAST = 0.03
BAR = 2.0
"""Log odds of the first sight and of the closer look together that make a face."""
STRONG = 0.5
PLAIN, PLAIN_BAR = 0.97, 3.0
FLOOR, CEILING = 0.01, 0.995
OFF_CENTRE = 0.4
SMALLEST, LARGEST = 0.55, 1.9
GREY = 127

Matrix = NDArray[np.float64]


def evidence(first: float, closer: float) -> float:
    """Log odds of two scores between 0 and 1, added as those of independent sights are."""
    return _log_odds(first) + _log_odds(closer)


def _log_odds(score: float) -> float:
    bounded = min(max(score, FLOOR), CEILING)
    return float(np.log(bounded / (1 - bounded)))


@dataclass(frozen=True, slots=True)
class _View:
    """One place, seen once.

    box: the place in the picture
    angle: degrees that it is turned by
    size: pixels that the box's longer side takes
    """

    box: FaceBox
    angle: int
    size: int


@dataclass(frozen=True, slots=True)
class _Sight:
    """What the detector saw in a view.

    score: of the face in its middle, 0 when there is none
    face: where in the picture, None when there is none
    """

    score: float
    face: FaceBox | None


class Closer:
    """Looks again at places of one picture."""

    def __init__(self, rgb: Pixels, detector: FaceDetector) -> None:
        self._halved = _Halved(rgb)
        self._detector = detector

    def faces(self, candidates: Sequence[FaceBox]) -> list[FaceBox]:
        """Those that are faces at this look, too, with the score of both and a better box."""
        rows = self._all_turns(candidates, FIRST)
        seen = self._at_one_turn(candidates, rows)
        profiles = [box for box in candidates if box.score >= PLAIN and box not in seen]
        return [*seen.values(), *self._at_any_turns(profiles)]

    def _all_turns(self, boxes: Sequence[FaceBox], size: int) -> list[list[_Sight]]:
        sights = iter(self._sights([_View(box, a, size) for box in boxes for a in ANGLES]))
        return [[next(sights) for _ in ANGLES] for _ in boxes]

    def _at_one_turn(
        self, candidates: Sequence[FaceBox], rows: Sequence[Sequence[_Sight]]
    ) -> dict[FaceBox, FaceBox]:
        """Candidate -> face, of those that look like one at every size in one turn."""
        passed = [
            (box, turns)
            for box, row in zip(candidates, rows, strict=True)
            if (turns := _best_turns(box, row))
        ]
        views = [
            _View(box, angle, size) for box, turns in passed for angle in turns for size in FURTHER
        ]
        further = iter(self._sights(views))
        found = {}
        for box, turns in passed:
            weakest = max(
                min(sight.score, *(next(further).score for _ in FURTHER))
                for sight in turns.values()
            )
            if evidence(box.score, weakest) > BAR:
                found[box] = _settled(box, weakest, next(iter(turns.values())).face)
        return found

    def _at_any_turns(self, boxes: Sequence[FaceBox]) -> list[FaceBox]:
        """Those that were plain at first sight and look somewhat like a face at most sizes.

        A face in profile does, at whatever turn.
        """
        by_size = [self._all_turns(boxes, size) for size in (FIRST, *FURTHER)]
        best = [
            [max(sight.score for sight in rows[at]) for rows in by_size] for at in range(len(boxes))
        ]
        return [
            box
            for box, scores in zip(boxes, best, strict=True)
            if evidence(box.score, float(np.median(scores))) > PLAIN_BAR
        ]

    def _sights(self, views: Sequence[_View]) -> list[_Sight]:
        if not views:
            return []
        side = round(ROOM * max(view.size for view in views))
        page = COLUMNS * ROWS
        pages = (views[start : start + page] for start in range(0, len(views), page))
        return [sight for each in pages for sight in self._page(each, side)]

    def _page(self, views: Sequence[_View], side: int) -> list[_Sight]:
        columns = min(COLUMNS, len(views))
        rows = -(-len(views) // columns)
        step = side + GAP
        canvas = np.full((rows * step, columns * step, 3), GREY, np.uint8)
        corners = [(at % columns * step, at // columns * step) for at in range(len(views))]
        backs = []
        for view, (left, top) in zip(views, corners, strict=True):
            pixels, back = _drawn(self._halved, view, side)
            canvas[top : top + side, left : left + side] = pixels
            backs.append(back)
        boxes = self._detector.detect(canvas, LEAST)
        return [
            _sight(view, back, boxes, left + side / 2, top + side / 2)
            for view, back, (left, top) in zip(views, backs, corners, strict=True)
        ]


def _best_turns(box: FaceBox, sights: Sequence[_Sight]) -> dict[int, _Sight]:
    """The two best turns among those that can still pass, best first."""
    able = [
        (sight.score, angle, sight)
        for angle, sight in zip(ANGLES, sights, strict=True)
        if evidence(box.score, sight.score) > BAR
    ]
    able.sort(key=lambda each: (-each[0], each[1]))
    return {angle: sight for _, angle, sight in able[:2]}


def _settled(box: FaceBox, score: float, better: FaceBox | None) -> FaceBox:
    """A weak box was seen at a wrong turn, so a better one takes its place; a strong one grows."""
    best = max(box.score, score)
    if better is None:
        return FaceBox(box.left, box.top, box.width, box.height, best)
    area = grown(box, better) if box.score >= STRONG else better
    return FaceBox(area.left, area.top, area.width, area.height, best)


class _Halved:
    """A picture at full size, half of it, a quarter, and so on, each made when first used."""

    def __init__(self, rgb: Pixels) -> None:
        self._levels = [rgb]

    def at_most_twice(self, scale: float) -> tuple[Pixels, float, float]:
        """The smallest one that is at least `scale` times the picture, and its own two scales."""
        import cv2

        wanted = max(0, int(np.floor(-np.log2(scale))))
        while len(self._levels) <= wanted and min(self._levels[-1].shape[:2]) > 1:
            width, height = (max(1, side // 2) for side in self._levels[-1].shape[1::-1])
            half = cv2.resize(self._levels[-1], (width, height), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, dtype=np.uint8))
        level = self._levels[min(wanted, len(self._levels) - 1)]
        whole = self._levels[0]
        return level, level.shape[1] / whole.shape[1], level.shape[0] / whole.shape[0]


def _drawn(halved: _Halved, view: _View, side: int) -> tuple[Pixels, Matrix]:
    """A square of `side` pixels with the box in its middle, and the way back from its middle.

    A face that the picture's edge cuts is continued by its mirror image: the detector knows faces,
    not halves.
    """
    import cv2

    scale = view.size / view.box.side
    x, y = view.box.left + view.box.width / 2, view.box.top + view.box.height / 2
    source, across, down = halved.at_most_twice(scale)
    rest = scale / max(across, down)
    matrix = cv2.getRotationMatrix2D((x * across, y * down), view.angle, rest)
    matrix[:, 2] += np.asarray((side / 2 - x * across, side / 2 - y * down))
    how = cv2.INTER_CUBIC if rest > 1 else cv2.INTER_LINEAR
    pixels = cv2.warpAffine(
        source, matrix, (side, side), flags=how, borderMode=cv2.BORDER_REFLECT_101
    )
    back = cv2.getRotationMatrix2D((0.0, 0.0), -view.angle, 1 / scale)
    back[:, 2] = x, y
    return np.asarray(pixels, dtype=np.uint8), np.asarray(back, dtype=np.float64)


def _sight(
    view: _View, back: Matrix, boxes: Iterable[FaceBox], middle_x: float, middle_y: float
) -> _Sight:
    here = [box for box in boxes if _fits(box, view.size, middle_x, middle_y)]
    if not here:
        return _Sight(0.0, None)
    best = max(here, key=lambda box: box.score)
    shifted = FaceBox(
        best.left - middle_x, best.top - middle_y, best.width, best.height, best.score
    )
    return _Sight(best.score, enclosing(shifted, back))


def _fits(box: FaceBox, size: int, middle_x: float, middle_y: float) -> bool:
    x, y = box.left + box.width / 2 - middle_x, box.top + box.height / 2 - middle_y
    near = max(abs(x), abs(y)) < OFF_CENTRE * size
    return near and SMALLEST * size < box.side < LARGEST * size
