"""Any legal date, offset and place that is written into a file comes back; no bytes crash it."""

import io
import unicodedata
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archive_mem.ingest.metadata import resolve
from archive_mem.ingest.metadata.chunks import png_blocks, webp_blocks
from archive_mem.ingest.metadata.clock import (
    from_unix,
    offset_text,
    parse_mail_date,
    parse_offset,
    parse_partial,
    parse_stamp,
    refusal_of,
    step,
)
from archive_mem.ingest.metadata.coordinates import (
    altitude_of,
    decimal,
    parse_iso6709,
    parse_xmp_coordinate,
    usable,
)
from archive_mem.ingest.metadata.exif import read_exif
from archive_mem.ingest.metadata.filename import read_name
from archive_mem.ingest.metadata.files import from_blocks
from archive_mem.ingest.metadata.heif import heif_blocks
from archive_mem.ingest.metadata.iptc import iptc_of_photoshop, read_iptc
from archive_mem.ingest.metadata.jpeg import jpeg_blocks
from archive_mem.ingest.metadata.quicktime import container_time, read_quicktime
from archive_mem.ingest.metadata.raw import tiff_blocks
from archive_mem.ingest.metadata.resolve import offset_in_zone, resolve_time
from archive_mem.ingest.metadata.takeout import read_takeout
from archive_mem.ingest.metadata.values import TimeRead, TimeSource
from archive_mem.ingest.metadata.xmp import read_xmp
from archive_mem.schema.media import Precision
from tests.gnarly_media.heifs import heif
from tests.gnarly_media.pictures import jpeg, png, segment, webp, xmp_segment
from tests.gnarly_media.tiffs import bigtiff_block, exif_block, gps_tags

NOW = datetime(2026, 11, 30)

dates = st.datetimes(datetime(1826, 1, 1), datetime(2026, 11, 29)).map(
    lambda moment: moment.replace(microsecond=0)
)
offsets = st.integers(-48, 56).map(lambda quarters: timedelta(minutes=15 * quarters))


@given(dates, offsets, st.integers(0, 999), st.booleans())
def test_any_legal_exif_time_comes_back(
    local: datetime, offset: timedelta, milli: int, big_endian: bool
) -> None:
    """With its offset, and whatever the offset of another date says."""
    text = f"{local.year:04}:{local:%m:%d %H:%M:%S}"
    tags = {0x9003: text, 0x9011: offset_text(offset) or "", 0x9291: f"{milli:03}"}
    file = io.BytesIO(jpeg(exif_block(exif=tags, big_endian=big_endian)))
    (time,) = from_blocks(jpeg_blocks(file), NOW).times
    assert time.local == local.replace(microsecond=milli * 1000)
    assert time.offset == offset


@given(
    st.floats(-90, 90), st.floats(-180, 180), st.none() | st.floats(-10_000, 9_000), st.booleans()
)
def test_any_legal_exif_place_comes_back(
    latitude: float, longitude: float, altitude: float | None, big_endian: bool
) -> None:
    block = exif_block(gps=gps_tags(latitude, longitude, altitude), big_endian=big_endian)
    places = read_exif(io.BytesIO(block), NOW).places
    if usable(round(latitude, 8), round(longitude, 8)):
        assert places == ()
        return
    (place,) = places
    assert (place.latitude, place.longitude) == pytest.approx((latitude, longitude), abs=1e-7)
    assert place.altitude == (None if altitude is None else pytest.approx(altitude, abs=1e-3))


