"""What the readers of one file hand to the rules that choose: typed values with their source."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from archive_mem.schema.media import Precision

__all__ = ["PlaceRead", "PlaceSource", "Reads", "Refusal", "TimeRead", "TimeSource", "joined"]

_T = TypeVar("_T")


class TimeSource(StrEnum):
    """Where a time can come from, the most trusted first. The order is the rule."""

    EXIF_ORIGINAL = "EXIF DateTimeOriginal"
    EXIF_DIGITIZED = "EXIF DateTimeDigitized"
    QUICKTIME = "QuickTime creationdate"
    CAMCORDER = "record of the camcorder"
    CONTAINER = "container UTC time"
    CONTAINER_LOCAL = "container local time"
    XMP_ORIGINAL = "XMP DateTimeOriginal"
    XMP_CREATED = "XMP DateCreated"
    XMP_CREATE_DATE = "XMP CreateDate"
    XMP_SIDECAR = "XMP sidecar"
    IPTC = "IPTC DateCreated"
    TAKEOUT = "Takeout photoTakenTime"
    GPS = "GPS date-time"
    FILE_NAME = "file name"
    EXIF_MODIFIED = "EXIF DateTime"
    PNG_TEXT = "PNG Creation Time"
    FILE_TIME = "file time"


class PlaceSource(StrEnum):
    """Where a place can come from, the most trusted first. The order is the rule."""

    EXIF = "EXIF GPS"
    QUICKTIME = "QuickTime location"
    CAMCORDER = "record of the camcorder"
    XMP = "XMP GPS"
    XMP_SIDECAR = "XMP sidecar"
    TAKEOUT = "Takeout geoData"
    TAKEOUT_EXIF = "Takeout geoDataExif"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRead:
    """A time as one source gives it.

    source: where it was read
    local: naive wall clock; in UTC when `instant`
    offset: offset of `local` from UTC as the source itself says, None when it does not
    precision: how fine `local` is known
    confidence: 0 to 1
    instant: the source gives a moment in UTC, not what a clock on the wall said
    offset_source: where `offset` was read
    """

    source: TimeSource
    local: datetime
    offset: timedelta | None = None
    precision: Precision = Precision.SECOND
    confidence: float
    instant: bool = False
    offset_source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRead:
    """A place as one source gives it.

    source: where it was read
    latitude, longitude: degrees, WGS 84, in range and not 0,0
    altitude: metres above sea level, None when unknown
    """

    source: PlaceSource
    latitude: float
    longitude: float
    altitude: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A value that cannot be right, and why.

    field: "time", "offset", "place" or "altitude"
    source: where it was read
    value: as found, shortened
    reason: why it was refused
    """

    field: str
    source: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """All that was read of one file, or of one part of it.

    times, places: usable values
    refused: values that cannot be right
    device: camera or phone model
    orientation: EXIF orientation 1 to 8
    width, height: pixels as stored, before turning
    quarter_turn: the container itself swaps width and height
    duration: seconds
    content_id: Apple's ContentIdentifier, which a still and its live video share
    descriptions: raw texts by people; not redacted
    note: what is special about the file
    damage: why the file is not whole
    """

    times: tuple[TimeRead, ...] = ()
    places: tuple[PlaceRead, ...] = ()
    refused: tuple[Refusal, ...] = ()
    device: str | None = None
    orientation: int | None = None
    width: int | None = None
    height: int | None = None
    quarter_turn: bool = False
    duration: float | None = None
    content_id: str | None = None
    descriptions: tuple[str, ...] = field(default=())
    note: str | None = None
    damage: str | None = None


def joined(*parts: Reads) -> Reads:
    """All values of all parts; where only one value is possible, the first part that has it."""
    return Reads(
        times=tuple(time for part in parts for time in part.times),
        places=tuple(place for part in parts for place in part.places),
        refused=tuple(refusal for part in parts for refusal in part.refused),
        device=_first(part.device for part in parts),
        orientation=_first(part.orientation for part in parts),
        width=_first(part.width for part in parts),
        height=_first(part.height for part in parts),
        quarter_turn=any(part.quarter_turn for part in parts),
        duration=_first(part.duration for part in parts),
        content_id=_first(part.content_id for part in parts),
        descriptions=tuple(dict.fromkeys(text for part in parts for text in part.descriptions)),
        note=_first(part.note for part in parts),
        damage=_first(part.damage for part in parts),
    )


def _first(values: Iterable[_T | None]) -> _T | None:
    return next((value for value in values if value is not None), None)
