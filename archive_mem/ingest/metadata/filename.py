"""Dates in file names: cameras, phones, messengers and screenshots.

A run of digits that is no whole date is refused whole. PXL_ names are in UTC, all others in the
wall clock of the phone; WhatsApp's IMG-20230526-WA0001 gives the day it was received.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime, timedelta

from archive_mem.ingest.metadata.clock import FIRST_YEAR, from_unix, half_day, refusal_of
from archive_mem.ingest.metadata.values import Reads, Refusal, TimeRead, TimeSource
from archive_mem.schema.media import Precision

__all__ = ["read_name"]

_DATE = r"(?<!\d)(?P<year>(?:18|19|20)\d\d)(?P<sep>[-_.:]?)(?P<month>\d\d)(?P=sep)(?P<day>\d\d)"
_CLOCK = (
    r"(?P<hour>\d\d|\d(?=[-_.:h]))(?P<csep>[-_.:h]?)(?P<minute>\d\d)(?P=csep)(?P<second>\d\d)"
    r"(?:[-_.]?(?P<milli>\d{3}))?(?!\d)(?:\W?(?P<half>[AP]M)\b)?"
)
_BETWEEN = r"(?:[-_ T.]{1,3}|[-_ ](?:at|um|à|a|om|kl|alle|a las|às|в)[-_ .]{1,2})"
_HALVES = {
    **dict.fromkeys(("上午", "午前", "오전"), "AM"),
    **dict.fromkeys(("下午", "午後", "오후"), "PM"),
}
_EARLY = rf"(?:(?P<early>{'|'.join(_HALVES)})\s?)?"
_FULL = re.compile(_DATE + _BETWEEN + _EARLY + _CLOCK, re.IGNORECASE)
_RUN_TOGETHER = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)"
    r"(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)(?:(?P<milli>\d{3}))?(?!\d)"
)
_DAY = re.compile(
    r"(?:^|(?:IMG|VID|AUD|PTT|STK|PANO|DSC|Screenshot|Scan|Photo)[-_ ]?|[-_ (])"
    r"(?P<year>(?:18|19|20)\d\d)(?P<sep>[-_.]?)(?P<month>\d\d)(?P=sep)(?P<day>\d\d)(?![\d])",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"^(?:FB_IMG_|FB_VID_|mmexport|wx_camera_|received_|Snapchat-)(\d{13})(?!\d)")
_PIXEL = re.compile(r"^PXL_")


def read_name(name: str, now: datetime) -> Reads:
    """The date in a file name, at second or day precision; never raises.

    >>> read_name("IMG_20230526_211114.jpg", datetime(2024, 1, 1)).times[0].local.isoformat()
    '2023-05-26T21:11:14'
    """
    rules: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], TimeRead | None]], ...] = (
        (_EPOCH, _from_epoch),
        (_FULL, _from_clock),
        (_RUN_TOGETHER, _from_clock),
        (_DAY, _from_day),
    )
    # macOS takes accents apart: "à 21.11.14".
    name = unicodedata.normalize("NFC", name)
    for pattern, make in rules:
        found = pattern.search(name)
        if found is not None:
            return _checked(make(found, name), found[0], now)
    return Reads()


def _checked(read: TimeRead | None, text: str, now: datetime) -> Reads:
    reason = "not a whole date" if read is None else refusal_of(read.local, now)
    if read is None or reason:
        source = TimeSource.FILE_NAME
        refusal = Refusal(field="time", source=source, value=text, reason=reason or "")
        return Reads(refused=(refusal,))
    return Reads(times=(read,))


def _from_epoch(found: re.Match[str], name: str) -> TimeRead | None:
    local = from_unix(int(found[1]) / 1000)
    if local is None:
        return None
    return TimeRead(
        source=TimeSource.FILE_NAME,
        local=local,
        precision=Precision.SUBSECOND,
        confidence=0.5,
        instant=True,
    )


def _from_clock(found: re.Match[str], name: str) -> TimeRead | None:
    day = _day(found)
    hour = _hour(found)
    minute, second, milli = int(found["minute"]), int(found["second"]), found["milli"]
    if day is None or hour is None or hour > 23 or minute > 59 or second > 59:
        return None
    clock = timedelta(hours=hour, minutes=minute, seconds=second, milliseconds=int(milli or 0))
    return TimeRead(
        source=TimeSource.FILE_NAME,
        local=day + clock,
        precision=Precision.SUBSECOND if milli else Precision.SECOND,
        confidence=0.6,
        instant=bool(_PIXEL.match(name)),
    )


def _hour(found: re.Match[str]) -> int | None:
    groups = found.groupdict()
    # Asian phones put the half of the day before the hour.
    half = groups.get("half") or _HALVES.get(groups.get("early") or "")
    try:
        return half_day(int(found["hour"]), half)
    except ValueError:
        return None


def _from_day(found: re.Match[str], name: str) -> TimeRead | None:
    day = _day(found)
    if day is None:
        return None
    return TimeRead(source=TimeSource.FILE_NAME, local=day, precision=Precision.DAY, confidence=0.4)


def _day(found: re.Match[str]) -> datetime | None:
    try:
        day = datetime(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return None
    return day if day.year >= FIRST_YEAR else None
