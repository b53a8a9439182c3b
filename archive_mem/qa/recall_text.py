"""Text seen in pictures: rows of it, and the row that a question asks for. Pure."""

import re
from collections.abc import Sequence

from anonymize.compose import join
from archive_mem.index.words import query_words, stem
from archive_mem.retrieval.topic import telling_words
from archive_mem.schema.annotation import OcrLine
from archive_mem.schema.safe import SafeText

__all__ = ["answering_rows", "asks_figure", "rows", "says_figure"]

_AMOUNT = re.compile(
    r"\bhow much\b|\bprice\b|\bcosts?\b|\btotal\b|\bamount\b|\bnumber\b|\bscore\b|\btime\b|\bseat\b"
    r"|\bgate\b|\bplatform\b|\bwhat time\b|多少|价|几号|いくら|値段|何番|何時"
)
_TOTAL = re.compile(r"\btotal\b|\bsum\b|\bamount\b|\baltogether\b|\bin all\b|合計|合计|总")
_PAID = re.compile(r"\bhow much\b|\bcosts?\b|\bpaid\b|\bpay\b|\bspen[dt]\b|多少钱|いくら")
_ID = re.compile(r"\b(?:what|which) (?:\w+ )?number\b|何番|几号")
_FIGURES = tuple(
    (re.compile(asked), re.compile(said, re.IGNORECASE))
    for asked, said in (
        (
            r"\bhow (?:hot|cold|warm|cool)\b|\btemperature\b|多热|多冷|何度|温度",
            r"\d ?(?:[°º] ?[cf]?|c|f|degrees|度)(?!\w)",
        ),
        (
            r"\bhow (?:far|high|tall|deep|wide)\b|\bdistance\b|\bheight\b|多远|多高|距離|高さ",
            r"\d ?(?:k?m|cm|mi|ft|miles?|(?:kilo|centi)?met(?:re|er)s?|feet)(?!\w)"
            r"|\d ?(?:公里|米|キロ|メートル)",
        ),
        (
            r"\bhow heavy\b|\bweigh(?:t|s|ed)?\b|多重|重さ|体重",
            r"\d ?(?:kg|g|lbs?|oz|kilos?|grams?|公斤|克|キロ|グラム)(?!\w)",
        ),
        (
            r"\b(?:medicines?|medications?|pills?|tablets?|dos(?:e|es|age)|drugs?|prescri\w+)\b"
            r"|什么药|何の薬|どの薬",
            r"\d ?(?:mg|ml|µg|mcg|iu)(?!\w)|\b(?:tablet|capsule)s?\b|毫克|錠",
        ),
        (r"\bwhat (?:percent\w*|share)\b|百分之几|何パーセント", r"\d ?[%％]"),
    )
)
"""What a question asks a figure of, and how such a figure is written."""
_SHOWN = 8


def asks_figure(question: str) -> bool:
    """True for "how hot" and the like, whose answer is a figure with its unit."""
    return any(asked.search(question.casefold()) for asked, _ in _FIGURES)


def says_figure(question: str, text: str) -> bool:
    """True where the text has a figure of the unit that the question asks for."""
    lowered = question.casefold()
    return any(asked.search(lowered) and said.search(text) for asked, said in _FIGURES)


def rows(lines: Sequence[OcrLine]) -> list[SafeText]:
    """Lines at the same height as one row, from left to right; rows from top to bottom.

    A menu's dish and its price are two lines of one row.
    """
    grouped: list[list[OcrLine]] = []
    for line in sorted(lines, key=lambda each: each.box[1] + each.box[3] / 2):
        if grouped and _same_height(grouped[-1][-1], line):
            grouped[-1].append(line)
        else:
            grouped.append([line])
    ordered = (sorted(row, key=lambda each: each.box[0]) for row in grouped)
    return [join(" ", [line.text for line in row]) for row in ordered]


def answering_rows(question: str, lines: Sequence[OcrLine]) -> tuple[list[SafeText], float]:
    """Rows that answer, and how well (0 to 2); all rows (up to 8) at 0 when none stands out."""
    found = rows(lines)
    scored = [(_score(question, row.value), -place) for place, row in enumerate(found)]
    best = max(scored, default=(0.0, 0))
    if best[0] <= 0:
        return found[:_SHOWN], 0.0
    return [found[-place] for score, place in scored if score >= best[0] - 1e-9][:3], best[0]


def _is_number(row: str) -> bool:
    """A number that stands for itself, such as that of a runner or a locker; no time, no price."""
    letters = [letter for letter in row if letter.isalnum()]
    return (
        len(letters) > 1 and all(letter.isdigit() for letter in letters) and not _MARKS & set(row)
    )


_MARKS = frozenset(":.,/")


def _same_height(first: OcrLine, second: OcrLine) -> bool:
    top = max(first.box[1], second.box[1])
    bottom = min(first.box[1] + first.box[3], second.box[1] + second.box[3])
    apart = (
        second.box[0] >= first.box[0] + first.box[2]
        or first.box[0] >= second.box[0] + second.box[2]
    )
    return apart and bottom - top > 0.5 * min(first.box[3], second.box[3])


def _score(question: str, row: str) -> float:
    """Share of the question's words in the row; where a number is asked, rows with one alone.

    The total is what is asked for when it is named, or when no row has the question's words.
    """
    lowered = question.casefold()
    if _AMOUNT.search(lowered) and not any(letter.isdigit() for letter in row):
        return 0.0
    asked = {stem(word) for word in telling_words(question)}
    shared = len(asked & {stem(word) for word in query_words(row)}) / max(len(asked), 1)
    if says_figure(lowered, row) or (_ID.search(lowered) and _is_number(row)):
        return shared + 1.0
    if not _TOTAL.search(row.casefold()):
        return shared
    if _TOTAL.search(lowered):
        return shared + 1.0
    return max(shared, 0.1) if _PAID.search(lowered) else shared
