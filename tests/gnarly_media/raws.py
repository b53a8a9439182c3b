"""Camera RAW files, Photoshop and JPEG 2000 by hand: their metadata, and hardly a picture."""

import io
import struct

import brotli

from tests.gnarly_media.movies import box
from tests.gnarly_media.pictures import jpeg, marks
from tests.gnarly_media.tiffs import exif_block

__all__ = ["cr3", "dng", "jp2", "jxl", "mrw", "psd", "raf"]

_CANON = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
_EXIF_UUID = b"JpgTiffExif->JP2"
WIDTH, HEIGHT = 48, 32


def cr3(exif: bytes, gps: bytes) -> bytes:
    """Canon CR3; EXIF and GPS are TIFF structures of their own, each a first directory."""
    parts = box(b"CMT1", exif_block({0x0110: "Canon"})), box(b"CMT2", exif), box(b"CMT4", gps)
    return box(b"ftyp", b"crx \0\0\0\1crx isom") + box(b"moov", box(b"uuid", _CANON, *parts))


def raf(exif: bytes) -> bytes:
    """Fujifilm RAF: a JPEG behind a header."""
    inner = jpeg(exif)
    head = b"FUJIFILMCCD-RAW 0201FF393103X-T3".ljust(84, b"\0")
    return head + struct.pack(">II", 100, len(inner)) + b"\0" * 8 + inner


def mrw(exif: bytes) -> bytes:
    """Minolta MRW: a list of blocks."""
    blocks = b"\0PRD" + struct.pack(">I", 24) + b"\0" * 24
    blocks += b"\0TTW" + struct.pack(">I", len(exif)) + exif
    return b"\0MRM" + struct.pack(">I", len(blocks)) + blocks


def psd(exif: bytes) -> bytes:
    """A grey Photoshop document."""
    head = b"8BPS\0\1" + b"\0" * 6 + struct.pack(">HIIHH", 1, HEIGHT, WIDTH, 8, 1)
    resource = b"8BIM\x04\x22\0\0" + struct.pack(">I", len(exif)) + exif + b"\0" * (len(exif) % 2)
    parts = b"\0\0\0\0" + struct.pack(">I", len(resource)) + resource + b"\0\0\0\0\0\0"
    return head + parts + b"\x80" * (WIDTH * HEIGHT)


def jp2(exif: bytes) -> bytes:
    """JPEG 2000."""
    buffer = io.BytesIO()
    marks().save(buffer, "JPEG2000")
    return buffer.getvalue() + box(b"uuid", _EXIF_UUID, exif)


def jxl(exif: bytes, orientation: int = 1, packed: bool = False) -> bytes:
    """JPEG XL of 48 x 32: the beginning of its codestream only.

    packed: as it is made of a JPEG without loss: EXIF compressed, the codestream in parts
    """
    bits = [(1, 1), (3, 5), (4, 3)]
    bits += [(1, 1)] if orientation == 1 else [(0, 1), (1, 1), (orientation - 1, 3)]
    value = at = 0
    for number, count in bits:
        value |= number << at
        at += count
    stream = b"\xff\x0a" + value.to_bytes(20, "little")
    head = b"\0\0\0\x0cJXL \r\n\x87\n" + box(b"ftyp", b"jxl \0\0\0\0jxl ")
    if not packed:
        return head + box(b"Exif", b"\0\0\0\0", exif) + box(b"jxlc", stream)
    small = box(b"brob", b"Exif", brotli.compress(b"\0\0\0\0" + exif))
    parts = [
        box(b"jxlp", struct.pack(">I", at), part)
        for at, part in enumerate((stream[:6], stream[6:]))
    ]
    return head + parts[0] + small + parts[1]


def dng(orientation: int = 1) -> bytes:
    """A small picture of sensor values: all red, but for a brighter first row."""
    shorts = {
        254: 0,
        256: WIDTH,
        257: HEIGHT,
        258: 16,
        259: 1,
        262: 32803,
        274: orientation,
        277: 1,
        278: HEIGHT,
    }
    pixels = b"".join(
        struct.pack("<H", 60_000 if row < HEIGHT // 2 else 20_000)
        for row in range(HEIGHT)
        for _ in range(WIDTH)
    )
    matrix = struct.pack("<18i", *(v for n in (1, 0, 0, 0, 1, 0, 0, 0, 1) for v in (n, 1)))
    entries: list[tuple[int, int, int, bytes]] = [
        *((tag, 4, 1, struct.pack("<I", value)) for tag, value in shorts.items()),
        (271, 2, 5, b"Test\0"),
        (272, 2, 7, b"Sensor\0"),
        (279, 4, 1, struct.pack("<I", len(pixels))),
        (33421, 3, 2, struct.pack("<HH", 2, 2)),
        (33422, 1, 4, b"\0\1\1\2"),
        (50706, 1, 4, b"\1\4\0\0"),
        (50708, 2, 7, b"Sensor\0"),
        (50721, 10, 9, matrix),
        (50778, 3, 1, struct.pack("<H", 21)),
    ]
    at = 8 + 2 + 12 * (len(entries) + 1) + 4
    bodies = b""
    entries.append((273, 4, 1, b""))
    after = at + sum(len(body) + len(body) % 2 for *_, body in entries if len(body) > 4)
    listed = b""
    for tag, kind, count, body in sorted(entries):
        value = struct.pack("<I", after) if tag == 273 else body
        if len(value) > 4:
            listed += struct.pack("<HHII", tag, kind, count, at + len(bodies))
            bodies += value + b"\0" * (len(value) % 2)
        else:
            listed += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
    return (
        b"II*\0\x08\0\0\0"
        + struct.pack("<H", len(entries))
        + listed
        + b"\0\0\0\0"
        + bodies
        + pixels
    )
