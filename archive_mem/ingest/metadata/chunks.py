"""Formats made of chunks: PNG (with its eXIf), WebP (RIFF), GIF and BMP."""

import zlib
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

__all__ = ["ANIMATION", "bmp_blocks", "gif_blocks", "png_blocks", "webp_blocks"]

ANIMATION = "animation, the first frame is described"
_MAX_INFLATED = 4 * 2**20


def png_blocks(file: BinaryIO) -> Blocks:
    """Metadata of a PNG (ISO 15948; eXIf is registered extension 2017)."""
    draft = Draft(damage="PNG ends early")
    file.seek(8)
    for _ in steps():
        header = exactly(file, 8)
        if header is None:
            break
        size, kind = int.from_bytes(header[:4], "big"), header[4:]
        if kind == b"IEND":
            draft.damage = None
            break
        if not _take_png_chunk(file, kind, size, draft):
            break
    return draft.blocks()


_PNG_READ = (b"IHDR", b"eXIf", b"iTXt", b"tEXt", b"zTXt", b"acTL")


def _take_png_chunk(file: BinaryIO, kind: bytes, size: int, draft: Draft) -> bool:
    after = file.tell() + size + 4
    if after > file_size(file):
        return False
    if kind in _PNG_READ:
        data = exactly(file, size)
        if data is not None:
            _take_png_data(kind, data, draft)
    file.seek(after)
    return True


def _take_png_data(kind: bytes, data: bytes, draft: Draft) -> None:
    if kind == b"IHDR" and len(data) >= 8:
        draft.size = (int.from_bytes(data[:4], "big"), int.from_bytes(data[4:8], "big"))
    elif kind == b"acTL":
        draft.note = ANIMATION
    elif kind == b"eXIf":
        _append_exif(data, draft)
    else:
        _take_png_text(kind, data, draft)


def _append_exif(data: bytes, draft: Draft) -> None:
    block = tiff_start(data)
    if block is not None:
        draft.exif.append(block)


def _take_png_text(kind: bytes, data: bytes, draft: Draft) -> None:
    key, _, rest = data.partition(b"\0")
    text = _png_text(kind, rest)
    if key == b"XML:com.adobe.xmp":
        draft.xmp.append(text)
    elif key == b"Creation Time":
        draft.text_time = text.decode("utf-8", "replace")
    elif key.startswith(b"Raw profile type "):
        _take_raw_profile(key[17:], _raw_profile(text), draft)


def _take_raw_profile(kind: bytes, profile: bytes, draft: Draft) -> None:
    if kind in (b"iptc", b"8bim"):
        draft.iptc = draft.iptc or iptc_of_photoshop(profile)
    elif kind == b"xmp" or profile.startswith(XMP_HEADER):
        draft.xmp.append(profile.removeprefix(XMP_HEADER))
    elif kind in (b"exif", b"APP1"):
        _append_exif(profile, draft)


def _png_text(kind: bytes, rest: bytes) -> bytes:
    if kind == b"tEXt":
        return rest
    if kind == b"zTXt":
        return _inflated(rest[1:])
    packed = rest[:1] == b"\x01"
    text = rest[2:].split(b"\0", 2)[-1]
    return _inflated(text) if packed else text


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, _MAX_INFLATED)
    except zlib.error:
        return b""


def _raw_profile(text: bytes) -> bytes:
    """Bytes of ImageMagick's hexadecimal profiles: a name, a length, then hex lines."""
    lines = text.strip().split(b"\n", 2)
    try:
        return bytes.fromhex(lines[-1].decode("ascii"))
    except (ValueError, UnicodeDecodeError):
        return b""


def webp_blocks(file: BinaryIO) -> Blocks:
    """Metadata of a WebP (RFC 9649); its EXIF chunk may lack or have the six-byte header."""
    draft = Draft()
    file.seek(4)
    end = 8 + int.from_bytes(file.read(4), "little")
    if end > file_size(file):
        draft.damage = "WebP ends early"
    file.seek(12)
    for _ in steps():
        header = exactly(file, 8)
        if header is None:
            break
        size = int.from_bytes(header[4:], "little")
        after = file.tell() + size + size % 2
        _take_webp_chunk(file, header[:4], size, draft)
        file.seek(after)
    if draft.size == (None, None):
        draft.damage = draft.damage or "WebP without a picture"
    return draft.blocks()


def _take_webp_chunk(file: BinaryIO, kind: bytes, size: int, draft: Draft) -> None:
    if kind in (b"EXIF", b"XMP "):
        data = file.read(min(size, MAX_BLOCK))
        draft.xmp.append(data) if kind == b"XMP " else _append_exif(data, draft)
    elif kind in (b"VP8X", b"VP8 ", b"VP8L") and draft.size == (None, None):
        _take_webp_head(kind, file.read(10), draft)


def _take_webp_head(kind: bytes, head: bytes, draft: Draft) -> None:
    if len(head) < 10:
        draft.damage = "WebP ends early"
        return
    draft.size = _WEBP_SIZES[kind](head)
    if kind == b"VP8X" and head[0] & 2:
        draft.note = ANIMATION


def _vp8x(head: bytes) -> tuple[int, int]:
    return (
        int.from_bytes(head[4:7], "little") + 1,
        int.from_bytes(head[7:10], "little") + 1,
    )


def _vp8(head: bytes) -> tuple[int, int]:
    width, height = (int.from_bytes(head[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return width, height


def _vp8l(head: bytes) -> tuple[int, int]:
    bits = int.from_bytes(head[1:5], "little")
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


_WEBP_SIZES = {b"VP8X": _vp8x, b"VP8 ": _vp8, b"VP8L": _vp8l}


def gif_blocks(file: BinaryIO) -> Blocks:
    """Size of a GIF (89a specification), and whether it has more than one picture."""
    head = file.read(13)
    if len(head) < 13:
        return Blocks(damage="GIF ends early")
    _skip_colours(file, head[10])
    pictures, ended = _gif_pictures(file)
    return Blocks(
        width=int.from_bytes(head[6:8], "little"),
        height=int.from_bytes(head[8:10], "little"),
        note=ANIMATION if pictures > 1 else None,
        damage=None if ended else "GIF ends early",
    )


def _skip_colours(file: BinaryIO, flags: int) -> None:
    if flags & 0x80:
        file.seek(3 << (flags & 7) + 1, 1)


def _gif_pictures(file: BinaryIO) -> tuple[int, bool]:
    """Number of pictures, and whether the end was reached; two are enough to know."""
    pictures = 0
    for _ in steps():
        kind = file.read(1)
        if kind == b"," and len(descriptor := file.read(9)) == 9:
            pictures += 1
            _skip_colours(file, descriptor[8])
            file.seek(1, 1)
        elif kind == b"!":
            file.seek(1, 1)
        else:
            return pictures, kind == b";"
        _skip_parts(file)
    return pictures, True


def _skip_parts(file: BinaryIO) -> None:
    while size := file.read(1):
        if size == b"\0":
            return
        file.seek(size[0], 1)


def bmp_blocks(file: BinaryIO) -> Blocks:
    """Size of a Windows bitmap."""
    head = file.read(26)
    if len(head) < 26:
        return Blocks(damage="BMP ends early")
    width, height = (int.from_bytes(head[at : at + 4], "little", signed=True) for at in (18, 22))
    return Blocks(width=abs(width), height=abs(height))
