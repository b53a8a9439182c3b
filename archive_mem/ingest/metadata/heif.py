"""HEIF, HEIC and AVIF (ISO 23008-12): where their items lie, and how the container turns them.

Turning follows the container's irot alone: EXIF orientation is informative there (section 6.5.10).
"""

import io
import itertools
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from archive_mem.ingest.metadata.blocks import MAX_BLOCK, Blocks, file_size, tiff_start
from archive_mem.ingest.metadata.boxes import Box, boxes, child, content, top

__all__ = ["heif_blocks"]

_SEQUENCE = "picture sequence, the first is described"
_MAX_ITEMS = 4096
_MOST_EXTENTS = 64
_DEEPEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extent:
    """Where a part of an item lies: byte offset and length."""

    offset: int
    length: int


_Places = dict[int, tuple[int, tuple[_Extent, ...]]]


class _Cursor:
    """Reads numbers from bytes, one after the other; beyond the end everything is 0."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self, size: int) -> int:
        """The next `size` bytes as an unsigned number; 0 bytes give 0."""
        value = int.from_bytes(self.data[self.at : self.at + size], "big")
        self.at += size
        return value

    def text(self) -> bytes:
        """The next null-terminated text."""
        end = self.data.find(b"\0", self.at)
        end = len(self.data) if end < 0 else end
        value, self.at = self.data[self.at : end], end + 1
        return value

    @property
    def done(self) -> bool:
        """Nothing is left."""
        return self.at >= len(self.data)


def heif_blocks(file: BinaryIO) -> Blocks:
    """Metadata of a HEIF file."""
    found = list(boxes(file, top(file)))
    meta = next((box for box in found if box.kind == b"meta"), None)
    if meta is None:
        return Blocks(orientation=1, damage="HEIF without its index")
    items = _items(file, meta)
    places = _locations(file, meta)
    idat = child(file, meta, b"idat", skip=4)
    primary = _primary(content(file, child(file, meta, b"pitm", 4), 8))
    links = _references(file, child(file, meta, b"iref", 4))
    source = _Source(file=file, places=places, idat=idat, bases=links.get(b"iloc", {}))
    described = links.get(b"cdsc", {})
    for keys in items.values():
        # Of several pictures' metadata, that of the primary one counts.
        keys.sort(key=lambda key: primary not in described.get(key, [primary]))
    exif = [tiff_start(source.item(key)) for key in items[b"Exif"]]
    width, height, quarter = _shape(file, meta, primary)
    return Blocks(
        exif=tuple(io.BytesIO(block) for block in exif if block),
        xmp=tuple(source.item(key) for key in items[b"mime"]),
        width=width,
        height=height,
        quarter_turn=quarter,
        orientation=1,
        note=_SEQUENCE if any(box.kind == b"moov" for box in found) else None,
        damage=_damage(file, found, places),
    )


def _primary(pitm: bytes) -> int:
    return int.from_bytes(pitm[4:6] if pitm[:1] == b"\0" else pitm[4:8], "big")


def _items(file: BinaryIO, meta: Box) -> dict[bytes, list[int]]:
    items: dict[bytes, list[int]] = {b"Exif": [], b"mime": []}
    iinf = child(file, meta, b"iinf", 4)
    if iinf is None:
        return items
    version = content(file, iinf, 1)
    for infe in boxes(file, iinf, skip=6 if version == b"\0" else 8):
        cursor = _Cursor(content(file, infe, 256))
        wide = cursor.number(4) >> 24 >= 3
        key, _, kind = cursor.number(4 if wide else 2), cursor.number(2), cursor.number(4)
        name = kind.to_bytes(4, "big")
        cursor.text()
        if name == b"Exif" or (name == b"mime" and cursor.text() == b"application/rdf+xml"):
            items[name].append(key)
    return items


def _locations(file: BinaryIO, meta: Box) -> _Places:
    """Item -> construction method (0 file, 1 idat, 2 item) and extents."""
    head = child(file, meta, b"iloc", 4)
    if head is None:
        return {}
    cursor = _Cursor(content(file, head, 2**20))
    version = cursor.number(4) >> 24
    sizes = cursor.number(2)
    widths = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15, sizes & 15 if version else 0)
    count = cursor.number(4 if version == 2 else 2)
    found = {}
    for _ in range(min(count, _MAX_ITEMS)):
        if cursor.done:
            break
        key, value = _location(cursor, version, widths)
        found[key] = value
    return found


def _location(
    cursor: _Cursor, version: int, widths: tuple[int, int, int, int]
) -> tuple[int, tuple[int, tuple[_Extent, ...]]]:
    key = cursor.number(4 if version == 2 else 2)
    method = cursor.number(2) & 15 if version else 0
    cursor.number(2)
    base = cursor.number(widths[2])
    extents = []
    for _ in range(min(cursor.number(2), _MAX_ITEMS)):
        if cursor.done:
            break
        cursor.number(widths[3])
        offset, length = cursor.number(widths[0]), cursor.number(widths[1])
        extents.append(_Extent(offset=base + offset, length=length))
    return key, (method, tuple(extents))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """Where the bytes of items come from.

    places: construction method and extents by item
    idat: box that method 1 counts from
    bases: items that method 2 counts in
    """

    file: BinaryIO
    places: _Places
    idat: Box | None
    bases: dict[int, list[int]]

    def item(self, key: int, depth: int = 0) -> bytes:
        """The bytes of an item, at most MAX_BLOCK."""
        if key not in self.places or depth > _DEEPEST:
            return b""
        method, extents = self.places[key]
        if method == 2:
            return self._of_items(key, extents, depth)[:MAX_BLOCK]
        shift = self.idat.start if method == 1 and self.idat is not None else 0
        parts = (_read(self.file, shift + extent.offset, extent.length) for extent in extents)
        return b"".join(itertools.islice(parts, _MOST_EXTENTS))[:MAX_BLOCK]

    def _of_items(self, key: int, extents: tuple[_Extent, ...], depth: int) -> bytes:
        base = b"".join(self.item(of, depth + 1) for of in self.bases.get(key, [])[:4])
        parts = (base[extent.offset :][: extent.length or None] for extent in extents)
        return b"".join(itertools.islice(parts, _MOST_EXTENTS))


def _references(file: BinaryIO, iref: Box | None) -> dict[bytes, dict[int, list[int]]]:
    """Kind of reference -> item -> the items that it refers to."""
    found: dict[bytes, dict[int, list[int]]] = {}
    if iref is None:
        return found
    wide = 2 if content(file, iref, 1) == b"\0" else 4
    for box in boxes(file, iref, skip=4):
        cursor = _Cursor(content(file, box, 2**16))
        key, count = cursor.number(wide), min(cursor.number(2), _MAX_ITEMS)
        keys = [cursor.number(wide) for _ in range(count) if not cursor.done]
        found.setdefault(box.kind, {}).setdefault(key, []).extend(keys)
    return found


def _read(file: BinaryIO, offset: int, length: int) -> bytes:
    if offset >= file_size(file):
        return b""
    file.seek(offset)
    return file.read(min(length or MAX_BLOCK, MAX_BLOCK))


def _shape(file: BinaryIO, meta: Box, primary: int) -> tuple[int | None, int | None, bool]:
    iprp = child(file, meta, b"iprp", 4)
    ipco = child(file, iprp, b"ipco")
    if ipco is None:
        return None, None, False
    properties = list(boxes(file, ipco))
    mine = [
        properties[at - 1] for at in _associated(file, iprp, primary) if 0 < at <= len(properties)
    ]
    width, height = _extent(file, mine)
    return width, height, _turns(file, mine) % 2 == 1


def _extent(file: BinaryIO, properties: list[Box]) -> tuple[int | None, int | None]:
    """Pixels that are shown: those of the clean aperture where one is cut out, else all."""
    clap = content(file, _first(properties, b"clap"), 16)
    if len(clap) == 16:
        width, per_width, height, per_height = struct.unpack(">4I", clap)
        if per_width and per_height:
            return width // per_width, height // per_height
    ispe = content(file, _first(properties, b"ispe"), 12)
    if len(ispe) < 12:
        return None, None
    width, height = struct.unpack(">II", ispe[4:])
    return width, height


def _first(properties: list[Box], kind: bytes) -> Box | None:
    return next((box for box in properties if box.kind == kind), None)


def _turns(file: BinaryIO, properties: list[Box]) -> int:
    return sum(sum(content(file, box, 1)) & 3 for box in properties if box.kind == b"irot")


def _associated(file: BinaryIO, iprp: Box | None, primary: int) -> Iterator[int]:
    cursor = _Cursor(content(file, child(file, iprp, b"ipma"), 2**20))
    head = cursor.number(4)
    wide_key, wide_index = head >> 24 > 0, head & 1 == 1
    for _ in range(min(cursor.number(4), _MAX_ITEMS)):
        if cursor.done:
            return
        key = cursor.number(4 if wide_key else 2)
        indexes = [cursor.number(2 if wide_index else 1) for _ in range(cursor.number(1))]
        if key == primary:
            yield from (index & (0x7FFF if wide_index else 0x7F) for index in indexes)


def _damage(file: BinaryIO, found: list[Box], places: _Places) -> str | None:
    size = file_size(file)
    ends = [
        extent.offset + extent.length
        for method, extents in places.values()
        for extent in extents
        if method == 0
    ]
    if not all(box.whole for box in found) or max(ends, default=0) > size:
        return "HEIF ends early"
    return None
