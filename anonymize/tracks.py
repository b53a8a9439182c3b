"""Boxes of faces followed through the frames of a video. Pure values, times in seconds.

A detector loses a face for a frame or two when it turns or blurs. Each face keeps its box from
half a second before it was first seen to half a second after it was last seen, and moves in a
straight line between two sightings.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from anonymize.boxes import FaceBox, merge_boxes

__all__ = ["CARRY", "Tracks"]

EDGE = 1e-6
"""Times are sums of fractions: a frame at the very edge of CARRY is covered, too."""
CARRY = 0.5
"""Seconds that a box is kept before its first and after its last sighting."""
REACH = 1.2
SIZE_RATIO = 2.5


@dataclass(slots=True)
class _Track:
    times: list[float] = field(default_factory=list)
    boxes: list[FaceBox] = field(default_factory=list)

    def add(self, at: float, box: FaceBox) -> None:
        self.times.append(at)
        self.boxes.append(box)

    def fits(self, at: float, box: FaceBox) -> bool:
        """Near enough, soon enough and of a like size to be the same face."""
        last = self.boxes[-1]
        if at - self.times[-1] > 2 * CARRY or at <= self.times[-1]:
            return False
        ratio = max(last.side, box.side) / max(1.0, min(last.side, box.side))
        reach = REACH * max(last.side, box.side)
        return ratio < SIZE_RATIO and _distance(last, box) < reach

    def at(self, time: float) -> Iterator[FaceBox]:
        """The boxes to cover at a time."""
        before = [i for i, seen in enumerate(self.times) if seen <= time]
        after = [i for i, seen in enumerate(self.times) if seen >= time]
        previous = self.boxes[before[-1]] if before else None
        following = self.boxes[after[0]] if after else None
        if previous and following:
            yield from _between(
                previous, following, time, self.times[before[-1]], self.times[after[0]]
            )
        elif previous and time - self.times[-1] <= CARRY + EDGE:
            yield previous
        elif following and self.times[0] - time <= CARRY + EDGE:
            yield following


def _distance(first: FaceBox, second: FaceBox) -> float:
    x = first.left + first.width / 2 - second.left - second.width / 2
    y = first.top + first.height / 2 - second.top - second.height / 2
    return float((x * x + y * y) ** 0.5)


def _between(
    first: FaceBox, second: FaceBox, time: float, start: float, end: float
) -> Iterator[FaceBox]:
    """The box on its way; in a gap, where it came from and goes to are covered as well."""
    if end <= start:
        yield first
        return
    share = (time - start) / (end - start)
    left, top, right, bottom = (
        (1 - share) * a + share * b for a, b in zip(_edges(first), _edges(second), strict=True)
    )
    yield FaceBox(left, top, right - left, bottom - top, min(first.score, second.score))
    if time - start <= CARRY + EDGE:
        yield first
    if end - time <= CARRY + EDGE:
        yield second


def _edges(box: FaceBox) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom


class Tracks:
    """Faces of the frames around now; what is long past is let go."""

    def __init__(self) -> None:
        self._tracks: list[_Track] = []
        self._ended = 0

    @property
    def count(self) -> int:
        """How many faces were followed in all."""
        return self._ended + len(self._tracks)

    def see(self, at: float, boxes: Iterable[FaceBox]) -> None:
        """Take in the faces found at a time; times must rise."""
        open_tracks = list(self._tracks)
        for box in sorted(boxes, key=lambda each: -each.score):
            track = _nearest(open_tracks, at, box)
            if track is None:
                track = _Track()
                self._tracks.append(track)
            else:
                open_tracks.remove(track)
            track.add(at, box)

    def boxes_at(self, time: float) -> list[FaceBox]:
        """Everything to cover at a time; what was seen up to CARRY after it must be taken in."""
        return merge_boxes(box for track in self._tracks for box in track.at(time))

    def forget_before(self, time: float) -> None:
        """Let go of faces that can no longer matter at `time` or later."""
        kept = [track for track in self._tracks if track.times[-1] + 2 * CARRY >= time]
        self._ended += len(self._tracks) - len(kept)
        self._tracks = kept


def _nearest(tracks: Sequence[_Track], at: float, box: FaceBox) -> _Track | None:
    fitting = [track for track in tracks if track.fits(at, box)]
    return min(fitting, key=lambda track: _distance(track.boxes[-1], box), default=None)
