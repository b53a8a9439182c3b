"""Words about time, in English, Chinese and Japanese, as windows relative to when it is asked."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from archive_mem.retrieval.calendar import (
    SEASONS,
    Window,
    beside,
    day,
    holidays_of,
    latest,
    month,
    months_back,
    season,
    week,
    year,
)

__all__ = ["COUNT", "COUNT_CJK", "Recurring", "TimeWords", "read_count", "read_times"]

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
    window_spans: (start, end) of the characters that said so, one a window
    recurring: such as Saturdays, mornings, every May
    spans: (start, end) of all characters that speak of time
    """

    windows: tuple[Window, ...]
    window_spans: tuple[tuple[int, int], ...]
    recurring: Recurring
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    window: Window
    ranged: bool = False
    wide: bool = False


@dataclass(frozen=True, slots=True)
class _Now:
    """When and where it is asked."""

    at: datetime
    southern: bool = False
    country: str | None = None

    def holidays(self) -> Mapping[str, Callable[[int], Window]]:
        return holidays_of(self.country)


_Reading = Callable[[re.Match[str], _Now], Window | Sequence[Window]]

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
    "mid-autumn festival": "mid-autumn",
    "mid-autumn": "mid-autumn",
    "moon festival": "mid-autumn",
    "中秋": "mid-autumn",
    "national day": "national day",
    "canada day": "national day",
    "australia day": "national day",
    "bastille day": "national day",
    "boxing day": "boxing day",
    "good friday": "good friday",
    "labor day": "labour day",
    "labour day": "labour day",
    "may day": "labour day",
    "劳动节": "labour day",
    "五一": "labour day",
    "mother's day": "mother's day",
    "母亲节": "mother's day",
    "母の日": "mother's day",
    "father's day": "father's day",
    "父亲节": "father's day",
    "父の日": "father's day",
    "children's day": "children's day",
    "儿童节": "children's day",
    "こどもの日": "children's day",
    "黄金周": "golden week",
    "复活节": "easter",
    "イースター": "easter",
    "平安夜": "christmas eve",
    "除夕": "lunar new year",
    "跨年": "new year's eve",
    "年末年始": "new year",
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
    "早晨": range(5, 10),
    "清晨": range(4, 8),
    "夜里": (*range(21, 24), *range(5)),
    "午前": range(5, 12),
    "夕方": range(15, 19),
    "夜中": (*range(22, 24), *range(5)),
    "晩": range(18, 24),
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
_YEAR_AFTER = _YEAR.replace("year", "year_en")
_YEAR_CJK = r"(?P<year>\d{4}|[〇零一二三四五六七八九]{4}|(?:令和|平成|昭和)(?:\d\d?|元))年"
_MONTH_CJK = r"(?P<month>\d\d?|十[一二]?|[一二三四五六七八九])月"
_DAY_CJK = r"(?P<day>\d\d?|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(word for word in _NUMBERS if word.isascii())})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
COUNT_CJK = r"(?P<count>\d{1,3}|[一二两三四五六七八九十几数])"
_HOLIDAY = _any(_HOLIDAY_WORDS)
_EDGE = r"(?<![\w'])"


def read_times(
    text: str, asked_at: datetime, *, southern: bool = False, country: str | None = None
) -> TimeWords:
    """Every stretch of time that the question names; a date that does not exist is left out.

    southern: seasons as south of the equator
    country: whose holidays are meant, ISO 3166 alpha-2
    """
    lowered = text.casefold() if len(text.casefold()) == len(text) else text
    now = _Now(asked_at, southern, country)
    found = _narrowest(_joined(lowered, list(_atoms(lowered, now)), asked_at))
    recurring, spans = _recurring(lowered, [(each.start, each.end) for each in found], southern)
    said = [each for each in found if not each.wide]
    return TimeWords(
        windows=tuple(each.window for each in said),
        window_spans=tuple((each.start, each.end) for each in said),
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


def _atoms(text: str, now: _Now) -> Iterator[_Found]:
    taken: list[_Found] = []
    for pattern, reading in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < each.end and each.start < match.end() for each in taken):
                continue
            windows = _safely(reading, match, now)
            taken.extend(_Found(match.start(), match.end(), window) for window in windows)
    yield from sorted(taken, key=lambda each: each.start)


