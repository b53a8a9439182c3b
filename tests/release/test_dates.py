"""Dates in texts are shifted as the times are; what cannot be read does not go out."""

import re
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.compose import say_day
from anonymize.pseudonyms import strip_marks
from archive_mem.release.dates import shift_text
from archive_mem.release.shift import Shift

SHIFT = Shift(weeks=1046)  # 20 years and 17 days
DAY = date(2023, 5, 13)
SHIFTS = st.builds(Shift, weeks=st.integers(520, 3140))
DAYS = st.dates(date(1900, 1, 1), date(2039, 12, 31))


def shifted(text: str) -> str | None:
    return shift_text(text, SHIFT, DAY)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (
            "[Saturday 13 May 2023 08:42, Lisbon, Portugal] Event: a run.",
            "[Saturday 30 May 2043 08:42, Lisbon, Portugal] Event: a run.",
        ),
        ("on May 12 we met", "on May 29 we met"),
        ("May 3rd, and the 1st May 2023", "May 20th, and the 18th May 2043"),
        ("the first on 12 October 2023", "the first on 29 October 2043"),
        ("2 (2023 and 2025)", "2 (2043 and 2045)"),
        ("in May, since 2021", "in June, since 2041"),
        ("from 2021-2023", "from 2041-2043"),
        ("2023-05-12T10:00", "2043-05-29T10:00"),
        ("2023/05", "2043/06"),
        ("20230512_101010", "20430529_101010"),
        ("31/12/2023", "17/01/2044"),
        ("12.05.2023", "29.05.2043"),
        ("21 June 2024 and 3 people", "8 July 2044 and 3 people"),
        ("2 Feb. 2023", "19 Feb. 2043"),
        ("MAY 2023", "JUNE 2043"),
        ("12 de mayo de 2023", "29 de mayo de 2043"),
        ("le 12 décembre 2023", "le 29 décembre 2043"),
        ("am 3. Oktober 2023", "am 20. Oktober 2043"),
        ("2023年5月12日の朝", "2043年5月29日の朝"),
        ("2023년 5월 12일", "2043년 5월 29일"),
        ("2023. 5. 12.", "2043. 5. 29."),
        ("２０２３年５月", "2043年6月"),
        ("04DEC2021", "21DEC2041"),
        ("in 2000, class of 2009", "in 2020, class of 2029"),
        ("12 मार्च 2023", "29 मार्च 2043"),
        ("12 FEVRIER", "1 MARS"),
        ("5 aout", "22 août"),
        ("12 Decembre 2023", "29 Décembre 2043"),
        ("12 de\u0301cembre 2023", "29 décembre 2043"),
        ("am 3. Maerz 2023", "am 20. März 2043"),
    ],
)
def test_a_date_is_shifted_in_the_form_it_has(text: str, after: str) -> None:
    assert shifted(text) == after


@pytest.mark.parametrize(
    "text",
    [
        "May I come? We marched on.",
        "last summer, three years ago, on a Thursday in winter",
        "1:52:08 against 2:04:31",
        "2000 yen for 1920x1080, 3.5 km",
        "the 5th floor, the 87th of them, her 30th birthday",
        "Code: ribeira-1887, room 501",
        "",
    ],
)
def test_what_is_no_date_stays(text: str) -> None:
    assert shifted(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Christmas Eve at home",
        "Weihnachten bei Oma",
        "クリスマスの夜",
        "3/4/2023",
        "12/05/23",
        "the 21st",
        "12-15 May 2023",
        "May 12 to 15",
        "the second of August",
        "summer of '23",
        "the 1990s",
        "receipt 230513",
        "令和6年",
        "五月十二日",
        "two thousand and five",
        "2023-W19",
        "30 February 2023",
        "Sunday, Dec",
        "due 5/12",
        "1-3 May",
        "May 12, 13 and 14",
        "mid-2023",
        "2023_05_12",
        "Winter2023",
        "FY23",
        "season 22/23",
        "12.V.2023",
        "05.2023",
        "12-May-2023",
        "2023:05:12 10:00:00",
        "1683849600",
        "13 gennaio 2023",
        "13 января 2023",
        "13 มกราคม 2566",
        "Total 2000",
        "5 Dec 23",
        "May 12 23",
        "12 May '23",
        "12 de mayo del 23",
        "12MAY23",
        "12MAYT10:00",
        "13/V",
        "13.V.",
        "MMXXIII",
        "12, December",
        "1er aout",
        "12052023",
        "12 05 2023",
        "13 gennaio",
        "13 мая",
    ],
)
def test_what_may_be_a_date_is_withheld(text: str) -> None:
    assert shifted(text) is None


