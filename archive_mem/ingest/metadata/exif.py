"""EXIF: read with exifread, and with Pillow where exifread raises or sees nothing.

Tags as in EXIF 2.32 (CIPA DC-008). OffsetTime belongs to DateTime (ModifyDate); it speaks for
DateTimeOriginal only when both are the same moment.
"""

import contextlib
import io
import logging
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, BinaryIO, cast

from archive_mem.ingest.metadata.clock import Stamp, parse_offset, parse_stamp, refusal_of
from archive_mem.ingest.metadata.coordinates import altitude_of, decimal, usable
from archive_mem.ingest.metadata.tiff import byte_order, directory, first_directory, numbers
from archive_mem.ingest.metadata.values import (
    PlaceRead,
    PlaceSource,
    Reads,
    Refusal,
    TimeRead,
    TimeSource,
)
from archive_mem.schema.media import Precision

__all__ = ["Tags", "apple_content_id", "from_tags", "read_exif", "tags_of"]

Tags = Mapping[str, Any]
"""Values by exifread's names ("EXIF DateTimeOriginal"): text, numbers, or a list of numbers."""

_CONFIDENCE = {
    TimeSource.EXIF_ORIGINAL: 0.95,
    TimeSource.EXIF_DIGITIZED: 0.85,
    TimeSource.EXIF_MODIFIED: 0.4,
}
# What a camera says before anybody has set its clock.
_UNSET_CLOCK = {datetime(year, 1, 1) for year in (1970, 1980, 1990, 2000)}
_RANGE = "degrees, minutes or seconds out of range"
_MOST_READS = 20_000
_NULL_CHARACTERS = "\0 :-/."
_EXIF_IFD, _GPS_IFD, _MAKER_NOTE, _APPLE_IFD, _CONTENT_ID = 0x8769, 0x8825, 0x927C, 14, 0x11
_PILLOW_IFDS = {"Image": None, "EXIF": _EXIF_IFD, "GPS": _GPS_IFD}


def read_exif(stream: BinaryIO, now: datetime) -> Reads:
    """All that EXIF says. `stream` is a TIFF structure ("II*" or "MM*"); never raises."""
    reads = from_tags(tags_of(stream), now)
    if (reads.device or "").startswith("Apple"):
        return replace(reads, content_id=apple_content_id(stream))
    return reads


def tags_of(stream: BinaryIO) -> dict[str, Any]:
    """Tags of a TIFF structure, empty when no reader can read it.

    Where exifread gives up, what Pillow saw counts, and more than that the few tags of time and
    place read one by one: neither is led astray by garbage in another directory.
    """
    found = _tried(_with_exifread, stream)
    return found or _tried(_with_pillow, stream) | _tried(_one_by_one, stream)


def _tried(reader: Callable[[BinaryIO], dict[str, Any]], stream: BinaryIO) -> dict[str, Any]:
    # The readers raise whatever their parsing stumbles over, a dozen kinds were seen, and warn.
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader(stream)
    return {}


def _with_exifread(stream: BinaryIO) -> dict[str, Any]:
    import exifread

    logging.getLogger("exifread").setLevel(logging.CRITICAL)
    metered = cast("BinaryIO", _Metered(stream))
    found = exifread.process_file(metered, details=False, extract_thumbnail=False)
    return {name: tag.values for name, tag in found.items() if hasattr(tag, "values")}


