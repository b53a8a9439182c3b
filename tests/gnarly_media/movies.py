"""Small MP4 and MOV files by hand, with or without a picture in them."""

import struct
from collections.abc import Mapping

__all__ = ["box", "movie", "seconds_since_1904"]

PLAIN = (0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
QUARTER = (0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000)
THREE_QUARTERS = (0, -0x10000, 0, 0x10000, 0, 0, 0, 0, 0x40000000)
HALF = (-0x10000, 0, 0, 0, -0x10000, 0, 0, 0, 0x40000000)


def box(kind: bytes, *parts: bytes) -> bytes:
    """A box."""
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def seconds_since_1904(unix: int) -> int:
    """A QuickTime time."""
    return unix + 2_082_844_800


def movie(
    created: int = 0,
    texts: Mapping[str, str] | None = None,
    keys: Mapping[str, str] | None = None,
    matrix: tuple[int, ...] = PLAIN,
    size: tuple[int, int] = (64, 48),
    brand: bytes = b"qt  ",
    handler: bytes = b"vide",
    name: bytes = b"",
    told_seconds: int = 4,
    sample_seconds: int = 4,
    colour: bytes = b"",
    extra: bytes = b"",
) -> bytes:
    """A container that has all that metadata needs, and no samples."""
    moov = [_mvhd(created, told_seconds)]
    moov.append(_track(matrix, size, handler, name, sample_seconds, colour))
    if texts:
        moov.append(box(b"udta", *(_text(kind, text) for kind, text in texts.items())))
    if keys:
        moov.append(_meta(keys))
    ftyp = box(b"ftyp", brand, b"\0\0\0\0", brand)
    return ftyp + box(b"moov", *moov, extra) + box(b"mdat", b"\0" * 64)


def _mvhd(created: int, seconds: int) -> bytes:
    head = struct.pack(">IIIII", 0, created, created, 1000, seconds * 1000)
    return box(b"mvhd", head, b"\0" * 80)


def _track(
    matrix: tuple[int, ...],
    size: tuple[int, int],
    handler: bytes,
    name: bytes,
    seconds: int,
    colour: bytes,
) -> bytes:
    tkhd = struct.pack(">IIIII", 7, 0, 0, 1, 0) + b"\0" * 20
    tkhd += struct.pack(">9i", *matrix) + struct.pack(">II", size[0] << 16, size[1] << 16)
    hdlr = b"\0" * 8 + handler + b"\0" * 12 + name + b"\0"
    mdhd = struct.pack(">IIIIII", 0, 0, 0, 600, seconds * 600, 0)
    stts = struct.pack(">IIII", 0, 1, seconds * 10, 60)
    stsd = box(b"stsd", b"\0" * 8, box(b"hvc1", b"\0" * 78, colour))
    minf = box(b"minf", box(b"stbl", stsd, box(b"stts", stts)))
    return box(
        b"trak",
        box(b"tkhd", tkhd),
        box(b"mdia", box(b"mdhd", mdhd), box(b"hdlr", hdlr), minf),
    )


def _text(kind: str, text: str) -> bytes:
    data = text.encode()
    return box(kind.encode("latin-1"), struct.pack(">HH", len(data), 0x55C4), data)


def _meta(keys: Mapping[str, str]) -> bytes:
    hdlr = box(b"hdlr", b"\0" * 8, b"mdta", b"\0" * 13)
    names = [struct.pack(">I", 8 + len(key.encode())) + b"mdta" + key.encode() for key in keys]
    listed = box(b"keys", struct.pack(">II", 0, len(names)), *names)
    items = [
        box(struct.pack(">I", at), box(b"data", struct.pack(">II", 1, 0), value.encode()))
        for at, value in enumerate(keys.values(), 1)
    ]
    return box(b"meta", hdlr, listed, box(b"ilst", *items))
