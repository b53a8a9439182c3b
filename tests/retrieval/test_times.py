"""What a question says about time."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.retrieval.calendar import HOLIDAYS, Window, day, latest, months_back, season, week
from archive_mem.retrieval.times import read_times

ASKED = datetime(2026, 1, 12, 9, 0)  # a Monday


def window(text: str) -> tuple[str, str]:
    (found,) = read_times(text, ASKED).windows
    return f"{found.start:%Y-%m-%d}", f"{found.end:%Y-%m-%d}"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("on 14 May 2023", "2023-05-14", "2023-05-15"),
        ("on May 14th, 2023", "2023-05-14", "2023-05-15"),
        ("on the 14th of May 2023", "2023-05-14", "2023-05-15"),
        ("on 2023-05-14", "2023-05-14", "2023-05-15"),
        ("2023年5月14日に", "2023-05-14", "2023-05-15"),
        ("in May 2023", "2023-05-01", "2023-06-01"),
        ("2023年5月", "2023-05-01", "2023-06-01"),
        ("in 2023", "2023-01-01", "2024-01-01"),
        ("2023年", "2023-01-01", "2024-01-01"),
        ("in May", "2025-05-01", "2025-06-01"),
        ("in the summer of 2023", "2023-06-01", "2023-09-01"),
        ("last summer", "2025-06-01", "2025-09-01"),
        ("去年夏天", "2025-06-01", "2025-09-01"),
        ("去年の夏", "2025-06-01", "2025-09-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("去年", "2025-01-01", "2026-01-01"),
        ("last month", "2025-12-01", "2026-01-01"),
        ("上个月", "2025-12-01", "2026-01-01"),
        ("先月", "2025-12-01", "2026-01-01"),
        ("last week", "2026-01-05", "2026-01-12"),
        ("yesterday", "2026-01-11", "2026-01-12"),
        ("昨天", "2026-01-11", "2026-01-12"),
        ("last Friday", "2026-01-09", "2026-01-10"),
        ("last Monday", "2026-01-05", "2026-01-06"),
        ("last weekend", "2026-01-10", "2026-01-12"),
        ("three days ago", "2026-01-09", "2026-01-10"),
        ("three months ago", "2025-10-01", "2025-11-01"),
        ("三个月前", "2025-10-01", "2025-11-01"),
        ("2年前", "2024-01-01", "2025-01-01"),
        ("in the past three months", "2025-10-12", "2026-01-12"),
        ("between 2021 and 2023", "2021-01-01", "2024-01-01"),
        ("from May 2022 to July 2022", "2022-05-01", "2022-08-01"),
        ("2021年から2023年まで", "2021-01-01", "2024-01-01"),
        ("since March 2025", "2025-03-01", "2026-01-12"),
        ("after 3 February 2025", "2025-02-04", "2026-01-12"),
        ("before March 2021", "1800-01-01", "2021-03-01"),
        ("2023年之前", "1800-01-01", "2023-01-01"),
        ("last Christmas", "2025-12-24", "2025-12-27"),
        ("at Christmas 2022", "2022-12-24", "2022-12-27"),
        ("at Easter 2024", "2024-03-29", "2024-04-02"),
        ("on Thanksgiving 2023", "2023-11-23", "2023-11-27"),
        ("at Chinese New Year 2024", "2024-02-09", "2024-02-17"),
        ("in Golden Week 2023", "2023-04-29", "2023-05-07"),
        ("in Golden Week last year", "2025-04-29", "2025-05-07"),
        ("the day after Christmas 2024", "2024-12-27", "2024-12-28"),
        ("the day before 14 May 2023", "2023-05-13", "2023-05-14"),
        ("two weeks before 29 May 2023", "2023-05-13", "2023-05-18"),
        ("in the two weeks before 29 May 2023", "2023-05-15", "2023-05-29"),
        ("the week after Easter 2024", "2024-04-02", "2024-04-09"),
        ("between Christmas and New Year 2024", "2023-12-24", "2024-01-04"),
        ("in early May 2023", "2023-05-01", "2023-05-12"),
        ("at the end of 2023", "2023-09-01", "2024-01-01"),
        ("on Mother's Day 2024", "2024-05-12", "2024-05-13"),
        ("half a year ago", "2025-06-01", "2025-09-01"),
        ("二〇二三年五月十四日", "2023-05-14", "2023-05-15"),
        ("二〇二三年五月", "2023-05-01", "2023-06-01"),
        ("令和5年の夏", "2023-06-01", "2023-09-01"),
        ("昨年の夏", "2025-06-01", "2025-09-01"),
        ("2023年の春", "2023-03-01", "2023-06-01"),
        ("上周五", "2026-01-09", "2026-01-10"),
        ("先週の金曜日", "2026-01-09", "2026-01-10"),
        ("先週", "2026-01-05", "2026-01-12"),
        ("上个周末", "2026-01-10", "2026-01-12"),
        ("圣诞节前一天", "2025-12-23", "2025-12-24"),
        ("クリスマスの翌日", "2025-12-27", "2025-12-28"),
        ("クリスマスの二週間前", "2025-12-08", "2025-12-13"),
        ("2024年春节", "2024-02-09", "2024-02-17"),
        ("2023年中秋节", "2023-09-28", "2023-10-01"),
        ("黄金周", "2025-04-29", "2025-05-07"),
    ],
)
def test_words_about_time_become_a_window(text: str, start: str, end: str) -> None:
    assert window(f"what did I do {text}?") == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "what may I eat",
        "the marathon in Mayfield",
        "a bill of 2019.50",
        "room 1204",
        "on 31 February 2023 maybe",
        "flight JL2023x",
        "",
    ],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert not [w for w in read_times(text, ASKED).windows if w == day(w.start.date())]


def test_seasons_follow_the_half_of_the_earth_that_is_home() -> None:
    (found,) = read_times("last summer", ASKED, southern=True).windows
    assert (str(found.start.date()), str(found.end.date())) == ("2024-12-01", "2025-03-01")
    assert len(read_times("the summer of 2023", ASKED, southern=True).windows) == 2
    january = read_times("every summer", ASKED, southern=True).recurring
    assert january.holds(datetime(2023, 1, 5))


@pytest.mark.parametrize(
    ("country", "text", "start"),
    [
        ("US", "at Thanksgiving 2023", "2023-11-23"),
        ("CA", "at Thanksgiving 2023", "2023-10-07"),
        ("US", "on Independence Day 2023", "2023-07-04"),
        ("PT", "on Independence Day 2023", "2023-12-01"),
        ("CN", "in Golden Week 2023", "2023-10-01"),
        ("JP", "in Golden Week 2023", "2023-04-29"),
        ("GB", "on Mother's Day 2024", "2024-03-10"),
        (None, "on Labour Day 2023", "2023-05-01"),
        ("US", "on Labor Day 2023", "2023-09-04"),
    ],
)
def test_a_holiday_is_kept_as_at_home(country: str | None, text: str, start: str) -> None:
    (found,) = read_times(text, ASKED, country=country).windows
    assert str(found.start.date()) == start


def test_each_window_knows_the_words_it_came_from() -> None:
    text = "more in 2024 than on 3 May 2021?"
    found = read_times(text, ASKED)
    assert [text[a:b] for a, b in found.window_spans] == ["2024", "3 May 2021"]


def test_winter_of_a_year_is_either_of_its_two() -> None:
    found = read_times("the snow in the winter of 2022", ASKED).windows
    assert [str(each.start.date()) for each in found] == ["2021-12-01", "2022-12-01"]


def test_each_of_a_holiday_is_every_one_so_far() -> None:
    found = read_times("On how many Christmas Eves was I at home?", ASKED).windows
    assert [str(each.start.date()) for each in found[-2:]] == ["2024-12-24", "2025-12-24"]
    assert len(found) > 20


def test_a_day_within_a_season_is_the_day() -> None:
    assert window("last summer on the second of August") == ("2025-08-02", "2025-08-03")


def test_two_times_are_two_windows_in_the_order_of_the_question() -> None:
    found = read_times("more in 2024 than in 2021?", ASKED).windows
    assert [each.start.year for each in found] == [2024, 2021]


@pytest.mark.parametrize(
    ("text", "holds", "fails"),
    [
        ("how many Saturday runs", datetime(2024, 5, 4, 9), datetime(2024, 5, 5, 9)),
        ("on Saturdays", datetime(2024, 5, 4, 9), datetime(2024, 5, 5, 9)),
        ("every summer", datetime(2020, 7, 1), datetime(2020, 10, 1)),
        ("on weekends", datetime(2024, 5, 5, 9), datetime(2024, 5, 6, 9)),
        ("in the morning", datetime(2024, 5, 5, 7), datetime(2024, 5, 5, 19)),
        ("晚上", datetime(2024, 5, 5, 20), datetime(2024, 5, 5, 10)),
        ("every May", datetime(2019, 5, 5), datetime(2019, 6, 5)),
        ("in the mornings", datetime(2024, 5, 5, 7), datetime(2024, 5, 5, 19)),
        ("on weekdays", datetime(2024, 5, 6, 9), datetime(2024, 5, 5, 9)),
        ("before noon", datetime(2024, 5, 6, 9), datetime(2024, 5, 6, 13)),
        ("每个星期六早上", datetime(2024, 5, 4, 7), datetime(2024, 5, 4, 19)),
        ("毎週土曜日の朝", datetime(2024, 5, 4, 7), datetime(2024, 5, 5, 7)),
        ("冬天", datetime(2024, 1, 4, 7), datetime(2024, 7, 5, 7)),
    ],
)
def test_times_that_come_back_are_known(text: str, holds: datetime, fails: datetime) -> None:
    recurring = read_times(f"what do I eat {text}", ASKED).recurring
    assert recurring.holds(holds)
    assert not recurring.holds(fails)


def test_the_words_about_time_are_where_the_spans_say() -> None:
    text = "Where was I on 14 May 2023 in the morning?"
    spans = read_times(text, ASKED).spans
    assert [text[a:b].strip() for a, b in spans] == ["14 May 2023", "in the morning"]


HEAP = """
    the day after two weeks before Christmas 2024 14 May last summer in of since between and New
    Year early 1800 years 昨年の夏 二〇二三年 五月 前 后 の 翌日 圣诞节 三年 令和 元年
