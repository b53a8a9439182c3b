"""TIFF and the RAW formats made of it, Canon CR3, Fujifilm RAF, Minolta MRW, and JPEG XL."""

import contextlib
import io
from dataclasses import replace
from typing import BinaryIO

from archive_mem.ingest.metadata.bigtiff import as_tiff, is_big
from archive_mem.ingest.metadata.blocks import (
    MAX_BLOCK,
    Blocks,
    exactly,
    file_size,
    steps,
    tiff_start,
)
from archive_mem.ingest.metadata.boxes import Box, boxes, child, content, top
from archive_mem.ingest.metadata.iptc import iptc_of_photoshop
from archive_mem.ingest.metadata.jpeg import jpeg_blocks
from archive_mem.ingest.metadata.tiff import (
    MAX_VALUE,
    byte_order,
    first_directory,
    numbers,
    subdirectory,
)
from archive_mem.ingest.sniff import HEAD_BYTES, RAW_MIME, sniff

__all__ = [
    "RAW_NOTE",
    "cr3_blocks",
    "jxl_blocks",
    "jxl_orientation",
    "mrw_blocks",
    "raf_blocks",
    "tiff_blocks",
]

RAW_NOTE = "camera RAW: seen where archive-mem[raw] is installed"
JXL_NOTE = "JPEG XL: seen where archive-mem[jxl] is installed"

_CANON_UUID = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
_IPTC, _XMP, _PHOTOSHOP, _DNG = 33723, 700, 34377, 50706
_WIDTH, _HEIGHT, _STRIPS, _LENGTHS = 256, 257, 273, 279
_CMT = {b"CMT1": None, b"CMT2": 0x8769, b"CMT4": 0x8825}


def tiff_blocks(file: BinaryIO) -> Blocks:
    """A TIFF is its own EXIF block; XMP and IPTC are tags of its first directory."""
    head = file.read(16)
    order = byte_order(head)
    stream = _readable(file, head, order)
    tags = first_directory(stream, order)
    raw = _is_raw(file) or _DNG in tags
    return Blocks(
        exif=(stream,),
        xmp=tuple(packet for packet in (tags.get(_XMP),) if packet),
        iptc=tags.get(_IPTC) or iptc_of_photoshop(tags.get(_PHOTOSHOP, b"")),
        width=None if raw else _number(tags.get(_WIDTH), order),
        height=None if raw else _number(tags.get(_HEIGHT), order),
        note=RAW_NOTE if raw else None,
        damage=_damage(tags, order, file_size(file)),
    )


def _is_raw(file: BinaryIO) -> bool:
    file.seek(0)
    form = sniff(file.read(HEAD_BYTES))
    return form is not None and form.mime.startswith(RAW_MIME)


def _readable(file: BinaryIO, head: bytes, order: str) -> BinaryIO:
    if is_big(head):
        return as_tiff(file)
    if head[:4] in (b"II*\0", b"MM\0*"):
        return file
    # Olympus and Panasonic changed two letters; all else is TIFF.
    file.seek(4)
    return io.BytesIO((b"II*\0" if order == "<" else b"MM\0*") + file.read(MAX_BLOCK))


def _number(value: bytes | None, order: str) -> int | None:
    return next(iter(numbers(value, order)), None)


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


def mrw_blocks(file: BinaryIO) -> Blocks:
    """Minolta MRW: a list of blocks, of which "TTW" is a TIFF structure."""
    file.seek(8)
    for _ in steps():
        head = exactly(file, 8)
        if head is None:
            break
        size = int.from_bytes(head[4:], "big")
        if head[:4] == b"\0TTW":
            return Blocks(exif=(io.BytesIO(file.read(min(size, MAX_BLOCK))),), note=RAW_NOTE)
        file.seek(size, 1)
    return Blocks(note=RAW_NOTE, damage="MRW ends early")


def jxl_blocks(file: BinaryIO) -> Blocks:
    """JPEG XL in boxes (ISO 18181-2); a bare codestream carries no metadata."""
    head = file.read(64)
    if head.startswith(b"\xff\x0a"):
        return _picture(head)
    found = list(boxes(file, top(file)))
    exif = [tiff_start(data) for data in _metadata(file, found, b"Exif")]
    return replace(
        _picture(_codestream(file, found)),
        exif=tuple(io.BytesIO(block) for block in exif if block),
        xmp=tuple(_metadata(file, found, b"xml ")),
        damage=None if all(box.whole for box in found) else "JPEG XL ends early",
    )


def _metadata(file: BinaryIO, found: list[Box], kind: bytes) -> list[bytes]:
    """Contents of the boxes of a kind, also of those that are compressed ("brob")."""
    packed = (content(file, box) for box in found if box.kind == b"brob")
    inflated = [_inflated(data[4:]) for data in packed if data.startswith(kind)]
    return [content(file, box) for box in found if box.kind == kind] + inflated


def _inflated(data: bytes) -> bytes:
    import brotli

    with contextlib.suppress(brotli.error):
        return bytes(brotli.Decompressor().process(data, output_buffer_limit=MAX_VALUE))
    return b""


def _codestream(file: BinaryIO, found: list[Box]) -> bytes:
    """The first bytes of the picture; its parts ("jxlp") have a number before them."""
    skipped = {b"jxlc": 0, b"jxlp": 4}
    mine = [box for box in found if box.kind in skipped][:4]
    return b"".join(content(file, box, 64)[skipped[box.kind] :] for box in mine)


_RATIOS = ((1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1))


def jxl_orientation(file: BinaryIO) -> int:
    """Orientation 1 to 8 of the picture itself: it counts, EXIF is only carried along."""
    return jxl_blocks(file).orientation or 1


def _picture(codestream: bytes) -> Blocks:
    """Size and orientation of a codestream (ISO 18181-1, SizeHeader and ImageMetadata)."""
    if len(codestream) < 12 or not codestream.startswith(b"\xff\x0a"):
        return Blocks(orientation=1, note=JXL_NOTE)
    bits = _Bits(int.from_bytes(codestream[2:12], "little"))
    width, height = _size(bits)
    plain = bits.take(1) == 1
    turned = not plain and bits.take(1) == 1
    orientation = bits.take(3) + 1 if turned else 1
    return Blocks(width=width, height=height, orientation=orientation, note=JXL_NOTE)


def _size(bits: "_Bits") -> tuple[int, int]:
    small = bits.take(1) == 1
    height = bits.side(small)
    ratio = bits.take(3)
    if ratio == 0:
        return bits.side(small), height
    over, under = _RATIOS[ratio - 1]
    return height * over // under, height


class _Bits:
    """Numbers from bits, the lowest first."""

    def __init__(self, value: int) -> None:
        self._value = value

    def take(self, count: int) -> int:
        """The next `count` bits."""
        taken = self._value & (1 << count) - 1
        self._value >>= count
        return taken

    def side(self, small: bool) -> int:
        """A width or height."""
        if small:
            return (self.take(5) + 1) * 8
        return self.take((9, 13, 18, 30)[self.take(2)]) + 1
