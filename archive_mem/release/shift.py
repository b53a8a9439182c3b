"""One secret shift of all times of a participant."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from anonymize.vault import Vault

__all__ = ["Shift", "secret_shift"]

_DAYS_A_YEAR = 365.2425
_FEWEST_YEARS, _MOST_YEARS = 10, 60
_LEEWAY_WEEKS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A shift by whole weeks near a whole number of years.

    Weekday, time of day and every interval stay as they were, the season roughly: what a person
    does on Thursdays, or each winter, is still true. The form is that of MIMIC-III (Johnson and
    others, 2016).

    weeks: added to every time
    """

    weeks: int

    def moved(self, at: datetime) -> datetime:
        """The time after the shift. Raises OverflowError beyond the calendar."""
        return at + timedelta(weeks=self.weeks)

    def day(self, day: date) -> date:
        """The day after the shift. Raises OverflowError beyond the calendar."""
        return day + timedelta(weeks=self.weeks)

    def month(self, year: int, month: int) -> tuple[int, int]:
        """Year and month where the middle of a month comes to lie."""
        middle = self.day(date(year, month, 15))
        return middle.year, middle.month

    def year(self, year: int) -> int:
        """The year where the middle of a year comes to lie."""
        return self.day(date(year, 7, 2)).year


def secret_shift(vault: Vault) -> Shift:
    """The shift of this memory: from the vault's own key, so the same in every release.

    10 to 60 years, give or take up to four weeks: 459 values.
    """
    number = int(vault.fingerprint("release\ntime shift"), 16)
    number, years = divmod(number, _MOST_YEARS - _FEWEST_YEARS + 1)
    leeway = number % (2 * _LEEWAY_WEEKS + 1) - _LEEWAY_WEEKS
    return Shift(weeks=round((years + _FEWEST_YEARS) * _DAYS_A_YEAR / 7) + leeway)
