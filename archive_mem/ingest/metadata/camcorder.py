"""What camcorders write beside the container: Sony's XML, and the record in an AVCHD stream.

Sony XAVC keeps a NonRealTimeMeta document in the "meta" box of the file. AVCHD (.MTS) has no date
in its container: cameras put it into the pictures, in an H.264 user data message "MDPM".
"""

import contextlib
import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from archive_mem.ingest.metadata.clock import parse_stamp, refusal_of
from archive_mem.ingest.metadata.coordinates import decimal, parse_xmp_coordinate, usable
from archive_mem.ingest.metadata.values import (
    PlaceRead,
    PlaceSource,
    Reads,
    Refusal,
    TimeRead,
    TimeSource,
    joined,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["read_mdpm", "read_sony_xml"]

_MDPM = bytes.fromhex("17ee8c60f84d11d98cd60800200c9a66") + b"MDPM"
_DATE, _CLOCK = 0x18, 0x19
_LATITUDE, _LONGITUDE = 0xB1, 0xB5
_CONFIDENCE = 0.9


def read_sony_xml(text: bytes, now: datetime) -> Reads:
    """Date with offset, device and place of a NonRealTimeMeta document; never raises."""
    root = _parsed(text[max(text.find(b"<"), 0) :].rstrip(b"\0"))
    if root is None or not root.tag.endswith("NonRealTimeMeta"):
        return Reads()
    named = {element.tag.rsplit("}", 1)[-1]: element for element in root.iter()}
    device = named["Device"].attrib if "Device" in named else {}
    words = (device.get("manufacturer", ""), device.get("modelName", ""))
    date = named["CreationDate"].get("value", "") if "CreationDate" in named else ""
    items = {item.get("name", ""): item.get("value", "") for item in root.iter(_of(root, "Item"))}
    shape = Reads(device=" ".join(word for word in words if word) or None)
    return joined(shape, _time(date, now), _sony_place(items))


def _parsed(text: bytes) -> "Element | None":
    from defusedxml import ElementTree

    with contextlib.suppress(ElementTree.ParseError, ValueError, LookupError):
        root: Element = ElementTree.fromstring(text)
        return root
    return None


def _of(root: "Element", name: str) -> str:
    """A name in the namespace of the document, which differs by version."""
    return root.tag.removesuffix("NonRealTimeMeta") + name


def _sony_place(items: Mapping[str, str]) -> Reads:
    pair = [
        parse_xmp_coordinate(items.get(axis, ""), items.get(f"{axis}Ref", ""))
        for axis in ("Latitude", "Longitude")
    ]
    return _place(pair) if any(items.get(axis) for axis in ("Latitude", "Longitude")) else Reads()


def read_mdpm(picture: bytes, now: datetime) -> Reads:
    """Date and place of the first coded picture of an AVCHD stream (H.264, Annex B)."""
    entries = dict(_entries(picture))
    if _DATE not in entries or _CLOCK not in entries:
        return Reads()
    return joined(_time(_spelled(entries[_DATE], entries[_CLOCK]), now), _mdpm_place(entries))


def _entries(picture: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and four bytes each, of the message in a picture."""
    start = picture.find(_MDPM)
    if start < 0:
        return
    # H.264 breaks up runs of zeros, so that no marker stands in the data.
    data = picture[start + len(_MDPM) : start + 2048].replace(b"\0\0\3", b"\0\0")
    for at in range(1, 1 + 5 * (data[0] if data else 0), 5):
        if at + 5 <= len(data):
            yield data[at], data[at + 1 : at + 5]


def _spelled(day: bytes, clock: bytes) -> str:
    """A date in decimal digits, two a byte, behind a byte for the zone (sign, hours, half)."""
    zone, digits = day[0], day[1:].hex()
    sign, hours, minutes = "-" if zone & 0x20 else "+", zone >> 1 & 15, "30" if zone & 1 else "00"
    # All bits set: the camera's zone was never chosen.
    offset = "" if zone == 0xFF else f"{sign}{hours:02}:{minutes}"
    stamp = f"{digits[:4]}:{digits[4:6]}:{clock[0]:02x} {clock[1]:02x}:{clock[2]:02x}"
    return f"{stamp}:{clock[3]:02x}{offset}"


def _mdpm_place(entries: Mapping[int, bytes]) -> Reads:
    if _LATITUDE not in entries or _LONGITUDE not in entries:
        return Reads()
    return _place([_degrees(entries, tag) for tag in (_LATITUDE, _LONGITUDE)])


def _degrees(entries: Mapping[int, bytes], tag: int) -> float | None:
    """Degrees, minutes and seconds, each a fraction of two 16-bit numbers, behind their letter."""
    parts = [_fraction(entries.get(tag + at, b"")) for at in (1, 2, 3)]
    return decimal(parts, entries[tag].decode("latin-1").strip("\0 "))


def _fraction(data: bytes) -> float:
    over, under = (int.from_bytes(data[at : at + 2], "big") for at in (0, 2))
    return over / under if under else math.nan


def _time(text: str, now: datetime) -> Reads:
    if not text:
        return Reads()
    stamp, source = parse_stamp(text), TimeSource.CAMCORDER
    reason = "not a whole date" if stamp is None else refusal_of(stamp.local, now)
    if stamp is None or reason:
        refusal = Refusal(field="time", source=source, value=text[:40], reason=reason or "")
        return Reads(refused=(refusal,))
    read = TimeRead(
        source=source,
        local=stamp.local,
        offset=stamp.offset,
        precision=stamp.precision,
        confidence=_CONFIDENCE,
        offset_source=None if stamp.offset is None else str(source),
    )
    return Reads(times=(read,))


def _place(pair: list[float | None]) -> Reads:
    latitude, longitude = (math.nan if value is None else value for value in pair)
    reason, source = usable(latitude, longitude), PlaceSource.CAMCORDER
    if reason:
        value = f"{latitude},{longitude}"
        return Reads(refused=(Refusal(field="place", source=source, value=value, reason=reason),))
    return Reads(places=(PlaceRead(source=source, latitude=latitude, longitude=longitude),))
