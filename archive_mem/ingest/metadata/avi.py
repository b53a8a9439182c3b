"""The date of an AVI: the chunk IDIT of its header, in whatever spelling the camera had."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from archive_mem.ingest.metadata.blocks import exactly, steps
from archive_mem.ingest.metadata.clock import parse_mail_date, parse_stamp, refusal_of
from archive_mem.ingest.metadata.values import Reads, Refusal, TimeRead, TimeSource

__all__ = ["read_avi"]

_LISTS = (b"hdrl", b"INFO")
_LONGEST = 256
_SLASH = re.compile(r"/\s+(?=\d{1,2}:)")


def read_avi(file: BinaryIO, now: datetime) -> Reads:
    """The wall clock of the camera; never raises."""
    file.seek(12)
    found = next(_dates(file), None)
    if found is None:
        return Reads()
    text = found.decode("latin-1").strip("\0 \r\n")
    # Kodak: "2004/03/21/ 14:51".
    stamp = parse_stamp(_SLASH.sub(" ", text)) or parse_mail_date(text)
    reason = "not a whole date" if stamp is None else refusal_of(stamp.local, now)
    source = TimeSource.CONTAINER_LOCAL
    if stamp is None or reason:
        return Reads(
            refused=(Refusal(field="time", source=source, value=text[:40], reason=reason or ""),)
        )
    read = TimeRead(source=source, local=stamp.local, precision=stamp.precision, confidence=0.85)
    return Reads(times=(read,))


def _dates(file: BinaryIO) -> Iterator[bytes]:
    for _ in steps():
        head = exactly(file, 8)
        if head is None:
            return
        kind, size = head[:4], int.from_bytes(head[4:], "little")
        after = file.tell() + size + size % 2
        if kind == b"LIST" and file.read(4) in _LISTS:
            continue
        if kind == b"IDIT":
            yield file.read(min(size, _LONGEST))
        file.seek(after)