def _safely(reading: _Reading, match: re.Match[str], now: _Now) -> Sequence[Window]:
    try:
        found = reading(match, now)
        return [found] if isinstance(found, Window) else found
    except (ValueError, OverflowError, IndexError, KeyError):
        return []  # 31 February, or a year that no calendar has: the words were not a date


def _joined(text: str, atoms: list[_Found], asked_at: datetime) -> list[_Found]:
    """Ranges ("from May to July") become one window; "since", "before", "after" open one."""
    joined: list[_Found] = []
    for atom in atoms:
        before = joined[-1] if joined else None
        if before is not None and _is_range(text, before, atom):
            window = _begun_before(before.window, atom.window).until(atom.window)
            joined[-1] = _Found(before.start, atom.end, window, ranged=True)
        else:
            joined.append(atom)
    return [atom if atom.ranged else _opened(text, atom, asked_at) for atom in joined]


def _begun_before(first: Window, second: Window) -> Window:
    """Begin of "between Christmas and New Year 2024": the Christmas before it."""
    if first.start <= second.start:
        return first
    for number in (second.start.year, second.start.year - 1):
        moved = first.start.replace(day=min(first.start.day, 28), year=number)
        moved += timedelta(days=first.start.day - moved.day)
        if moved <= second.start:
            return Window(start=moved, end=moved + (first.end - first.start))
    return first


_BETWEEN = re.compile(r"(?:to|until|till|through|thru|-|–|—|到|至|から|と|和|跟)\s*(?:the\s+)?")


def _is_range(text: str, first: _Found, second: _Found) -> bool:
    middle = text[first.end : second.start].strip()
    if middle in ("と", "和", "跟"):
        return re.match(r"\s*(?:の間|之间|間)", text[second.end :]) is not None
    if _BETWEEN.fullmatch(middle):
        return True
    opened = re.search(r"between\s+(?:the\s+)?$", text[: first.start])
    return middle == "and" and opened is not None


_BEFORE = re.compile(r"(?:\bbefore|\buntil|\bprior to|\bby)\s+(?:the\s+)?$")
_AFTER = re.compile(r"\bafter\s+(?:the\s+)?$")
_SINCE = re.compile(r"(?:\bsince|\bfrom)\s+(?:the\s+)?$|从$")
_BEFORE_CJK = re.compile(r"\s*(?:之前|以前|より前|の前|まで)")
_AFTER_CJK = re.compile(r"\s*(?:之后|以后|より後|の後|以降|以来|から)")


_OFFSET = re.compile(
    rf"(?P<whole>(?:in|during|within|over)\s+the\s+)?(?:\bthe\s+)?(?:\b{COUNT}\s+(?:of\s+)?)?"
    rf"\b{_UNIT}\s+(?P<side>before|after)\s+(?:the\s+)?$"
)
_OFFSET_CJK = re.compile(
    rf"(?:节|節)?(?:的|の)?(?:(?P<side>前|后|後){COUNT_CJK}(?P<unit>天|日|周|星期|个月|月|年)"
    rf"|{COUNT_CJK.replace('count', 'many')}(?P<unit_ja>日|週間|か月|ヶ月|年)(?P<side_ja>前|後)"
    r"|(?P<next>第二天|翌日|次の日|隔天)|(?P<last>前日|前の日))"
)


def _shifted(text: str, atom: _Found) -> _Found | None:
    """Such as "the day after Christmas", "two weeks before 14 May", クリスマスの翌日."""
    head = _OFFSET.search(text[: atom.start])
    if head is not None:
        count = read_count(head["count"] or "one")
        whole = bool(head["whole"]) or (head["count"] is None and head["unit"] != "day")
        before = head["side"] == "before"
        window = beside(atom.window, count, head["unit"], before=before, whole=whole)
        return _Found(head.start(), atom.end, window, ranged=True)
    tail = _OFFSET_CJK.match(text, atom.end)
    if tail is None:
        return None
    count = read_count(tail["count"] or tail["many"] or "one")
    unit = _UNITS.get(tail["unit"] or tail["unit_ja"] or "天", "month")
    before = (tail["side"] or tail["side_ja"]) == "前" or bool(tail["last"])
    window = beside(atom.window, count, unit, before=before)
    return _Found(atom.start, tail.end(), window, ranged=True)


