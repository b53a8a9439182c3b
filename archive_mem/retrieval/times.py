"""Words about time, in English, Chinese and Japanese, as windows relative to when it is asked."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from archive_mem.retrieval.calendar import (
    HOLIDAYS,
    SEASONS,
    Window,
    day,
    latest,
    month,
    months_back,
    season,
    week,
    year,
)

__all__ = ["Recurring", "TimeWords", "read_times"]

_FAR_PAST = datetime(1800, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurring:
    """Times that come back; empty means any.

    months: 1 to 12
    weekdays: 0 for Monday
    hours: 0 to 23
    """

    months: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()
    hours: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.months or self.weekdays or self.hours)

    def holds(self, at: datetime) -> bool:
        """True when month, weekday and hour all fit."""
        return (
            (not self.months or at.month in self.months)
            and (not self.weekdays or at.weekday() in self.weekdays)
            and (not self.hours or at.hour in self.hours)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """What a question says about time.

    windows: in the order of the question
    recurring: such as Saturdays, mornings, every May
    spans: (start, end) of the characters that said so
    """

    windows: tuple[Window, ...]
    recurring: Recurring
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    window: Window
    ranged: bool = False
    wide: bool = False


_Reading = Callable[[re.Match[str], datetime], Window | Sequence[Window]]

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()  # noqa: SIM905
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "couple": 2,
    "few": 3,
    "several": 4,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "几": 3,
    "数": 3,
}
_UNITS = {
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year",
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "週間": "week",
    "个月": "month",
    "か月": "month",
    "ヶ月": "month",
    "ヵ月": "month",
    "カ月": "month",
    "年": "year",
}
_SEASON_WORDS = {
    **{name: name for name in SEASONS},
    "fall": "autumn",
    "春": "spring",
    "夏": "summer",
    "秋": "autumn",
    "冬": "winter",
}
_HOLIDAY_WORDS = {
    "christmas eve": "christmas eve",
    "christmas": "christmas",
    "xmas": "christmas",
    "new year's eve": "new year's eve",
    "new year": "new year",
    "valentine": "valentine",
    "halloween": "halloween",
    "independence day": "independence day",
    "fourth of july": "independence day",
    "4th of july": "independence day",
    "thanksgiving": "thanksgiving",
    "easter": "easter",
    "golden week": "golden week",
    "obon": "obon",
    "lunar new year": "lunar new year",
    "chinese new year": "lunar new year",
    "spring festival": "lunar new year",
    "圣诞": "christmas",
    "クリスマス": "christmas",
    "春节": "lunar new year",
    "元旦": "new year",
    "国庆": "national day",
    "正月": "new year",
    "お盆": "obon",
    "ゴールデンウィーク": "golden week",
    "ハロウィン": "halloween",
    "万圣节": "halloween",
    "情人节": "valentine",
    "バレンタイン": "valentine",
    "感恩节": "thanksgiving",
    "大晦日": "new year's eve",
}
_HOURS = {
    "morning": range(5, 12),
    "afternoon": range(12, 17),
    "evening": range(17, 22),
    "night": (*range(20, 24), *range(5)),
    "早上": range(5, 12),
    "上午": range(5, 12),
    "下午": range(12, 17),
    "晚上": range(17, 24),
    "朝": range(5, 11),
    "午後": range(12, 17),
    "夜": range(18, 24),
}


def _any(words: Iterable[str]) -> str:
    """A pattern for any of the words, longer ones first: "christmas eve" before "christmas"."""
    return "|".join(sorted(words, key=len, reverse=True))


_MONTH = rf"(?P<month>{'|'.join(f'{name}|{name[:3]}[.]?' for name in _MONTHS)}|sept[.]?)"
_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_YEAR = r"(?P<year>(?:18|19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(word for word in _NUMBERS if word.isascii())})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_COUNT_CJK = r"(?P<count>\d{1,3}|[一二两三四五六七八九十几数])"
_HOLIDAY = _any(_HOLIDAY_WORDS)
_EDGE = r"(?<![\w'])"


def read_times(text: str, asked_at: datetime) -> TimeWords:
    """Every stretch of time that the question names; a date that does not exist is left out."""
    lowered = text.casefold() if len(text.casefold()) == len(text) else text
    found = _narrowest(_joined(lowered, list(_atoms(lowered, asked_at)), asked_at))
    recurring, spans = _recurring(lowered, [(each.start, each.end) for each in found])
    return TimeWords(
        windows=tuple(each.window for each in found if not each.wide),
        recurring=recurring,
        spans=tuple(sorted([*((each.start, each.end) for each in found), *spans])),
    )


def _narrowest(found: list[_Found]) -> list[_Found]:
    """Of "last summer on 2 August" the day: what holds another window says nothing more."""

    def wide(each: _Found) -> bool:
        return any(
            other.window != each.window
            and each.window.start <= other.window.start
            and other.window.end <= each.window.end
            for other in found
        )

    return [replace(each, wide=wide(each)) for each in found]


def _atoms(text: str, asked_at: datetime) -> Iterator[_Found]:
    taken: list[_Found] = []
    for pattern, reading in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < each.end and each.start < match.end() for each in taken):
                continue
            windows = _safely(reading, match, asked_at)
            taken.extend(_Found(match.start(), match.end(), window) for window in windows)
    yield from sorted(taken, key=lambda each: each.start)


def _safely(reading: _Reading, match: re.Match[str], asked_at: datetime) -> Sequence[Window]:
    try:
        found = reading(match, asked_at)
        return [found] if isinstance(found, Window) else found
    except (ValueError, OverflowError, IndexError):
        return []  # 31 February, or a year that no calendar has: the words were not a date


def _joined(text: str, atoms: list[_Found], asked_at: datetime) -> list[_Found]:
    """Ranges ("from May to July") become one window; "since", "before", "after" open one."""
    joined: list[_Found] = []
    for atom in atoms:
        before = joined[-1] if joined else None
        if before is not None and _is_range(text, before, atom):
            window = before.window.until(atom.window)
            joined[-1] = _Found(before.start, atom.end, window, ranged=True)
        else:
            joined.append(atom)
    return [atom if atom.ranged else _opened(text, atom, asked_at) for atom in joined]


_BETWEEN = re.compile(r"(?:to|until|till|through|thru|-|–|—|到|至|から)\s*(?:the\s+)?")
_OPENING = re.compile(r"(?:between|from)\s+(?:the\s+)?")


def _is_range(text: str, first: _Found, second: _Found) -> bool:
    middle = text[first.end : second.start].strip()
    if _BETWEEN.fullmatch(middle):
        return True
    opened = re.search(r"between\s+(?:the\s+)?$", text[: first.start])
    return middle == "and" and opened is not None


_BEFORE = re.compile(r"(?:\bbefore|\buntil|\bprior to|\bby)\s+(?:the\s+)?$")
_AFTER = re.compile(r"\bafter\s+(?:the\s+)?$")
_SINCE = re.compile(r"(?:\bsince|\bfrom)\s+(?:the\s+)?$|从$")
_BEFORE_CJK = re.compile(r"\s*(?:之前|以前|より前|の前|まで)")
_AFTER_CJK = re.compile(r"\s*(?:之后|以后|より後|の後|以降|以来|から)")


def _opened(text: str, atom: _Found, asked_at: datetime) -> _Found:
    head, tail = text[: atom.start], text[atom.end :]
    window = atom.window
    if _BEFORE.search(head) or _BEFORE_CJK.match(tail):
        window = Window(start=_FAR_PAST, end=atom.window.start)
    elif _AFTER.search(head):
        window = Window(start=atom.window.end, end=max(asked_at, atom.window.end))
    elif _SINCE.search(head) or _AFTER_CJK.match(tail):
        window = Window(start=atom.window.start, end=max(asked_at, atom.window.end))
    return _Found(atom.start, atom.end, window)


def _recurring(text: str, taken: list[tuple[int, int]]) -> tuple[Recurring, list[tuple[int, int]]]:
    months: set[int] = set()
    weekdays: set[int] = set()
    hours: set[int] = set()
    spans = []
    for match in _RECURRING.finditer(text):
        if any(match.start() < end and start < match.end() for start, end in taken):
            continue
        months.update(_months_of(match))
        weekdays.update(_weekdays_of(match))
        hours.update(_HOURS.get(match["hours"] or match["hours_cjk"] or "", ()))
        spans.append(match.span())
    found = Recurring(
        months=frozenset(months), weekdays=frozenset(weekdays), hours=frozenset(hours)
    )
    return found, spans


_RECURRING = re.compile(
    rf"(?:every|each|on)\s+(?P<weekday>{'|'.join(_WEEKDAYS)})s?\b"
    rf"|\b(?P<weekdays>{'|'.join(_WEEKDAYS)})s\b"
    rf"|\b(?P<bare>{'|'.join(_WEEKDAYS)})\b"
    r"|(?:every|each|on|at|during)\s+(?:the\s+)?(?P<weekend>weekend)s?\b|\b(?P<weekends>weekends)\b"
    rf"|(?:every|each)\s+(?P<month>{'|'.join(_MONTHS)})\b"
    rf"|(?:every|each)\s+{_SEASON}\b"
    r"|\b(?:in|during|on)?\s*(?:the\s+)?(?P<hours>morning|afternoon|evening|night)s?\b"
    r"|(?P<hours_cjk>早上|上午|下午|晚上|午後)|(?P<weekend_cjk>周末|週末)"
)


def _months_of(match: re.Match[str]) -> list[int]:
    if match["month"]:
        return [_MONTHS.index(match["month"]) + 1]
    if match["season"]:
        first = SEASONS[_SEASON_WORDS[match["season"]]]
        return [(first + offset - 1) % 12 + 1 for offset in range(3)]
    return []


def _weekdays_of(match: re.Match[str]) -> list[int]:
    name = match["weekday"] or match["weekdays"] or match["bare"]
    if name:
        return [_WEEKDAYS.index(name)]
    return [5, 6] if match["weekend"] or match["weekends"] or match["weekend_cjk"] else []


def _month_number(name: str) -> int:
    return next(i for i, known in enumerate(_MONTHS, 1) if known.startswith(name.rstrip(".")[:3]))


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _full_date(match: re.Match[str], asked_at: datetime) -> Window:
    return day(date(int(match["year"]), _month_number(match["month"]), int(match["day"])))


def _numeric_date(match: re.Match[str], asked_at: datetime) -> Window:
    return day(date(int(match["year"]), int(match["month"]), int(match["day"])))


def _day_of_month(match: re.Match[str], asked_at: datetime) -> Window:
    name = match["month"]
    number = int(name) if name.isdigit() else _month_number(name)
    return latest(lambda y: day(date(y, number, int(match["day"]))), asked_at, over=False)


def _month_of_year(match: re.Match[str], asked_at: datetime) -> Window:
    name = match["month"]
    return month(int(match["year"]), int(name) if name.isdigit() else _month_number(name))


def _bare_month(match: re.Match[str], asked_at: datetime) -> Window:
    name, head = match["month"], match.groupdict().get("which") or ""
    number = int(name) if name.isdigit() else _month_number(name)
    return latest(lambda y: month(y, number), asked_at, over="last" in head)


def _season_of_year(match: re.Match[str], asked_at: datetime) -> Sequence[Window]:
    """Winter of a year may be the one that begins in it or the one that ends in it."""
    name, number = _SEASON_WORDS[match["season"]], int(match["year"])
    years = (number - 1, number) if name == "winter" else (number,)
    return [season(name, each) for each in years]


def _each_holiday(match: re.Match[str], asked_at: datetime) -> Sequence[Window]:
    of_year = HOLIDAYS[_HOLIDAY_WORDS[match["holiday"] or match["holiday_zh"]]]
    every = [of_year(asked_at.year - back) for back in range(_YEARS_OF_HOLIDAYS)]
    return [window for window in reversed(every) if window.start <= asked_at]


def _ordinal_day(match: re.Match[str], asked_at: datetime) -> Window:
    number, month_number = _ORDINALS.index(match["ordinal"]) + 1, _month_number(match["month"])
    if match["year"]:
        return day(date(int(match["year"]), month_number, number))
    return latest(lambda y: day(date(y, month_number, number)), asked_at, over=False)


def _near_season(match: re.Match[str], asked_at: datetime) -> Window:
    name = _SEASON_WORDS[match["season"]]
    return latest(lambda y: season(name, y), asked_at, over="last" in (match["which"] or ""))


def _cjk_season(match: re.Match[str], asked_at: datetime) -> Window:
    back = _YEARS_BACK.get(match["which"], 0)
    return season(_SEASON_WORDS[match["season"]], asked_at.year - back)


def _holiday(match: re.Match[str], asked_at: datetime) -> Window:
    of_year = HOLIDAYS[_HOLIDAY_WORDS[match["holiday"]]]
    if match["year"]:
        return of_year(int(match["year"]))
    if match["which"] in _YEARS_BACK:
        return of_year(asked_at.year - _YEARS_BACK[match["which"]])
    return latest(of_year, asked_at, over="last" in (match["which"] or ""))


def _whole_year(match: re.Match[str], asked_at: datetime) -> Window:
    return year(int(match["year"]))


def _near_period(match: re.Match[str], asked_at: datetime) -> Window:
    back = 0 if match["which"] == "this" else 1
    return _period(match["unit"], asked_at, back)


def _period(unit: str, asked_at: datetime, back: int) -> Window:
    today = asked_at.date()
    if unit == "day":
        return day(today - timedelta(days=back))
    if unit == "week":
        return week(today - timedelta(weeks=back))
    if unit == "month":
        then = months_back(today.replace(day=1), back)
        return month(then.year, then.month)
    return year(today.year - back)


def _ago(match: re.Match[str], asked_at: datetime) -> Window:
    unit, count = _UNITS[match["unit"]], _number(match["count"])
    if unit == "week":
        middle = asked_at.date() - timedelta(weeks=count)
        return day(middle - timedelta(days=2)).until(day(middle + timedelta(days=2)))
    return _period(unit, asked_at, count)


def _past_stretch(match: re.Match[str], asked_at: datetime) -> Window:
    unit, count = _UNITS[match["unit"]], _number(match["count"] or "one")
    days = {"day": count, "week": 7 * count}.get(unit)
    months = count * (12 if unit == "year" else 1)
    first = (
        months_back(asked_at.date(), months)
        if days is None
        else asked_at.date() - timedelta(days=days)
    )
    return Window(start=day(first).start, end=asked_at)


def _last_weekday(match: re.Match[str], asked_at: datetime) -> Window:
    back = (asked_at.weekday() - _WEEKDAYS.index(match["weekday"])) % 7 or 7
    return day(asked_at.date() - timedelta(days=back))


def _last_weekend(match: re.Match[str], asked_at: datetime) -> Window:
    saturday = asked_at.date() - timedelta(days=(asked_at.weekday() - 5) % 7 or 7)
    return day(saturday).until(day(saturday + timedelta(days=1)))


def _days_back(match: re.Match[str], asked_at: datetime) -> Window:
    return day(asked_at.date() - timedelta(days=_DAYS_BACK[match["word"]]))


def _last_night(match: re.Match[str], asked_at: datetime) -> Window:
    evening = day(asked_at.date() - timedelta(days=1)).start + timedelta(hours=18)
    return Window(start=evening, end=evening + timedelta(hours=12))


def _periods_back(match: re.Match[str], asked_at: datetime) -> Window:
    unit, back = _PERIODS_BACK[match["word"]]
    return _period(unit, asked_at, back)


def _year_and_month_back(match: re.Match[str], asked_at: datetime) -> Window:
    return month(asked_at.year - _YEARS_BACK[match["which"]], int(match["month"]))


_DAYS_BACK = {
    "today": 0,
    "yesterday": 1,
    "the day before yesterday": 2,
    "今天": 0,
    "昨天": 1,
    "前天": 2,
    "今日": 0,
    "昨日": 1,
    "一昨日": 2,
    "おととい": 2,
    "きのう": 1,
}
_PERIODS_BACK = {
    "上周": ("week", 1),
    "上星期": ("week", 1),
    "这周": ("week", 0),
    "先週": ("week", 1),
    "今週": ("week", 0),
    "上个月": ("month", 1),
    "上月": ("month", 1),
    "这个月": ("month", 0),
    "先月": ("month", 1),
    "今月": ("month", 0),
    "去年": ("year", 1),
    "今年": ("year", 0),
    "前年": ("year", 2),
    "昨年": ("year", 1),
    "一昨年": ("year", 2),
    "おととし": ("year", 2),
}
_YEARS_BACK = {"去年": 1, "昨年": 1, "今年": 0, "前年": 2, "一昨年": 2}

_YEARS_OF_HOLIDAYS = 60
_UNITS_OF_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
)
_ORDINALS = [
    *_UNITS_OF_ORDINALS,
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
    *(f"twenty-{unit}" for unit in _UNITS_OF_ORDINALS),
    *("thirtieth", "thirty-first"),
]
_ORDINAL = _any(_ORDINALS)
_YEARS_BACK_WORDS = "|".join(_YEARS_BACK)
_LEADS = ("in", "of", "since", "before", "after", "until", "between", "and", "to", "from", "during")
_AFTER_LEAD = "|".join(rf"(?<=\b{lead} )" for lead in (*_LEADS, "early", "late", "mid"))


_PATTERNS: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)", _numeric_date),
        (r"(?P<year>\d{4})年\s*(?P<month>\d\d?)月\s*(?P<day>\d\d?)[日号]", _numeric_date),
        (rf"{_EDGE}{_DAY}\s+(?:of\s+)?{_MONTH},?\s+(?:of\s+)?{_YEAR}\b", _full_date),
        (
            rf"{_EDGE}(?P<ordinal>{_ORDINAL})\s+(?:of\s+)?{_MONTH}(?![\w'])(?:,?\s+{_YEAR}\b)?",
            _ordinal_day,
        ),
        (
            rf"(?:(?:{_EDGE}(?:every|each)\s+|(?<=\bmany ))(?P<holiday>{_HOLIDAY})(?:e?s)?(?![\w'])"
            rf"|每年(?:的)?(?P<holiday_zh>{_HOLIDAY}))",
            _each_holiday,
        ),
        (rf"{_EDGE}{_MONTH}\s+{_DAY},?\s+{_YEAR}\b", _full_date),
        (r"(?P<year>\d{4})年(?:的)?\s*(?P<season>[春夏秋冬])(?:天|季)?", _season_of_year),
        (r"(?P<year>\d{4})年\s*(?P<month>\d\d?)月", _month_of_year),
        (rf"(?P<which>{_YEARS_BACK_WORDS})の?的?(?P<season>[春夏秋冬])(?:天|季)?", _cjk_season),
        (rf"(?P<which>{_YEARS_BACK_WORDS})の?的?(?P<month>\d\d?)月", _year_and_month_back),
        (
            rf"(?:(?P<which>last|this|{_YEARS_BACK_WORDS})の?的?\s*)?(?P<holiday>{_HOLIDAY})"
            rf"(?:'s)?(?:\s+day)?(?:\s+(?:of\s+|in\s+)?{_YEAR}\b)?",
            _holiday,
        ),
        (rf"{_EDGE}{_MONTH}(?:\s+of)?,?\s+{_YEAR}\b", _month_of_year),
        (
            rf"{_EDGE}{_SEASON}(?:\s+of)?\s+{_YEAR}\b",
            _season_of_year,
        ),
        (r"(?<!\d)(?P<month>\d\d?)月\s*(?P<day>\d\d?)[日号]", _day_of_month),
        (rf"{_EDGE}{_DAY}\s+(?:of\s+)?{_MONTH}\b", _day_of_month),
        (rf"{_EDGE}{_MONTH}\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?!\d)", _day_of_month),
        (rf"{_EDGE}{_COUNT}\s+(?:of\s+)?{_UNIT}\s+ago\b", _ago),
        (rf"{_COUNT_CJK}(?P<unit>天|日|周|星期|週間|个月|か月|ヶ月|ヵ月|カ月|年)前", _ago),
        (
            rf"{_EDGE}(?:past|last|previous)\s+(?:{_COUNT}\s+(?:of\s+)?){_UNIT}\b",
            _past_stretch,
        ),
        (rf"{_EDGE}past\s+(?P<count>)(?P<unit>day|week|month|year)\b", _past_stretch),
        (
            rf"(?:最近|过去|過去){_COUNT_CJK}(?P<unit>天|日|周|週間|个月|か月|ヶ月|年)",
            _past_stretch,
        ),
        (rf"{_EDGE}last\s+{_WEEKDAY}\b", _last_weekday),
        (rf"{_EDGE}last\s+weekend\b", _last_weekend),
        (rf"{_EDGE}last\s+night\b", _last_night),
        (
            rf"{_EDGE}(?P<which>last|this)\s+{_SEASON}\b",
            _near_season,
        ),
        (
            rf"(?<=\bin )(?P<which>the\s+)?{_SEASON}\b",
            _near_season,
        ),
        (rf"{_EDGE}(?P<which>last|this)\s+(?P<unit>week|month|year)\b", _near_period),
        (rf"(?P<word>{_any(_DAYS_BACK)})", _days_back),
        (rf"(?P<word>{_any(_PERIODS_BACK)})", _periods_back),
        (rf"{_EDGE}(?:(?P<which>last|this)\s+|{_AFTER_LEAD}){_MONTH}(?![\w'])", _bare_month),
        (r"(?<![\d年])(?P<month>\d\d?)月(?!\d)", _bare_month),
        (r"(?<!\d)(?P<year>(?:18|19|20)\d\d)年", _whole_year),
        (rf"(?<![\w,.:/$€£¥-]){_YEAR}(?![\w:/]|[.,]\d|-\d)", _whole_year),
    )
)
