"""XMP packets, embedded or in a sidecar (ISO 16684-1), read with defusedxml."""

import contextlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from archive_mem.ingest.metadata.clock import Stamp, parse_partial, parse_stamp, refusal_of
from archive_mem.ingest.metadata.coordinates import altitude_of, parse_xmp_coordinate, usable
from archive_mem.ingest.metadata.values import (
    PlaceRead,
    PlaceSource,
    Reads,
    Refusal,
    TimeRead,
    TimeSource,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["MAX_PACKET", "MOTION", "read_xmp"]

MAX_PACKET = 4 * 2**20
MOTION = "motion photo, the still is used"

_EXIF = "{http://ns.adobe.com/exif/1.0/}"
_XMP = "{http://ns.adobe.com/xap/1.0/}"
_PHOTOSHOP = "{http://ns.adobe.com/photoshop/1.0/}"
_TIFF = "{http://ns.adobe.com/tiff/1.0/}"
_CAMERA = "{http://ns.google.com/photos/1.0/camera/}"
_MOTION = ("MotionPhoto", "MicroVideo")
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TIMES = (
    (TimeSource.XMP_ORIGINAL, f"{_EXIF}DateTimeOriginal", 0.85),
    (TimeSource.XMP_CREATED, f"{_PHOTOSHOP}DateCreated", 0.8),
    (TimeSource.XMP_CREATE_DATE, f"{_XMP}CreateDate", 0.6),
    # Its name until 2010 (XMP specification part 2, exif namespace).
    (TimeSource.XMP_CREATE_DATE, f"{_EXIF}DateTimeDigitized", 0.6),
)
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_xmp(packet: bytes, now: datetime, sidecar: bool = False) -> Reads:
    """Times, place, description and orientation of a packet; never raises.

    A sidecar has one source of its own: a program or a person wrote it about the file.
    """
    fields = _fields(packet)
    times, refused_times = _times(fields, now, sidecar)
    places, refused_places = _place(fields, sidecar)
    orientation = fields.get(f"{_TIFF}Orientation", "")
    return Reads(
        times=times,
        places=places,
        refused=refused_times + refused_places,
        orientation=int(orientation) if re.fullmatch("[1-8]", orientation) else None,
        device=fields.get(f"{_TIFF}Model"),
        note=MOTION if any(fields.get(f"{_CAMERA}{name}") == "1" for name in _MOTION) else None,
        descriptions=tuple(text for text in (fields.get(f"{_DC}description"),) if text),
    )


def _fields(packet: bytes) -> dict[str, str]:
    trimmed = packet[:MAX_PACKET].strip(b"\0 \t\r\n")
    root = _parsed(trimmed)
    if root is None:
        root = _parsed(_mended(trimmed))
    if root is None:
        return {}
    fields: dict[str, str] = {}
    for name, text in _named(root):
        if text:
            fields.setdefault(name, text)
    return fields


def _parsed(packet: bytes) -> "Element | None":
    from defusedxml import ElementTree

    # Broken XML, entities (defusedxml refuses them) and unknown encodings are all "no XMP".
    with contextlib.suppress(ElementTree.ParseError, ValueError, LookupError):
        root: Element = ElementTree.fromstring(packet)
        return root
    return None


def _mended(packet: bytes) -> bytes:
    """The packet without what XML forbids: cameras put control characters into names."""
    begin, end = packet.find(b"<"), packet.rfind(b">")
    text = packet[max(begin, 0) : end + 1].decode("utf-8", "replace")
    return _NOT_IN_XML.sub(" ", text).encode()


def _named(root: "Element") -> Iterator[tuple[str, str]]:
    """Simple properties of the described file itself.

    Not those of structures inside it: a place shown has coordinates of its own.
    """
    inner = _inner(root)
    for description in root.iter(f"{_RDF}Description"):
        if description in inner:
            continue
        yield from ((name, value.strip()) for name, value in description.attrib.items())
        yield from ((element.tag, _simple(element)) for element in description)


def _inner(root: "Element") -> set["Element"]:
    return {
        inner
        for description in root.iter(f"{_RDF}Description")
        for inner in description.iter(f"{_RDF}Description")
        if inner is not description
    }


def _simple(element: "Element") -> str:
    """Text of a property: its own, or that of the first entry of its language alternatives."""
    entry = element.find(f"{_RDF}Alt/{_RDF}li")
    text = (element if entry is None else entry).text or ""
    return " ".join(text[:10_000].split())


def _times(
    fields: dict[str, str], now: datetime, sidecar: bool
) -> tuple[tuple[TimeRead, ...], tuple[Refusal, ...]]:
    times: list[TimeRead] = []
    refused: list[Refusal] = []
    for source, name, confidence in _TIMES:
        text = fields.get(name)
        if text:
            shown = TimeSource.XMP_SIDECAR if sidecar else source
            read = _time(shown, text, confidence, now)
            (times if isinstance(read, TimeRead) else refused).append(read)  # type: ignore[arg-type]
    return tuple(times), tuple(refused)


def _time(source: TimeSource, text: str, confidence: float, now: datetime) -> TimeRead | Refusal:
    stamp = _stamp(text)
    reason = "not a whole date" if stamp is None else refusal_of(stamp.local, now)
    if stamp is None or reason:
        return Refusal(field="time", source=source, value=text[:40], reason=reason or "")
    return TimeRead(
        source=source,
        local=stamp.local,
        offset=stamp.offset,
        precision=stamp.precision,
        confidence=confidence,
        offset_source=None if stamp.offset is None else str(source),
    )


def _stamp(text: str) -> Stamp | None:
    """A date; XMP may leave out the day, and the month."""
    return parse_stamp(text) or parse_partial(text)


def _place(
    fields: dict[str, str], sidecar: bool
) -> tuple[tuple[PlaceRead, ...], tuple[Refusal, ...]]:
    source = PlaceSource.XMP_SIDECAR if sidecar else PlaceSource.XMP
    texts = [fields.get(f"{_EXIF}GPS{axis}") for axis in ("Latitude", "Longitude")]
    if not all(texts):
        return (), ()
    pair = [
        parse_xmp_coordinate(text or "", fields.get(f"{_EXIF}GPS{axis}Ref", ""))
        for text, axis in zip(texts, ("Latitude", "Longitude"), strict=True)
    ]
    latitude, longitude = (float("nan") if value is None else value for value in pair)
    reason = usable(latitude, longitude)
    if reason:
        value = " ".join(text or "" for text in texts)[:80]
        return (), (Refusal(field="place", source=source, value=value, reason=reason),)
    place = PlaceRead(
        source=source, latitude=latitude, longitude=longitude, altitude=_altitude(fields)
    )
    return (place,), ()


def _altitude(fields: dict[str, str]) -> float | None:
    over, _, under = fields.get(f"{_EXIF}GPSAltitude", "").partition("/")
    try:
        metres = float(over) / float(under or 1)
    except (ValueError, ZeroDivisionError):
        return None
    return altitude_of(metres, fields.get(f"{_EXIF}GPSAltitudeRef") == "1")