def _shifted_safely(text: str, atom: _Found) -> _Found | None:
    try:
        return _shifted(text, atom)
    except (OverflowError, ValueError):
        return None  # before the first year of the calendar


def _opened(text: str, atom: _Found, asked_at: datetime) -> _Found:
    head, tail = text[: atom.start], text[atom.end :]
    window = atom.window
    shifted = _shifted_safely(text, atom)
    if shifted is not None:
        return shifted
    if _BEFORE.search(head) or _BEFORE_CJK.match(tail):
        window = Window(start=_FAR_PAST, end=atom.window.start)
    elif _AFTER.search(head):
        window = Window(start=atom.window.end, end=max(asked_at, atom.window.end))
    elif _SINCE.search(head) or _AFTER_CJK.match(tail):
        window = Window(start=atom.window.start, end=max(asked_at, atom.window.end))
    return _Found(atom.start, atom.end, window)


def _recurring(
    text: str, taken: list[tuple[int, int]], southern: bool
) -> tuple[Recurring, list[tuple[int, int]]]:
    months: set[int] = set()
    weekdays: set[int] = set()
    hours: set[int] = set()
    spans = []
    for match in _RECURRING.finditer(text):
        if any(match.start() < end and start < match.end() for start, end in taken):
            continue
        months.update(_months_of(match, southern))
        weekdays.update(_weekdays_of(match))
        hours.update(_HOURS.get(match["hours"] or match["hours_cjk"] or match["hour_ja"] or "", ()))
        hours.update(range(12) if match["noon"] == "before" else ())
        hours.update(range(12, 24) if match["noon"] == "after" else ())
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
    r"|\b(?P<noon>before|after)\s+noon\b|\b(?P<workdays>weekdays|working days)\b"
    r"|(?:每个?|毎)?(?:周|星期|礼拜)(?P<weekday_zh>[一二三四五六日天])|毎?週?(?P<weekday_ja>[月火水木金土日])曜日?"
    r"|(?P<hours_cjk>早上|早晨|清晨|上午|下午|晚上|夜里|午後|午前|夕方|夜中)|(?P<weekend_cjk>周末|週末)"
    r"|(?:毎|の|、)(?P<hour_ja>朝|夜|晩)|(?<![一-龠])(?P<workdays_cjk>工作日|平日)"
    r"|(?:每年|每个|毎年)?(?:的|の)?(?P<season_cjk>[春夏秋冬])(?:天|季|には|に)"
)


def _months_of(match: re.Match[str], southern: bool) -> list[int]:
    if match["month"]:
        return [_MONTHS.index(match["month"]) + 1]
    name = match["season"] or match["season_cjk"]
    if name:
        first = SEASONS[_SEASON_WORDS[name]] + (6 if southern else 0)
        return [(first + offset - 1) % 12 + 1 for offset in range(3)]
    return []


def _weekdays_of(match: re.Match[str]) -> list[int]:
    name = match["weekday"] or match["weekdays"] or match["bare"]
    if name:
        return [_WEEKDAYS.index(name)]
    cjk = match["weekday_zh"] or match["weekday_ja"]
    if cjk:
        return [_WEEKDAYS_CJK[cjk]]
    if match["workdays"] or match["workdays_cjk"]:
        return [0, 1, 2, 3, 4]
    return [5, 6] if match["weekend"] or match["weekends"] or match["weekend_cjk"] else []


_WEEKDAYS_CJK = {
    **dict(zip("月火水木金土日", range(7), strict=True)),
    **dict(zip("一二三四五六天", range(7), strict=True)),
}


def _month_number(name: str) -> int:
    return next(i for i, known in enumerate(_MONTHS, 1) if known.startswith(name.rstrip(".")[:3]))


