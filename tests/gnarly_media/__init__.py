"""Small files, built by code, each named for what is odd about it. The tests have right values."""

import functools
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.gnarly_media.formats import FORMATS
from tests.gnarly_media.movies import (
    HALF,
    QUARTER,
    THREE_QUARTERS,
    box,
    movie,
    seconds_since_1904,
)
from tests.gnarly_media.pictures import (
    heic,
    iptc_segment,
    jpeg,
    png,
    segment,
    webp,
    xmp_segment,
)
from tests.gnarly_media.tiffs import exif_block, gps_tags

__all__ = ["GNARLY", "write"]

ORIGINAL, DIGITIZED, MODIFIED = 0x9003, 0x9004, 0x0132
OFFSET, OFFSET_ORIGINAL, OFFSET_DIGITIZED = 0x9010, 0x9011, 0x9012
SUBSEC_ORIGINAL, ORIENTATION, MAKE, MODEL, MAKER_NOTE = 0x9291, 0x0112, 0x010F, 0x0110, 0x927C

NOON = "2024:07:04 12:00:00"
UNIX_NOON = 1_720_094_400
BERLIN = gps_tags(52.52, 13.405)


def write(name: str, folder: Path) -> Path:
    """Write a gnarly file under its name."""
    path = folder / name
    path.write_bytes(GNARLY[name]())
    return path


def _dated(text: str) -> bytes:
    return jpeg(exif_block(exif={ORIGINAL: text}))


def _placed(gps: Mapping[int, object]) -> bytes:
    return jpeg(exif_block(exif={ORIGINAL: NOON}, gps=gps))  # type: ignore[arg-type]


def _apple(identifier: str) -> bytes:
    text = identifier.encode() + b"\0"
    entry = struct.pack(">HHHII", 1, 0x11, 2, len(text), 14 + 2 + 12 + 4) + b"\0\0\0\0"
    return b"Apple iOS\0\0\1MM" + entry + text


def _bomb(count: int) -> bytes:
    block = bytearray(exif_block(exif={ORIGINAL: NOON, 0x9286: b"x" * 64}))
    at = block.index(struct.pack("<HH", 0x9286, 7)) + 4
    block[at : at + 4] = struct.pack("<I", count)
    return jpeg(bytes(block))


def _cyclic() -> bytes:
    block = bytearray(exif_block(image={MODEL: "Loop"}, exif={ORIGINAL: NOON}))
    count = struct.unpack_from("<H", block, 8)[0]
    struct.pack_into("<I", block, 10 + 12 * count, 8)
    return jpeg(bytes(block))


def _many_directories() -> bytes:
    chain = b"".join(
        struct.pack("<H", 0) + struct.pack("<I", 8 + 6 * (at + 1)) for at in range(9_000)
    )
    return jpeg(b"II*\0" + struct.pack("<I", 8) + chain)


def _turned(orientation: int) -> bytes:
    return jpeg(exif_block(image={ORIENTATION: orientation}, exif={ORIGINAL: NOON}))


def _endless() -> bytes:
    mdhd = box(b"mdhd", struct.pack(">IIIIII", 0, 0, 0, 1, 0, 0))
    stts = box(b"stts", struct.pack(">IIII", 0, 1, 2**32 - 1, 2**32 - 1))
    return mdhd + box(b"minf", box(b"stbl", stts))


def _unread() -> bytes:
    return heic(exif_block(image={ORIENTATION: 6}, exif={ORIGINAL: NOON}), angle=0)