@pytest.mark.parametrize("text", ["12 May", "in June", "6月"])
def test_without_a_day_of_its_own_a_date_without_a_year_is_withheld(text: str) -> None:
    assert shift_text(text, SHIFT, None) is None


def test_of_another_day_a_day_without_a_year_is_withheld() -> None:
    assert shift_text("on 12 May", SHIFT, DAY, of_that_day=False) is None
    assert shift_text("on 12 May 2022", SHIFT, DAY, of_that_day=False) == "on 29 May 2042"


@given(SHIFTS, DAYS, st.sampled_from(["{}", "It was {}.", "[{} 08:42, Lisbon]", "{}: soup"]))
def test_every_day_is_shifted_exactly(shift: Shift, day: date, frame: str) -> None:
    after = shift.day(day)
    for said in (lambda d: say_day(d).value, lambda d: d.isoformat(), lambda d: f"{d:%Y%m%d}"):
        assert shift_text(frame.format(said(day)), shift, None) == frame.format(said(after))


@given(SHIFTS, DAYS, st.integers(-90, 90))
def test_a_day_without_a_year_is_the_nearest_one(shift: Shift, day: date, away: int) -> None:
    named = say_day(day).value.rsplit(" ", 1)[0]
    after = say_day(shift.day(day)).value.rsplit(" ", 1)[0]
    assert shift_text(named, shift, day + timedelta(days=away)) == after


@given(SHIFTS, st.datetimes(datetime(1900, 1, 1), datetime(2039, 1, 1)))
def test_weekday_and_time_of_day_stay(shift: Shift, at: datetime) -> None:
    moved = shift.moved(at)
    assert (moved.weekday(), moved.time()) == (at.weekday(), at.time())


@given(st.integers(10, 60), st.integers(-4, 4), st.integers(1900, 2039))
def test_a_year_alone_is_shifted_by_whole_years(years: int, leeway: int, year: int) -> None:
    shift = Shift(weeks=round(years * 365.2425 / 7) + leeway)
    assert shift.year(year) == year + years


MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
)
ROMAN = "I II III IV V VI VII VIII IX X XI XII"
ORDERS = ("{d}{s}{m}{s}{y}", "{m}{s}{d}{s}{y}", "{y}{s}{m}{s}{d}", "{d}{s}{m}", "{m} {d}")
CASES = (str, str.upper, str.title, strip_marks)
FRAMES = ("{}", "We met {} here.", "({})", "on {}, at 08:42", "photo_{}.")
YEARS_AND_DAYS = re.compile(r"\d+")


@st.composite
def written_dates(draw: st.DrawFn) -> tuple[date, str]:
    """A day and how somebody may have written it, month in words, with a separator or glued."""
    day = draw(st.dates(date(1990, 1, 1), date(2039, 12, 31)))
    case = draw(st.sampled_from(CASES))
    month = case(draw(st.sampled_from(MONTHS)).split()[day.month - 1])
    year = draw(st.sampled_from((f"{day:%Y}", f"{day:%y}", f"'{day:%y}")))
    number = draw(st.sampled_from((f"{day.day}", f"{day.day:02}")))
    separator = draw(st.sampled_from(("", " ", "-", "/", ".", ", ", "_", ". ")))
    order = draw(st.sampled_from(ORDERS))
    if draw(st.booleans()):
        month = ROMAN.split()[day.month - 1]
        order, separator = ORDERS[0], draw(st.sampled_from(" ./-"))
    text = order.format(d=number, m=month, y=year, s=separator)
    return day, draw(st.sampled_from(FRAMES)).format(text)


@given(written_dates(), SHIFTS)
def test_no_date_comes_back_with_its_true_year_or_day(
    written: tuple[date, str], shift: Shift
) -> None:
    day, text = written
    result = shift_text(text, shift, day)
    if result is None:
        return
    numbers = [int(each) for each in YEARS_AND_DAYS.findall(result.replace("08:42", ""))]
    moved = shift.day(day)
    assert result != text or (moved.month, moved.day) == (day.month, day.day)
    true = {day.year, day.day, day.year % 100} - {moved.year, moved.day}
    assert true.isdisjoint(numbers)


NUMERIC = ("%d/%m/%y", "%d.%m.%y", "%d-%m-%Y", "%d %m %Y", "%d_%m_%Y", "%Y %m %d", "%d%m%Y", "%x")


@given(st.dates(date(1990, 1, 1), date(2039, 12, 31)), st.sampled_from(NUMERIC), SHIFTS)
def test_no_date_in_digits_comes_back(day: date, form: str, shift: Shift) -> None:
    result = shift_text(f"seen {day.strftime(form)} here", shift, day)
    moved = shift.day(day)
    assert result is None or result in {
        f"seen {moved.strftime(each)} here" for each in (form, "%m/%d/%Y", "%m-%d-%Y")
    }