def _month_of(name: str) -> int:
    if name.isascii():
        return int(name) if name.isdigit() else _month_number(name)
    return read_count(name)


_day_of = _month_of
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}


def _year_number(word: str) -> int:
    """Such as 2023, 二〇二三, or 令和5."""
    era = _ERAS.get(word[:2])
    if era is not None:
        return era + (1 if word[2:] == "元" else int(word[2:]))
    return int("".join(str(_DIGITS.get(letter, letter)) for letter in word))


_DIGITS = {"〇": 0, "零": 0, **dict(zip("一二三四五六七八九", range(1, 10), strict=True))}


def read_count(word: str) -> int:
    """Such as 3, three, 三, 十二, 三十一."""
    if word.isdigit() and word.isascii():
        return int(word)
    if "十" in word and len(word) > 1:
        tens, _, ones = word.partition("十")
        return 10 * (_NUMBERS[tens] if tens else 1) + (_NUMBERS[ones] if ones else 0)
    return _NUMBERS[word]


def _full_date(match: re.Match[str], now: _Now) -> Window:
    return day(date(_year_number(match["year"]), _month_of(match["month"]), _day_of(match["day"])))


def _numeric_date(match: re.Match[str], now: _Now) -> Window:
    return day(date(_year_number(match["year"]), _month_of(match["month"]), _day_of(match["day"])))


def _day_of_month(match: re.Match[str], now: _Now) -> Window:
    name = match["month"]
    number = _month_of(name)
    return latest(lambda y: day(date(y, number, _day_of(match["day"]))), now.at, over=False)


def _month_of_year(match: re.Match[str], now: _Now) -> Window:
    name = match["month"]
    return month(_year_number(match["year"]), _month_of(name))


def _bare_month(match: re.Match[str], now: _Now) -> Window:
    name, head = match["month"], match.groupdict().get("which") or ""
    number = _month_of(name)
    return latest(lambda y: month(y, number), now.at, over="last" in head)


def _season_of_year(match: re.Match[str], now: _Now) -> Sequence[Window]:
    """Winter of a year may be the one that begins in it or the one that ends in it."""
    name, number = _SEASON_WORDS[match["season"]], _year_number(match["year"])
    crosses = season(name, number, southern=now.southern).end > year(number).end
    years = (number - 1, number) if crosses else (number,)
    return [season(name, each, southern=now.southern) for each in years]


def _each_holiday(match: re.Match[str], now: _Now) -> Sequence[Window]:
    of_year = now.holidays()[_HOLIDAY_WORDS[match["holiday"] or match["holiday_zh"]]]
    every = [of_year(now.at.year - back) for back in range(_YEARS_OF_HOLIDAYS)]
    return [window for window in reversed(every) if window.start <= now.at]


def _ordinal_day(match: re.Match[str], now: _Now) -> Window:
    number, month_number = _ORDINALS.index(match["ordinal"]) + 1, _month_number(match["month"])
    if match["year"]:
        return day(date(_year_number(match["year"]), month_number, number))
    return latest(lambda y: day(date(y, month_number, number)), now.at, over=False)


def _near_season(match: re.Match[str], now: _Now) -> Window:
    name = _SEASON_WORDS[match["season"]]
    over = "last" in (match["which"] or "")
    return latest(lambda y: season(name, y, southern=now.southern), now.at, over=over)


def _cjk_season(match: re.Match[str], now: _Now) -> Window:
    back = _YEARS_BACK.get(match["which"], 0)
    name = _SEASON_WORDS[match["season"]]
    return season(name, now.at.year - back, southern=now.southern)


def _holiday(match: re.Match[str], now: _Now) -> Window:
    of_year = now.holidays()[_HOLIDAY_WORDS[match["holiday"]]]
    number = match["year"] or match["year_en"]
    if number:
        return of_year(_year_number(number))
    if match["back"]:
        return of_year(now.at.year - (match["back"] == "last"))
    if match["which"] in _YEARS_BACK:
        return of_year(now.at.year - _YEARS_BACK[match["which"]])
    return latest(of_year, now.at, over="last" in (match["which"] or ""))


