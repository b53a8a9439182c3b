"""EXIF blocks by hand: any tag, any type, any nonsense."""

import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction

__all__ = ["Rational", "bigtiff_block", "exif_block", "gps_tags"]

BYTE, ASCII, SHORT, LONG, RATIONAL, UNDEFINED, LONG8 = 1, 2, 3, 4, 5, 7, 16

Rational = tuple[int, int]
Value = str | int | bytes | Sequence[Rational]
Tags = Mapping[int, Value]


def exif_block(
    image: Tags | None = None,
    exif: Tags | None = None,
    gps: Tags | None = None,
    big_endian: bool = False,
) -> bytes:
    """A TIFF structure with up to three directories."""
    order = ">" if big_endian else "<"
    ifd0 = dict(image or {})
    pointers = {0x8769: exif, 0x8825: gps}
    ifd0 |= {tag: 0 for tag, tags in pointers.items() if tags}
    at = 8 + _length(ifd0)
    tail = b""
    for tag, tags in pointers.items():
        if tags:
            ifd0[tag] = at + len(tail)
            tail += _directory(tags, at + len(tail), order)
    head = (b"MM\0*" if big_endian else b"II*\0") + struct.pack(f"{order}I", 8)
    return head + _directory(ifd0, 8, order) + tail


def _encoded(value: Value, order: str) -> tuple[int, int, bytes]:
    """Type, count and bytes of a value."""
    if isinstance(value, str):
        data = value.encode() + b"\0"
        return ASCII, len(data), data
    if isinstance(value, bytes):
        return UNDEFINED, len(value), value
    if isinstance(value, int):
        return LONG, 1, struct.pack(f"{order}I", value)
    flat = [number for pair in value for number in pair]
    return RATIONAL, len(value), struct.pack(f"{order}{len(flat)}I", *flat)


def _length(tags: Tags) -> int:
    bodies = [_encoded(value, "<")[2] for value in tags.values()]
    return 2 + 12 * len(tags) + 4 + sum(len(body) for body in bodies if len(body) > 4)


def _directory(tags: Tags, at: int, order: str) -> bytes:
    entries, bodies = b"", b""
    after = at + 2 + 12 * len(tags) + 4
    for tag, value in sorted(tags.items()):
        kind, count, body = _encoded(value, order)
        entries += struct.pack(f"{order}HHI", tag, kind, count)
        if len(body) > 4:
            entries += struct.pack(f"{order}I", after + len(bodies))
            bodies += body
        else:
            entries += body.ljust(4, b"\0")
    return struct.pack(f"{order}H", len(tags)) + entries + b"\0\0\0\0" + bodies


def bigtiff_block(exif: Tags, gps: Tags, big_endian: bool = False) -> bytes:
    """A BigTIFF without a picture: a first directory that points to EXIF and GPS."""
    order = ">" if big_endian else "<"
    ifd0: dict[int, Value] = {0x0100: 48, 0x0101: 32, 0x0110: "Scanner of large sheets"}
    at = 16 + len(_big_directory({**ifd0, 0x8769: 0, 0x8825: 0}, 16, order))
    inner = _big_directory(exif, at, order)
    ifd0 |= {0x8769: at, 0x8825: at + len(inner)}
    inner += _big_directory(gps, at + len(inner), order)
    head = (b"MM\0+" if big_endian else b"II+\0") + struct.pack(f"{order}HHQ", 8, 0, 16)
    return head + _big_directory(ifd0, 16, order) + inner


def _big_directory(tags: Tags, at: int, order: str) -> bytes:
    entries, bodies = b"", b""
    after = at + 8 + 20 * len(tags) + 8
    for tag, value in sorted(tags.items()):
        kind, count, body = _encoded(value, order)
        if tag in (0x8769, 0x8825):
            kind, body = LONG8, struct.pack(f"{order}Q", value)
        entries += struct.pack(f"{order}HHQ", tag, kind, count)
        if len(body) > 8:
            entries += struct.pack(f"{order}Q", after + len(bodies))
            bodies += body
        else:
            entries += body.ljust(8, b"\0")
    return struct.pack(f"{order}Q", len(tags)) + entries + b"\0" * 8 + bodies


def gps_tags(latitude: float, longitude: float, altitude: float | None = None) -> dict[int, Value]:
    """GPS tags of a position, to a hundred-millionth of a degree."""
    tags: dict[int, Value] = {
        1: "S" if latitude < 0 else "N",
        2: _degrees(latitude),
        3: "W" if longitude < 0 else "E",
        4: _degrees(longitude),
    }
    if altitude is not None:
        tags |= {5: b"\1" if altitude < 0 else b"\0", 6: [(round(abs(altitude) * 1000), 1000)]}
    return tags


def _degrees(value: float) -> list[Rational]:
    exact = Fraction(round(abs(value) * 10**8), 10**8)
    degrees = int(exact)
    minutes = int((exact - degrees) * 60)
    seconds = ((exact - degrees) * 60 - minutes) * 60
    return [(degrees, 1), (minutes, 1), (round(seconds * 10**6), 10**6)]