@given(dates, offsets, st.floats(-89, 89), st.floats(-179, 179), st.booleans(), st.integers(0, 4))
def test_time_and_place_come_back_from_any_container(
    local: datetime, offset: timedelta, latitude: float, longitude: float, big: bool, kind: int
) -> None:
    """The same EXIF block in a JPEG behind other segments, a PNG, a WebP, a HEIC and a BigTIFF."""
    text = f"{local.year:04}:{local:%m:%d %H:%M:%S}"
    tags = {0x9003: text, 0x9011: offset_text(offset) or "", 0x9010: "+01:00"}
    gps = gps_tags(latitude, longitude)
    block = exif_block(exif=tags, gps=gps, big_endian=big)
    blocks = (
        lambda: jpeg_blocks(io.BytesIO(jpeg(block, segment(0xE5, b"x"), xmp_segment("")))),
        lambda: png_blocks(io.BytesIO(png((b"eXIf", block), late=big))),
        lambda: webp_blocks(io.BytesIO(webp(block))),
        lambda: heif_blocks(io.BytesIO(heif(block, method=kind % 3, pieces=1 + kind))),
        lambda: tiff_blocks(io.BytesIO(bigtiff_block(tags, gps, big_endian=big))),
    )[kind]()
    reads = from_blocks(blocks, NOW)
    (time,) = reads.times
    assert (time.local, time.offset) == (local, offset)
    if not usable(round(latitude, 8), round(longitude, 8)):
        (place,) = reads.places
        assert (place.latitude, place.longitude) == pytest.approx((latitude, longitude), abs=1e-7)


@given(
    st.dates(datetime(1826, 1, 1).date(), datetime(2026, 11, 29).date()), st.sampled_from([4, 7])
)
def test_a_month_or_year_alone_is_read_as_that(day: date, letters: int) -> None:
    stamp = parse_partial(day.isoformat()[:letters])
    assert stamp is not None
    assert stamp.local.isoformat()[:letters] == day.isoformat()[:letters]
    assert stamp.precision is (Precision.YEAR if letters == 4 else Precision.MONTH)
    assert parse_stamp(day.isoformat()[:letters]) is None


@given(offsets)
def test_any_offset_is_read_in_every_spelling(offset: timedelta) -> None:
    text = offset_text(offset) or ""
    assert parse_offset(text) == parse_offset(text.replace(":", "")) == offset


@given(dates, st.sampled_from([":", "-", "/", "."]), st.sampled_from([" ", "T", "  "]))
def test_any_date_is_read_in_every_spelling(local: datetime, sep: str, between: str) -> None:
    text = f"{local.year:04}{sep}{local:%m}{sep}{local:%d}{between}{local:%H:%M:%S}\0"
    stamp = parse_stamp(text)
    assert stamp is not None
    assert (stamp.local, stamp.precision) == (local, Precision.SECOND)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0000:00:00 00:00:00",
        "2024:13:01 00:00:00",
        "2024:02:30 00:00:00",
        "12024:01:01 00:00:00",
        "2024:01:01 24:00:00",
        "2024:01:01 12:60:00",
        "2024-01",
        "2024",
        "tomorrow",
        "2024:01:01 x",
    ],
)
def test_what_is_no_whole_date_is_refused(text: str) -> None:
    assert parse_stamp(text) is None


@given(st.text(max_size=40))
def test_no_text_crashes_the_parsers(text: str) -> None:
    """And what they accept is in range."""
    stamp, offset = parse_stamp(text), parse_offset(text)
    assert stamp is None or stamp.local.year >= 0
    assert offset is None or abs(offset) <= timedelta(hours=14)
    read_name(text, NOW)
    parse_iso6709(text)
    degrees = parse_xmp_coordinate(text)
    assert degrees is None or abs(degrees) <= 182


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("+32.0929+034.8620+028.516/", (32.0929, 34.862, 28.516)),
        ("-38.0253+145.1000/", (-38.0253, 145.1, None)),
        ("+3545.50-11705.25/", (35.758333, -117.0875, None)),
        ("+354530-1170515+0012CRSWGS_84/", (35.758333, -117.0875, 12.0)),
        ("+40.7128-074.0060", (40.7128, -74.006, None)),
    ],
)
def test_iso_6709_is_read_in_its_three_forms(
    text: str, place: tuple[float, float, float | None]
) -> None:
    found = parse_iso6709(text)
    assert found is not None
    assert found[:2] == pytest.approx(place[:2], abs=1e-5)
    assert found[2] == place[2]


