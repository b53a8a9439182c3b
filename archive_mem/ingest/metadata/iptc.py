"""IPTC-IIM 4.2 records, as Photoshop keeps them in image resource 0x0404."""

from collections.abc import Iterator
from datetime import datetime

from archive_mem.ingest.metadata.blocks import steps
from archive_mem.ingest.metadata.clock import parse_stamp, refusal_of
from archive_mem.ingest.metadata.values import Reads, Refusal, TimeRead, TimeSource

__all__ = ["iptc_of_photoshop", "read_iptc"]

_DATE, _TIME, _CAPTION = (2, 55), (2, 60), (2, 120)


def iptc_of_photoshop(data: bytes) -> bytes | None:
    """The IPTC record in a list of image resources, None without one."""
    at = 0
    for _ in steps():
        if data[at : at + 4] not in (b"8BIM", b"MeSa", b"PHUT", b"DCSR", b"AgHg"):
            return None
        kind = int.from_bytes(data[at + 4 : at + 6], "big")
        name = data[at + 6] if at + 6 < len(data) else 0
        at += 6 + (name + 2) // 2 * 2
        size = int.from_bytes(data[at : at + 4], "big")
        if kind == 0x0404:
            return data[at + 4 : at + 4 + size]
        at += 4 + (size + 1) // 2 * 2
    return None


def read_iptc(data: bytes, now: datetime) -> Reads:
    """Date and caption of IPTC-IIM data; never raises."""
    found = dict(_datasets(data))
    caption = found.get(_CAPTION, b"").decode("utf-8", "replace").strip("\0 ")
    times, refused = _time(found, now)
    return Reads(times=times, refused=refused, descriptions=(caption,) if caption else ())


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


def _time(
    found: dict[tuple[int, int], bytes], now: datetime
) -> tuple[tuple[TimeRead, ...], tuple[Refusal, ...]]:
    day = found.get(_DATE, b"").decode("ascii", "replace").strip("\0 ")
    clock = found.get(_TIME, b"").decode("ascii", "replace").strip("\0 ")
    if not day:
        return (), ()
    spelled = f"{day[:4]}:{day[4:6]}:{day[6:8]}" if len(day) == 8 else day
    if len(clock) >= 6:
        spelled += f" {clock[:2]}:{clock[2:4]}:{clock[4:6]}{clock[6:]}"
    stamp = parse_stamp(spelled)
    reason = "not a whole date" if stamp is None else refusal_of(stamp.local, now)
    if stamp is None or reason:
        value = Refusal(field="time", source=TimeSource.IPTC, value=spelled, reason=reason or "")
        return (), (value,)
    # Many programs write +00:00 for "unknown": an IPTC offset is not worth trusting.
    read = TimeRead(
        source=TimeSource.IPTC, local=stamp.local, precision=stamp.precision, confidence=0.7
    )
    return (read,), ()
