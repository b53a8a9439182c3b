"""The same capture in every format and place that a file can keep it in."""

import struct
import zlib
from collections.abc import Callable

from tests.gnarly_media.clips import avchd, avi, clip
from tests.gnarly_media.heifs import heif
from tests.gnarly_media.movies import box, movie, seconds_since_1904
from tests.gnarly_media.pictures import jpeg, packet, png, segment, webp
from tests.gnarly_media.raws import cr3, dng, jp2, jxl, mrw, psd, raf
from tests.gnarly_media.tiffs import bigtiff_block, exif_block, gps_tags

__all__ = ["FORMATS", "WRONG_YEAR"]

ORIGINAL, MAKE = 0x9003, 0x010F
TAKEN = "2019:03:02 10:11:12"
UTC = seconds_since_1904(1_551_489_072)
"""2019-03-02 01:11:12: the same moment in a container of a camera in Japan."""
TAGS = {ORIGINAL: TAKEN}
KYOTO = gps_tags(35.0, 135.75)
BLOCK = exif_block({MAKE: "M"}, TAGS, KYOTO)
WRONG_YEAR = exif_block(exif={ORIGINAL: "2001:01:01 00:00:00"})
_GUID = b"0123456789ABCDEF0123456789ABCDEF"

_SONY = b"""<?xml version="1.0" encoding="UTF-8"?>
<NonRealTimeMeta xmlns="urn:schemas-professionalDisc:nonRealTimeMeta:ver.2.00">
<CreationDate value="2019-03-02T10:11:12+09:00"/><Device manufacturer="Sony" modelName="ILCE-7"/>
<AcquisitionRecord><Group name="ExifGPS"><Item name="LatitudeRef" value="N"/>
<Item name="Latitude" value="35:00:00.000"/><Item name="LongitudeRef" value="E"/>
<Item name="Longitude" value="135:45:00.000"/></Group></AcquisitionRecord></NonRealTimeMeta>"""


def _xmp(properties: str) -> bytes:
    return jpeg(None, segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet(properties)))


def _elements(body: str) -> bytes:
    written = packet("").replace(b"/></rdf:RDF>", b">" + body.encode() + b"</rdf:RDF>")
    return jpeg(
        None,
        segment(
            0xE1,
            b"http://ns.adobe.com/xap/1.0/\0"
            + written.replace(b"</rdf:RDF>", b"</rdf:Description></rdf:RDF>"),
        ),
    )


def _extended_xmp() -> bytes:
    """A packet over 64 KiB, in two parts."""
    whole = packet(f'exif:DateTimeOriginal="2019-03-02T10:11:12" exif:Filler="{"x" * 70_000}"')
    cut = 60_000
    head = b"http://ns.adobe.com/xmp/extension/\0" + _GUID
    parts = [
        segment(0xE1, head + struct.pack(">II", len(whole), at) + whole[at : at + cut])
        for at in (0, cut)
    ]
    return jpeg(None, *parts)


def _long_exif() -> bytes:
    """EXIF whose tags stand behind 64 KiB of something else, in two segments."""
    block = exif_block(image={0x010E: "x" * 70_000}, exif=TAGS, gps=KYOTO)
    cut = 65_533 - 6
    parts = [segment(0xE1, b"Exif\0\0" + part) for part in (block[:cut], block[cut:])]
    return jpeg(None, *parts)


def _iptc(*datasets: tuple[int, int, bytes]) -> bytes:
    record = b"".join(
        struct.pack(">BBBH", 0x1C, group, number, len(data)) + data
        for group, number, data in datasets
    )
    resource = b"8BIM\x04\x04\0\0" + struct.pack(">I", len(record)) + record
    return jpeg(None, segment(0xED, b"Photoshop 3.0\0" + resource))


def _raw_profile(kind: bytes, data: bytes) -> bytes:
    text = b"\n" + kind + b"\n" + f"{len(data):8}".encode() + b"\n" + data.hex().encode() + b"\n"
    return png((b"zTXt", b"Raw profile type " + kind + b"\0\0" + zlib.compress(text)))


def _international(key: bytes, text: bytes) -> bytes:
    return png((b"iTXt", key + b"\0\1\0\0\0" + zlib.compress(text)))


def _webp_with_xmp_first() -> bytes:
    data = webp(BLOCK)
    xmp = packet('xmp:CreateDate="2001-01-01T00:00:00"')
    chunk = b"XMP " + struct.pack("<I", len(xmp)) + xmp + b"\0" * (len(xmp) % 2)
    at = data.index(b"VP8X") + 18
    longer = data[8:at] + chunk + data[at:]
    return b"RIFF" + struct.pack("<I", len(longer)) + longer


