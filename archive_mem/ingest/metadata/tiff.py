"""Directories of a TIFF structure (TIFF 6.0 section 2): raw values of single tags, bounded."""

import struct
from typing import BinaryIO

__all__ = ["MAX_VALUE", "byte_order", "directory", "first_directory", "numbers", "subdirectory"]

MAX_VALUE = 4 * 2**20
_MAX_ENTRIES = 512
_TYPE_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 13: 4}


def byte_order(head: bytes) -> str:
    """The order of bytes as `struct` writes it, of a structure that begins with `head`."""
    return "<" if head.startswith(b"II") else ">"


def first_directory(file: BinaryIO, order: str) -> dict[int, bytes]:
    """Raw values by tag of the first directory; empty when there is none."""
    file.seek(0)
    return directory(file, order, _unpacked(f"{order}4xI", file.read(8)))


def directory(file: BinaryIO, order: str, at: int) -> dict[int, bytes]:
    """Raw values by tag of the directory at a byte offset; empty when there is none."""
    file.seek(at)
    count = _unpacked(f"{order}H", file.read(2))
    entries = file.read(12 * min(count, _MAX_ENTRIES))
    tags: dict[int, bytes] = {}
    for start in range(0, len(entries) - 11, 12):
        tag, kind, values = struct.unpack_from(f"{order}HHI", entries, start)
        size = _TYPE_SIZES.get(kind, 0) * values
        tags.setdefault(tag, _value(file, entries[start + 8 : start + 12], size, order))
    return tags


def _unpacked(layout: str, data: bytes) -> int:
    return int(struct.unpack(layout, data)[0]) if len(data) == struct.calcsize(layout) else 0


def _value(file: BinaryIO, inline: bytes, size: int, order: str) -> bytes:
    if size <= 4:
        return inline[:size]
    file.seek(_unpacked(f"{order}I", inline))
    return file.read(min(size, MAX_VALUE))


def numbers(value: bytes | None, order: str) -> tuple[int, ...]:
    """A raw value as unsigned numbers of two bytes (a single one) or four."""
    data = value or b""
    if len(data) == 2:
        return struct.unpack(f"{order}H", data)
    return struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 4 * 4])


def subdirectory(block: bytes, tag: int) -> bytes:
    """A TIFF whose first directory does nothing but point, by `tag`, to the one of `block`."""
    order = byte_order(block)
    inner = _unpacked(f"{order}I", block[4:8])
    entry = struct.pack(f"{order}HHHIII", 1, tag, 4, 1, inner, 0)
    return block[:4] + struct.pack(f"{order}I", len(block)) + block[8:] + entry
