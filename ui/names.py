"""Who sees real names: nobody, until the button is pressed; and then only for a while."""

import secrets
import threading
import time
from collections.abc import Callable

__all__ = ["COOKIE", "NameLock", "is_seat", "new_seat"]

COOKIE = "archive_mem_seat"
MINUTES = 15.0
_SEAT_BYTES = 24
_SEAT_LENGTH = 32


def new_seat() -> str:
    """A name for one browser that nobody can guess."""
    return secrets.token_urlsafe(_SEAT_BYTES)


def is_seat(text: str | None) -> bool:
    """True for the form of `new_seat`."""
    return text is not None and len(text) == _SEAT_LENGTH and text.isascii()


class NameLock:
    """Which browsers may see real names. Closed by default, and again after some minutes."""

    def __init__(
        self, minutes: float = MINUTES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = minutes * 60
        self._clock = clock
        self._until: dict[str, float] = {}
        self._guard = threading.Lock()

    def is_open(self, seat: str) -> bool:
        """True while this browser may see names."""
        with self._guard:
            return self._until.get(seat, 0.0) > self._clock()

    def open(self, seat: str) -> None:
        """Show names to this browser. A browser without a seat stays as it is."""
        if is_seat(seat):
            with self._guard:
                self._drop_old()
                self._until[seat] = self._clock() + self._seconds

    def close(self, seat: str) -> None:
        """Hide names again."""
        with self._guard:
            self._until.pop(seat, None)

    def _drop_old(self) -> None:
        now = self._clock()
        self._until = {seat: until for seat, until in self._until.items() if until > now}
