"""How long work tells how far it is: the command line draws bars, the library is silent."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

__all__ = ["Track", "silent"]

T = TypeVar("T")


class Track(Protocol):
    """Passes items through and shows how many have passed."""

    def __call__(self, items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
        """The same items; `what` is a short word for the person who waits."""
        ...


def silent(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Show nothing."""
    return iter(items)
