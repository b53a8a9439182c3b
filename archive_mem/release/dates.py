"""Dates inside texts, shifted as the times are; a text whose dates cannot be read is withheld."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

from archive_mem.release.months import (
    FOREIGN,
    FULL,
    HOLIDAY,
    NAMES,
    ORDINAL_WORDS,
    number_of,
    renamed,
)
from archive_mem.release.shift import Shift

__all__ = ["shift_text"]

_NEAR = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Characters start to end, and what stands there after the shift."""

    start: int
    end: int
    text: str


class _Unreadable(Exception):
    """A date is there, but which one cannot be told."""


Values = dict[str, str]
Reading = Callable[[re.Match[str], Shift, date | None], Values]


def shift_text(
    text: str, shift: Shift, anchor: date | None, *, of_that_day: bool = True
) -> str | None:
    """The text with every date shifted; None when one of them may be left, or cannot be read.

    anchor: day of the item or the question; None when it has none
    of_that_day: the text speaks of about that day, which tells the year of "12 May"; of another
    year it would be shifted by a day more or less, so it is not read then
    Relative words ("last year"), weekdays, seasons and times of day stay: the shift keeps them.
    """
    text = _in_plain_digits(text)
    try:
        pieces = list(_pieces(text, shift, anchor, of_that_day))
    except (_Unreadable, ValueError, OverflowError):
        return None
    if _left_over(_blanked(text, pieces), anchor):
        return None
    return "".join(_replaced(text, pieces))


def _in_plain_digits(text: str) -> str:
    """２０２３ and २०२३ as 2023, and é as one letter: the patterns know no other form."""
    whole = unicodedata.normalize("NFC", text)
    return "".join(str(int(char)) if char.isdecimal() else char for char in whole)


def _pieces(text: str, shift: Shift, anchor: date | None, of_that_day: bool) -> Iterator[_Piece]:
    taken: list[tuple[int, int]] = []
    for pattern, reading in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            _refuse_range(text, match)
            if reading is _of_anchor and not of_that_day:
                raise _Unreadable
            _refuse_number_beside(text, match, reading)
            taken.append(match.span())
            for name, value in reading(match, shift, anchor).items():
                yield _Piece(*match.span(name), value)


def _blanked(text: str, pieces: list[_Piece]) -> str:
    """The text without what was read: the same length, so that edges of words stay edges."""
    letters = list(text)
    for piece in pieces:
        letters[piece.start : piece.end] = "¤" * (piece.end - piece.start)
    return "".join(letters)


def _replaced(text: str, pieces: list[_Piece]) -> Iterator[str]:
    edge = _Piece(0, 0, "")
    for before, piece in pairwise([edge, *sorted(pieces, key=lambda each: each.start)]):
        yield text[before.end : piece.start]
        yield piece.text
    yield text[max((piece.end for piece in pieces), default=0) :]


# ------------------------------------------------------------------------------------ reading


def _full(match: re.Match[str], shift: Shift, anchor: date | None) -> Values:
    day = shift.day(date(int(match["y"]), _month(match["m"]), int(match["d"])))
    return {"y": f"{day.year:04}", **_day_month(match, day)}


