"""How much two short texts speak of the same thing: vectors for meaning, stems for rare names."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from archive_mem.profile.vectors import Vectors
from archive_mem.profile.wording import stems
from archive_mem.schema.safe import SafeText

__all__ = ["overlap", "relevance"]

Floats = NDArray[np.float64]

BY_WORDS = 0.4


def relevance(vectors: Vectors, asked: Sequence[SafeText], texts: Sequence[SafeText]) -> Floats:
    """Shape (len(asked), len(texts)), about 0 to 1: 0.6 cosine and 0.4 share of words."""
    if not asked or not texts:
        return np.zeros((len(asked), len(texts)))
    meaning = np.clip(vectors.similarity(asked, texts).astype(np.float64), 0.0, 1.0)
    return (1 - BY_WORDS) * meaning + BY_WORDS * overlap(asked, texts)


def overlap(asked: Sequence[SafeText], texts: Sequence[SafeText]) -> Floats:
    """Share of content stems in common, by the shorter of the two texts."""
    ours = [stems(text.value) for text in asked]
    theirs = [stems(text.value) for text in texts]
    return np.array([[_share(left, right) for right in theirs] for left in ours])


def _share(left: frozenset[str], right: frozenset[str]) -> float:
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0
