"""Media items, and when, where and with what they were captured."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from zoneinfo import ZoneInfo

__all__ = [
    "Capture",
    "CapturePlace",
    "CaptureTime",
    "MediaItem",
    "MediaKind",
    "PlaceName",
    "Precision",
    "corrected",
]


class MediaKind(StrEnum):
    """What a file is, by its content."""

    PHOTO = "photo"
    VIDEO = "video"


class Precision(StrEnum):
    """How fine a time is known."""

    SUBSECOND = "subsecond"
    SECOND = "second"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"

    @property
    def has_clock(self) -> bool:
        """Whether the time of day is known."""
        return self in (Precision.SUBSECOND, Precision.SECOND, Precision.MINUTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureTime:
    """The wall clock as the person saw it. An unknown offset stays unknown.

    local: naive wall clock
    utc_offset: offset of the wall clock from UTC, None when unknown
    precision: how fine `local` is known
    source: where it was read, such as "EXIF DateTimeOriginal"
    confidence: 0 to 1
    offset_source: where the offset was read: "EXIF OffsetTimeOriginal", "GPS UTC", ...
    zone: IANA zone of the coordinates where known; an annotation, it never moves the clock
    """

    local: datetime
    utc_offset: timedelta | None
    precision: Precision
    source: str
    confidence: float
    offset_source: str | None = None
    zone: str | None = None

    def instant(self, home: tzinfo = UTC) -> datetime:
        """The time in UTC: by its offset, else the zone of its place, else the `home` zone."""
        if self.utc_offset is not None:
            return (self.local - self.utc_offset).replace(tzinfo=UTC)
        zone = home if self.zone is None else ZoneInfo(self.zone)
        try:
            return self.local.replace(tzinfo=zone).astimezone(UTC)
        except OverflowError:  # years 1 and 9999 have no neighbour to shift into
            return self.local.replace(tzinfo=UTC)


def corrected(time: CaptureTime | None, given: datetime) -> CaptureTime:
    """The time that an annotator gave; offset and zone of the file's where none were given."""
    own = given.utcoffset()
    return CaptureTime(
        local=given.replace(tzinfo=None),
        utc_offset=own if own is not None or time is None else time.utc_offset,
        precision=Precision.SECOND,
        source="annotator",
        confidence=1.0,
        offset_source=None if own is None else "annotator",
        zone=None if time is None else time.zone,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceName:
    """The nearest town of a coordinate (GeoNames).

    city: town name, None when nothing is near
    region: state or county
    country: English country name
    country_code: ISO 3166 alpha-2
    distance_km: from the coordinate to that town
    near: the nearest town and its country when it is too far to be the place
    """

    city: str | None
    region: str | None
    country: str | None
    country_code: str | None
    distance_km: float
    near: str | None = None

    def label(self) -> str:
        """Such as "Kyoto, Japan", or "far from any town, 812 km from Horta, Portugal"."""
        if self.near is not None:
            return f"far from any town, {self.distance_km:.0f} km from {self.near}"
        return ", ".join(part for part in (self.city, self.country) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturePlace:
    """Where an item was captured.

    latitude, longitude: degrees, WGS 84
    altitude: metres above sea level, None when unknown
    place: nearest town, None when not looked up
    source: where it was read, such as "EXIF GPS"
    """

    latitude: float
    longitude: float
    altitude: float | None
    place: PlaceName | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """When, where and with what.

    time: None when nothing at all is known
    place: None when unknown
    device: camera or phone model, None when unknown
    """

    time: CaptureTime | None
    place: CapturePlace | None
    device: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaItem:
    """One file by content; copies share one item.

    id: first 16 hex digits of the SHA-256 of the bytes
    kind: photo or video
    mime: by content, such as "image/heic"
    width, height: upright display size in pixels, None when unknown
    duration: seconds, None for photos
    capture: when, where and with what
    note: what is special about the file ("animation, first frame described"), None when nothing is
    """

    id: str
    kind: MediaKind
    mime: str
    width: int | None
    height: int | None
    duration: float | None
    capture: Capture
    note: str | None = None