@pytest.mark.parametrize(
    ("text", "reference", "degrees"),
    [
        ("-38.0253", "S", -38.0253),
        ("-38.0253", "", -38.0253),
        ("38.0253", "S", -38.0253),
        ("38,1.518S", "", -38.0253),
        ("38,1,31.08S", "", -38.0253),
        ("145,6.0E", "", 145.1),
        ("145.1", "E", 145.1),
    ],
)
def test_a_sign_and_a_reference_say_the_same_thing(
    text: str, reference: str, degrees: float
) -> None:
    """P5."""
    assert parse_xmp_coordinate(text, reference) == pytest.approx(degrees, abs=1e-6)


@given(st.lists(st.floats(), max_size=4), st.sampled_from(["N", "S", "E", "W", "", "?"]))
def test_degrees_are_finite_and_in_range_or_absent(parts: list[float], reference: str) -> None:
    """P4."""
    value = decimal(parts, reference)
    assert value is None or abs(value) <= 182


@given(st.floats(), st.booleans())
def test_an_altitude_is_between_the_trench_and_space_or_absent(metres: float, below: bool) -> None:
    """P3."""
    altitude = altitude_of(metres, below)
    assert altitude is None or -11_000 <= altitude <= 100_000


@pytest.mark.parametrize(
    ("name", "local", "precision"),
    [
        ("PXL_20230526_200122948.jpg", "2023-05-26T20:01:22.948000", Precision.SUBSECOND),
        ("PXL_20230526_200122948.PORTRAIT.jpg", "2023-05-26T20:01:22.948000", Precision.SUBSECOND),
        ("IMG_20230526_211114.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("IMG_20230526_211114_HDR.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("VID_20230526_211114.mp4", "2023-05-26T21:11:14", Precision.SECOND),
        ("MVIMG_20180526_211114.jpg", "2018-05-26T21:11:14", Precision.SECOND),
        ("20230526_211114.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("20230526_211114(0).jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("20230526211114.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("IMG-20230526-WA0001.jpg", "2023-05-26T00:00:00", Precision.DAY),
        ("VID-20230526-WA0012.mp4", "2023-05-26T00:00:00", Precision.DAY),
        ("WhatsApp Image 2023-05-26 at 21.11.14.jpeg", "2023-05-26T21:11:14", Precision.SECOND),
        ("WhatsApp Image 2023-05-26 at 9.11.14 PM.jpeg", "2023-05-26T21:11:14", Precision.SECOND),
        ("signal-2023-05-26-21-11-14-123.jpg", "2023-05-26T21:11:14.123000", Precision.SUBSECOND),
        ("signal-2023-05-26-211114.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("photo_2023-05-26_21-11-14.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("telegram_2020-01-30_09-57-18.jpg", "2020-01-30T09:57:18", Precision.SECOND),
        ("Screenshot_20230526-211114.png", "2023-05-26T21:11:14", Precision.SECOND),
        ("Screenshot_2019-05-21_at_10.45.52.png", "2019-05-21T10:45:52", Precision.SECOND),
        (
            "Screenshot 2023-05-26 at 9.11.14\u202fPM.png",
            "2023-05-26T21:11:14",
            Precision.SECOND,
        ),
        (
            "Screenshot_2023-05-26-21-11-14-123_com.app.jpg",
            "2023-05-26T21:11:14.123000",
            Precision.SUBSECOND,
        ),
        ("Bildschirmfoto 2023-05-26 um 21.11.14.png", "2023-05-26T21:11:14", Precision.SECOND),
        ("截屏2023-05-26 下午9.11.14.png", "2023-05-26T21:11:14", Precision.SECOND),
        ("스크린샷 2023-05-26 오후 9.11.14.png", "2023-05-26T21:11:14", Precision.SECOND),
        ("スクリーンショット 2023-05-26 午前12.11.14.png", "2023-05-26T00:11:14", Precision.SECOND),
        (
            unicodedata.normalize("NFD", "Capture d’écran 2023-05-26 à 21.11.14.png"),
            "2023-05-26T21:11:14",
            Precision.SECOND,
        ),
        (
            "Captura de pantalla 2023-05-26 a las 21.11.14.png",
            "2023-05-26T21:11:14",
            Precision.SECOND,
        ),
        ("Screenshot 2023-05-26 211114.png", "2023-05-26T21:11:14", Precision.SECOND),
        ("IMG20230526211114.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("DJI_20230526211114_0001_D.JPG", "2023-05-26T21:11:14", Precision.SECOND),
        (
            "KakaoTalk_20230526_211114123.jpg",
            "2023-05-26T21:11:14.123000",
            Precision.SUBSECOND,
        ),
        (
            "viber_image_2023-05-26_21-11-14-123.jpg",
            "2023-05-26T21:11:14.123000",
            Precision.SUBSECOND,
        ),
        (
            "00000IMG_00000_BURST20230526211114123_COVER.jpg",
            "2023-05-26T21:11:14.123000",
            Precision.SUBSECOND,
        ),
        ("PXL_20230526_200122948~2.jpg", "2023-05-26T20:01:22.948000", Precision.SUBSECOND),
        ("2023-05-26 21.11.14.jpg", "2023-05-26T21:11:14", Precision.SECOND),
        ("WP_20130526_21_11_14_Pro.jpg", "2013-05-26T21:11:14", Precision.SECOND),
        ("2023-05-26 birthday.jpg", "2023-05-26T00:00:00", Precision.DAY),
        ("FB_IMG_1685131874123.jpg", "2023-05-26T20:11:14.123000", Precision.SUBSECOND),
    ],
)
def test_names_of_cameras_and_messengers_are_read(
    name: str, local: str, precision: Precision
) -> None:
    """T8."""
    (time,) = read_name(name, NOW).times
    assert (time.local.isoformat(), time.precision) == (local, precision)


@pytest.mark.parametrize(
    "name",
    [
        "123456.jpg",
        "119101-28-18.jpg",
        "IMG_0001.jpg",
        "DSC_20231399.jpg",
        "99999999_999999.jpg",
        "IMG_20500101_000001.jpg",
        "IMG_20231301_120000.jpg",
        "1234567890123456.jpg",
        "P2010203.JPG",
        "120230526_2111140.jpg",
        "20230526_256161.jpg",
        "",
        "....jpg",
        "IMG_20230230_101010.jpg",
        "截屏2023-05-26 下午13.11.14.png",
        "photo_5368324170671202286_y.jpg",
        "5d41402abc4b2a76b9719d911017c592.jpg",
    ],
)
def test_runs_of_digits_that_are_no_date_give_none(name: str) -> None:
    """T6: refused whole, never clipped."""
    assert read_name(name, NOW).times == ()


@given(dates.filter(lambda moment: moment.year >= 1970))
def test_a_camera_s_name_comes_back(local: datetime) -> None:
    (time,) = read_name(f"IMG_{local:%Y%m%d_%H%M%S}.jpg", NOW).times
    assert time.local == local


@pytest.mark.parametrize(
    ("seconds", "local"),
    [
        (0, None),
        (2_082_844_800, None),
        (2_082_844_800 + 3_600, None),
        (1_720_094_400, datetime(2024, 7, 4, 12)),
        (2_082_844_800 + 1_720_094_400, datetime(2024, 7, 4, 12)),
    ],
)
def test_a_container_s_clock_counts_from_1904_or_1970(seconds: int, local: datetime | None) -> None:
    """T10."""
    assert container_time(seconds) == local


@given(st.integers(-(10**15), 10**15))
def test_any_unix_time_is_a_date_or_none(seconds: int) -> None:
    """T9."""
    local = from_unix(seconds)
    assert local is None or (local - datetime(1970, 1, 1)).total_seconds() == seconds


def test_dates_before_photography_and_in_the_future_are_refused() -> None:
    """T6, T9."""
    assert refusal_of(datetime(1825, 12, 31), NOW) == "before photography"
    assert refusal_of(datetime(2026, 12, 3), NOW) == "in the future"
    assert refusal_of(datetime(1862, 1, 1), NOW) is None


@given(offsets, st.integers(-120, 120))
def test_a_difference_of_clocks_becomes_a_real_offset(offset: timedelta, late: int) -> None:
    assert step(offset + timedelta(seconds=late), timedelta(seconds=120)) == offset


@pytest.mark.parametrize("minutes", [7, -1000, 900, 22])
def test_a_difference_that_no_zone_explains_gives_none(minutes: int) -> None:
    assert step(timedelta(minutes=minutes), timedelta(seconds=120)) is None


@pytest.mark.parametrize(
    ("local", "zone", "hours"),
    [
        (datetime(2012, 7, 10, 15), "Europe/Berlin", 2.0),
        (datetime(2012, 1, 10, 15), "Europe/Berlin", 1.0),
        (datetime(2012, 10, 28, 2, 30), "Europe/Berlin", None),
        (datetime(2012, 3, 25, 2, 30), "Europe/Berlin", None),
        (datetime(2024, 1, 1), "Asia/Kathmandu", 5.75),
        (datetime(1880, 1, 1), "Europe/Berlin", None),
    ],
)
def test_a_zone_gives_the_offset_of_a_wall_clock(
    local: datetime, zone: str, hours: float | None
) -> None:
    """T3: an hour that a clock change skips or repeats has none."""
    expected = None if hours is None else timedelta(hours=hours)
    assert offset_in_zone(local, zone) == expected


def local_read(source: TimeSource, local: datetime, **more: object) -> TimeRead:
    return TimeRead(source=source, local=local, confidence=0.5, **more)  # type: ignore[arg-type]


def test_exif_beats_the_name_of_the_file() -> None:
    """T8."""
    reads = [
        *read_name("PXL_20230526_200122948.jpg", NOW).times,
        local_read(TimeSource.EXIF_ORIGINAL, datetime(2023, 5, 26, 22, 1, 22)),
    ]
    time, candidates = resolve_time(reads, ())
    assert time is not None
    assert (time.local.hour, time.source) == (22, "EXIF DateTimeOriginal")
    assert [(one.source, one.won) for one in candidates] == [
        ("EXIF DateTimeOriginal", True),
        ("file name", False),
    ]


def test_a_pixel_s_name_is_utc() -> None:
    """T8: and becomes the wall clock of the place."""
    reads = read_name("PXL_20230526_200122948.jpg", NOW).times
    time, _ = resolve_time(reads, (), zone="Europe/Paris")
    assert time is not None
    assert (time.local.hour, offset_text(time.utc_offset)) == (22, "+02:00")


def test_a_recording_s_name_tells_the_zone_of_its_container() -> None:
    """The name is stamped at the start, the container at the end."""
    end = datetime(2023, 5, 26, 19, 21, 10)
    reads = [
        local_read(TimeSource.CONTAINER, end, instant=True),
        *read_name("VID_20230526_211114.mp4", NOW).times,
    ]
    time, _ = resolve_time(reads, (), duration=596.0)
    assert time is not None
    assert (time.local, offset_text(time.utc_offset)) == (end + timedelta(hours=2), "+02:00")


def test_takeout_s_moment_gives_the_offset_of_a_wall_clock_but_never_zero() -> None:
    """Google takes a wall clock without a zone for UTC."""
    local = datetime(2023, 5, 26, 21, 11, 14)
    for moment, expected in ((local - timedelta(hours=2), "+02:00"), (local, None)):
        reads = [
            local_read(TimeSource.EXIF_ORIGINAL, local),
            local_read(TimeSource.TAKEOUT, moment, instant=True),
        ]
        time, _ = resolve_time(reads, ())
        assert time is not None
        assert (time.local, offset_text(time.utc_offset)) == (local, expected)


def test_a_day_gives_way_to_a_finer_time_of_that_day() -> None:
    day = local_read(TimeSource.IPTC, datetime(2023, 5, 26), precision=Precision.DAY)
    name = read_name("IMG_20230526_211114.jpg", NOW).times
    time, _ = resolve_time([day, *name], ())
    assert time is not None
    assert (time.source, time.local.hour) == ("file name", 21)


_READS = st.lists(
    st.builds(
        local_read,
        st.sampled_from(TimeSource),
        dates,
        offset=st.none() | offsets,
        instant=st.booleans(),
        precision=st.sampled_from(Precision),
    ),
    max_size=6,
)
_ZONES = st.sampled_from([None, "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia"])


@given(_READS, _ZONES, st.none() | st.floats(0, 10_000))
def test_a_wall_clock_is_never_moved_and_one_value_wins(
    reads: list[TimeRead], zone: str | None, duration: float | None
) -> None:
    time, candidates = resolve_time(reads, (), zone, duration)
    winners = [one for one in candidates if one.won and one.field == "time"]
    assert len(winners) == (1 if reads else 0)
    if time is not None:
        same = [read for read in reads if read.source == time.source]
        assert any(
            time.local == read.local + (time.utc_offset if read.instant else timedelta(0))  # type: ignore[operator]
            for read in same
        )


@given(_READS, st.randoms(use_true_random=False))
def test_the_order_of_reading_does_not_change_the_source(
    reads: list[TimeRead], random: object
) -> None:
    unique = list({read.source: read for read in reads}.values())
    shuffled = list(unique)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve_time(unique, ())[0] == resolve_time(shuffled, ())[0]


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=200)
@given(st.binary(max_size=400))
def test_no_bytes_crash_a_reader(data: bytes) -> None:
    read_exif(io.BytesIO(b"II*\0" + data), NOW)
    read_xmp(data, NOW)
    read_takeout(data, NOW)
    read_iptc(iptc_of_photoshop(b"8BIM\x04\x04\0\0" + data) or data, NOW)
    from_blocks(jpeg_blocks(io.BytesIO(b"\xff\xd8\xff\xe1" + data)), NOW)
    from_blocks(heif_blocks(io.BytesIO(b"\0\0\0\x40meta\0\0\0\0" + data)), NOW)
    reads, _ = read_quicktime(io.BytesIO(b"\0\0\0\x08moov" + data), NOW)
    assert reads.times == () or reads.times[0].local <= NOW + timedelta(days=2)


@pytest.mark.parametrize("text", ["", "Sat", "Sat, 99 Mar 2019 10:11:12 +0900", "2019", "0 0 0"])
def test_what_is_no_date_of_mail_is_none(text: str) -> None:
    assert parse_mail_date(text) is None


def test_the_rules_are_one_ordered_list() -> None:
    """The documented order of sources is the order of the enumeration."""
    assert resolve.__doc__ is not None
    names = list(TimeSource)
    assert names.index(TimeSource.EXIF_ORIGINAL) < names.index(TimeSource.EXIF_DIGITIZED)
    assert names.index(TimeSource.QUICKTIME) < names.index(TimeSource.CAMCORDER)
    assert names.index(TimeSource.CAMCORDER) < names.index(TimeSource.CONTAINER)
    assert names.index(TimeSource.TAKEOUT) < names.index(TimeSource.GPS)
    assert names[-1] is TimeSource.FILE_TIME


SHARED = Path(__file__).parents[3] / "shared" / "cases" / "metadata"


@pytest.mark.skipif(not SHARED.exists(), reason="the reference files are not here")
def test_readings_agree_with_the_reference() -> None:
    import json

    from archive_mem.ingest.metadata import read

    expected = json.loads((SHARED / "expected.json").read_text())
    wrong = []
    for row in expected:
        item = read(SHARED / "files" / row["file"], name_places=False).item
        assert item is not None
        time, place = item.capture.time, item.capture.place
        assert time is not None
        right = (
            row["capture"] in (None, time.local.isoformat()[:19])
            and row["offset"] in (None, offset_text(time.utc_offset))
            and (place is None) == (row["latitude"] is None)
        )
        if place is not None and right:
            right = abs(place.latitude - row["latitude"]) < 1e-4
            right = right and abs(place.longitude - row["longitude"]) < 1e-4
        if not right:
            wrong.append(row["file"])
    assert wrong == []
