"""How values are said on a page: days, times, confidence, sizes. No locale, no names."""

from datetime import date, datetime, timedelta

from archive_mem.errors import UsageError
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.media import CaptureTime, Precision

__all__ = [
    "day_long",
    "day_short",
    "facet_value",
    "lines_of",
    "month_long",
    "parse_day",
    "parse_when",
    "say_confidence",
    "say_duration",
    "say_time",
    "scenario_name",
    "spoken",
    "when_field",
]

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SCENARIO_NAMES = {
    Scenario.LEISURE_ENTERTAINMENT: "Leisure and entertainment",
    Scenario.NATURE_OUTDOOR: "Nature and outdoors",
    Scenario.SPORTS_PHYSICAL: "Sports",
    Scenario.TRAVEL_MOBILITY: "Travel",
    Scenario.WORK_STUDY: "Work and study",
}
_FIRST_PHOTO = 1826
_COARSE = {Precision.DAY, Precision.MONTH, Precision.YEAR}


def day_short(day: date) -> str:
    """Such as "Sun 14 May"."""
    return f"{_WEEKDAYS[day.weekday()][:3]} {day.day} {_MONTHS[day.month - 1][:3]}"


def day_long(day: date) -> str:
    """Such as "Sunday 14 May 2023"."""
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def month_long(day: date) -> str:
    """Such as "May 2023"."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def say_time(time: CaptureTime) -> str:
    """As fine as it is known, with the offset where it is known."""
    local = time.local
    if time.precision is Precision.YEAR:
        return str(local.year)
    if time.precision is Precision.MONTH:
        return month_long(local)
    if time.precision is Precision.DAY:
        return day_long(local)
    return f"{day_long(local)}, {local:%H:%M}{_offset(time.utc_offset)}"


def _offset(offset: timedelta | None) -> str:
    if offset is None:
        return ""
    minutes = round(offset.total_seconds() / 60)
    sign = "\N{MINUS SIGN}" if minutes < 0 else "+"
    return f" ({sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02})"


def say_confidence(confidence: float) -> str:
    """A word for 0 to 1."""
    if confidence >= 0.9:
        return "sure"
    return "likely" if confidence >= 0.5 else "a guess"


def say_duration(seconds: float) -> str:
    """Such as "0:07" or "1:02:03"."""
    whole = max(0, round(seconds))
    hours, rest = divmod(whole, 3600)
    minutes = f"{rest // 60:02}" if hours else str(rest // 60)
    return f"{hours}:{minutes}:{rest % 60:02}" if hours else f"{minutes}:{rest % 60:02}"


def spoken(name: str) -> str:
    """An enum value as words: "travel_mobility" is "Travel mobility"."""
    return name.replace("_", " ").capitalize()


def scenario_name(scenario: Scenario) -> str:
    """Such as "Travel and mobility"."""
    return _SCENARIO_NAMES.get(scenario) or spoken(scenario)


_FACET_VALUES = {
    "photo": "Photos",
    "video": "Videos",
    "noted": "With your notes",
    "open": "Not written about yet",
    "text": "With text in it",
    "undated": "Without a date",
}


def facet_value(facet: str, value: str) -> str:
    """A choice of the time line in words; years are as they are."""
    if facet == "scenario":
        return scenario_name(Scenario(value))
    return _FACET_VALUES.get(value, value)


def lines_of(text: str | None, separators: str = "\n") -> list[str]:
    """What was typed one a line (or one a separator), without blanks and doubles."""
    found = text or ""
    for sign in separators:
        found = found.replace(sign, "\n")
    return list(
        dict.fromkeys(" ".join(line.split()) for line in found.splitlines() if line.strip())
    )


def when_field(at: datetime | None) -> str:
    """A time as the page's box has it; `parse_when` reads it back."""
    if at is None:
        return ""
    return at.isoformat(sep=" ", timespec="seconds" if at.second else "minutes")


def parse_when(text: str | None, now: datetime) -> datetime | None:
    """A wall clock that somebody typed: a day and a time, an offset if they know it.

    now: naive wall clock; what lies more than a day after it is refused. Raises UsageError.
    """
    typed = " ".join((text or "").split())
    if not typed:
        return None
    try:
        at = datetime.fromisoformat(typed)
    except ValueError as error:
        raise UsageError("the time is not readable: write 2023-05-14 12:31") from error
    if at.year < _FIRST_PHOTO:
        raise UsageError(f"there were no photos before {_FIRST_PHOTO}")
    if at.replace(tzinfo=None) > now + timedelta(days=1):
        raise UsageError("the time lies in the future")
    return at.replace(microsecond=0)


def parse_day(text: str | None) -> datetime | None:
    """The end of a day, a month or a year that somebody typed; None for nothing.

    Raises UsageError.
    """
    typed = (text or "").strip()
    if not typed:
        return None
    try:
        return _end_of(typed)
    except (ValueError, OverflowError) as error:
        raise UsageError("the day is not readable: write 2024-06-01, 2024-06 or 2024") from error


def _end_of(typed: str) -> datetime:
    parts = [int(part) for part in typed.split("-")] if typed.replace("-", "").isdigit() else []
    if len(parts) == 1:
        return datetime(parts[0], 12, 31, 23, 59, 59)
    if len(parts) == 2:
        following = date(parts[0] + parts[1] // 12, parts[1] % 12 + 1, 1)
        last = following - timedelta(days=1)
        return datetime(parts[0], parts[1], last.day, 23, 59, 59)
    at = datetime.fromisoformat(typed)
    whole_day = len(typed) <= len("2024-06-01")
    return at.replace(
        tzinfo=None, **({"hour": 23, "minute": 59, "second": 59} if whole_day else {})
    )
