"""Dates and offsets as people's files spell them. Pure: "now" is an argument.

A date is taken whole or not at all: nothing is clipped, completed or guessed.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from archive_mem.schema.media import Precision

__all__ = [
    "FIRST_YEAR",
    "Stamp",
    "from_unix",
    "half_day",
    "offset_text",
    "parse_mail_date",
    "parse_offset",
    "parse_partial",
    "parse_stamp",
    "refusal_of",
    "step",
]

# The oldest surviving photograph is of 1826.
FIRST_YEAR = 1826

_STAMP = re.compile(
    r"""(?P<year>\d{4}) (?P<sep>[:\-/.\ ]) \s?(?P<month>\d{1,2}) (?P=sep) \s?(?P<day>\d{1,2})
    (?: [T\ ]+ (?P<hour>\d{1,2}) \s*[:.]\s* (?P<minute>\d{1,2})
        (?: \s*[:.]\s* (?P<second>\d{1,2}) (?: [.,] (?P<fraction>\d+) )? )?
        (?: \s* (?P<half>[AP]M) )?
    )? \s* (?P<offset> Z | [+-]\d{1,2} :? \d{2} | [+-]\d{2} )?""",
    re.VERBOSE,
)
_PARTIAL = re.compile(r"(?P<year>\d{4})(?:[-:](?P<month>\d{2}))?")
_OFFSET = re.compile(r"(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?")
_EAST, _WEST = timedelta(hours=14), timedelta(hours=-12)
_QUARTER = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A date, with a time of day and an offset where they are given.

    local: naive wall clock; the beginning of the day, month or year when no more is given
    offset: offset from UTC, None when not given
    precision: year and month where a format allows them, day, minute, second or subsecond
    """

    local: datetime
    offset: timedelta | None
    precision: Precision


def parse_stamp(text: str) -> Stamp | None:
    """`text` in any spelling of EXIF, XMP or QuickTime; None when it is no whole date.

    >>> parse_stamp("2007:03:08 15:57: 7").local.isoformat()
    '2007-03-08T15:57:07'
    """
    found = _STAMP.fullmatch(text.replace("\0", " ").strip())
    if found is None:
        return None
    try:
        local = _local(found)
    except ValueError:
        return None
    return Stamp(local=local, offset=parse_offset(found["offset"]), precision=_precision(found))


def parse_partial(text: str) -> Stamp | None:
    """A year or a month, which XMP and IPTC may give; None for anything else.

    >>> parse_partial("2019-03").precision
    <Precision.MONTH: 'month'>
    """
    found = _PARTIAL.fullmatch(text.replace("\0", " ").strip())
    if found is None or not 1 <= int(found["month"] or 1) <= 12 or int(found["year"]) == 0:
        return None
    local = datetime(int(found["year"]), int(found["month"] or 1), 1)
    precision = Precision.MONTH if found["month"] else Precision.YEAR
    return Stamp(local=local, offset=None, precision=precision)


def parse_mail_date(text: str) -> Stamp | None:
    """A date as in mail (RFC 2822), which the PNG specification asks for; None for any other.

    >>> parse_mail_date("Sat, 02 Mar 2019 10:11:12 +0900").local.isoformat()
    '2019-03-02T10:11:12'
    """
    try:
        moment = parsedate_to_datetime(text.strip())
    except (ValueError, OverflowError):
        return None
    offset = moment.utcoffset()
    if offset is not None and not _WEST <= offset <= _EAST:
        offset = None
    return Stamp(local=moment.replace(tzinfo=None), offset=offset, precision=Precision.SECOND)


def _local(found: re.Match[str]) -> datetime:
    fields = (found[name] or "0" for name in ("year", "month", "day", "hour", "minute", "second"))
    micro = int(((found["fraction"] or "") + "000000")[:6])
    year, month, day, hour, minute, second = (int(value) for value in fields)
    return datetime(year, month, day, half_day(hour, found["half"]), minute, second, micro)


def half_day(hour: int, half: str | None) -> int:
    """Hour of the day of an hour with "AM" or "PM"; raises ValueError for 0 and above 12."""
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError("no hour of half a day")
    return hour % 12 + (12 if half.upper() == "PM" else 0)


def _precision(found: re.Match[str]) -> Precision:
    finest = (
        ("fraction", Precision.SUBSECOND),
        ("second", Precision.SECOND),
        ("minute", Precision.MINUTE),
    )
    return next((precision for name, precision in finest if found[name]), Precision.DAY)


def parse_offset(text: str | None) -> timedelta | None:
    """An offset such as "+02:00", "-0530" or "Z"; None when it is none that exists."""
    cleaned = (text or "").replace("\0", " ").strip()
    if cleaned in ("Z", "z"):
        return timedelta(0)
    found = _OFFSET.fullmatch(cleaned)
    if found is None or int(found["minutes"] or 0) > 59:
        return None
    size = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
    offset = -size if found["sign"] == "-" else size
    return offset if _WEST <= offset <= _EAST else None


def from_unix(seconds: float) -> datetime | None:
    """Naive UTC of a Unix time, also before 1970; None when outside the calendar."""
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).replace(tzinfo=None)
    except (OverflowError, ValueError):
        return None


def refusal_of(local: datetime, now: datetime) -> str | None:
    """Why a date cannot be of a photo; None when it can. `now` is naive UTC."""
    if local.year < FIRST_YEAR:
        return "before photography"
    if local > now + timedelta(days=2):
        return "in the future"
    return None


def offset_text(offset: timedelta | None) -> str | None:
    """Such as "+02:00"."""
    if offset is None:
        return None
    minutes = round(offset.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def step(difference: timedelta, slack: timedelta) -> timedelta | None:
    """Offset from UTC that explains `difference` = wall clock - UTC, None when none does.

    Offsets are multiples of a quarter of an hour from -12:00 to +14:00; the two clocks may
    disagree by `slack`.
    """
    offset = round(difference / _QUARTER) * _QUARTER
    if abs(difference - offset) > slack or not _WEST <= offset <= _EAST:
        return None
    return offset
