"""What an annotator says of the time goes before what the file says."""

from datetime import UTC, datetime, timedelta, timezone

from archive_mem.schema.media import CaptureTime, Precision, corrected

FILE = CaptureTime(
    local=datetime(2023, 5, 14, 9),
    utc_offset=timedelta(hours=9),
    precision=Precision.SUBSECOND,
    source="EXIF DateTimeOriginal",
    confidence=0.9,
    offset_source="GPS UTC",
    zone="Asia/Tokyo",
)


def test_a_given_wall_clock_keeps_the_offset_and_zone_of_the_file() -> None:
    time = corrected(FILE, datetime(2023, 5, 15, 12))
    assert (time.local, time.utc_offset) == (datetime(2023, 5, 15, 12), timedelta(hours=9))
    assert (time.source, time.offset_source, time.zone) == ("annotator", None, "Asia/Tokyo")


def test_a_given_offset_wins_also_where_it_is_zero() -> None:
    assert corrected(FILE, datetime(2023, 5, 15, 12, tzinfo=UTC)).utc_offset == timedelta(0)
    west = timezone(timedelta(hours=-3))
    assert corrected(FILE, datetime(2023, 5, 15, 12, tzinfo=west)).utc_offset == timedelta(hours=-3)


def test_without_a_time_in_the_file_the_offset_stays_unknown() -> None:
    time = corrected(None, datetime(2023, 5, 15, 12))
    assert (time.utc_offset, time.zone) == (None, None)
