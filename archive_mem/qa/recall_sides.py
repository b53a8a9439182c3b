"""The alternatives of a comparison. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from anonymize.compose import excerpt, word
from archive_mem.retrieval.plan import Plan
from archive_mem.retrieval.topic import telling_words
from archive_mem.schema.safe import SafeText

__all__ = ["alternatives", "either"]

_EITHER = re.compile(
    r"(?P<first>[\w'-]+(?:\s+[\w'-]+)?)\s+(?:or|vs\.?|versus|than|and)\s+"
    r"(?P<second>[\w'-]+(?:\s+[\w'-]+)?)",
    re.IGNORECASE,
)


def alternatives(read: Plan) -> list[tuple[SafeText, Plan]]:
    """Each side with the plan that is about it alone: places, people, times, or "tea or coffee"."""
    for names, side in (
        (read.place_words, _of_place),
        (read.people_words, _of_person),
    ):
        if len(names) > 1:
            return [(name, side(read, name)) for name in names]
    if len(read.windows) > 1:
        return list(_of_windows(read))
    return list(_of_words(read))


_ORDER = re.compile(
    r"(?:[,:：，]|\b(?:first|earlier|sooner|later|last)\b)[\s,:]*(?P<first>[^,:?，：？]+?)"
    r"(?:\s*,)?(?:\s+or\s+|\s*还是\s*|[とか])(?P<second>[^?？]+?)(?:、?どちら.*|[?？\s]*)$",
    re.IGNORECASE,
)
_HEAD = re.compile(r"(?:(?:the|my|our|a|an|did|was|i)\s+)+", re.IGNORECASE)


def either(question: SafeText) -> list[SafeText]:
    """The two sides of "which came first, A or B?", as they stand; empty when there are not two."""
    match = _ORDER.search(question.value)
    if match is None:
        return []
    sides = [_without_head(excerpt(question, *match.span(side))) for side in ("first", "second")]
    return sides if all(sides) else []


def _without_head(side: SafeText) -> SafeText:
    match = _HEAD.match(side.value)
    return side if match is None else excerpt(side, match.end(), len(side.value))


def _of_place(read: Plan, name: SafeText) -> Plan:
    return replace(read, places=(name.value,), place_words=(name,))


def _of_person(read: Plan, name: SafeText) -> Plan:
    return replace(read, people=(name.value,), people_words=(name,))


def _of_windows(read: Plan) -> Iterator[tuple[SafeText, Plan]]:
    for window, (start, end) in zip(read.windows, read.window_spans, strict=True):
        yield excerpt(read.text, start, end), replace(read, windows=(window,))


def _of_words(read: Plan) -> Iterator[tuple[SafeText, Plan]]:
    match = _EITHER.search(read.topic.value)
    if match is None:
        return
    for side in ("first", "second"):
        name = _telling_part(read.topic, *match.span(side), last=side == "first")
        if name:
            yield name, replace(read, topic=name)


def _telling_part(topic: SafeText, start: int, end: int, *, last: bool) -> SafeText:
    """The telling word that stands nearest to the "or"."""
    words = telling_words(topic.value[start:end])
    if not words:
        return word("")
    chosen = words[-1] if last else words[0]
    at = topic.value.casefold().find(chosen, start, end)
    return excerpt(topic, at, at + len(chosen)) if at >= 0 else word("")
