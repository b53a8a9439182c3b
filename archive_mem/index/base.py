"""What an index of turns is asked, and the values that go in and out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import IndexBroken
from archive_mem.schema.safe import SafeText

__all__ = ["Hit", "IndexCheck", "IndexRecord", "MemoryIndex", "checked"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndexRecord:
    """One turn, ready to be found.

    id: "<session id>:<position>"
    item_id, session_id: what it belongs to
    text: what is searched by words
    vector: float array of shape (dimension,), length 1
    at: wall clock in seconds as if it were UTC, None when unknown
    """

    id: str
    item_id: str
    session_id: str
    text: SafeText
    vector: NDArray[np.float32]
    at: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One turn that was found.

    id: the turn
    score: higher is better; cosine for vectors, BM25 for words
    """

    id: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCheck:
    """How an index compares with what should be in it; both sorted.

    missing: not there, or there without a vector that can be read
    extra: there, but not expected
    """

    missing: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """True when nothing is missing and nothing is extra."""
        return not self.missing and not self.extra


class MemoryIndex(Protocol):
    """Vectors of turns. All methods raise IndexBroken when the store cannot be trusted."""

    def upsert(self, records: Sequence[IndexRecord]) -> None:
        """Put records in, in place of those with the same ids; the last of one id wins."""
        ...

    def delete(self, ids: Collection[str]) -> None:
        """Take records out; unknown ids are no error."""
        ...

    def query(
        self, vector: NDArray[np.float32], k: int, within: Collection[str] | None = None
    ) -> list[Hit]:
        """The k nearest by cosine, best first, ties by id; of `within` only, when given."""
        ...

    def ids(self) -> set[str]:
        """Ids whose vectors can be read back."""
        ...

    def count(self) -> int:
        """How many records there are."""
        ...

    def clear(self) -> None:
        """Take everything out, also what is broken."""
        ...

    def compact(self) -> None:
        """Write files anew, so that nothing of what was taken out is in them."""
        ...

    def close(self) -> None:
        """Let go of files."""
        ...


def checked(records: Sequence[IndexRecord], dimension: int) -> list[IndexRecord]:
    """Records with distinct ids (the last wins). Raises IndexBroken for a vector that is not one.

    A wrong dimension means that another embedder made the vectors; NaN and infinities are refused
    because a store would keep them and never find the record again.
    """
    for record in records:
        if record.vector.shape != (dimension,):
            raise IndexBroken(
                f"the index holds vectors of {dimension} numbers, not {record.vector.shape}: "
                "run archive-mem reindex"
            )
        if not np.isfinite(record.vector).all():
            raise IndexBroken(f"the vector of {record.id} is not a number")
    return list({record.id: record for record in records}.values())
