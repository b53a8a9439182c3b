"""BigTIFF (TIFF with 64-bit offsets): its small tags as a plain TIFF, which every reader knows."""

import io
import struct
from typing import BinaryIO

from archive_mem.ingest.metadata.tiff import byte_order

__all__ = ["as_tiff", "is_big"]

_LARGEST_VALUE = 2**20
_LARGEST_ALL = 8 * 2**20
_MAX_ENTRIES = 512
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
# 64-bit numbers become 32-bit ones: of metadata, only pointers have them.
_WIDE = {16: 4, 17: 9, 18: 13}
_POINTERS = (0x8769, 0x8825)

_Entry = tuple[int, int, int, bytes]
"""Tag, type, count and value."""


def is_big(head: bytes) -> bool:
    """Whether a file that begins with `head` is a BigTIFF."""
    return head[:4] in (b"II+\0", b"MM\0+")


def as_tiff(file: BinaryIO) -> BinaryIO:
    """A TIFF with the first, the EXIF and the GPS directory; pictures are not in it."""
    file.seek(0)
    head = file.read(16)
    order = byte_order(head)
    main = _entries(file, order, _number(head[8:16], order))
    inner = {
        tag: _entries(file, order, _number(value, order))
        for tag, _, _, value in main
        if tag in _POINTERS
    }
    return io.BytesIO(_written(main, inner, order))


def _number(data: bytes, order: str) -> int:
    return int.from_bytes(data, "little" if order == "<" else "big")


def _entries(file: BinaryIO, order: str, at: int) -> list[_Entry]:
    if at >= 2**63:
        return []
    file.seek(at)
    count = _number(file.read(8), order)
    data = file.read(20 * min(count, _MAX_ENTRIES))
    found = (_entry(file, order, data[at : at + 20]) for at in range(0, len(data) - 19, 20))
    return [entry for entry in found if entry is not None]


def _entry(file: BinaryIO, order: str, data: bytes) -> _Entry | None:
    tag, kind, count = struct.unpack(f"{order}HHQ", data[:12])
    size = 8 * count if kind in _WIDE else _SIZES.get(kind, 0) * count
    where = _number(data[12:], order)
    if not 0 < size <= _LARGEST_VALUE or (where >= 2**63 and size > 8):
        return None
    value = data[12 : 12 + size]
    if size > 8:
        file.seek(where)
        value = file.read(size)
    if kind in _WIDE:
        return tag, _WIDE[kind], count, _narrowed(value, order)
    return tag, kind, count, value


def _narrowed(value: bytes, order: str) -> bytes:
    numbers = struct.unpack(f"{order}{len(value) // 8}Q", value[: len(value) // 8 * 8])
    return struct.pack(f"{order}{len(numbers)}I", *(number & 0xFFFFFFFF for number in numbers))


def _written(main: list[_Entry], inner: dict[int, list[_Entry]], order: str) -> bytes:
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", 8)
    pointers: dict[int, int] = {}
    at = 8 + len(_directory(main, 8, order, pointers))
    tail = b""
    for tag, entries in inner.items():
        pointers[tag] = at + len(tail)
        tail += _directory(entries, pointers[tag], order, {})
    return (head + _directory(main, 8, order, pointers) + tail)[:_LARGEST_ALL]


def _directory(entries: list[_Entry], at: int, order: str, pointers: dict[int, int]) -> bytes:
    listed, bodies = b"", b""
    after = at + 2 + 12 * len(entries) + 4
    for tag, kind, count, value in entries:
        if tag in _POINTERS:
            kind, count, value = 4, 1, struct.pack(f"{order}I", pointers.get(tag, 0))
        listed += struct.pack(f"{order}HHI", tag, kind, count)
        if len(value) > 4:
            listed += struct.pack(f"{order}I", after + len(bodies))
            bodies += value
        else:
            listed += value.ljust(4, b"\0")
    return struct.pack(f"{order}H", len(entries)) + listed + b"\0\0\0\0" + bodies
