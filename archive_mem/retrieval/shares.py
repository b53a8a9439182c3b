"""A number for each item of an archive, as a mapping that costs nothing until it is walked."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["Shares"]


class Shares(Mapping[str, float]):
    """Item -> share, those of 0 left out; asking for one item reads one number.

    number_of: item -> its place in `values`; ascending in the order of its items
    values: float64 of shape (len(number_of),)
    """

    def __init__(self, number_of: Mapping[str, int], values: NDArray[np.float64]) -> None:
        self._number_of, self._values = number_of, values

    def __getitem__(self, item: str) -> float:
        value = float(self._values[self._number_of[item]])
        if value == 0.0:
            raise KeyError(item)
        return value

    def __iter__(self) -> Iterator[str]:
        pairs = zip(self._number_of, (self._values != 0.0).tolist(), strict=True)
        return (item for item, having in pairs if having)

    def __len__(self) -> int:
        return int(np.count_nonzero(self._values))
