"""A few frames that tell what a video shows: spread over time and over changes of scene."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from archive_mem.schema.safe import SafeImage

__all__ = ["Sampler", "signature", "spread"]

Signature = NDArray[np.float32]
CANDIDATES = 24
SCENE_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class _Candidate:
    time: float
    image: SafeImage
    mark: Signature


def signature(pixels: NDArray[np.uint8]) -> Signature:
    """64 shares of colours, summing to 1, of an RGB picture."""
    small = pixels[::8, ::8].reshape(-1, 3) >> 6
    code = small[:, 0].astype(np.int64) * 16 + small[:, 1] * 4 + small[:, 2]
    counts = np.bincount(code, minlength=64).astype(np.float32)
    return np.asarray(counts / max(1.0, float(counts.sum())), dtype=np.float32)


def spread(times: list[float], marks: list[Signature], count: int) -> list[int]:
    """Indices, rising, of up to `count` frames: the first, then always the one least like them."""
    if not times:
        return []
    length = max(times) - min(times) or 1.0
    chosen = [0]
    while len(chosen) < min(count, len(times)):
        rest = [at for at in range(len(times)) if at not in chosen]
        chosen.append(
            max(rest, key=lambda at: min(_unlike(times, marks, length, at, c) for c in chosen))
        )
    return sorted(chosen)


def _unlike(times: list[float], marks: list[Signature], length: float, a: int, b: int) -> float:
    apart = abs(times[a] - times[b]) / length
    return apart + SCENE_WEIGHT * 0.5 * float(np.abs(marks[a] - marks[b]).sum())


class Sampler:
    """Collects candidates from a stream of unknown length, and chooses at the end."""

    def __init__(self, step: float = 0.25) -> None:
        """step: seconds between candidates at first; it doubles as they grow too many."""
        self._step = step
        self._held: list[_Candidate] = []

    def wants(self, time: float) -> bool:
        """Whether the frame at that time is a candidate."""
        return not self._held or time - self._held[-1].time >= self._step

    def take(self, time: float, image: SafeImage) -> None:
        """Keep a candidate."""
        self._held.append(_Candidate(time, image, signature(image.pixels)))
        if len(self._held) > CANDIDATES:
            self._held = self._held[::2]
            self._step *= 2

    def choose(self, count: int) -> tuple[tuple[float, SafeImage], ...]:
        """Up to `count` frames with their seconds, in order."""
        held = self._held
        at = spread([each.time for each in held], [each.mark for each in held], count)
        return tuple((held[i].time, held[i].image) for i in at)