def _mdpm(day: str = "190302", zone: int = 0x12) -> bytes:
    year, month, date = (bytes.fromhex(day[at : at + 2]) for at in (0, 2, 4))
    place = [(35, 1), (0, 1), (0, 1000), None, (135, 1), (45, 1), (0, 1000)]
    letters = {0xB1: b"N\0\0\0", 0xB5: b"E\0\0\0"}
    parts = {
        0xB2 + at: struct.pack(">HH", *pair) for at, pair in enumerate(place) if pair is not None
    }
    stamps = {
        0x18: bytes((zone,)) + b"\x20" + year + month,
        0x19: date + b"\x10\x11\x12",
    }
    return avchd(dict(sorted({**stamps, **letters, **parts}.items())))


def _track_dated() -> bytes:
    """A movie whose header has no time, but its media has."""
    data = bytearray(movie(brand=b"isom"))
    at = data.index(b"mdhd") + 8
    data[at : at + 4] = struct.pack(">I", UTC)
    return bytes(data)


def _movie_of_version_1() -> bytes:
    head = struct.pack(">IQQIQ", 1 << 24, UTC, UTC, 1000, 4000) + b"\0" * 80
    return (
        box(b"ftyp", b"mp42\0\0\0\0mp42")
        + box(b"mdat", b"\0" * 64)
        + box(b"moov", box(b"mvhd", head))
    )


def _nef() -> bytes:
    return exif_block({254: 1, 259: 34_713, 330: 8, MAKE: "NIKON"}, TAGS, KYOTO)


def _renamed(letters: bytes) -> bytes:
    return letters + BLOCK[4:]


def _sequence() -> bytes:
    mvhd = struct.pack(">IIIII", 0, UTC, UTC, 1000, 0) + b"\0" * 80
    return heif(b"", brand=b"msf1") + box(b"moov", box(b"mvhd", mvhd))


def _tiff_with_photoshop() -> bytes:
    record = b"\x1c\x02\x37\0\x0820190302\x1c\x02\x3c\0\x06101112"
    resource = b"8BIM\x04\x04\0\0" + struct.pack(">I", len(record)) + record
    return exif_block({0x0100: 48, 34377: resource})


