"""HEIF files by hand: an EXIF item wherever the standard lets it lie. No picture is in them."""

import itertools
import struct

from tests.gnarly_media.movies import box

__all__ = ["heif"]

_PICTURE, _EXIF, _STORE, _OTHER = 1, 2, 3, 4


def heif(
    exif: bytes,
    method: int = 0,
    pieces: int = 1,
    brand: bytes = b"heic",
    compatible: bytes = b"mif1",
    version: int = 1,
    other: bytes = b"",
) -> bytes:
    """A HEIF whose EXIF item has a construction method (0 file, 1 idat, 2 item) and extents.

    other: a second EXIF item, listed first, that describes no picture of the file
    """
    item = struct.pack(">I", 6) + b"Exif\0\0" + exif
    ftyp = box(b"ftyp", brand, b"\0\0\0\0", compatible)
    # The offsets don't change the length: write twice.
    size = len(_meta(item, 0, method, pieces, version, other))
    meta = _meta(item, len(ftyp) + size + 8, method, pieces, version, other)
    return ftyp + meta + box(b"mdat", item if method != 1 else b"", _item(other))


def _item(exif: bytes) -> bytes:
    return struct.pack(">I", 6) + b"Exif\0\0" + exif if exif else b""


def _meta(item: bytes, start: int, method: int, pieces: int, version: int, other: bytes) -> bytes:
    entries = [_infe(_PICTURE, b"hvc1"), _infe(_EXIF, b"Exif"), _infe(_STORE, b"hvc1")]
    places = [_place(_EXIF, method, 0 if method else start, len(item), pieces, version)]
    if method == 2:
        places.append(_place(_STORE, 0, start, len(item), 1, version))
    if other:
        entries.insert(0, _infe(_OTHER, b"Exif"))
        at = start + (len(item) if method != 1 else 0)
        places.append(_place(_OTHER, 0, at, len(_item(other)), 1, version))
    iloc = struct.pack(">BxxxBBH", version, 0x44, 0, len(places)) + b"".join(places)
    return box(
        b"meta",
        b"\0\0\0\0",
        box(b"hdlr", b"\0" * 8 + b"pict" + b"\0" * 13),
        box(b"pitm", struct.pack(">IH", 0, _PICTURE)),
        box(b"iinf", struct.pack(">IH", 0, len(entries)), *entries),
        box(b"iloc", iloc),
        box(b"iref", b"\0\0\0\0", _link(b"cdsc", _EXIF, _PICTURE), _links(method, bool(other))),
        _properties(),
        box(b"idat", item if method == 1 else b""),
    )


def _infe(key: int, kind: bytes) -> bytes:
    return box(b"infe", struct.pack(">IHH", 2 << 24, key, 0) + kind + b"\0")


def _link(kind: bytes, source: int, target: int) -> bytes:
    return box(kind, struct.pack(">HHH", source, 1, target))


def _links(method: int, other: bool) -> bytes:
    store = _link(b"iloc", _EXIF, _STORE) if method == 2 else b""
    return store + (_link(b"cdsc", _OTHER, _STORE) if other else b"")


def _place(key: int, method: int, start: int, size: int, pieces: int, version: int) -> bytes:
    cuts = [size * at // pieces for at in range(pieces + 1)]
    extents = [struct.pack(">II", start + a, b - a) for a, b in itertools.pairwise(cuts)]
    head = struct.pack(">HHH", key, method, 0) if version else struct.pack(">HH", key, 0)
    return head + struct.pack(">H", pieces) + b"".join(extents)


def _properties() -> bytes:
    ispe = box(b"ispe", struct.pack(">III", 0, 48, 32))
    ipma = box(b"ipma", struct.pack(">IIHBB", 0, 1, _PICTURE, 1, 1))
    return box(b"iprp", box(b"ipco", ispe), ipma)
