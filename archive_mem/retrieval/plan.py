"""From a question to a plan: when, where, with whom, what kind, what to do, and which tier."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from anonymize.compose import excerpt, join, word
from archive_mem.retrieval.anchors import Anchor, read_anchor
from archive_mem.retrieval.calendar import Window
from archive_mem.retrieval.times import Recurring, read_times
from archive_mem.retrieval.wording import (
    Grouping,
    Operation,
    read_grouping,
    read_kind,
    read_operation,
    read_scenario,
    read_tier,
)
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.media import MediaKind
from archive_mem.schema.qa import Tier
from archive_mem.schema.safe import SafeText

__all__ = ["Anchor", "Known", "Plan", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the archive holds that a question may name.

    places: cities, countries, regions and labels, as the records write them
    people: placeholders, such as "Friend A"
    home: city of most records, None when there is none
    home_country: country of most records, None when there is none
    homes: year -> city and country of most records of that year, since people move
    home_code: ISO 3166 alpha-2 of the home country, None when it is not known
    southern: home lies south of the equator
    """

    places: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    home: str | None = None
    home_country: str | None = None
    homes: Mapping[int, tuple[str | None, str | None]] = field(default_factory=dict)
    home_code: str | None = None
    southern: bool = False

    def home_in(self, year: int | None) -> tuple[str | None, str | None]:
        """City and country of the home in a year."""
        return self.homes.get(year or 0, (self.home, self.home_country))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A question, read.

    text: the question as it came
    topic: what is left when times, known places and people are taken out: what it is about
    sought: what is searched for: the question without people, whose names would find what is
        said to them rather than of them, and without the event that it is dated by
    asked_at: wall clock of the question
    windows: any of these times
    recurring: and these returning times
    places: names known in the archive
    elsewhere: names after "in" or "at" that the archive does not know as places
    abroad: outside the home country
    at_home: in the home city
    people: placeholders named
    scenario: one of ten, None when the question does not say
    kind: photo or video, None for either
    operation: what to do with what is found
    grouping: what is counted or listed
    anchor: an event to date it by, None when there is none
    tier: T1, T2 or T3 by its words
    place_words, people_words: places and people as safe text, for searching
    time_spans: characters of `text` that name the windows and the recurring times
    window_spans: characters of `text` that name each window
    """

    text: SafeText
    topic: SafeText
    sought: SafeText
    asked_at: datetime
    windows: tuple[Window, ...]
    recurring: Recurring
    places: tuple[str, ...]
    elsewhere: tuple[SafeText, ...]
    abroad: bool
    at_home: bool
    people: tuple[str, ...]
    scenario: Scenario | None
    kind: MediaKind | None
    operation: Operation
    grouping: Grouping
    anchor: Anchor | None
    tier: Tier
    place_words: tuple[SafeText, ...]
    people_words: tuple[SafeText, ...]
    time_spans: tuple[tuple[int, int], ...]
    window_spans: tuple[tuple[int, int], ...] = ()


def plan(question: SafeText, asked_at: datetime, known: Known) -> Plan:
    """Read a question. Same question, same plan; what is not understood stays in the topic."""
    text = question.value
    times = read_times(text, asked_at, southern=known.southern, country=known.home_code)
    anchor = _own_anchor(question, times.spans)
    dated_by = [] if anchor is None else [anchor.span]
    windows = [
        (window, span)
        for window, span in zip(times.windows, times.window_spans, strict=True)
        if not _within(span, dated_by)
    ]
    asking = text if anchor is None else f"{text[: anchor.span[0]]}\n{text[anchor.span[1] :]}"
    people = tuple(_named(asking, known.people))
    places = tuple(_named(asking, known.places))
    named = [span for name in people for span in _spans(text, name)]
    placed = [span for name in places for span in _spans(text, name)]
    cut = [*dated_by, *times.spans, *named, *placed]
    rest = _meant(_without(question, cut))
    return Plan(
        text=question,
        topic=rest,
        sought=_meant(_without(question, [*dated_by, *named])),
        asked_at=asked_at,
        windows=tuple(window for window, _ in windows),
        recurring=times.recurring,
        places=places,
        elsewhere=tuple(_unknown_places(question, cut)),
        abroad=_ABROAD.search(text.casefold()) is not None,
        at_home=_AT_HOME.search(text.casefold()) is not None,
        people=people,
        scenario=read_scenario(text),
        kind=read_kind(text),
        operation=read_operation(rest.value),
        grouping=read_grouping(text),
        anchor=anchor,
        tier=read_tier(text),
        place_words=_words_of(question, places),
        people_words=_words_of(question, people),
        time_spans=times.spans,
        window_spans=tuple(span for _, span in windows),
    )


_ABROAD = re.compile(
    r"\babroad\b|\boverseas\b|\boutside (?:of )?my (?:home )?country\b|\bforeign countr"
    r"|国外|海外|出国|外国"
)
_AT_HOME = re.compile(
    r"\bat home\b|\bin my home ?town\b|\bin my (?:own )?city\b"
    r"|在家(?!乡)|自宅|地元|家で|うちで|家里"
)
_PROPER = re.compile(
    r"\b(?:in|at|from|near|around|to|visit(?:ed)?)\s+((?:[A-Z][\w'’-]+)(?:\s+[A-Z][\w'’-]+)*)"
)


_TURNED = re.compile(
    r"\bturn(?:ed|ing|s)? (?:\d{1,3}|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b",
    re.IGNORECASE,
)


def _meant(text: SafeText) -> SafeText:
    """Who "turned thirty" had a birthday, which is what a note would say."""
    return join(" ", [text, word("birthday")]) if _TURNED.search(text.value) else text


def _own_anchor(question: SafeText, times: Sequence[tuple[int, int]]) -> Anchor | None:
    """None where the event is a time itself, such as "before the summer of 2023"."""
    anchor = read_anchor(question)
    if anchor is None:
        return None
    start, end = anchor.span
    left = _without(question, [(0, start), *times, (end, len(question.value))]).value
    return anchor if _TELLING.search(left.casefold()) else None


_TELLING = re.compile(
    r"(?!(?:before|after|since|following|the|my|our|in|during|within|over|of|day|night|morning"
    r"|evening|week|month|year)s?\b)\b[a-z]{2,}|[^\x00-\x7f]{2,}"
)


def _within(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def _named(text: str, names: Iterable[str]) -> Iterator[str]:
    """Names that stand in the text as whole words, longer ones first."""
    lowered = text.casefold()
    for name in sorted(set(names), key=lambda each: (-len(each), each)):
        if name.casefold() in lowered and any(_spans(text, name)):
            yield name


def _spans(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a name stands as whole words; scripts without spaces need no edges."""
    edge = r"(?<!\w)" if name[:1].isascii() else ""
    tail = r"(?:['’]s)?(?!\w)" if name[-1:].isascii() else ""
    for match in re.finditer(f"{edge}{re.escape(name)}{tail}", text, re.IGNORECASE):
        yield match.span()


def _words_of(question: SafeText, names: Iterable[str]) -> tuple[SafeText, ...]:
    """Each name as it stands in the question."""
    first = (next(_spans(question.value, name)) for name in names)
    return tuple(excerpt(question, start, end) for start, end in first)


def _without(text: SafeText, spans: Sequence[tuple[int, int]]) -> SafeText:
    """The text with the spans cut out."""
    pieces, position = [], 0
    for start, end in sorted(spans):
        if start > position:
            pieces.append(excerpt(text, position, start))
        position = max(position, end)
    pieces.append(excerpt(text, position, len(text.value)))
    return join(" ", [_trimmed(piece) for piece in pieces])


def _trimmed(text: SafeText) -> SafeText:
    value = text.value
    start = len(value) - len(value.lstrip())
    return excerpt(text, start, max(len(value.rstrip()), start))


def _unknown_places(text: SafeText, cut: Sequence[tuple[int, int]]) -> Iterator[SafeText]:
    for match in _PROPER.finditer(text.value):
        start, end = match.span(1)
        if not any(start < stop and begin < end for begin, stop in cut):
            yield excerpt(text, start, end)