GNARLY: dict[str, Callable[[], bytes]] = {
    # T1
    "offset-of-modify-date-differs.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: NOON, OFFSET_ORIGINAL: "+02:00", OFFSET: "+01:00"})
    ),
    "offset-of-modify-date-only.jpg": lambda: jpeg(
        exif_block({MODIFIED: "2024:08:01 09:00:00"}, {ORIGINAL: NOON, OFFSET: "+01:00"})
    ),
    "offset-of-same-moment.jpg": lambda: jpeg(
        exif_block({MODIFIED: NOON}, {ORIGINAL: NOON, OFFSET: "+05:30"})
    ),
    "offset-without-colon.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: NOON, OFFSET_ORIGINAL: "-0330"})
    ),
    "offset-blank.jpg": lambda: jpeg(exif_block(exif={ORIGINAL: NOON, OFFSET_ORIGINAL: "   :  "})),
    "offset-impossible.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: NOON, OFFSET_ORIGINAL: "+99:00"})
    ),
    # T2, T3
    "no-offset-no-gps.jpg": lambda: _dated("2024:07:04 23:30:00"),
    "berlin-without-offset.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2012:07:10 15:00:00"}, gps=BERLIN)
    ),
    "berlin-hour-that-comes-twice.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2012:10:28 02:30:00"}, gps=BERLIN)
    ),
    "berlin-hour-that-does-not-exist.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2012:03:25 02:30:00"}, gps=BERLIN)
    ),
    "gps-clock-tells-offset.jpg": lambda: jpeg(
        exif_block(
            exif={ORIGINAL: "2024:07:04 12:00:20"},
            gps={7: [(6, 1), (30, 1), (0, 1)], 29: "2024:07:04"},
        )
    ),
    "gps-clock-stale.jpg": lambda: jpeg(
        exif_block(
            exif={ORIGINAL: "2024:07:04 12:07:00"},
            gps={7: [(6, 1), (30, 1), (0, 1)], 29: "2024:07:04"},
        )
    ),
    # T4, T5, T6
    "date-of-zeros.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "0000:00:00 00:00:00", DIGITIZED: NOON})
    ),
    "date-of-blanks.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "    :  :     :  :  ", DIGITIZED: NOON})
    ),
    "date-partly-blank.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2012:  :  12:00:00", DIGITIZED: NOON})
    ),
    "date-with-month-0.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2012:00:10 12:00:00", DIGITIZED: NOON})
    ),
    "second-with-blank.jpg": lambda: _dated("2007:03:08 15:57: 7"),
    "dashes-and-trailing-blank.jpg": lambda: _dated("2012-12-22 10:37:28 "),
    "slashes.jpg": lambda: _dated("2007/06/30 18:45:17"),
    "offset-in-date.jpg": lambda: _dated("2025:01:08 07:18:55+0000"),
    "trailing-nulls.jpg": lambda: _dated("2007:03:08 15:57:07\0\0\0\0"),
    "iso-with-t-and-z.jpg": lambda: _dated("2007-03-08T15:57:07Z"),
    "subseconds.jpg": lambda: jpeg(exif_block(exif={ORIGINAL: NOON, SUBSEC_ORIGINAL: "042"})),
    "future-2050.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2050:01:01 00:00:01", DIGITIZED: NOON})
    ),
    "five-digit-year.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "12024:07:04 12:00:00", DIGITIZED: NOON})
    ),
    # T7, T9
    "scan-of-2002-taken-2020.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: "2020:01:02 03:04:05", DIGITIZED: "2002:01:01 00:00:00"})
    ),
    "scan-only-digitized.jpg": lambda: jpeg(exif_block(exif={DIGITIZED: NOON})),
    "taken-1919.jpg": lambda: _dated("1919:05:04 05:59:26"),
    "taken-1862.jpg": lambda: _dated("1862:05:04 05:59:26"),
    "big-endian.jpg": lambda: jpeg(
        exif_block({MODEL: "M"}, {ORIGINAL: NOON}, BERLIN, big_endian=True)
    ),
    "xmp-date-only.jpg": lambda: jpeg(
        None, xmp_segment('photoshop:DateCreated="2019-03-02T10:11:12+09:00"')
    ),
    "iptc-date-only.jpg": lambda: jpeg(None, iptc_segment("20190302", "101112+0000")),
    "png-creation-time.png": lambda: png((b"tEXt", b"Creation Time\x002019:03:02 10:11:12")),
    # T10
    "quicktime-1904.mov": lambda: movie(created=0),
    "quicktime-1970.mov": lambda: movie(created=seconds_since_1904(0)),
    "quicktime-unix-seconds.mov": lambda: movie(created=UNIX_NOON),
    "quicktime-utc.mp4": lambda: movie(created=seconds_since_1904(UNIX_NOON), brand=b"isom"),
    "quicktime-creationdate.mov": lambda: movie(
        created=seconds_since_1904(UNIX_NOON + 50),
        keys={"com.apple.quicktime.creationdate": "2024-07-04T20:00:00+0800"},
    ),
    "quicktime-creationdate-twice.mov": lambda: movie(
        keys={"com.apple.quicktime.creationdate": "2024-07-04T20:00:00+0800;2024-07-04T20:00:00"}
    ),
    "quicktime-future.mov": lambda: movie(created=2**32 - 1),
    "gopro-local-clock.mp4": lambda: movie(
        created=seconds_since_1904(UNIX_NOON), brand=b"mp41", name=b"\tGoPro AVC"
    ),
    "utc-with-place.mp4": lambda: movie(
        created=seconds_since_1904(1_720_134_000),
        texts={"\xa9xyz": "+40.7128-074.0060/"},
        brand=b"isom",
    ),
    # P1 to P6
    "gps-null-island.jpg": lambda: _placed(gps_tags(0, 0)),
    "gps-zero-over-zero.jpg": lambda: _placed(
        {**BERLIN, 2: [(0, 0), (0, 0), (0, 0)], 4: [(0, 0), (0, 0), (0, 0)]}
    ),
    "gps-latitude-zero-over-zero.jpg": lambda: _placed({**BERLIN, 2: [(52, 1), (0, 0), (0, 1)]}),
    "gps-altitude-zero-over-zero.jpg": lambda: _placed({**BERLIN, 5: b"\0", 6: [(0, 0)]}),
    "gps-altitude-4294967275.jpg": lambda: _placed({**BERLIN, 5: b"\0", 6: [(4294967275, 1)]}),
    "gps-altitude-below-as-text.jpg": lambda: _placed({**BERLIN, 5: "1", 6: [(12, 1)]}),
    "gps-altitude-below-as-byte.jpg": lambda: _placed({**BERLIN, 5: b"\1", 6: [(12, 1)]}),
    "gps-altitude-below-as-number.jpg": lambda: _placed({**BERLIN, 5: 1, 6: [(12, 1)]}),
    "gps-minutes-out-of-range.jpg": lambda: _placed({**BERLIN, 2: [(52, 1), (61, 1), (0, 1)]}),
    "gps-600000-seconds.jpg": lambda: _placed({**BERLIN, 2: [(52, 1), (0, 1), (600_000, 1)]}),
    "gps-latitude-91.jpg": lambda: _placed({**BERLIN, 2: [(91, 1), (0, 1), (0, 1)]}),
    "gps-no-hemisphere.jpg": lambda: _placed({2: BERLIN[2], 4: BERLIN[4]}),
    "gps-decimal-degrees.jpg": lambda: _placed(
        {1: "S", 2: [(380_253, 10_000)], 3: "E", 4: [(1_451, 10)]}
    ),
    "xmp-south-twice.jpg": lambda: jpeg(
        None,
        xmp_segment(
            'exif:GPSLatitude="-38.0253" exif:GPSLatitudeRef="S" exif:GPSLongitude="145.1"'
        ),
    ),
    "xmp-degrees-minutes.jpg": lambda: jpeg(
        None, xmp_segment('exif:GPSLatitude="38,1.518S" exif:GPSLongitude="145,6.0E"')
    ),
    "mid-atlantic.jpg": lambda: _placed(gps_tags(40.0, -40.0)),
    "north-pole.jpg": lambda: _placed(gps_tags(90.0, 0.0)),
    # F1 to F9
    "exif-behind-xmp.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: NOON}), xmp_segment('xmp:CreateDate="2001-01-01T00:00:00"')
    ),
    "exif-behind-app4-to-app11.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: NOON}), *(segment(mark, b"x" * 99) for mark in range(0xE4, 0xEC))
    ),
    "exif-behind-stray-bytes.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: NOON}), segment(0xE5, b"x"), b"\0\0\0stray"
    ),
    "exif-in-webp-without-header.webp": lambda: webp(exif_block(exif={ORIGINAL: NOON})),
    "exif-in-webp-with-header.webp": lambda: webp(b"Exif\0\0" + exif_block(exif={ORIGINAL: NOON})),
    "exif-in-png.png": lambda: png((b"eXIf", exif_block(exif={ORIGINAL: NOON}))),
    "exif-behind-pixels.png": lambda: png((b"eXIf", exif_block(exif={ORIGINAL: NOON})), late=True),
    "count-of-a-billion.jpg": lambda: _bomb(1_000_000_000),
    "cyclic-directories.jpg": _cyclic,
    "thousands-of-directories.jpg": _many_directories,
    "exif-empty.jpg": lambda: jpeg(b""),
    "exif-doubled-header.jpg": lambda: jpeg(
        exif_block(exif={ORIGINAL: NOON}), header=b"Exif\0\0Exif\0\0"
    ),
    "exif-garbage.jpg": lambda: jpeg(b"\x8f\x03garbage" * 9),
    "exif-cut.jpg": lambda: jpeg(exif_block(exif={ORIGINAL: NOON})[:-9]),
    "truncated.jpg": lambda: _dated(NOON)[:-60],
    "truncated-in-header.jpg": lambda: _dated(NOON)[:200],
    "truncated.png": lambda: png((b"eXIf", exif_block(exif={ORIGINAL: NOON})))[:-30],
    "truncated.webp": lambda: webp(exif_block(exif={ORIGINAL: NOON}, gps=BERLIN))[:-8],
    "truncated.mov": lambda: movie(created=seconds_since_1904(UNIX_NOON))[:-40],
    "without-index.mov": lambda: box(b"ftyp", b"qt  \0\0\0\0") + box(b"mdat", b"\0" * 999),
    "empty.jpg": lambda: b"",
    "text-named.jpg": lambda: b"These are words, not a picture.\n" * 9,
    "jpeg-named.png": lambda: _dated(NOON),
    "png-named.mov": lambda: png((b"eXIf", exif_block(exif={ORIGINAL: NOON}))),
    "photo-without-extension": lambda: _dated(NOON),
    "irot-and-exif-orientation.heic": lambda: heic(b""),
    "exif-orientation-without-irot.heic": _unread,
    **{
        f"orientation-{orientation}.jpg": functools.partial(_turned, orientation)
        for orientation in range(1, 9)
    },
    # V1, V2, V4
    "turned-quarter.mp4": lambda: movie(matrix=QUARTER, brand=b"isom"),
    "turned-three-quarters.mp4": lambda: movie(matrix=THREE_QUARTERS, brand=b"isom"),
    "turned-half.mp4": lambda: movie(matrix=HALF, brand=b"isom"),
    "longer-than-its-samples.mp4": lambda: movie(told_seconds=40, sample_seconds=4),
    "of-two-thousand-years.mp4": lambda: movie(
        told_seconds=4, extra=box(b"trak", box(b"mdia", _endless()))
    ),
    "sound-only.mp4": lambda: movie(handler=b"soun", brand=b"mp42"),
    "hdr-pq.mov": lambda: movie(colour=box(b"colr", b"nclx\0\x09\0\x10\0\x09\x80")),
    "live.jpg": lambda: jpeg(
        exif_block({MAKE: "Apple"}, {ORIGINAL: NOON, MAKER_NOTE: _apple("ABC-123")})
    ),
    "live.mov": lambda: movie(keys={"com.apple.quicktime.content.identifier": "ABC-123"}),
    "motion-photo.jpg": lambda: (
        jpeg(exif_block(exif={ORIGINAL: NOON}), xmp_segment('GCamera:MotionPhoto="1"'))
        + movie(brand=b"isom")
    ),
    **FORMATS,
}
