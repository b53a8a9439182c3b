"""Texts on their way out: swept for names once more, dates shifted, or withheld."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from archive_mem.release.dates import shift_text
from archive_mem.release.shift import Shift
from archive_mem.release.sweep import Sweep
from archive_mem.schema.media import CaptureTime, Precision
from archive_mem.schema.safe import SafeText

__all__ = ["Cleaner", "Withheld"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """A text or a video that is not in the release.

    item: id of the item
    field: such as "caption"; "media" for a whole video
    why: "a name", "a date" or "words that a video shows"
    """

    item: str
    field: str
    why: str


@dataclass(slots=True, kw_only=True)
class Cleaner:
    """Takes safe texts and times of one memory to what a release may say.

    sweep: finds what the vault knows
    redact: redacts a text anew, for names that were learned after it was redacted
    shift: None to leave times as they are
    withheld: grows
    """

    sweep: Sweep
    redact: Callable[[str], SafeText]
    shift: Shift | None
    withheld: list[Withheld] = field(default_factory=list)

    def text(
        self,
        text: SafeText | str | None,
        item: str,
        name: str,
        at: datetime | None,
        *,
        of_that_day: bool = True,
    ) -> str | None:
        """The text, None when there is none or it is withheld.

        item, name: for the list of what is withheld; at: wall clock of the item or the question;
        of_that_day: see shift_text
        """
        if text is None or not str(text):
            return None
        clean, why = self.cleaned(text, at, of_that_day=of_that_day)
        if clean is None:
            self.withhold(item, name, why)
        return clean

    def cleaned(
        self, text: SafeText | str, at: datetime | None, *, of_that_day: bool = True
    ) -> tuple[str | None, str]:
        """The text as it may go, or None and why it may not; nothing is noted."""
        clean = str(text)
        if self.sweep.finds(clean):
            clean = self.redact(clean).value
        if self.sweep.finds(clean):
            return None, "a name"
        if self.shift is None:
            return clean, ""
        day = None if at is None else at.date()
        return shift_text(clean, self.shift, day, of_that_day=of_that_day), "a date"

    def texts(
        self, texts: Iterable[SafeText | str], item: str, name: str, at: datetime | None
    ) -> list[str]:
        """Those that are not withheld."""
        cleaned = (self.text(text, item, name, at) for text in texts)
        return [text for text in cleaned if text is not None]

    def count(self, name: str) -> int:
        """How many of this field are withheld."""
        return sum(each.field == name for each in self.withheld)

    def withhold(self, item: str, name: str, why: str) -> None:
        """Leave something out, and say so."""
        self.withheld.append(Withheld(item=item, field=name, why=why))

    def moment(self, at: datetime | None) -> str | None:
        """An exact time to the second as ISO text, shifted if asked."""
        moved = self.moved(at)
        return None if moved is None else moved.isoformat(timespec="seconds")

    def moved(self, at: datetime | None) -> datetime | None:
        """A time, shifted if asked; None beyond the calendar."""
        if at is None or self.shift is None:
            return at
        try:
            return self.shift.moved(at)
        except OverflowError:
            return None

    def captured(self, time: CaptureTime | None) -> str | None:
        """A time as fine as it is known: "2023", "2023-05", "2023-05-12", or with the clock."""
        if time is None:
            return None
        try:
            return self._as_fine(time)
        except OverflowError:
            return None

    def _as_fine(self, time: CaptureTime) -> str:
        local, shift = time.local, self.shift
        if time.precision is Precision.YEAR:
            return f"{local.year if shift is None else shift.year(local.year):04}"
        if time.precision is Precision.MONTH:
            pair = (local.year, local.month)
            year, month = pair if shift is None else shift.month(*pair)
            return f"{year:04}-{month:02}"
        moved = local if shift is None else shift.moved(local)
        return (
            moved.isoformat(timespec="seconds")
            if time.precision.has_clock
            else moved.date().isoformat()
        )