def _whole_year(match: re.Match[str], now: _Now) -> Window:
    return year(_year_number(match["year"]))


def _near_period(match: re.Match[str], now: _Now) -> Window:
    back = 0 if match["which"] == "this" else 1
    return _period(match["unit"], now.at, back)


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


def _ago(match: re.Match[str], now: _Now) -> Window:
    unit, count = _UNITS[match["unit"]], read_count(match["count"])
    if unit == "week":
        middle = now.at.date() - timedelta(weeks=count)
        return day(middle - timedelta(days=2)).until(day(middle + timedelta(days=2)))
    return _period(unit, now.at, count)


def _past_stretch(match: re.Match[str], now: _Now) -> Window:
    unit, count = _UNITS[match["unit"]], read_count(match["count"] or "one")
    days = {"day": count, "week": 7 * count}.get(unit)
    months = count * (12 if unit == "year" else 1)
    first = (
        months_back(now.at.date(), months) if days is None else now.at.date() - timedelta(days=days)
    )
    return Window(start=day(first).start, end=now.at)


def _last_weekday(match: re.Match[str], now: _Now) -> Window:
    back = (now.at.weekday() - _WEEKDAYS.index(match["weekday"])) % 7 or 7
    return day(now.at.date() - timedelta(days=back))


def _last_weekend(match: re.Match[str], now: _Now) -> Window:
    saturday = now.at.date() - timedelta(days=(now.at.weekday() - 5) % 7 or 7)
    return day(saturday).until(day(saturday + timedelta(days=1)))


def _days_back(match: re.Match[str], now: _Now) -> Window:
    return day(now.at.date() - timedelta(days=_DAYS_BACK[match["word"]]))


def _last_night(match: re.Match[str], now: _Now) -> Window:
    evening = day(now.at.date() - timedelta(days=1)).start + timedelta(hours=18)
    return Window(start=evening, end=evening + timedelta(hours=12))


def _periods_back(match: re.Match[str], now: _Now) -> Window:
    unit, back = _PERIODS_BACK[match["word"]]
    return _period(unit, now.at, back)


def _half_year_ago(match: re.Match[str], now: _Now) -> Window:
    return _period("month", now.at, 7).until(_period("month", now.at, 5))


def _this_morning(match: re.Match[str], now: _Now) -> Window:
    start = day(now.at.date()).start + timedelta(hours=4)
    return Window(start=start, end=start + timedelta(hours=8))


def _weekday_of_week(match: re.Match[str], now: _Now) -> Window:
    monday = week(now.at.date()).start.date()
    back = 7 if match["which"] in ("上", "先") else 0
    return day(monday + timedelta(days=_WEEKDAYS_CJK[match["weekday"]] - back))


def _part(match: re.Match[str], now: _Now) -> Window:
    """The first, the middle or the last third of a month or year."""
    back = 1 if match["which"] == "last" else 0
    number = _year_number(match["year"]) if match["year"] else now.at.year - back
    whole = month(number, _month_of(match["month"])) if match["month"] else year(number)
    third = (whole.end - whole.start) / 3
    place = _THIRDS[match["part"]]
    first, last = day((whole.start + place * third).date()), whole.start + (place + 1) * third
    return Window(start=first.start, end=whole.end if place == 2 else day(last.date()).end)


_THIRDS = {
    **dict.fromkeys(("early", "start of", "beginning of"), 0),
    **dict.fromkeys(("mid", "middle of"), 1),
    **dict.fromkeys(("late", "end of"), 2),
}


def _year_and_month_back(match: re.Match[str], now: _Now) -> Window:
    return month(now.at.year - _YEARS_BACK[match["which"]], _month_of(match["month"]))


