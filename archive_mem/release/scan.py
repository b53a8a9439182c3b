"""The last look at the bytes of a release: nothing that is known to be personal is in them."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ByteScan"]

_CHUNK = 1 << 20
_HEAD = 8
"""Shorter secrets are in the noise of a picture by chance."""

_MARK_BITS = 22
_ODD = 0x9E3779B97F4A7C15
"""Multiplicative hashing (Knuth): 2^64 over the golden ratio."""

_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


class ByteScan:
    """Finds any of many secrets of at least eight bytes, in any case of ASCII letters.

    The first eight bytes of all secrets are looked for at once, so that the time does not depend on
    how many there are.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        import numpy as np

        needles = {
            needle
            for secret in secrets
            for encoding in _ENCODINGS
            if len(needle := secret.encode(encoding, "surrogatepass").lower()) >= _HEAD
        }
        self._by_head: dict[int, list[bytes]] = {}
        for needle in needles:
            self._by_head.setdefault(int.from_bytes(needle[:_HEAD], "little"), []).append(needle)
        self._heads = np.array(sorted(self._by_head), dtype=np.uint64)
        self._marks = np.zeros(1 << _MARK_BITS, dtype=np.bool_)
        self._marks[_mark(self._heads)] = True
        self._overlap = max(map(len, needles), default=_HEAD) - 1

    def finds(self, path: Path) -> bool:
        """Whether one of the secrets is in a file. Raises OSError."""
        tail = b""
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                window = (tail + chunk).lower()
                if self._in(window):
                    return True
                tail = window[-self._overlap :]
        return False

    def _in(self, data: bytes) -> bool:
        import numpy as np

        if len(data) < _HEAD or not len(self._heads):
            return False
        for start in range(_HEAD):
            count = (len(data) - start) // _HEAD
            if count <= 0:
                continue
            words = np.frombuffer(data, dtype="<u8", count=count, offset=start)
            if any(self._whole(data, start + _HEAD * int(at)) for at in self._hits(words)):
                return True
        return False

    def _hits(self, words: "NDArray[np.uint64]") -> "NDArray[np.intp]":
        """Where a head may be: by a table of marks first, which lets nearly nothing through."""
        import numpy as np

        marked = np.flatnonzero(self._marks[_mark(words)])
        candidates = words[marked]
        places = np.minimum(np.searchsorted(self._heads, candidates), len(self._heads) - 1)
        hits: NDArray[np.intp] = marked[self._heads[places] == candidates]
        return hits

    def _whole(self, data: bytes, at: int) -> bool:
        head = int.from_bytes(data[at : at + _HEAD], "little")
        return any(data.startswith(needle, at) for needle in self._by_head[head])


def _mark(words: "NDArray[np.uint64]") -> "NDArray[np.uint64]":
    """A number of _MARK_BITS bits of each word."""
    import numpy as np

    marks: NDArray[np.uint64] = (words * np.uint64(_ODD)) >> np.uint64(64 - _MARK_BITS)
    return marks
