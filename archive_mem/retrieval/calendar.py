"""Days, months, seasons and holidays as half-open windows of wall clock time."""

from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

__all__ = [
    "HOLIDAYS",
    "SEASONS",
    "Window",
    "beside",
    "day",
    "holidays_of",
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


_OPPOSITE = {"spring": "autumn", "summer": "winter", "autumn": "spring", "winter": "summer"}


def season(name: str, year_number: int, *, southern: bool = False) -> Window:
    """Three months; the one that begins in December runs from that year into February.

    southern: for a home south of the equator, where summer is December to February
    """
    first = SEASONS[_OPPOSITE[name] if southern else name]
    ends_in, last = divmod(first + 1, 12)
    return month(year_number, first).until(month(year_number + ends_in, last + 1))


def beside(event: Window, count: int, unit: str, *, before: bool, whole: bool = False) -> Window:
    """What lies `count` units before or after an event.

    unit: "day", "week", "month" or "year"
    whole: the whole stretch between ("in the two weeks before"); else around its far end ("two
        weeks before"), days exactly, weeks by two days, months by ten, years by 45
    """
    days, slack = _UNIT_DAYS[unit]
    far = timedelta(days=days * count)
    if whole and before:
        return Window(start=event.start - far, end=event.start)
    if whole:
        return Window(start=event.end, end=event.end + far)
    last = event.end - timedelta(microseconds=1)
    middle = event.start.date() - far if before else last.date() + far
    return span(middle - timedelta(days=slack), 2 * slack + 1)


_UNIT_DAYS = {"day": (1, 0), "week": (7, 2), "month": (30, 10), "year": (365, 45)}


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


def _nth(number: int, month_number: int, weekday: int, nth: int, days: int = 1) -> Window:
    """The nth of a weekday (0 for Monday) in a month, and the days after it."""
    first = date(number, month_number, 1)
    return span(first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1)), days)


def _thanksgiving(number: int) -> Window:
    """Fourth Thursday of November to the Sunday after it."""
    return _nth(number, 11, 3, 4, 4)


def _mothering_sunday(number: int) -> Window:
    """Three weeks before Easter Sunday."""
    return day(_easter(number).start.date() - timedelta(days=19))


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


_MID_AUTUMN = {
    2010: "0922", 2011: "0912", 2012: "0930", 2013: "0919", 2014: "0908", 2015: "0927",
    2016: "0915", 2017: "1004", 2018: "0924", 2019: "0913", 2020: "1001", 2021: "0921",
    2022: "0910", 2023: "0929", 2024: "0917", 2025: "1006", 2026: "0925", 2027: "0915",
    2028: "1003", 2029: "0922", 2030: "0912",
}  # fmt: skip


def _mid_autumn(number: int) -> Window:
    """Its day and those beside it; 7 September to 8 October outside the table."""
    known = _MID_AUTUMN.get(number)
    if known is None:
        return span(date(number, 9, 7), 32)
    return span(date(number, int(known[:2]), int(known[2:])) - timedelta(days=1), 3)


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
    "mid-autumn": _mid_autumn,
    "boxing day": _fixed(12, 26),
    "good friday": lambda number: day(_easter(number).start.date()),
    "labour day": _fixed(5, 1),
    "mother's day": lambda number: _nth(number, 5, 6, 2),
    "father's day": lambda number: _nth(number, 6, 6, 3),
    "children's day": _fixed(5, 5),
}
"""Where no home country is known; holidays_of has what differs between countries."""


def holidays_of(country: str | None) -> Mapping[str, Callable[[int], Window]]:
    """Holidays by name as the country keeps them.

    country: ISO 3166 alpha-2, None when it is not known
    """
    return HOLIDAYS if country is None else {**HOLIDAYS, **_own(country)}


def _own(country: str) -> Mapping[str, Callable[[int], Window]]:
    own = dict(_BY_COUNTRY.get(country, {}))
    if country in _NATIONAL_DAYS:
        kept = _fixed(*_NATIONAL_DAYS[country])
        own = {"national day": kept, "independence day": kept, **own}
    return own


_NATIONAL_DAYS = {
    "AR": (7, 9), "AT": (10, 26), "AU": (1, 26), "BE": (7, 21), "BR": (9, 7), "CA": (7, 1),
    "CH": (8, 1), "CL": (9, 18), "CO": (7, 20), "CZ": (10, 28), "DE": (10, 3), "DK": (6, 5),
    "ES": (10, 12), "FI": (12, 6), "FR": (7, 14), "GR": (3, 25), "ID": (8, 17), "IE": (3, 17),
    "IN": (8, 15), "IT": (6, 2), "JP": (2, 11), "KR": (8, 15), "MX": (9, 16), "MY": (8, 31),
    "NL": (4, 27), "NO": (5, 17), "NZ": (2, 6), "PH": (6, 12), "PL": (11, 11), "PT": (6, 10),
    "SE": (6, 6), "SG": (8, 9), "TH": (12, 5), "TR": (10, 29), "TW": (10, 10), "UA": (8, 24),
    "US": (7, 4), "VN": (9, 2), "ZA": (4, 27),
}  # fmt: skip

_BY_COUNTRY: Mapping[str, Mapping[str, Callable[[int], Window]]] = {
    "US": {"labour day": lambda number: _nth(number, 9, 0, 1)},
    "CA": {
        "labour day": lambda number: _nth(number, 9, 0, 1),
        "thanksgiving": lambda number: span(
            _nth(number, 10, 0, 2).start.date() - timedelta(days=2), 3
        ),
    },
    "CN": {
        "golden week": _fixed(10, 1, 7),
        "national day": _fixed(10, 1, 7),
        "labour day": _fixed(5, 1, 5),
        "children's day": _fixed(6, 1),
    },
    "GB": {"mother's day": _mothering_sunday},
    "IE": {"mother's day": _mothering_sunday},
    "PT": {"mother's day": lambda number: _nth(number, 5, 6, 1), "independence day": _fixed(12, 1)},
    "ES": {"mother's day": lambda number: _nth(number, 5, 6, 1)},
}