class _Metered:
    """A stream that gives up after so many reads.

    exifread follows whatever counts and pointers it finds: garbage keeps it busy for minutes. Whole
    files were seen to need a few thousand reads.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._left = stream, _MOST_READS
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int = -1) -> bytes:
        """Read on; raises EOFError when the budget is spent."""
        self._left -= 1
        if self._left < 0:
            raise EOFError("too many reads")
        return self._stream.read(size)


def _with_pillow(stream: BinaryIO) -> dict[str, Any]:
    from PIL import ExifTags, Image

    stream.seek(0)
    exif = Image.Exif()
    exif.load(b"Exif\0\0" + stream.read())
    tags: dict[str, Any] = {}
    for group, pointer in _PILLOW_IFDS.items():
        names = ExifTags.GPSTAGS if group == "GPS" else ExifTags.TAGS
        ifd = exif if pointer is None else exif.get_ifd(pointer)
        tags |= {f"{group} {_like_exifread(names.get(tag))}": ifd[tag] for tag in ifd}
    return tags


_EXIF_TEXTS = {
    0x9003: "DateTimeOriginal",
    0x9004: "DateTimeDigitized",
    0x9010: "OffsetTime",
    0x9011: "OffsetTimeOriginal",
    0x9012: "OffsetTimeDigitized",
    0x9291: "SubSecTimeOriginal",
}
_GPS_TEXTS = {1: "GPSLatitudeRef", 3: "GPSLongitudeRef", 5: "GPSAltitudeRef", 29: "GPSDate"}
_GPS_RATIOS = {2: "GPSLatitude", 4: "GPSLongitude", 6: "GPSAltitude", 7: "GPSTimeStamp"}


def _one_by_one(stream: BinaryIO) -> dict[str, Any]:
    stream.seek(0)
    order = byte_order(stream.read(4))
    image = first_directory(stream, order)
    exif, gps = (_pointed(stream, order, image.get(tag)) for tag in (_EXIF_IFD, _GPS_IFD))
    texts = {f"EXIF {name}": exif[tag] for tag, name in _EXIF_TEXTS.items() if tag in exif}
    texts |= {f"GPS {name}": gps[tag] for tag, name in _GPS_TEXTS.items() if tag in gps}
    ratios = {
        f"GPS {name}": _ratios(numbers(gps[tag], order))
        for tag, name in _GPS_RATIOS.items()
        if tag in gps
    }
    return texts | ratios


def _pointed(stream: BinaryIO, order: str, pointer: bytes | None) -> dict[int, bytes]:
    at = numbers(pointer, order)
    return directory(stream, order, at[0]) if at else {}


def _ratios(flat: Sequence[int]) -> list[float]:
    pairs = zip(flat[::2], flat[1::2], strict=False)
    return [over / under if under else math.nan for over, under in pairs]


def _like_exifread(name: str | None) -> str:
    return {"GPSDateStamp": "GPSDate"}.get(name or "", name or "")


def from_tags(tags: Tags, now: datetime) -> Reads:
    """Typed values of EXIF tags. Pure."""
    times, refused_times = _times(tags, now)
    places, refused_places = _place(tags)
    gps, refused_gps = _gps_time(tags, now)
    return Reads(
        times=times + gps,
        places=places,
        refused=refused_times + refused_gps + refused_places,
        device=_device(tags),
        orientation=_orientation(tags),
        descriptions=_descriptions(tags),
    )


def apple_content_id(stream: BinaryIO) -> str | None:
    """ContentIdentifier (tag 0x11 of Apple's maker note), which a live photo's video has too."""
    stream.seek(0)
    order = byte_order(stream.read(4))
    exif = numbers(first_directory(stream, order).get(_EXIF_IFD), order)
    note = directory(stream, order, exif[0]).get(_MAKER_NOTE, b"") if exif else b""
    if not note.startswith(b"Apple iOS\0"):
        return None
    found = directory(io.BytesIO(note), ">", _APPLE_IFD).get(_CONTENT_ID, b"")
    return found.split(b"\0")[0].decode("ascii", "replace") or None


def _text(tags: Tags, name: str) -> str:
    for group in ("EXIF", "Image"):
        value = tags.get(f"{group} {name}")
        if isinstance(value, bytes):
            value = value.split(b"\0")[0].decode("utf-8", "replace")
        if isinstance(value, str):
            return value.split("\0")[0].strip()
    return ""


def _times(tags: Tags, now: datetime) -> tuple[tuple[TimeRead, ...], tuple[Refusal, ...]]:
    names = (
        (TimeSource.EXIF_ORIGINAL, "DateTimeOriginal", "Original"),
        (TimeSource.EXIF_DIGITIZED, "DateTimeDigitized", "Digitized"),
        (TimeSource.EXIF_MODIFIED, "DateTime", ""),
    )
    read = [_time(tags, source, name, suffix, now) for source, name, suffix in names]
    times = tuple(value for value in read if isinstance(value, TimeRead))
    return times, tuple(value for value in read if isinstance(value, Refusal))


def _time(
    tags: Tags, source: TimeSource, name: str, suffix: str, now: datetime
) -> TimeRead | Refusal | None:
    text = _text(tags, name)
    if not text:
        return None
    stamp = parse_stamp(text)
    reason = _no_date(text) if stamp is None else refusal_of(stamp.local, now)
    if stamp is None or reason:
        return Refusal(field="time", source=source, value=text[:40], reason=reason or "")
    offset, offset_source = _offset(tags, stamp, suffix)
    stamp = _with_subsecond(stamp, _text(tags, f"SubSecTime{suffix}"))
    return TimeRead(
        source=source,
        local=stamp.local,
        offset=offset,
        precision=stamp.precision,
        confidence=0.3 if stamp.local in _UNSET_CLOCK else _CONFIDENCE[source],
        offset_source=offset_source,
    )


def _no_date(text: str) -> str:
    digits = text.strip(_NULL_CHARACTERS)
    return "blank" if not digits.strip("0" + _NULL_CHARACTERS) else "not a whole date"


def _offset(tags: Tags, stamp: Stamp, suffix: str) -> tuple[timedelta | None, str | None]:
    if stamp.offset is not None:
        return stamp.offset, "the date itself"
    for name, speaks in _offset_tags(tags, stamp, suffix):
        offset = parse_offset(_text(tags, name))
        if speaks and offset is not None:
            return offset, f"EXIF {name}"
    return None, None


def _offset_tags(tags: Tags, stamp: Stamp, suffix: str) -> list[tuple[str, bool]]:
    others = (
        ("Original", "DateTimeOriginal"),
        ("Digitized", "DateTimeDigitized"),
        ("", "DateTime"),
    )
    same = [
        (f"OffsetTime{other}", _same_second(_text(tags, name), stamp))
        for other, name in others
        if other != suffix
    ]
    return [(f"OffsetTime{suffix}", True), *same]


def _same_second(text: str, stamp: Stamp) -> bool:
    other = parse_stamp(text)
    return other is not None and other.local == stamp.local


def _with_subsecond(stamp: Stamp, digits: str) -> Stamp:
    digits = digits.strip()
    if not digits.isascii() or not digits.isdigit() or stamp.precision is not Precision.SECOND:
        return stamp
    micro = int((digits + "000000")[:6])
    return Stamp(
        local=stamp.local.replace(microsecond=micro),
        offset=stamp.offset,
        precision=Precision.SUBSECOND,
    )


def _numbers(tags: Tags, name: str) -> list[float]:
    value = tags.get(name)
    if value is None or isinstance(value, str):
        return []
    items: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
    return [_number(item) for item in items]


def _number(value: object) -> float:
    # A rational with denominator 0 divides only when it is used.
    try:
        return float(value)  # type: ignore[arg-type]
    except (ArithmeticError, TypeError, ValueError):
        return math.nan


def _reference(tags: Tags, name: str) -> str:
    value = tags.get(name, "")
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    return value.strip("\0 ") if isinstance(value, str) else ""


def _place(tags: Tags) -> tuple[tuple[PlaceRead, ...], tuple[Refusal, ...]]:
    degrees = {axis: _numbers(tags, f"GPS GPS{axis}") for axis in ("Latitude", "Longitude")}
    if not any(degrees.values()):
        return (), ()
    pair = [decimal(degrees[axis], _reference(tags, f"GPS GPS{axis}Ref")) for axis in degrees]
    latitude, longitude = (math.nan if value is None else value for value in pair)
    reason = _hemisphere(tags) or _broken(degrees) or usable(latitude, longitude)
    if reason:
        return (), (_refused_place(degrees, reason),)
    altitude, refused = _altitude(tags)
    place = PlaceRead(
        source=PlaceSource.EXIF, latitude=latitude, longitude=longitude, altitude=altitude
    )
    return (place,), refused


def _hemisphere(tags: Tags) -> str | None:
    """Why the references name no hemisphere: a wrong one is worse than no place."""
    wanted = (("Latitude", ("N", "S")), ("Longitude", ("E", "W")))
    named = [_reference(tags, f"GPS GPS{axis}Ref").upper()[:1] in signs for axis, signs in wanted]
    return None if all(named) else "no hemisphere given"


def _broken(degrees: Mapping[str, list[float]]) -> str | None:
    """Why degrees, minutes and seconds are none, before anything is made of them."""
    if not all(parts and all(map(math.isfinite, parts)) for parts in degrees.values()):
        return "not a number"
    # `decimal` takes parts that are in range.
    return None if all(decimal(parts, "") is not None for parts in degrees.values()) else _RANGE


def _refused_place(degrees: Mapping[str, list[float]], reason: str) -> Refusal:
    return Refusal(
        field="place",
        source=PlaceSource.EXIF,
        value=str(list(degrees.values()))[:80],
        reason=reason,
    )


def _altitude(tags: Tags) -> tuple[float | None, tuple[Refusal, ...]]:
    metres = _numbers(tags, "GPS GPSAltitude")
    if not metres:
        return None, ()
    altitude = altitude_of(metres[0], _below_sea(tags.get("GPS GPSAltitudeRef")))
    if altitude is not None:
        return altitude, ()
    refusal = Refusal(
        field="altitude", source=PlaceSource.EXIF, value=str(metres[0])[:40], reason="impossible"
    )
    return None, (refusal,)


def _below_sea(reference: object) -> bool:
    value = reference[0] if isinstance(reference, list | tuple | bytes) and reference else reference
    return value in (1, "1", b"\x01", "\x01")


def _gps_time(tags: Tags, now: datetime) -> tuple[tuple[TimeRead, ...], tuple[Refusal, ...]]:
    clock = _numbers(tags, "GPS GPSTimeStamp")
    day = parse_stamp(_reference(tags, "GPS GPSDate"))
    if day is None or len(clock) != 3 or not all(map(math.isfinite, clock)):
        return (), ()
    local = day.local.replace(hour=0, minute=0, second=0) + timedelta(
        hours=clock[0], minutes=clock[1], seconds=int(clock[2])
    )
    reason = refusal_of(local, now) or ("hour out of range" if clock[0] >= 24 else None)
    if reason:
        return (), (Refusal(field="time", source=TimeSource.GPS, value=str(local), reason=reason),)
    read = TimeRead(source=TimeSource.GPS, local=local, confidence=0.7, instant=True)
    return (read,), ()


def _device(tags: Tags) -> str | None:
    make, model = _text(tags, "Make"), _text(tags, "Model")
    if not model:
        return make or None
    return model if not make or model.lower().startswith(make.lower()) else f"{make} {model}"


def _orientation(tags: Tags) -> int | None:
    values = _numbers(tags, "Image Orientation")
    return int(values[0]) if values and values[0] in range(1, 9) else None


def _descriptions(tags: Tags) -> tuple[str, ...]:
    texts: Sequence[Callable[[], str]] = (
        lambda: _text(tags, "ImageDescription"),
        lambda: _user_comment(tags.get("EXIF UserComment")),
    )
    return tuple(text for text in (read() for read in texts) if text)


def _user_comment(value: object) -> str:
    """Text after the eight bytes that name its code (EXIF 2.32, UserComment)."""
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        value = bytes(item & 0xFF for item in value)
    if not isinstance(value, bytes) or len(value) <= 8:
        return ""
    code = "utf-16" if value.startswith(b"UNICODE") else "utf-8"
    return value[8:].decode(code, "replace").strip("\0 ")
