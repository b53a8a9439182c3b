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
        import numpy as np

        places = np.searchsorted(self._heads, words)
        places[places == len(self._heads)] = 0
        hits: NDArray[np.intp] = np.flatnonzero(self._heads[places] == words)
        return hits

    def _whole(self, data: bytes, at: int) -> bool:
        head = int.from_bytes(data[at : at + _HEAD], "little")
        return any(data.startswith(needle, at) for needle in self._by_head[head])
