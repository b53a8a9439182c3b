"""Times and lines as a person writes and reads them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.errors import UsageError
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.media import CaptureTime, Precision
from ui.words import (
    day_long,
    day_short,
    lines_of,
    parse_day,
    parse_when,
    say_confidence,
    say_duration,
    say_time,
    scenario_name,
    when_field,
)

NOW = datetime(2026, 1, 12, 12)


def _time(precision: Precision, offset: timedelta | None = None) -> CaptureTime:
    return CaptureTime(
        local=datetime(2023, 5, 14, 12, 31),
        utc_offset=offset,
        precision=precision,
        source="x",
        confidence=1.0,
    )


@pytest.mark.parametrize(
    ("precision", "offset", "said"),
    [
        (Precision.SECOND, timedelta(hours=9), "Sunday 14 May 2023, 12:31 (+09:00)"),
        (Precision.SECOND, -timedelta(hours=3, minutes=30), "Sunday 14 May 2023, 12:31 (−03:30)"),
        (Precision.MINUTE, None, "Sunday 14 May 2023, 12:31"),
        (Precision.DAY, None, "Sunday 14 May 2023"),
        (Precision.MONTH, None, "May 2023"),
        (Precision.YEAR, None, "2023"),
    ],
)
def test_a_time_is_said_as_fine_as_it_is_known(
    precision: Precision, offset: timedelta | None, said: str
) -> None:
    assert say_time(_time(precision, offset)) == said


@given(st.datetimes(datetime(1830, 1, 1), NOW).map(lambda at: at.replace(microsecond=0)))
def test_a_time_in_its_box_is_read_back_the_same(at: datetime) -> None:
    assert parse_when(when_field(at), NOW) == at


def test_an_offset_that_was_typed_is_kept() -> None:
    at = parse_when("2023-05-14 12:31+09:00", NOW)
    assert at is not None
    assert at.astimezone(UTC) == datetime(2023, 5, 14, 3, 31, tzinfo=UTC)


def test_an_empty_box_is_no_time() -> None:
    assert parse_when("  ", NOW) is None
    assert parse_day("") is None


@pytest.mark.parametrize(
    "typed", ["yesterday", "14.5.2023", "2023-13-01", "2050-01-01", "0012-01-01"]
)
def test_a_time_that_cannot_be_meant_is_refused_in_one_line(typed: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_when(typed, NOW)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("2024", datetime(2024, 12, 31, 23, 59, 59)),
        ("2024-02", datetime(2024, 2, 29, 23, 59, 59)),
        ("2023-12", datetime(2023, 12, 31, 23, 59, 59)),
        ("2024-06-01", datetime(2024, 6, 1, 23, 59, 59)),
        ("2024-06-01T18:00", datetime(2024, 6, 1, 18)),
    ],
)
def test_a_day_month_or_year_means_its_end(typed: str, end: datetime) -> None:
    assert parse_day(typed) == end


@pytest.mark.parametrize("typed", ["soon", "2024-00", "2024-13", "99999999999999999999", "-"])
def test_a_day_that_is_none_is_refused(typed: str) -> None:
    with pytest.raises(UsageError):
        parse_day(typed)


def test_lines_lose_blanks_and_doubles_but_not_their_order() -> None:
    assert lines_of(" b  c\n\na\nb c\n") == ["b c", "a"]
    assert lines_of("Ann, Ben;Cy", separators=",;") == ["Ann", "Ben", "Cy"]
    assert lines_of(None) == []


def test_days_durations_and_confidence_read_well() -> None:
    assert day_short(date(2023, 5, 14)) == "Sun 14 May"
    assert day_long(date(2023, 5, 14)) == "Sunday 14 May 2023"
    assert [say_duration(each) for each in (7, 61, 3723)] == ["0:07", "1:01", "1:02:03"]
    assert [say_confidence(each) for each in (0.95, 0.6, 0.2)] == ["sure", "likely", "a guess"]


def test_every_scenario_has_a_name_to_read() -> None:
    names = [scenario_name(each) for each in Scenario]
    assert len(set(names)) == len(Scenario)
    assert not any("_" in name for name in names)