def _of_slashes(match: re.Match[str], shift: Shift, anchor: date | None) -> Values:
    """12/31/2023 and 31/12/2023 tell which is the month; 3/4/2023 does not."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["y"])
    if first <= 12 and second <= 12 and first != second:
        raise _Unreadable
    month, day = ("a", "b") if first <= 12 else ("b", "a")
    moved = shift.day(date(year, int(match[month]), int(match[day])))
    return {
        month: _like(match[month], moved.month, True),
        day: _like(match[day], moved.day, True),
        "y": f"{moved.year:04}",
    }


def _of_anchor(match: re.Match[str], shift: Shift, anchor: date | None) -> Values:
    """A day without a year is the one that is nearest to the item."""
    if anchor is None:
        raise _Unreadable
    month, day = _month(match["m"]), int(match["d"])
    near = [found for back in (-1, 0, 1) if (found := _date(anchor.year + back, month, day))]
    if not near:
        raise _Unreadable
    return _day_month(match, shift.day(min(near, key=lambda each: abs(each - anchor))))


def _month_year(match: re.Match[str], shift: Shift, anchor: date | None) -> Values:
    year, month = shift.month(int(match["y"]), _month(match["m"]))
    return {"y": f"{year:04}", "m": _month_like(match["m"], month)}


def _bare_month(match: re.Match[str], shift: Shift, anchor: date | None) -> Values:
    if anchor is None:
        raise _Unreadable
    _, month = shift.month(anchor.year, _month(match["m"]))
    return {"m": _month_like(match["m"], month)}


def _year(match: re.Match[str], shift: Shift, anchor: date | None) -> Values:
    """2000 alone is as likely a price as a year."""
    if match["y"] == "2000":
        raise _Unreadable
    return _years(match, shift, anchor)


def _years(match: re.Match[str], shift: Shift, anchor: date | None) -> Values:
    named = {name: value for name, value in match.groupdict().items() if value is not None}
    return {name: f"{shift.year(int(value)):04}" for name, value in named.items()}


def _day_month(match: re.Match[str], day: date) -> Values:
    in_digits = match["m"].isdigit()
    values = {"m": _month_like(match["m"], day.month), "d": _like(match["d"], day.day, in_digits)}
    return {**values, **_ending(match, day.day)}


def _ending(match: re.Match[str], day: int) -> Values:
    """The English ending of the new day: 1st, 22nd."""
    if not match.groupdict().get("nth"):
        return {}
    return {"nth": "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")}


def _month(text: str) -> int:
    return int(text) if text.isdigit() else number_of(text)


def _month_like(old: str, month: int) -> str:
    return _like(old, month, True) if old.isdigit() else renamed(old, month)


def _like(old: str, number: int, in_digits: bool = False) -> str:
    """As wide as it was, where that is a matter of form."""
    padded = old.startswith("0") or (in_digits and len(old) == 2)
    return f"{number:02}" if padded else str(number)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_Y = r"(?P<y>(?:1[89]|20)\d\d)"
_D = r"(?P<d>0?[1-9]|[12]\d|3[01])(?P<nth>st|nd|rd|th)?"
_D_PLAIN = r"(?P<d>0?[1-9]|[12]\d|3[01])"
_M = rf"(?P<m>{NAMES})"
_M_NUMBER = r"(?P<m>0?[1-9]|1[0-2])"
_OF = r"(?:\s*(?:of|de|del|do|du)\s+|\s*)"
_YEAR_UNITS = (
    r"(?!\s*(?:x\s*\d|%|yen\b|euros?\b|dollars?\b|usd\b|eur\b|jpy\b|km\b|m\b|mm\b|cm\b|kg\b|g\b|"
    r"ml\b|kcal\b|cal\b|steps\b|metres?\b|meters?\b|people\b|pieces\b|円|元|원|€|£|¥|\$))"
)
_YEAR = r"(?:1[89]|20)\d\d"
_LEAD = (
    r"(?:in|of|since|last|this|next|every|each|early|late|mid|until|till|before|after|during|from|"
    r"to|by|and|or|between|through|en|de|im|em|seit|depuis|desde)"
)

_PATTERNS: tuple[tuple[re.Pattern[str], Reading], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reading)
    for pattern, reading in (
        (rf"(?<!\d){_Y}[-/.]{_M_NUMBER}[-/.]{_D_PLAIN}(?!\d)", _full),
        (r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?!\d)", _full),
        (rf"(?<!\d){_Y}[.]\s{_M_NUMBER}[.]\s{_D_PLAIN}(?!\d)", _full),
        (rf"{_Y}\s*[年년]\s*{_M_NUMBER}\s*[月월]\s*{_D_PLAIN}\s*[日号號일]", _full),
        (rf"(?<![\w.,]){_D}[.]?{_OF}{_M}[.]?,?{_OF}{_Y}\b", _full),
        (rf"\b{_M}[.]?\s*{_D},?\s+{_Y}\b", _full),
        (rf"(?<![\d.]){_D_PLAIN}[.]\s?{_M_NUMBER}[.]\s?{_Y}\b", _full),
        (rf"(?<![\d/-])(?P<a>\d\d?)(?P<cut>[/-])(?P<b>\d\d?)(?P=cut){_Y}(?!\d)", _of_slashes),
        (rf"{_Y}\s*[年년]\s*{_M_NUMBER}\s*[月월]", _month_year),
        (rf"\b{_M}[.]?,?{_OF}{_Y}\b", _month_year),
        (rf"(?<![\d/.-]){_Y}[-/](?P<m>0[1-9]|1[0-2])(?![-/.\d])", _month_year),
        (rf"(?<!\d){_M_NUMBER}\s*[月월]\s*{_D_PLAIN}\s*[日号號일]", _of_anchor),
        (rf"(?<![\w.,]){_D}[.]?{_OF}{_M}\b", _of_anchor),
        (rf"\b{_M}[.]?\s+{_D}\b(?![:.,]\d)", _of_anchor),
        (r"(?<!\d)(?P<m>0?[1-9]|1[0-2])\s*[月월](?!\d)", _bare_month),
        (rf"(?<!\w)(?P<m>(?!(?:may|march|mars|mai)\b)(?:{FULL}))(?!\w)", _bare_month),
        (rf"\b{_LEAD}\s+(?P<m>may|march|mars|mai)\b(?!\s+(?:be|i|we|you)\b)", _bare_month),
        (rf"(?<![\w,.:/$€£¥#-])(?P<y>{_YEAR})\s?[-–—/]\s?(?P<z>{_YEAR})(?![\w/-])", _years),
        (rf"(?P<y>{_YEAR})\s*[年년]", _years),
        (rf"\b{_LEAD}\s+(?P<y>{_YEAR})(?![\w:/]|[.,]\d|[-–]\d){_YEAR_UNITS}", _years),
        (rf"(?<![\w,.:/$€£¥#-])(?P<y>{_YEAR})(?![\w:/]|[.,]\d|[-–]\d){_YEAR_UNITS}", _year),
    )
)

# ------------------------------------------------------------------- what may still be a date

_REACH = 24
"""So many characters before and after a date can make a range of it."""

_RANGE_BEFORE = re.compile(
    r"(?<![\d:])\d{1,2}(?:st|nd|rd|th|[.])?\s*"
    r"(?:-|–|—|~|〜|/|&|,|to|and|or|bis|und|au|et|al?|y|e|から|到|至)\s*$",
    re.IGNORECASE,
)
_RANGE_AFTER = re.compile(
    r"\s*(?:-|–|—|~|〜|/|&|,|to|and|or|から|到|至)\s*\d{1,2}(?:st|nd|rd|th|日|号|일)?(?![\d:年월月])",
    re.IGNORECASE,
)
_ORDINAL_BEFORE = re.compile(rf"(?:{ORDINAL_WORDS}|\d(?:st|nd|rd|th))\s+(?:of\s+)?$", re.IGNORECASE)


def _refuse_range(text: str, match: re.Match[str]) -> None:
    """Of "12-15 May 2023" only one of the days would be read."""
    if "m" not in match.re.groupindex:
        return
    head = text[max(0, match.start() - _REACH) : match.start()]
    tail = text[match.end() : match.end() + _REACH]
    if _ORDINAL_BEFORE.search(head) or _RANGE_BEFORE.search(head):
        raise _Unreadable
    by_name = not match["m"].isdigit() and "d" in match.re.groupindex
    if by_name and "y" not in match.re.groupindex and _RANGE_AFTER.match(tail):
        raise _Unreadable


_SHORT_YEAR = re.compile(
    r"[\W_]*(?:(?:of|in|de|del|do|du|the|year)\s+)*[\W_]*\d{1,2}(?![\d:])", re.IGNORECASE
)
_DAY_BEFORE = re.compile(r"(?<![\d:])\d{1,2}(?:st|nd|rd|th|er|[ºª])?[\W_]*$", re.IGNORECASE)
_DAY_AFTER = re.compile(r"(?:[\s,_/-]{0,3}|[.])\d{1,2}(?![\d:])")


def _refuse_number_beside(text: str, match: re.Match[str], reading: Reading) -> None:
    """The 23 of "5 Dec 23" would stay, and so would the 12 of "12, December"."""
    if reading is _of_anchor and _SHORT_YEAR.match(text, match.end()):
        raise _Unreadable
    if reading is _bare_month and _DAY_AFTER.match(text, match.end()):
        raise _Unreadable
    by_name = reading in (_bare_month, _month_year, _of_anchor) and not match["m"].isdigit()
    if by_name and _DAY_BEFORE.search(text[max(0, match.start() - _REACH) : match.start()]):
        raise _Unreadable


_ROMAN = r"(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2})"
_CUT = r"[\s._/-]{1,3}"
_NOUNS_OF_ORDINALS = (
    r"(?:floor|time|place|year|birthday|anniversary|century|day|week|month|hour|round|lap|km|class|"
    r"grade|edition|attempt|person|half|quarter|lesson|session|one|try|row|set|gear|street|avenue)"
)
_LEFT: tuple[re.Pattern[str], ...] = (
    HOLIDAY,
    re.compile(
        rf"\d(?:st|nd|rd|th|er|[ºª])?[\W_]*(?:(?:of|de|del|do|du|d)[\W_]+)?"
        rf"(?:{NAMES}|{FOREIGN})(?![^\W\d_](?!\d))",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<![^\W\d_])(?:{NAMES}|{FOREIGN})[\W_]*\d{{1,6}}(?![\d:])", re.IGNORECASE),
    re.compile(rf"(?<![\d.,])\d{{1,2}}\s?[./-]\s?{_ROMAN}(?!\w)"),
    re.compile(rf"(?<!\w){_ROMAN}\s?[./-]\s?\d{{1,2}}(?!\d)"),
    re.compile(rf"(?<!\d)\d{{1,2}}\s{_ROMAN}\s['’]?(?:\d\d|\d{{4}}|¤{{4}})(?![\d¤])"),
    re.compile(r"(?<!\w)(?:MDCCC|MCM|MM)[LXCVI]+(?!\w)", re.IGNORECASE),
    re.compile(rf"(?<!\d)\d{{1,2}}{_CUT}\d{{1,2}}{_CUT}(?:¤{{4}}|\d{{4}}|\d\d)(?![\d¤:])"),
    re.compile(rf"(?<!\d)(?:¤{{4}}|\d{{4}}){_CUT}\d{{1,2}}{_CUT}\d{{1,2}}(?![\d:])"),
    re.compile(r"(?<!\d)(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d(?!\d)"),
    re.compile(
        rf"(?<!\d)(?<!\d[.,])(?<![$€£¥])(?:19[5-9]|20[0-4])\d(?!\d|[.,]\d{{3}}(?!\d)){_YEAR_UNITS}",
        re.IGNORECASE,
    ),
    re.compile(r"(?<![\d.])(?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d(?![\d.])"),
    re.compile(r"(?<!\d)\d{1,2}(?:[.]|st|nd|rd|th)?\s+(?:\w+\s+)?[^\W\d_]{3,}[.]?,?\s+¤{4}(?!¤)"),
    re.compile(r"\b(?:FY|CY|Q[1-4]|H[12])\s?['’]?\d\d\b"),
    re.compile(r"(?<!\d)1\d{9}(?:\d{3})?(?!\d)"),
    re.compile(r"[\u0e00-\u0e7f]\s*25\d\d"),
    re.compile(r"(?<!\w)(?:1[89]|20)\d0s\b"),
    re.compile(r"(?<![\d\w])['’‘]\d\d\b"),
    re.compile(r"(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-]\d{2}(?!\d)"),
    re.compile(r"(?<!\d)\d{1,2}[/-]\d{1,2}[/-]\d{4}(?!\d)"),
    re.compile(r"(?<![\d/.,])(?:[12]?\d|0\d|3[01])/(?:0?[1-9]|1[0-2])(?![\d/])"),
    re.compile(r"(?<![\d/.,])(?:0?[1-9]|1[0-2])/(?:[12]?\d|0\d|3[01])(?![\d/])"),
    re.compile(r"(?<![\d.])(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?!\d)"),
    re.compile(
        rf"\b(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)\b(?!\s+{_NOUNS_OF_ORDINALS})", re.IGNORECASE
    ),
    re.compile(r"\b(?:May|March|MAY|MARCH)\b(?!\s+(?:I|we|you|he|she|they|it|be)\b)"),
    re.compile(r"\b(?:Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec|Dez|Déc)\b"),
    re.compile(r"\b(?:JAN|FEB|APR|JUN|JUL|AUG|SEPT?|OCT|OKT|NOV|DEC|DEZ)\b"),
    re.compile(r"(?:令和|平成|昭和|大正|民國|民国)|\b[RHS]\d{1,2}[./年]\s?\d{1,2}"),
    re.compile(r"[〇零一二三四五六七八九]{4}年|[一二三四五六七八九十]{1,3}月(?!間|间)"),
    re.compile(r"\b(?:twenty|nineteen)[ -](?:twenty|thirty|ten|eleven|twelve|\w+teen|oh|\w+ty)\b"),
    re.compile(r"\btwo thousand\b", re.IGNORECASE),
    re.compile(r"(?:¤{4}|\d{4})-?W\d\d"),
)
_SIX = re.compile(r"(?<!\d)(\d\d)(\d\d)(\d\d)(?!\d)")


def _left_over(text: str, anchor: date | None) -> bool:
    found = any(pattern.search(text) for pattern in _LEFT)
    return found or _near_six(text, anchor) or any(map(_is_season, _TWO_YEARS.finditer(text)))


_TWO_YEARS = re.compile(r"(?<![\d/])(\d\d)/(\d\d)(?![\d/])")


def _is_season(match: re.Match[str]) -> bool:
    """Such as 22/23."""
    return int(match[2]) == int(match[1]) + 1


def _near_six(text: str, anchor: date | None) -> bool:
    """Six digits in a row that are the day of the item itself, in any order."""
    if anchor is None:
        return False
    return any(
        abs(found - anchor) <= _NEAR
        for match in _SIX.finditer(text)
        for form in ("%y%m%d", "%d%m%y", "%m%d%y")
        if (found := _parsed(match.group(), form))
    )


def _parsed(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()  # noqa: DTZ007  a day has no zone
    except ValueError:
        return None