"""
WORDS = st.sampled_from(HEAP.split())


@given(st.lists(WORDS, max_size=9), st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1)))
def test_no_heap_of_time_words_breaks_it(words: list[str], asked: datetime) -> None:
    for found in read_times(" ".join(words), asked, southern=True, country="CA").windows:
        assert found.start <= found.end


@given(st.text(max_size=60), st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1)))
def test_no_text_breaks_it_and_every_window_is_forward(text: str, asked: datetime) -> None:
    for found in read_times(text, asked).windows:
        assert found.start <= found.end


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_written_date_is_that_day(when: date) -> None:
    (found,) = read_times(f"on {when.day} {when:%B} {when.year}", ASKED).windows
    assert found == day(when)


@given(st.dates(date(1950, 1, 1), date(2090, 1, 1)))
def test_weeks_and_seasons_hold_their_days(when: date) -> None:
    noon = datetime(when.year, when.month, when.day, 12)
    assert week(when).holds(noon)
    names = ("spring", "summer", "autumn", "winter")
    years = (when.year - 1, when.year)
    assert sum(season(name, year).holds(noon) for name in names for year in years) == 1


@given(st.dates(date(1950, 1, 1), date(2090, 1, 1)), st.integers(0, 40))
def test_months_back_keeps_the_day_where_it_can(when: date, count: int) -> None:
    back = months_back(when, count)
    assert (when.year - back.year) * 12 + when.month - back.month == count
    assert back.day <= when.day


@given(st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1)))
def test_holidays_asked_without_a_year_have_begun(asked: datetime) -> None:
    for of_year in HOLIDAYS.values():
        found = latest(of_year, asked, over=False)
        assert found.start <= asked < found.start + timedelta(days=800)


def test_a_gap_is_zero_inside_and_grows_outside() -> None:
    may = Window(start=datetime(2023, 5, 1), end=datetime(2023, 6, 1))
    assert may.gap(datetime(2023, 5, 9)) == timedelta(0)
    assert may.gap(datetime(2023, 6, 3)) == timedelta(days=2)
    assert may.gap(datetime(2023, 4, 29)) == timedelta(days=2)
