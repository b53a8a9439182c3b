"""Days, months, seasons and holidays as half-open windows of wall clock time."""

from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

__all__ = [
    "HOLIDAYS",
    "SEASONS",
    "Window",
    "day",
    "latest",
    "month",
    "months_back",
    "season",
    "span",
    "week",
    "year",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of wall clock time.

    start: first moment in it
    end: first moment after it
    """

    start: datetime
    end: datetime

    def holds(self, at: datetime) -> bool:
        """True when `at` lies in it."""
        return self.start <= at < self.end

    def until(self, other: "Window") -> "Window":
        """From the begin of this to the end of the other, whichever is earlier."""
        return Window(start=min(self.start, other.start), end=max(self.end, other.end))

    def gap(self, at: datetime) -> timedelta:
        """How far `at` lies outside; zero inside."""
        return max(self.start - at, at - self.end, timedelta(0))


SEASONS: Mapping[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""First month of each season in the northern half; winter of a year ends in the next one."""


def span(first: date, days: int) -> Window:
    """`days` whole days."""
    start = datetime.combine(first, time())
    return Window(start=start, end=start + timedelta(days=days))


def day(on: date) -> Window:
    """One day."""
    return span(on, 1)


def week(on: date) -> Window:
    """Monday to Sunday around a day."""
    return span(on - timedelta(days=on.weekday()), 7)


def month(year_number: int, number: int) -> Window:
    """One calendar month."""
    return span(date(year_number, number, 1), monthrange(year_number, number)[1])


def year(number: int) -> Window:
    """One calendar year."""
    return Window(start=datetime(number, 1, 1), end=datetime(number + 1, 1, 1))


def season(name: str, year_number: int) -> Window:
    """Three months; winter runs from December of that year into February."""
    first = SEASONS[name]
    ends_in, last = divmod(first + 1, 12)
    return month(year_number, first).until(month(year_number + ends_in, last + 1))


def months_back(on: date, count: int) -> date:
    """The same day `count` months before, or the last one of that month."""
    years, index = divmod(on.year * 12 + on.month - 1 - count, 12)
    return date(years, index + 1, min(on.day, monthrange(years, index + 1)[1]))


def latest(of_year: Callable[[int], Window], asked_at: datetime, *, over: bool) -> Window:
    """The newest yearly window that has begun (or, with `over`, has ended) when it is asked."""
    candidates = [of_year(asked_at.year - back) for back in (0, 1, 2)]
    past = [w for w in candidates if (w.end if over else w.start) <= asked_at]
    return past[0]


def _easter(number: int) -> Window:
    """Good Friday to Easter Monday (Gregorian computus, Meeus/Jones/Butcher)."""
    golden, (century, rest) = number % 19, divmod(number, 100)
    leap, left = divmod(century, 4)
    moon = (19 * golden + century - leap - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * left + 2 * (rest // 4) - moon - rest % 4) % 7
    shift = (golden + 11 * moon + 22 * weekday) // 451
    month_number, day_number = divmod(moon + weekday - 7 * shift + 114, 31)
    return span(date(number, month_number, day_number + 1) - timedelta(days=2), 4)


def _thanksgiving(number: int) -> Window:
    """Fourth Thursday of November to the Sunday after it."""
    first = date(number, 11, 1)
    return span(first + timedelta(days=(3 - first.weekday()) % 7 + 21), 4)


_LUNAR_DAYS = """
    0205 0124 0212 0201 0122 0209 0129 0218 0207 0126 0214 0203 0123 0210 0131 0219 0208
    0128 0216 0205 0125 0212 0201 0122 0210 0129 0217 0206 0126 0213 0203 0123 0211 0131
    0219 0208 0128 0215 0204 0124 0212
"""
_LUNAR_NEW_YEAR = dict(zip(range(2000, 2041), _LUNAR_DAYS.split(), strict=True))
"""Month and day of each new year."""


def _lunar_new_year(number: int) -> Window:
    """Its eve and the week after; between 20 January and 21 February outside the table."""
    known = _LUNAR_NEW_YEAR.get(number)
    if known is None:
        return span(date(number, 1, 20), 33)
    return span(date(number, int(known[:2]), int(known[2:])) - timedelta(days=1), 8)


def _fixed(month_number: int, day_number: int, days: int = 1) -> Callable[[int], Window]:
    return lambda number: span(date(number, month_number, day_number), days)


HOLIDAYS: Mapping[str, Callable[[int], Window]] = {
    "christmas": _fixed(12, 24, 3),
    "christmas eve": _fixed(12, 24),
    "new year's eve": _fixed(12, 31),
    "new year": lambda number: span(date(number - 1, 12, 31), 4),
    "valentine": _fixed(2, 14),
    "halloween": _fixed(10, 31),
    "independence day": _fixed(7, 4),
    "thanksgiving": _thanksgiving,
    "easter": _easter,
    "golden week": _fixed(4, 29, 8),
    "obon": _fixed(8, 13, 4),
    "lunar new year": _lunar_new_year,
    "national day": _fixed(10, 1, 7),
}
