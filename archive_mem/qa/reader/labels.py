"""Labels in a reply: [3], [1, 4], [2-5]. Invented ones are dropped and counted; pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from archive_mem.qa.reader.context import Context
from archive_mem.schema.qa import Evidence

__all__ = ["Cited", "cited", "known_labels", "plain_segments"]

_LABELS = re.compile(
    r"\s*\[\s*(?P<all>#?\d{1,6}(?:\s*(?:,|;|and|&|-|–|to)\s*#?\d{1,6})*)\s*\]", re.IGNORECASE
)
_RANGE = re.compile(r"#?(\d+)\s*(?:-|–|to)\s*#?(\d+)|#?(\d+)", re.IGNORECASE)
_WIDEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A reply with its labels read.

    text: with labels that count the evidence from 1
    evidence: in order of use
    labels: of the context, those that are there, in order of use
    invented: how many labels stood for nothing
    """

    text: str
    evidence: tuple[Evidence, ...]
    labels: tuple[int, ...]
    invented: int


def cited(text: str, context: Context) -> Cited:
    """The reply with every label checked against the context."""
    evidence: dict[tuple[str, str], tuple[int, Evidence]] = {}
    labels: dict[int, None] = {}
    invented = 0

    def renumbered(found: re.Match[str]) -> str:
        nonlocal invented
        known, unknown = known_labels(_numbers(found["all"]), context)
        invented += unknown
        labels.update(dict.fromkeys(known))
        proofs = [each for label in known for each in context.passage(label).proof]
        numbers = [_place(evidence, each) for each in proofs]
        return " " + "".join(f"[{n}]" for n in dict.fromkeys(numbers)) if numbers else ""

    told = _LABELS.sub(renumbered, text).strip()
    return Cited(
        text=told,
        evidence=tuple(each for _, each in evidence.values()),
        labels=tuple(labels),
        invented=invented,
    )


def known_labels(numbers: Sequence[int], context: Context) -> tuple[list[int], int]:
    """Those of a passage, each once, and how many are of none."""
    known = [each for each in dict.fromkeys(numbers) if context.has(each)]
    return known, sum(not context.has(each) for each in numbers)


def plain_segments(text: str, change: Callable[[str], str]) -> str:
    """The text with everything but its labels changed."""
    pieces, start = [], 0
    for found in _LABELS.finditer(text):
        pieces += [change(text[start : found.start()]), found.group()]
        start = found.end()
    return "".join([*pieces, change(text[start:])])


def _place(evidence: dict[tuple[str, str], tuple[int, Evidence]], each: Evidence) -> int:
    key = (each.item_id, each.quote.value)
    return evidence.setdefault(key, (len(evidence) + 1, each))[0]


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for first, last, single in _RANGE.findall(text):
        if single:
            numbers.append(int(single))
        else:
            numbers += range(int(first), min(int(last), int(first) + _WIDEST) + 1)
    return numbers
