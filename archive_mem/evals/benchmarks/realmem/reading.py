"""What an answer says, read without a model: days, numbers, words, yes or no. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from archive_mem.profile.wording import stems, words

__all__ = ["Day", "Said", "read_said", "same_day", "share_of"]

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_STARTS = "|".join(rf"{each[:3]}[a-z]*" for each in _MONTHS)
_MONTH = rf"(?P<month>{_STARTS})\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAYS = [
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b", re.I),
    re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}\b", re.I),
    re.compile(rf"\b{_YEAR}[-/.](?P<number>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?:T[\d:.]+)?\b"),
    re.compile(rf"{_YEAR}\s*年\s*(?P<number>\d{{1,2}})\s*月\s*(?P<day>\d{{1,2}})\s*[日号]"),
    re.compile(rf"\b{_MONTH},?\s+{_YEAR}\b", re.I),
    re.compile(rf"{_YEAR}\s*年\s*(?P<number>\d{{1,2}})\s*月"),
]
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)")
_SPELLED = (
    *(("zero",), ("one", "once"), ("two", "twice"), ("three", "thrice"), ("four",), ("five",)),
    *(("six",), ("seven",), ("eight",), ("nine",), ("ten",), ("eleven",), ("twelve",)),
)
_NUMBER_WORDS = {name: float(value) for value, names in enumerate(_SPELLED) for name in names}
_YES = frozenset({"yes", "yeah", "yep"})
_NO = frozenset({"no", "nope", "never", "none"})


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A calendar day; day is 0 where a month alone was said."""

    year: int
    month: int
    day: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A text, read.

    days: in the order they are said
    numbers: others than those of days, in order
    stems: of the content words and codes such as "14a", without days and numbers
    verdict: True for a text that begins with yes, False with no, None otherwise
    """

    days: tuple[Day, ...]
    numbers: tuple[float, ...]
    stems: frozenset[str]
    verdict: bool | None


def read_said(text: str) -> Said:
    """Read a text."""
    found = sorted(_days(text), key=lambda each: each[0])
    rest = text
    for (start, end), _ in sorted(found, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    first = words(rest)[:1]
    return Said(
        days=tuple(day for _, day in found),
        numbers=tuple(_numbers(rest)),
        stems=frozenset(each for each in stems(rest) if not _is_number(each)),
        verdict=True if set(first) & _YES else False if set(first) & _NO else None,
    )


def same_day(gold: Day, said: Day) -> bool:
    """Equal by calendar day; a month without its day holds every day of it."""
    whole = (gold.year, gold.month) == (said.year, said.month)
    return whole and (gold.day in (0, said.day))


def share_of(wanted: frozenset[str], said: frozenset[str]) -> float:
    """Share of the wanted stems that are said, 1 when none is wanted."""
    return len(wanted & said) / len(wanted) if wanted else 1.0


def _is_number(stem: str) -> bool:
    return stem in _NUMBER_WORDS or not any(each.isalpha() for each in stem)


def _days(text: str) -> Iterator[tuple[tuple[int, int], Day]]:
    """Longer forms first, so that "April 2021" is not read in "10 April 2021"."""
    taken: list[tuple[int, int]] = []
    for pattern in _DAYS:
        for match in pattern.finditer(text):
            start, end = match.span()
            day = _day(match)
            if day is not None and not any(start < stop and begin < end for begin, stop in taken):
                taken.append((start, end))
                yield (start, end), day


def _day(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    name = parts.get("month")
    month = _month(name) if name else int(parts["number"])
    day = int(parts.get("day") or 0)
    if not 1 <= month <= 12 or not 0 <= day <= 31:
        return None
    return Day(int(parts["year"]), month, day)


def _month(name: str) -> int:
    lowered = name.casefold()
    starts = [at for at, full in enumerate(_MONTHS, 1) if full.startswith(lowered)]
    return starts[0] if starts else 0


def _numbers(text: str) -> Iterator[float]:
    pattern = re.compile(rf"{_NUMBER.pattern}|\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
    for match in pattern.finditer(text):
        piece = match.group().casefold()
        yield _NUMBER_WORDS[piece] if piece in _NUMBER_WORDS else _value(piece)


def _value(piece: str) -> float:
    """1,234.5 and 89,90 alike: the last mark is the decimal one unless three digits follow."""
    head, mark, tail = _cut(piece)
    plain = re.sub(r"[.,]", "", head)
    return float(f"{plain}.{tail}") if mark and len(tail) != 3 else float(plain + tail)


def _cut(piece: str) -> tuple[str, str, str]:
    at = max(piece.rfind("."), piece.rfind(","))
    return (piece, "", "") if at < 0 else (piece[:at], piece[at], piece[at + 1 :])
