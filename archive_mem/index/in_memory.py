"""An index in memory: exact, for tests, benchmarks and small archives."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from archive_mem.index.base import Hit, IndexRecord, checked

__all__ = ["InMemoryIndex", "nearest"]


class InMemoryIndex:
    """Every vector in one matrix; each query looks at all of them."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def upsert(self, records: Sequence[IndexRecord]) -> None:
        """Put records in, in place of those with the same ids."""
        for record in checked(records, self._dimension):
            self._vectors[record.id] = np.asarray(record.vector, np.float32)

    def delete(self, ids: Collection[str]) -> None:
        """Take records out; unknown ids are no error."""
        for each in ids:
            self._vectors.pop(each, None)

    def query(
        self, vector: NDArray[np.float32], k: int, within: Collection[str] | None = None
    ) -> list[Hit]:
        """The k nearest by cosine, best first, ties by id."""
        known = self._vectors.keys() if within is None else self._vectors.keys() & set(within)
        ids = sorted(known)
        if not ids:
            return []
        rows = np.vstack([self._vectors[each] for each in ids])
        return nearest(ids, rows, vector, k)

    def ids(self) -> set[str]:
        """All ids."""
        return set(self._vectors)

    def count(self) -> int:
        """How many records there are."""
        return len(self._vectors)

    def clear(self) -> None:
        """Take everything out."""
        self._vectors.clear()

    def compact(self) -> None:
        """Nothing is kept of what was taken out."""

    def close(self) -> None:
        """Nothing is open."""


def nearest(
    ids: Sequence[str], rows: NDArray[np.float32], vector: NDArray[np.float32], k: int
) -> list[Hit]:
    """The k of `rows` (shape (n, dimension)) with the highest dot product, ties by id."""
    scores = rows @ np.asarray(vector, np.float32)
    if k < len(ids):
        least = np.partition(scores, len(ids) - k)[len(ids) - k]
        chosen = np.flatnonzero(scores >= least)
    else:
        chosen = np.arange(len(ids))
    hits = [Hit(id=ids[row], score=float(scores[row])) for row in chosen.tolist()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]
