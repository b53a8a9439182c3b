"""An event that a question is dated by is looked up first; then the question has a window."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from archive_mem.retrieval.anchors import Anchor
from archive_mem.retrieval.calendar import Window, day
from archive_mem.retrieval.known import place_names
from archive_mem.retrieval.plan import Plan, plan
from archive_mem.retrieval.search import Found, Search
from archive_mem.retrieval.topic import coverage

__all__ = ["dated"]

_ENOUGH_WORDS = 0.5
_ENOUGH_COSINE = 0.45
_MOVES = re.compile(r"\bmov(?:e|ed|ing)\b|\bsettled\b|\barrived\b|搬到|搬去|引っ越")


def dated(read: Plan, search: Search) -> Plan:
    """The plan with a window by its event; as it was when the archive does not tell of one.

    Where the question names a time too, what both allow is meant; when nothing is, either.
    """
    if read.anchor is None:
        return read
    at = _when(read.anchor, read, search)
    if at is None:
        return read
    try:
        window = read.anchor.window(day(at.date()), read.asked_at)
    except (OverflowError, ValueError):
        return read
    both = [each for each in (_common(window, said) for said in read.windows) if each is not None]
    if both and len(both) == len(read.windows):
        return replace(read, windows=tuple(both))
    return replace(
        read,
        windows=(*read.windows, window),
        window_spans=(*read.window_spans, read.anchor.span),
    )


def _common(first: Window, second: Window) -> Window | None:
    start, end = max(first.start, second.start), min(first.end, second.end)
    return Window(start=start, end=end) if start < end else None


def _when(anchor: Anchor, read: Plan, search: Search) -> datetime | None:
    """A move to a place that the archive knows is its first record; else what tells of it best."""
    told = plan(anchor.text, read.asked_at, search.known())
    if told.places and _MOVES.search(anchor.text.value.casefold()):
        return next(_first_times(told, search), None)
    share = coverage(search, told).share
    found = [each for each in search.search(anchor.text, told, 5) if each.record.at is not None]
    sure = [each for each in found if _tells(each, share.get(each.record.item_id, 0.0))]
    return sure[0].record.at if sure else None


def _tells(found: Found, share: float) -> bool:
    return share >= _ENOUGH_WORDS or dict(found.parts)["dense"] >= _ENOUGH_COSINE


def _first_times(told: Plan, search: Search) -> Iterator[datetime]:
    wanted = {place.casefold() for place in told.places}
    for record in search.archive.records():
        there = wanted & {name.casefold() for name in place_names(record)}
        if there and record.at is not None and record.at <= told.asked_at:
            yield record.at
