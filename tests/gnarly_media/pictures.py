"""Small pictures with whatever metadata is asked for."""

import io
import struct
import zlib
from functools import cache

from PIL import Image

__all__ = ["heic", "jpeg", "marks", "png", "segment", "webp"]

WIDTH, HEIGHT = 48, 32


def marks() -> Image.Image:
    """A picture whose four corners differ: red, green, blue, white."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "gray")
    corners = {(0, 0): "red", (1, 0): "green", (0, 1): "blue", (1, 1): "white"}
    for (right, low), colour in corners.items():
        box = (right * WIDTH // 2, low * HEIGHT // 2)
        image.paste(colour, (*box, box[0] + WIDTH // 2, box[1] + HEIGHT // 2))
    return image


@cache
def plain(kind: str = "JPEG") -> bytes:
    """The bytes of `marks` without metadata."""
    buffer = io.BytesIO()
    marks().save(buffer, kind, **({"quality": 95} if kind == "JPEG" else {}))
    return buffer.getvalue()


def segment(marker: int, payload: bytes) -> bytes:
    """A JPEG segment."""
    return bytes((0xFF, marker)) + struct.pack(">H", len(payload) + 2) + payload


def jpeg(exif: bytes | None = None, *before: bytes, header: bytes = b"Exif\0\0") -> bytes:
    """A JPEG with segments `before` its EXIF, right after the start marker."""
    app1 = segment(0xE1, header + exif) if exif is not None else b""
    data = plain()
    return data[:2] + b"".join(before) + app1 + data[2:]


def xmp_segment(properties: str) -> bytes:
    """An APP1 with an XMP packet whose description has the given attributes."""
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet(properties))


def packet(properties: str) -> bytes:
    """An XMP packet whose description has the given attributes."""
    names = {
        "exif": "http://ns.adobe.com/exif/1.0/",
        "xmp": "http://ns.adobe.com/xap/1.0/",
        "photoshop": "http://ns.adobe.com/photoshop/1.0/",
        "tiff": "http://ns.adobe.com/tiff/1.0/",
        "GCamera": "http://ns.google.com/photos/1.0/camera/",
    }
    spaces = " ".join(f'xmlns:{short}="{name}"' for short, name in names.items())
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f"<rdf:Description {spaces} {properties}/></rdf:RDF></x:xmpmeta>"
    ).encode()


def iptc_segment(day: str, clock: str = "") -> bytes:
    """An APP13 with an IPTC date."""
    record = b"\x1c\x02\x37" + struct.pack(">H", len(day)) + day.encode()
    if clock:
        record += b"\x1c\x02\x3c" + struct.pack(">H", len(clock)) + clock.encode()
    resource = b"8BIM\x04\x04\0\0" + struct.pack(">I", len(record)) + record
    return segment(0xED, b"Photoshop 3.0\0" + resource)


def png(*chunks: tuple[bytes, bytes], late: bool = False) -> bytes:
    """A PNG with extra chunks before its pixels, or `late`, before its end."""
    data = plain("PNG")
    at = data.index(b"IEND") - 4 if late else 33
    extra = b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return data[:at] + extra + data[at:]


def webp(exif: bytes) -> bytes:
    """A WebP whose EXIF chunk is `exif` as given, with or without a header."""
    body = plain("WEBP")[12:]
    head = b"VP8X" + struct.pack("<II", 10, 8) + _u24(WIDTH - 1) + _u24(HEIGHT - 1)
    chunk = b"EXIF" + struct.pack("<I", len(exif)) + exif + b"\0" * (len(exif) % 2)
    data = b"WEBP" + head + body + chunk
    return b"RIFF" + struct.pack("<I", len(data)) + data


def _u24(value: int) -> bytes:
    return struct.pack("<I", value)[:3]


def heic(exif: bytes, angle: int | None = None) -> bytes:
    """A HEIC with an EXIF block of the same length as asked; `angle` sets its irot (0 to 3)."""
    import pillow_heif

    pillow_heif.register_heif_opener()
    buffer = io.BytesIO()
    seed = Image.Exif()
    seed[0x0112] = 6
    marks().resize((96, 64), Image.Resampling.NEAREST).save(
        buffer, "HEIF", exif=b"Exif\0\0" + exif if exif else seed.tobytes(), quality=90
    )
    data = bytearray(buffer.getvalue())
    at = data.find(b"irot")
    if angle is not None and at >= 0:
        data[at + 4] = angle
    return bytes(data)
