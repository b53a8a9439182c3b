"""TIFF and the RAW formats made of it, Canon CR3, Fujifilm RAF, and JPEG XL."""

import io
import struct
from typing import BinaryIO

from archive_mem.ingest.metadata.blocks import MAX_BLOCK, Blocks, file_size, tiff_start
from archive_mem.ingest.metadata.boxes import boxes, child, content, top
from archive_mem.ingest.metadata.jpeg import jpeg_blocks

__all__ = ["RAW_NOTE", "cr3_blocks", "jxl_blocks", "raf_blocks", "tiff_blocks"]

RAW_NOTE = "camera RAW: its pictures are read where rawpy is installed"
JXL_NOTE = "JPEG XL: its pictures are read where pillow-jxl-plugin is installed"

_CANON_UUID = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
_IPTC, _XMP, _PHOTOSHOP, _DNG = 33723, 700, 34377, 50706
_WIDTH, _HEIGHT, _STRIPS, _LENGTHS = 256, 257, 273, 279
_TYPE_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 13: 4}
_MAX_ENTRIES = 512
MAX_VALUE = 4 * 2**20
_CMT = {b"CMT1": None, b"CMT2": 0x8769, b"CMT4": 0x8825}


def tiff_blocks(file: BinaryIO) -> Blocks:
    """A TIFF is its own EXIF block; XMP and IPTC are tags of its first directory."""
    head = file.read(16)
    order = "<" if head.startswith(b"II") else ">"
    plain = head[:4] in (b"II*\0", b"MM\0*")
    stream = file if plain else _as_tiff(file, order)
    tags = first_directory(stream, order)
    raw = not plain or head[8:10] == b"CR" or _DNG in tags
    return Blocks(
        exif=(stream,),
        xmp=tuple(packet for packet in (tags.get(_XMP),) if packet),
        iptc=tags.get(_IPTC),
        width=None if raw else _number(tags.get(_WIDTH), order),
        height=None if raw else _number(tags.get(_HEIGHT), order),
        note=RAW_NOTE if raw else None,
        damage=_damage(tags, order, file_size(file)),
    )


def _as_tiff(file: BinaryIO, order: str) -> BinaryIO:
    # Olympus and Panasonic changed two letters; all else is TIFF.
    file.seek(4)
    return io.BytesIO((b"II*\0" if order == "<" else b"MM\0*") + file.read(MAX_BLOCK))


def first_directory(file: BinaryIO, order: str) -> dict[int, bytes]:
    """Raw values of the tags in a TIFF's first directory (TIFF 6.0 section 2), bounded."""
    file.seek(0)
    at = _unpacked(f"{order}4xI", file.read(8))
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


def subdirectory(block: bytes, tag: int) -> bytes:
    """A TIFF whose first directory does nothing but point, by `tag`, to the one of `block`."""
    order = "<" if block.startswith(b"II") else ">"
    inner = _unpacked(f"{order}I", block[4:8])
    entry = struct.pack(f"{order}HHHIII", 1, tag, 4, 1, inner, 0)
    return block[:4] + struct.pack(f"{order}I", len(block)) + block[8:] + entry


def _numbers(value: bytes | None, order: str) -> tuple[int, ...]:
    data = value or b""
    if len(data) == 2:
        return struct.unpack(f"{order}H", data)
    return struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 4 * 4])


def _number(value: bytes | None, order: str) -> int | None:
    return next(iter(_numbers(value, order)), None)


def _damage(tags: dict[int, bytes], order: str, size: int) -> str | None:
    if not tags:
        return "TIFF without a directory"
    last = _number(tags.get(_STRIPS), order)
    return "TIFF ends early" if last is not None and last >= size else None


def cr3_blocks(file: BinaryIO) -> Blocks:
    """Canon CR3: TIFF blocks CMT1 (image), CMT2 (EXIF) and CMT4 (GPS) inside a uuid box."""
    moov = child(file, top(file), b"moov")
    found: list[bytes] = []
    for box in boxes(file, moov) if moov is not None else ():
        if box.kind == b"uuid" and content(file, box, 16) == _CANON_UUID:
            parts = [part for part in boxes(file, box, skip=16) if part.kind in _CMT]
            found = [_cmt(content(file, part), _CMT[part.kind]) for part in parts]
    return Blocks(
        exif=tuple(map(io.BytesIO, found)),
        note=RAW_NOTE,
        damage=None if moov else "CR3 without its index",
    )


def _cmt(block: bytes, tag: int | None) -> bytes:
    return block if tag is None else subdirectory(block, tag)


def raf_blocks(file: BinaryIO) -> Blocks:
    """Fujifilm RAF: the EXIF of the JPEG that it carries, at the offset in bytes 84 to 87."""
    head = file.read(92)
    if len(head) < 92:
        return Blocks(note=RAW_NOTE, damage="RAF ends early")
    start = int.from_bytes(head[84:88], "big")
    file.seek(start)
    inner = jpeg_blocks(file)
    return Blocks(exif=inner.exif, xmp=inner.xmp, note=RAW_NOTE, damage=inner.damage)


def jxl_blocks(file: BinaryIO) -> Blocks:
    """JPEG XL in boxes (ISO 18181-2); a bare codestream carries no metadata."""
    if file.read(2) == b"\xff\x0a":
        return Blocks(note=JXL_NOTE)
    found = list(boxes(file, top(file)))
    exif = [tiff_start(content(file, box)) for box in found if box.kind == b"Exif"]
    return Blocks(
        exif=tuple(io.BytesIO(block) for block in exif if block),
        xmp=tuple(content(file, box) for box in found if box.kind == b"xml "),
        note=JXL_NOTE,
        damage=None if all(box.whole for box in found) else "JPEG XL ends early",
    )