FORMATS: dict[str, Callable[[], bytes]] = {
    # Pictures
    "bigtiff-little.tif": lambda: bigtiff_block(TAGS, KYOTO),
    "bigtiff-big.tif": lambda: bigtiff_block(TAGS, KYOTO, big_endian=True),
    "photoshop-resources.tif": _tiff_with_photoshop,
    "exif-in-two-segments.jpg": _long_exif,
    "month-and-day-with-blanks.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2019: 3: 2 10:11:12"})
    ),
    "half-day-clock.jpg": lambda: jpeg(exif_block(exif={ORIGINAL: "2019:03:02 01:11:12 PM"})),
    "xmp-before-exif.webp": _webp_with_xmp_first,
    "exif-compressed.png": lambda: _raw_profile(b"exif", b"Exif\0\0" + BLOCK),
    "exif-as-app1.png": lambda: _raw_profile(b"APP1", b"Exif\0\0" + BLOCK),
    "xmp-as-profile.png": lambda: _raw_profile(
        b"xmp", packet('xmp:CreateDate="2019-03-02T10:11:12"')
    ),
    "xmp-compressed.png": lambda: _international(
        b"XML:com.adobe.xmp", packet('xmp:CreateDate="2019-03-02T10:11:12"')
    ),
    "creation-time-as-in-mail.png": lambda: png(
        (b"tEXt", b"Creation Time\0Sat, 02 Mar 2019 10:11:12 +0900")
    ),
    "creation-time-compressed.png": lambda: _international(
        b"Creation Time", b"2019:03:02 10:11:12"
    ),
    "exif-in-mdat.heic": lambda: heif(BLOCK),
    "exif-in-mdat-version-0.heic": lambda: heif(BLOCK, version=0),
    "exif-in-idat.heic": lambda: heif(BLOCK, method=1),
    "exif-in-an-item.heic": lambda: heif(BLOCK, method=2),
    "exif-in-extents.heic": lambda: heif(BLOCK, pieces=7),
    "exif-in-extents-of-an-item.heic": lambda: heif(BLOCK, method=2, pieces=5),
    "exif-of-another-picture-first.heic": lambda: heif(BLOCK, other=WRONG_YEAR),
    "brand-of-a-maker.heic": lambda: heif(BLOCK, brand=b"MiPr", compatible=b"mif1heic"),
    "avif-in-mif1.avif": lambda: heif(BLOCK, brand=b"mif1", compatible=b"avifmiaf"),
    "sequence-dated-as-movie.heic": _sequence,
    "photoshop.psd": lambda: psd(BLOCK),
    "jpeg-2000.jp2": lambda: jp2(BLOCK),
    "boxes.jxl": lambda: jxl(BLOCK),
    "compressed-boxes.jxl": lambda: jxl(BLOCK, 6, packed=True),
    "turned-3.jxl": lambda: jxl(BLOCK, 3),
    "turned-6.jxl": lambda: jxl(BLOCK, 6),
    "turned-8.jxl": lambda: jxl(BLOCK, 8),
    "canon.cr3": lambda: cr3(
        exif_block({ORIGINAL: TAKEN}),
        exif_block(KYOTO),
    ),
    "fuji.raf": lambda: raf(BLOCK),
    "minolta.mrw": lambda: mrw(BLOCK),
    "nikon.nef": _nef,
    "olympus.orf": lambda: _renamed(b"IIRO"),
    "panasonic.rw2": lambda: _renamed(b"IIU\0"),
    "sensor.dng": dng,
    "sensor-turned.dng": lambda: dng(6),
    # XMP and IPTC
    "xmp-extended.jpg": _extended_xmp,
    "xmp-as-elements.jpg": lambda: _elements(
        "<exif:DateTimeOriginal>2019-03-02T10:11:12+09:00</exif:DateTimeOriginal>"
        "<exif:GPSLatitude>35,0.0N</exif:GPSLatitude><exif:GPSLongitude>135,45.0E</exif:GPSLongitude>"
    ),
    "xmp-digitized.jpg": lambda: _xmp('exif:DateTimeDigitized="2019-03-02T10:11:12"'),
    "xmp-of-a-minute.jpg": lambda: _xmp('photoshop:DateCreated="2019-03-02T10:11+09:00"'),
    "xmp-of-a-day.jpg": lambda: _xmp('photoshop:DateCreated="2019-03-02"'),
    "xmp-of-a-month.jpg": lambda: _xmp('photoshop:DateCreated="2019-03"'),
    "xmp-of-a-year.jpg": lambda: _xmp('photoshop:DateCreated="2019"'),
    "xmp-of-month-13.jpg": lambda: _xmp('photoshop:DateCreated="2019-13"'),
    "xmp-with-control-character.jpg": lambda: _xmp(
        'tiff:Model="A\x01B" exif:DateTimeOriginal="2019-03-02T10:11:12"'
    ),
    "iptc-of-a-month.jpg": lambda: _iptc((2, 55, b"20190300")),
    "iptc-of-a-year.jpg": lambda: _iptc((2, 55, b"20190000")),
    "iptc-of-nothing.jpg": lambda: _iptc((2, 55, b"00000000")),
    "iptc-digital-creation.jpg": lambda: _iptc((2, 62, b"20190302"), (2, 63, b"101112+0900")),
    "iptc-caption-of-old-windows.jpg": lambda: _iptc((2, 120, b"Caf\xe9 in Z\xfcrich")),
    "iptc-caption-in-utf-8.jpg": lambda: _iptc(
        (1, 90, b"\x1b%G"), (2, 120, "Café in Zürich".encode())
    ),
    # Videos
    "sony-xavc.mp4": lambda: (
        movie(created=UTC, brand=b"XAVC")
        + box(
            b"meta",
            b"\0\0\0\0",
            box(b"hdlr", b"\0" * 8 + b"nrtm" + b"\0" * 13),
            box(b"xml ", b"\0\0\0\0" + _SONY),
        )
    ),
    "canon-thumbnail.mov": lambda: movie(
        created=UTC,
        extra=box(b"udta", box(b"CNTH", box(b"CNDA", jpeg(exif_block({0x0112: 6}, TAGS))))),
    ),
    "date-in-user-data.mov": lambda: movie(
        created=UTC, extra=box(b"udta", box(b"date", b"2019-03-02T10:11:12+0900"))
    ),
    "day-in-user-data.mov": lambda: movie(
        created=UTC, texts={"\xa9day": "2019-03-02T10:11:12+0900"}
    ),
    "dated-in-its-track.mp4": _track_dated,
    "version-1-behind-its-samples.mp4": _movie_of_version_1,
    "phone.3gp": lambda: movie(created=UTC, brand=b"3gp5", texts={"\xa9xyz": "+3500.00+13545.00/"}),
    "avchd.mts": _mdpm,
    "avchd-without-zone.mts": lambda: _mdpm(zone=0xFF),
    "avchd-with-month-13.mts": lambda: _mdpm("191302"),
    "weekday.avi": lambda: avi("Sat Mar  2 10:11:12 2019\n"),
    "colons.avi": lambda: avi("2019:03:02 10:11:12"),
    "two-blanks.avi": lambda: avi("2019-03-02  10:11:12"),
    "slashes-and-blanks.avi": lambda: avi("2019/ 3/ 2 10:11:12"),
    "slash-behind-the-day.avi": lambda: avi("2019/03/02/ 10:11"),
    "date-of-garbage.avi": lambda: avi("not a date"),
    "utc.mkv": lambda: clip("matroska", "mpeg4", {"creation_time": "2019-03-02T01:11:12Z"}),
    "coding-that-nobody-knows.mkv": lambda: clip(
        "matroska", "mpeg4", {"creation_time": "2019-03-02T01:11:12Z"}
    ).replace(b"V_MPEG4/ISO/ASP", b"V_XYZW0/ISO/ASP"),
    "utc.webm": lambda: clip("webm", "libvpx", {"creation_time": "2019-03-02T01:11:12Z"}),
    "recorded-and-placed.mkv": lambda: clip(
        "matroska", "mpeg4", {"DATE_RECORDED": "2019-03-02 10:11:12", "LOCATION": "+35.0+135.75/"}
    ),
}
