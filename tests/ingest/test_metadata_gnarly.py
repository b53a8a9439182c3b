"""Every reported fault has its right value here: rows T, P, F and V, and their neighbours."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from archive_mem.ingest.metadata import read
from archive_mem.ingest.metadata.clock import offset_text
from archive_mem.schema.media import CapturePlace, MediaKind, Precision
from tests.gnarly_media import BERLIN, GNARLY, write
from tests.gnarly_media.pictures import jpeg, segment
from tests.gnarly_media.tiffs import exif_block
from tests.ingest.reading import FILE_TIME, item_of, reading_of, time_of

NOON = "2024-07-04T12:00:00"


def place_of(name: str, folder: Path) -> CapturePlace | None:
    return item_of(name, folder).capture.place


@pytest.mark.parametrize(
    ("name", "offset", "source"),
    [
        ("offset-of-modify-date-differs.jpg", "+02:00", "EXIF OffsetTimeOriginal"),
        ("offset-of-modify-date-only.jpg", None, None),
        ("offset-of-same-moment.jpg", "+05:30", "EXIF OffsetTime"),
        ("offset-without-colon.jpg", "-03:30", "EXIF OffsetTimeOriginal"),
        ("offset-blank.jpg", None, None),
        ("offset-impossible.jpg", None, None),
        ("offset-in-date.jpg", "+00:00", "the date itself"),
        ("berlin-without-offset.jpg", "+02:00", "zone of the coordinates"),
        ("berlin-hour-that-comes-twice.jpg", None, None),
        ("berlin-hour-that-does-not-exist.jpg", None, None),
        ("big-endian.jpg", "+02:00", "zone of the coordinates"),
        ("gps-clock-tells-offset.jpg", "+05:30", "GPS date-time against EXIF DateTimeOriginal"),
        ("gps-clock-stale.jpg", None, None),
    ],
)
def test_the_offset_is_that_of_the_capture_or_unknown(
    name: str, offset: str | None, source: str | None, tmp_path: Path
) -> None:
    """T1, T3: OffsetTime belongs to ModifyDate; coordinates and GPS time give what is missing."""
    time = time_of(name, tmp_path)
    assert (offset_text(time.utc_offset), time.offset_source) == (offset, source)


def test_the_instant_follows_the_offset_of_the_original(tmp_path: Path) -> None:
    """T1: 12:00+02:00 is 10:00Z."""
    time = time_of("offset-of-modify-date-differs.jpg", tmp_path)
    assert time.instant() == datetime(2024, 7, 4, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("no-offset-no-gps.jpg", "2024-07-04T23:30:00"),
        ("berlin-without-offset.jpg", "2012-07-10T15:00:00"),
        ("berlin-hour-that-comes-twice.jpg", "2012-10-28T02:30:00"),
        ("berlin-hour-that-does-not-exist.jpg", "2012-03-25T02:30:00"),
        ("second-with-blank.jpg", "2007-03-08T15:57:07"),
        ("dashes-and-trailing-blank.jpg", "2012-12-22T10:37:28"),
        ("slashes.jpg", "2007-06-30T18:45:17"),
        ("offset-in-date.jpg", "2025-01-08T07:18:55"),
        ("trailing-nulls.jpg", "2007-03-08T15:57:07"),
        ("iso-with-t-and-z.jpg", "2007-03-08T15:57:07"),
        ("subseconds.jpg", "2024-07-04T12:00:00.042000"),
        ("scan-of-2002-taken-2020.jpg", "2020-01-02T03:04:05"),
        ("taken-1919.jpg", "1919-05-04T05:59:26"),
        ("taken-1862.jpg", "1862-05-04T05:59:26"),
    ],
)
def test_the_wall_clock_is_the_one_of_the_original(name: str, local: str, tmp_path: Path) -> None:
    """T2, T3, T5, T7, T9: read in every spelling, never moved."""
    time = time_of(name, tmp_path)
    assert (time.local.isoformat(), time.source) == (local, "EXIF DateTimeOriginal")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("date-of-zeros.jpg", "blank"),
        ("date-of-blanks.jpg", "blank"),
        ("date-partly-blank.jpg", "not a whole date"),
        ("date-with-month-0.jpg", "not a whole date"),
        ("future-2050.jpg", "in the future"),
        ("five-digit-year.jpg", "not a whole date"),
    ],
)
def test_a_date_that_is_none_gives_way_to_the_next_source(
    name: str, reason: str, tmp_path: Path
) -> None:
    """T4, T6: refused whole, with the reason."""
    reading = reading_of(name, tmp_path)
    assert reading.item is not None
    assert reading.item.capture.time is not None
    assert reading.item.capture.time.local.isoformat() == NOON
    assert reading.item.capture.time.source == "EXIF DateTimeDigitized"
    refused = [one for one in reading.candidates if one.reason == f"refused: {reason}"]
    assert [one.source for one in refused] == ["EXIF DateTimeOriginal"]


def test_digitized_alone_dates_a_scan(tmp_path: Path) -> None:
    """T7."""
    time = time_of("scan-only-digitized.jpg", tmp_path)
    assert (time.local.isoformat(), time.source) == (NOON, "EXIF DateTimeDigitized")


@pytest.mark.parametrize(
    ("name", "local", "offset", "source"),
    [
        ("xmp-date-only.jpg", "2019-03-02T10:11:12", "+09:00", "XMP DateCreated"),
        ("iptc-date-only.jpg", "2019-03-02T10:11:12", None, "IPTC DateCreated"),
        ("png-creation-time.png", "2019-03-02T10:11:12", None, "PNG Creation Time"),
        ("quicktime-unix-seconds.mov", NOON, "+00:00", "container UTC time"),
        ("quicktime-utc.mp4", NOON, "+00:00", "container UTC time"),
        ("quicktime-creationdate.mov", "2024-07-04T20:00:00", "+08:00", "QuickTime creationdate"),
        (
            "quicktime-creationdate-twice.mov",
            "2024-07-04T20:00:00",
            "+08:00",
            "QuickTime creationdate",
        ),
        ("gopro-local-clock.mp4", NOON, None, "container local time"),
        ("utc-with-place.mp4", "2024-07-04T19:00:00", "-04:00", "container UTC time"),
    ],
)
def test_other_sources_date_a_file_without_exif(
    name: str, local: str, offset: str | None, source: str, tmp_path: Path
) -> None:
    """T10: an offset beats UTC; UTC becomes the wall clock of the place where that is known."""
    time = time_of(name, tmp_path)
    found = (time.local.isoformat(), offset_text(time.utc_offset), time.source)
    assert found == (local, offset, source)


@pytest.mark.parametrize(
    "name",
    [
        "quicktime-1904.mov",
        "quicktime-1970.mov",
        "quicktime-future.mov",
        "empty.jpg",
        "text-named.jpg",
        "exif-garbage.jpg",
    ],
)
def test_without_any_date_the_file_time_is_used_and_said(name: str, tmp_path: Path) -> None:
    """T10, T11: at the lowest confidence; not dated today."""
    time = time_of(name, tmp_path)
    assert time.local == FILE_TIME.replace(tzinfo=None)
    assert (time.source, time.confidence) == ("file time", 0.1)


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "UTC", "America/Los_Angeles"])
def test_the_machine_s_time_zone_changes_nothing(zone: str, tmp_path: Path) -> None:
    """T2: the same in any TZ, also for what is a moment in UTC."""
    names = ("no-offset-no-gps.jpg", "quicktime-utc.mp4", "empty.jpg")
    for name in names:
        path = write(name, tmp_path)
        os.utime(path, (FILE_TIME.timestamp(), FILE_TIME.timestamp()))
    code = (
        "import sys; from pathlib import Path; from archive_mem.ingest.metadata import read\n"
        "for name in sys.argv[1:]:\n"
        "    time = read(Path(name)).item.capture.time; print(time.local, time.utc_offset)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *(str(tmp_path / name) for name in names)],
        env=os.environ | {"TZ": zone},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == [
        "2024-07-04 23:30:00 None",
        "2024-07-04 12:00:00 0:00:00",
        "2021-02-03 04:05:06 0:00:00",
    ]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gps-null-island.jpg", "0,0 stands for no location"),
        ("gps-zero-over-zero.jpg", "not a number"),
        ("gps-latitude-zero-over-zero.jpg", "not a number"),
        ("gps-minutes-out-of-range.jpg", "degrees, minutes or seconds out of range"),
        ("gps-600000-seconds.jpg", "degrees, minutes or seconds out of range"),
        ("gps-latitude-91.jpg", "out of range"),
        ("gps-no-hemisphere.jpg", "no hemisphere given"),
    ],
)
def test_coordinates_that_are_none_give_no_place_and_keep_the_rest(
    name: str, reason: str, tmp_path: Path
) -> None:
    """P1, P2, P4."""
    reading = reading_of(name, tmp_path)
    assert reading.item is not None
    assert reading.item.capture.place is None
    assert reading.error is None
    assert reading.item.capture.time is not None
    assert reading.item.capture.time.local.isoformat() == NOON
    assert f"refused: {reason}" in [one.reason for one in reading.candidates]


@pytest.mark.parametrize(
    ("name", "altitude"),
    [
        ("gps-altitude-zero-over-zero.jpg", None),
        ("gps-altitude-4294967275.jpg", -21.0),
        ("gps-altitude-below-as-text.jpg", -12.0),
        ("gps-altitude-below-as-byte.jpg", -12.0),
        ("gps-altitude-below-as-number.jpg", -12.0),
    ],
)
def test_an_altitude_is_possible_or_absent(
    name: str, altitude: float | None, tmp_path: Path
) -> None:
    """P2, P3: the place is kept either way."""
    place = place_of(name, tmp_path)
    assert place is not None
    assert place.altitude == altitude
    assert (place.latitude, place.longitude) == pytest.approx((52.52, 13.405), abs=1e-7)


@pytest.mark.parametrize(
    "name", ["gps-decimal-degrees.jpg", "xmp-south-twice.jpg", "xmp-degrees-minutes.jpg"]
)
def test_south_is_applied_once(name: str, tmp_path: Path) -> None:
    """P5."""
    place = place_of(name, tmp_path)
    assert place is not None
    assert (place.latitude, place.longitude) == pytest.approx((-38.0253, 145.1), abs=1e-6)


@pytest.mark.parametrize(
    "name",
    [
        "exif-behind-xmp.jpg",
        "exif-behind-app4-to-app11.jpg",
        "exif-behind-stray-bytes.jpg",
        "exif-in-webp-without-header.webp",
        "exif-in-webp-with-header.webp",
        "exif-in-png.png",
        "exif-behind-pixels.png",
        "exif-doubled-header.jpg",
        "count-of-a-billion.jpg",
        "cyclic-directories.jpg",
        "exif-orientation-without-irot.heic",
        "motion-photo.jpg",
    ],
)
def test_exif_is_found_wherever_it_stands(name: str, tmp_path: Path) -> None:
    """F1, F3, F9."""
    reading = reading_of(name, tmp_path)
    assert reading.error is None
    assert reading.item is not None
    assert reading.item.capture.time is not None
    assert reading.item.capture.time.local.isoformat() == NOON


@pytest.mark.parametrize(
    "name", ["exif-empty.jpg", "exif-garbage.jpg", "thousands-of-directories.jpg"]
)
def test_a_picture_whose_exif_is_nothing_is_whole_without_it(name: str, tmp_path: Path) -> None:
    """F3, F9."""
    reading = reading_of(name, tmp_path)
    assert reading.error is None
    assert reading.item is not None
    assert (reading.item.width, reading.item.height) == (48, 32)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("truncated.jpg", "JPEG ends early"),
        ("truncated-in-header.jpg", "JPEG ends inside its header"),
        ("truncated.png", "PNG ends early"),
        ("truncated.webp", "WebP ends early"),
        ("truncated.mov", "video ends early"),
    ],
)
def test_a_cut_file_is_marked_damaged_and_keeps_its_date(
    name: str, error: str, tmp_path: Path
) -> None:
    """F7."""
    reading = reading_of(name, tmp_path)
    assert reading.error == error
    assert reading.item is not None
    assert reading.item.capture.time is not None
    assert reading.item.capture.time.local.isoformat() == NOON


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("empty.jpg", "empty file"),
        ("text-named.jpg", "not a known image or video format"),
        ("without-index.mov", "video without its index"),
    ],
)
def test_what_is_no_picture_has_an_id_and_an_error(name: str, error: str, tmp_path: Path) -> None:
    """F7."""
    reading = reading_of(name, tmp_path)
    assert reading.error == error
    assert reading.item is not None
    assert len(reading.item.id) == 16


@pytest.mark.parametrize(
    ("name", "kind", "mime"),
    [
        ("jpeg-named.png", MediaKind.PHOTO, "image/jpeg"),
        ("png-named.mov", MediaKind.PHOTO, "image/png"),
        ("photo-without-extension", MediaKind.PHOTO, "image/jpeg"),
        ("quicktime-utc.mp4", MediaKind.VIDEO, "video/mp4"),
        ("irot-and-exif-orientation.heic", MediaKind.PHOTO, "image/heic"),
    ],
)
def test_content_decides_the_type(name: str, kind: MediaKind, mime: str, tmp_path: Path) -> None:
    """F7."""
    item = item_of(name, tmp_path)
    assert (item.kind, item.mime) == (kind, mime)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((f"orientation-{turn}.jpg", (48, 32)) for turn in (1, 2, 3, 4)),
        *((f"orientation-{turn}.jpg", (32, 48)) for turn in (5, 6, 7, 8)),
        ("irot-and-exif-orientation.heic", (64, 96)),
        ("exif-orientation-without-irot.heic", (96, 64)),
        ("turned-quarter.mp4", (48, 64)),
        ("turned-three-quarters.mp4", (48, 64)),
        ("turned-half.mp4", (64, 48)),
    ],
)
def test_the_size_is_that_of_the_upright_picture(
    name: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """F4, F5, V1."""
    item = item_of(name, tmp_path)
    assert (item.width, item.height) == size


def test_a_video_lasts_as_long_as_its_samples(tmp_path: Path) -> None:
    """V2: and an impossible length gives way to what the header says."""
    for name in ("longer-than-its-samples.mp4", "of-two-thousand-years.mp4"):
        assert item_of(name, tmp_path).duration == 4.0


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("sound-only.mp4", "sound only: there are no pictures in it"),
        ("hdr-pq.mov", "HDR: its colours are shown in the range of a plain screen"),
        ("motion-photo.jpg", "motion photo, the still is used"),
    ],
)
def test_what_is_special_is_noted(name: str, note: str, tmp_path: Path) -> None:
    """V2, V4."""
    assert item_of(name, tmp_path).note == note


def test_a_live_pair_shares_its_identifier(tmp_path: Path) -> None:
    """S4: Apple's maker note and the movie's keys."""
    identifiers = {reading_of(name, tmp_path).content_id for name in ("live.jpg", "live.mov")}
    assert identifiers == {"ABC-123"}


def test_endless_garbage_in_exif_is_given_up_soon(tmp_path: Path) -> None:
    """F3: directories that say they have 65,535 entries, eighty times over."""
    block = b"II*\0\x08\0\0\0" + (b"\xff\xff" + b"\x01\x01\x07\0\x01\0\0\0\0\0\0\0") * 4_000
    path = tmp_path / "garbage.jpg"
    path.write_bytes(jpeg(block, *[segment(0xE1, b"Exif\0\0" + block)] * 20))
    begun = time.process_time()
    assert read(path, name_places=False).error is None
    assert time.process_time() - begun < 2


def test_garbage_behind_the_first_directory_does_not_hide_time_and_place(tmp_path: Path) -> None:
    """F3: exifread and Pillow follow it; time and place are read without it."""
    block = bytearray(exif_block({0x0110: "Camera"}, {0x9003: "2024:07:04 12:00:00"}, BERLIN))
    count = int.from_bytes(block[8:10], "little")
    block[10 + 12 * count : 14 + 12 * count] = len(block).to_bytes(4, "little")
    block += b"\xff\xff" + b"\x01\x01\x07\0\x01\0\0\0\0\0\0\0" * 5_000
    path = tmp_path / "garbage.jpg"
    path.write_bytes(jpeg(bytes(block)))
    item = read(path, name_places=False).item
    assert item is not None
    assert item.capture.time is not None
    assert item.capture.time.local.isoformat() == NOON
    assert item.capture.place is not None
    assert item.capture.place.latitude == pytest.approx(52.52)


@pytest.mark.parametrize("name", sorted(GNARLY))
def test_every_gnarly_file_gives_a_reading_and_says_why(name: str, tmp_path: Path) -> None:
    """No file raises; exactly one time wins and has a reason."""
    reading = reading_of(name, tmp_path)
    winners = [one for one in reading.candidates if one.won and one.field == "time"]
    assert len(winners) == 1
    assert all(one.reason for one in reading.candidates)


def test_precision_says_how_fine_a_time_is_known(tmp_path: Path) -> None:
    assert time_of("subseconds.jpg", tmp_path).precision is Precision.SUBSECOND
    assert time_of("slashes.jpg", tmp_path).precision is Precision.SECOND


def test_a_missing_file_is_an_error_and_no_crash(tmp_path: Path) -> None:
    reading = read(tmp_path / "gone.jpg")
    assert reading.item is None
    assert reading.error == "cannot be read: No such file or directory"


def test_the_offset_of_a_wall_clock_is_never_more_than_a_day(tmp_path: Path) -> None:
    time = time_of("offset-without-colon.jpg", tmp_path)
    assert time.utc_offset == -timedelta(hours=3, minutes=30)


def test_a_half_copied_file_is_another_item_and_heals_when_it_has_grown(tmp_path: Path) -> None:
    """I1: it is marked damaged until the rest has come."""
    whole = GNARLY["slashes.jpg"]()
    path = tmp_path / "copy.jpg"
    path.write_bytes(whole[: len(whole) // 2])
    half = read(path, name_places=False)
    path.write_bytes(whole)
    grown = read(path, name_places=False)
    assert half.item is not None
    assert grown.item is not None
    assert (half.error is None, grown.error) == (False, None)
    assert half.item.id != grown.item.id
    assert half.item.capture == grown.item.capture


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Lunch with Mika", ("Lunch with Mika",)),
        ("OLYMPUS DIGITAL CAMERA         ", ()),
        ("   ", ()),
        ("\x01\x02", ()),
    ],
)
def test_a_description_is_what_a_person_wrote(
    text: str, kept: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "described.jpg"
    path.write_bytes(jpeg(exif_block(image={0x010E: text})))
    assert read(path, name_places=False).descriptions == kept
