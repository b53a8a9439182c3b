"""Vectors and words of the same turns, kept together."""

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from archive_mem.index.base import Hit, IndexCheck, IndexRecord, MemoryIndex
from archive_mem.index.in_memory import nearest
from archive_mem.index.lexical import LexicalIndex, Stored
from archive_mem.schema.safe import SafeText

__all__ = ["HybridIndex", "open_for_owner", "open_for_reader"]


class HybridIndex:
    """Both indexes as one. Without `memory` (a reader's process) vectors come from `lexical`.

    memory: vectors, fast over the whole archive; None for readers
    lexical: words, and vectors for exact search
    """

    def __init__(self, memory: MemoryIndex | None, lexical: LexicalIndex) -> None:
        self._memory, self._lexical = memory, lexical

    def upsert(self, records: Sequence[IndexRecord]) -> None:
        """Put records into both; when it raises, the same call again makes both whole."""
        if self._memory is not None:
            self._memory.upsert(records)
        self._lexical.upsert(records)

    def delete(self, ids: Collection[str]) -> None:
        """Take records out of both."""
        if self._memory is not None:
            self._memory.delete(ids)
        self._lexical.delete(ids)

    def purge(self) -> None:
        """Wipe the words of replaced texts from the file: call it at the end of a run."""
        self._lexical.purge()

    def compact(self) -> None:
        """Write all files anew, so that nothing of deleted turns is in them."""
        if self._memory is not None:
            self._memory.compact()
        self._lexical.compact()

    def check(self, expected: Collection[str]) -> IndexCheck:
        """Compare both with the turns that the catalog has, vector by vector."""
        wanted, words = set(expected), self._lexical.ids()
        vectors = words if self._memory is None else self._memory.ids()
        return IndexCheck(
            missing=tuple(sorted(wanted - (words & vectors))),
            extra=tuple(sorted((words | vectors) - wanted)),
        )

    def clear(self) -> None:
        """Empty both, also what is broken."""
        if self._memory is not None:
            self._memory.clear()
        self._lexical.clear()

    def count(self) -> int:
        """How many turns can be found."""
        return self._lexical.count()

    def stored(self) -> Stored:
        """Every turn with its vector."""
        return self._lexical.stored()

    def by_words(self, text: SafeText, k: int, within: Collection[str] | None = None) -> list[Hit]:
        """The k best by BM25."""
        return self._lexical.search(text, k, within)

    def holding(self, phrase: SafeText) -> NDArray[np.int64]:
        """Rows of `stored()` whose turns have the words of the phrase next to each other."""
        return self._lexical.holding(phrase)

    def by_vector(
        self, vector: NDArray[np.float32], k: int, within: Collection[str] | None = None
    ) -> list[Hit]:
        """The k nearest by cosine; a filtered question is answered exactly, in NumPy."""
        if within is None and self._memory is not None:
            return self._memory.query(vector, k)
        stored = self._lexical.stored()
        if within is None:
            return nearest(stored.ids, stored.vectors, vector, k)
        rows = sorted(stored.row_of[name] for name in set(within) if name in stored.row_of)
        ids = [stored.ids[row] for row in rows]
        return nearest(ids, stored.vectors[rows], vector, k) if ids else []

    def close(self) -> None:
        """Let go of all files."""
        if self._memory is not None:
            self._memory.close()
        self._lexical.close()


def open_for_owner(folder: Path, *, model: str, dimension: int, fresh: bool = False) -> HybridIndex:
    """The index of `<memory>/chroma`, for the one process that holds the memory's lock.

    fresh: throw away what is there first; what to do after IndexBroken, before a rebuild
    """
    from archive_mem.index.chroma import ChromaIndex

    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    words = _words(folder, model, dimension, read_only=False)
    try:
        return HybridIndex(ChromaIndex(folder, model=model, dimension=dimension), words)
    except BaseException:
        words.close()
        raise


def open_for_reader(folder: Path, *, model: str, dimension: int) -> HybridIndex:
    """The index of `<memory>/chroma`, for any other process, also during an ingest."""
    return HybridIndex(None, _words(folder, model, dimension, read_only=True))


def _words(folder: Path, model: str, dimension: int, *, read_only: bool) -> LexicalIndex:
    return LexicalIndex(
        folder / "lexical.sqlite", model=model, dimension=dimension, read_only=read_only
    )
