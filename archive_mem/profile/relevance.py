"""How much two short texts speak of the same thing: vectors for meaning, stems for rare names."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anonymize.compose import excerpt, join
from archive_mem.profile.compare import sides
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.wording import content_spans, stems
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.safe import SafeText

__all__ = ["item_relevance", "overlap", "relevance", "subject_of"]

Floats = NDArray[np.float64]

BY_WORDS = 0.4


def relevance(vectors: Vectors, asked: Sequence[SafeText], texts: Sequence[SafeText]) -> Floats:
    """Shape (len(asked), len(texts)), 0 to 1: the cosine, lifted by the share of common words."""
    if not asked or not texts:
        return np.zeros((len(asked), len(texts)))
    meaning = np.clip(vectors.similarity(asked, texts).astype(np.float64), 0.0, 1.0)
    lifted: Floats = 1 - (1 - meaning) * (1 - BY_WORDS * overlap(asked, texts))
    return lifted


def item_relevance(vectors: Vectors, question: SafeText, items: Sequence[ProfileItem]) -> Floats:
    """Shape (len(items),): by the whole wording, or by the subject of a side."""
    if not items:
        return np.zeros(0)
    whole = relevance(vectors, [question], [item.statement for item in items])[0]
    owners, subjects = _subjects(items)
    about = relevance(vectors, [subject_of(question)], subjects)[0]
    best: Floats = np.array(whole)
    np.maximum.at(best, owners, about)
    return best


def subject_of(question: SafeText) -> SafeText:
    """The content words of a question; the question itself when it has none."""
    words = [excerpt(question, start, end) for start, end in content_spans(question.value)]
    return join(" ", words) or question


def overlap(asked: Sequence[SafeText], texts: Sequence[SafeText]) -> Floats:
    """Share of content stems in common, by the shorter of the two texts."""
    ours = [stems(text.value) for text in asked]
    theirs = [stems(text.value) for text in texts]
    return np.array([[_share(left, right) for right in theirs] for left in ours])


def _subjects(items: Sequence[ProfileItem]) -> tuple[list[int], list[SafeText]]:
    found = [(row, side.text) for row, item in enumerate(items) for side in sides(item.statement)]
    found = found or [(0, items[0].statement)]
    return [row for row, _ in found], [text for _, text in found]


def _share(left: frozenset[str], right: frozenset[str]) -> float:
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0
