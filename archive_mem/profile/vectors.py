"""Vectors of short texts, each embedded once."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder

__all__ = ["Vectors"]


class Vectors:
    """Keeps the vector of every text it was asked for, under an upper bound.

    embedder: turns text into unit vectors
    limit: texts kept; all are dropped when it is passed, and embedded again when asked for
    """

    def __init__(self, embedder: TextEmbedder, limit: int = 200_000) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._limit = limit
        self._known: dict[str, NDArray[np.float32]] = {}

    def of(self, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of length 1."""
        if not texts:
            return np.zeros((0, self._embedder.dimension), dtype=np.float32)
        self.prepare(texts)
        return np.stack([self._known[text.value] for text in texts])

    def prepare(self, texts: Iterable[SafeText]) -> None:
        """Embed in one batch what is not known yet."""
        asked = {text.value: text for text in texts}
        missing = [text for value, text in asked.items() if value not in self._known]
        if len(self._known) + len(missing) > self._limit:
            self._known.clear()
            missing = list(asked.values())
        if missing:
            rows = self._embedder.embed(missing)
            self._known.update(zip((text.value for text in missing), rows, strict=True))

    def similarity(
        self, left: Sequence[SafeText], right: Sequence[SafeText]
    ) -> NDArray[np.float32]:
        """Cosines, shape (len(left), len(right))."""
        self.prepare([*left, *right])
        product: NDArray[np.float32] = self.of(left) @ self.of(right).T
        return product
