"""IPTC-IIM 4.2 records, as Photoshop keeps them in image resource 0x0404."""

import contextlib
from collections.abc import Iterator
from datetime import datetime

from archive_mem.ingest.metadata.blocks import steps
from archive_mem.ingest.metadata.clock import Stamp, parse_partial, parse_stamp, refusal_of
from archive_mem.ingest.metadata.values import Reads, Refusal, TimeRead, TimeSource

__all__ = ["iptc_of_photoshop", "photoshop_resources", "read_iptc"]

_RESOURCE = 0x0404
_CAPTION, _CODED = (2, 120), (1, 90)
# DateCreated, else DigitalCreationDate: each with its time.
_DATES = (((2, 55), (2, 60)), ((2, 62), (2, 63)))
_UTF8 = b"\x1b%G"


def iptc_of_photoshop(data: bytes) -> bytes | None:
    """The IPTC record in a list of image resources, None without one."""
    return next((body for kind, body in photoshop_resources(data) if kind == _RESOURCE), None)


def photoshop_resources(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and content of Photoshop's image resources."""
    at = 0
    for _ in steps():
        if data[at : at + 4] not in (b"8BIM", b"MeSa", b"PHUT", b"DCSR", b"AgHg"):
            return
        kind = int.from_bytes(data[at + 4 : at + 6], "big")
        name = data[at + 6] if at + 6 < len(data) else 0
        at += 6 + (name + 2) // 2 * 2
        size = int.from_bytes(data[at : at + 4], "big")
        yield kind, data[at + 4 : at + 4 + size]
        at += 4 + (size + 1) // 2 * 2


def read_iptc(data: bytes, now: datetime) -> Reads:
    """Date and caption of IPTC-IIM data; never raises."""
    found = dict(_datasets(data))
    caption = _text(found.get(_CAPTION, b""), found.get(_CODED) == _UTF8)
    reads = [_time(found.get(day, b""), found.get(clock, b""), now) for day, clock in _DATES]
    times = tuple(read for read in reads if isinstance(read, TimeRead))
    refused = tuple(read for read in reads if isinstance(read, Refusal))
    return Reads(times=times[:1], refused=refused, descriptions=(caption,) if caption else ())


def _text(data: bytes, told: bool) -> str:
    """Text in UTF-8, or, where nobody says so and it is none, in the letters of old Windows."""
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode("utf-8").strip("\0 ")
    return data.decode("utf-8" if told else "cp1252", "replace").strip("\0 ")


def _datasets(data: bytes) -> Iterator[tuple[tuple[int, int], bytes]]:
    at = 0
    for _ in steps():
        if data[at : at + 1] != b"\x1c" or at + 5 > len(data):
            return
        size = int.from_bytes(data[at + 3 : at + 5], "big")
        if size & 0x8000:
            return
        yield (data[at + 1], data[at + 2]), data[at + 5 : at + 5 + size]
        at += 5 + size


def _time(day_data: bytes, clock_data: bytes, now: datetime) -> TimeRead | Refusal | None:
    day, clock = (data.decode("ascii", "replace").strip("\0 ") for data in (day_data, clock_data))
    if not day:
        return None
    spelled, stamp = _stamp(day, clock)
    reason = "not a whole date" if stamp is None else refusal_of(stamp.local, now)
    if stamp is None or reason:
        return Refusal(field="time", source=TimeSource.IPTC, value=spelled, reason=reason or "")
    # Many programs write +00:00 for "unknown": an IPTC offset is not worth trusting.
    return TimeRead(
        source=TimeSource.IPTC, local=stamp.local, precision=stamp.precision, confidence=0.7
    )


def _stamp(day: str, clock: str) -> tuple[str, Stamp | None]:
    """A date as EXIF would spell it, and read; "00" stands for an unknown day or month."""
    if len(day) != 8:
        return day, parse_stamp(day)
    if day.endswith("00"):
        partial = day[:4] if day.endswith("0000") else f"{day[:4]}-{day[4:6]}"
        return partial, parse_partial(partial)
    spelled = f"{day[:4]}:{day[4:6]}:{day[6:8]}"
    if len(clock) >= 6:
        spelled += f" {clock[:2]}:{clock[2:4]}:{clock[4:6]}{clock[6:]}"
    return spelled, parse_stamp(spelled)
