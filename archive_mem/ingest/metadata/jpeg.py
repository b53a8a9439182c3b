"""JPEG segments (ITU T.81 annex B): EXIF and XMP wherever their APP1 stands, IPTC, size, end."""

import re
from typing import BinaryIO

from archive_mem.ingest.metadata.blocks import (
    MAX_BLOCK,
    XMP_HEADER,
    Blocks,
    Draft,
    exactly,
    file_size,
    steps,
    tiff_start,
)
from archive_mem.ingest.metadata.iptc import iptc_of_photoshop
from archive_mem.ingest.metadata.xmp import MAX_PACKET

__all__ = ["jpeg_blocks"]

_MORE_XMP = b"http://ns.adobe.com/xmp/extension/\0"
_FULL_SEGMENT = 65_533
_PHOTOSHOP = b"Photoshop 3.0\0"
_SIZES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_BARE = {0x01, *range(0xD0, 0xD9)}
_SOS, _EOI = 0xDA, 0xD9
_CHUNK = 2**20
_WINDOW = 512
_MARKER = re.compile(rb"\xff[\x01\xc0-\xfe]")


def jpeg_blocks(file: BinaryIO) -> Blocks:
    """Metadata of a JPEG that begins at the file's current position."""
    draft = Draft()
    file.seek(2, 1)
    for _ in steps():
        marker = _marker(file)
        if marker is None:
            draft.damage = "broken JPEG structure"
            break
        if marker in (_SOS, _EOI):
            draft.damage = None if marker == _SOS and _ends(file) else _ended_early(marker)
            break
        if marker not in _BARE and not _take_segment(file, marker, draft):
            draft.damage = "JPEG ends inside its header"
            break
    return draft.blocks()


def _ended_early(marker: int) -> str:
    return "JPEG without a picture" if marker == _EOI else "JPEG ends early"


def _marker(file: BinaryIO) -> int | None:
    """The next marker. Stray bytes before it are passed over, as picture decoders do."""
    for _ in steps():
        window = file.read(_WINDOW)
        if len(window) < 2:
            return None
        found = _MARKER.search(window)
        if found is not None:
            file.seek(found.end() - len(window), 1)
            return window[found.end() - 1]
        file.seek(-1, 1)
    return None


def _take_segment(file: BinaryIO, marker: int, draft: Draft) -> bool:
    length = int.from_bytes(file.read(2), "big")
    payload = exactly(file, length - 2) if length >= 2 else None
    if payload is None:
        return False
    if marker == 0xE1:
        _take_app1(payload, draft)
    elif marker == 0xED and payload.startswith(_PHOTOSHOP):
        draft.iptc = draft.iptc or iptc_of_photoshop(payload[len(_PHOTOSHOP) :])
    elif marker == 0xE2 and payload.startswith(b"MPF\0"):
        draft.note = "more than one picture, the first is used"
    elif marker in _SIZES and len(payload) >= 5 and draft.size == (None, None):
        draft.size = (_u16(payload, 3), _u16(payload, 1))
    return True


def _u16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "big")


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _take_app1(payload: bytes, draft: Draft) -> None:
    if payload.startswith(XMP_HEADER):
        draft.xmp.append(payload[len(XMP_HEADER) :])
    elif payload.startswith(_MORE_XMP):
        _take_extended_xmp(payload[len(_MORE_XMP) :], draft)
    elif payload.startswith(b"Exif"):
        _take_exif(payload, draft)


def _take_exif(payload: bytes, draft: Draft) -> None:
    block = tiff_start(payload[4:])
    if block is not None:
        draft.exif.append(block)
    elif draft.exif and len(draft.exif[-1]) + len(payload) <= MAX_BLOCK and draft.exif_goes_on:
        draft.exif[-1] += payload[6:]
    draft.exif_goes_on = len(payload) == _FULL_SEGMENT


def _take_extended_xmp(part: bytes, draft: Draft) -> None:
    """A part of a packet over 64 KiB (XMP part 3, 1.1.3.1): digest, whole length, offset, text."""
    digest, size, at = part[:32], _u32(part, 32), _u32(part, 36)
    whole = draft.extended_xmp.setdefault(digest, bytearray())
    if size <= MAX_PACKET and at == len(whole):
        whole += part[40:]
    if len(whole) == size:
        draft.xmp.append(bytes(whole))


def _ends(file: BinaryIO) -> bool:
    """Whether an end marker follows the picture data, looking at the file's tail first."""
    start, end = file.tell(), file_size(file)
    file.seek(max(start, end - _CHUNK // 16))
    if b"\xff\xd9" in file.read(_CHUNK // 16):
        return True
    file.seek(start)
    last = b""
    while chunk := file.read(_CHUNK):
        if b"\xff\xd9" in last + chunk:
            return True
        last = chunk[-1:]
    return False