_DAYS_BACK = {
    "today": 0,
    "yesterday": 1,
    "the day before yesterday": 2,
    "今天": 0,
    "昨天": 1,
    "前天": 2,
    "大前天": 3,
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
    "上礼拜": ("week", 1),
    "本周": ("week", 0),
    "先々週": ("week", 2),
    "先々月": ("month", 2),
    "上上周": ("week", 2),
    "上上个月": ("month", 2),
    "本月": ("month", 0),
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
        (
            rf"{_EDGE}(?P<part>early|late|start of|beginning of|end of|middle of|mid)[\s-]+"
            rf"(?:in\s+)?(?:{_MONTH}\s+)?(?:{_YEAR}|(?P<which>last|this)\s+year)\b",
            _part,
        ),
        (r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)", _numeric_date),
        (rf"{_YEAR_CJK}\s*{_MONTH_CJK}\s*{_DAY_CJK}", _numeric_date),
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
        (rf"{_YEAR_CJK}(?:的|の)?\s*(?P<season>春(?!节)|[夏秋冬])(?:天|季)?", _season_of_year),
        (rf"{_YEAR_CJK}(?:的|の)?\s*{_MONTH_CJK}", _month_of_year),
        (
            rf"(?P<which>{_YEARS_BACK_WORDS})の?的?(?P<season>春(?!节)|[夏秋冬])(?:天|季)?",
            _cjk_season,
        ),
        (rf"(?P<which>{_YEARS_BACK_WORDS})の?的?{_MONTH_CJK}", _year_and_month_back),
        (
            rf"(?:(?P<which>last|this|{_YEARS_BACK_WORDS})の?的?\s*|(?P<year_cjk>{_YEAR_CJK})(?:的|の)?)?"
            rf"(?P<holiday>{_HOLIDAY})(?:'s)?(?:节|節)?(?:\s+day)?"
            rf"(?:\s+(?:of\s+|in\s+)?(?:{_YEAR_AFTER}\b|(?P<back>last|this)\s+year\b))?",
            _holiday,
        ),
        (rf"{_EDGE}{_MONTH}(?:\s+of)?,?\s+{_YEAR}\b", _month_of_year),
        (
            rf"{_EDGE}{_SEASON}(?:\s+of)?\s+{_YEAR}\b",
            _season_of_year,
        ),
        (rf"(?<![\d年十]){_MONTH_CJK}\s*{_DAY_CJK}", _day_of_month),
        (rf"{_EDGE}{_DAY}\s+(?:of\s+)?{_MONTH}\b", _day_of_month),
        (rf"{_EDGE}{_MONTH}\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?!\d)", _day_of_month),
        (r"半年前|half a year ago", _half_year_ago),
        (rf"{_EDGE}{COUNT}\s+(?:of\s+)?{_UNIT}\s+ago\b", _ago),
        (rf"(?<!の){COUNT_CJK}(?P<unit>天|日|周|星期|週間|个月|か月|ヶ月|ヵ月|カ月|年)前", _ago),
        (
            r"(?P<which>上|这|本)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])",
            _weekday_of_week,
        ),
        (r"(?P<which>先|今)週の?(?P<weekday>[月火水木金土日])曜日?", _weekday_of_week),
        (r"(?P<which>上|先)个?(?:周末|週末)", _last_weekend),
        (r"今朝|今早|今天早上", _this_morning),
        (r"昨晚|昨夜|昨天晚上|ゆうべ", _last_night),
        (rf"{_EDGE}this\s+morning\b", _this_morning),
        (
            rf"{_EDGE}(?:past|last|previous)\s+(?:{COUNT}\s+(?:of\s+)?){_UNIT}\b",
            _past_stretch,
        ),
        (rf"{_EDGE}past\s+(?P<count>)(?P<unit>day|week|month|year)\b", _past_stretch),
        (
            rf"(?:最近|过去|過去){COUNT_CJK}(?P<unit>天|日|周|週間|个月|か月|ヶ月|年)",
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
        (
            r"(?<![\d〇零一二三四五六七八九])"
            r"(?P<year>(?:18|19|20)\d\d|[一二][〇零一二三四五六七八九]{3}|(?:令和|平成|昭和)(?:\d\d?|元))年",
            _whole_year,
        ),
        (rf"(?<![\w,.:/$€£¥-]){_YEAR}(?![\w:/]|[.,]\d|-\d)", _whole_year),
    )
)
