"""What was counted in one version of the word index, so that common words are read only once."""

from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Recent"]

_MOST_NUMBERS = 2_000_000
"""8 MiB: every row of twenty words that all of 100,000 turns have."""


class Recent:
    """Rows of the phrases that were looked up last, and which words are common.

    total: turns in this version of the index
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self._common: dict[str, bool] = {}
        self._rows: OrderedDict[str, NDArray[np.int32]] = OrderedDict()
        self._held = 0

    def common(self, word: str, count: Callable[[str], bool]) -> bool:
        """Whether `count` said that a word is common; asked once a word."""
        if word not in self._common:
            self._common[word] = count(word)
        return self._common[word]

    def rows(self, phrase: str, read: Callable[[str], NDArray[np.int64]]) -> NDArray[np.int64]:
        """What `read` gives for a phrase; the least recent phrases go when there are too many."""
        kept = self._rows.get(phrase)
        if kept is None:
            kept = read(phrase).astype(np.int32)
            self._rows[phrase] = kept
            self._held += kept.size + 1
            self._shrink()
        else:
            self._rows.move_to_end(phrase)
        return kept.astype(np.int64)

    def _shrink(self) -> None:
        while self._held > _MOST_NUMBERS and len(self._rows) > 1:
            self._held -= self._rows.popitem(last=False)[1].size + 1
