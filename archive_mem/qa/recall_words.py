"""Plain sentences for recall, made of fixed words and safe parts."""

from collections.abc import Iterable, Sequence
from datetime import date

from anonymize.compose import (
    NOTHING,
    compose,
    excerpt,
    join,
    place_label,
    say_clock,
    say_day,
    say_month,
    say_weekday,
    word,
)
from archive_mem.qa.recall_filter import Counted
from archive_mem.retrieval.wording import Grouping
from archive_mem.schema.media import CaptureTime, MediaKind, Precision
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = [
    "dated_story",
    "group_name",
    "listed",
    "said_place",
    "said_time",
    "short_day",
    "story",
    "when_and_where",
    "who",
]


def said_time(time: CaptureTime | None, *, clock: bool = False, weekday: bool = False) -> SafeText:
    """Such as "on 14 May 2023", as finely as it is known; empty when it is not."""
    if time is None:
        return NOTHING
    if time.precision is Precision.YEAR:
        return compose("in {year}", year=time.local.year)
    if time.precision is Precision.MONTH:
        return compose("in {month}", month=say_month(time.local))
    day = compose("on {day}", day=say_day(time.local.date(), weekday=weekday))
    if clock and time.precision.has_clock:
        return compose("{day} at {clock}", day=day, clock=say_clock(time.local))
    return day


def said_place(record: Record) -> SafeText:
    """Such as "in Kyoto, Japan"; empty when it is not known."""
    if record.place_label is None or not record.place_label.value:
        return NOTHING
    return compose("in {where}", where=record.place_label)


def when_and_where(record: Record) -> SafeText:
    """Such as "on 14 May 2023 in Kyoto, Japan"."""
    return join(" ", [said_time(record.time), said_place(record)])


def dated_story(record: Record) -> SafeText:
    """Such as "on 14 May 2023 in Kyoto, Japan: Ramen with Friend A."."""
    when = when_and_where(record)
    return compose("{when}: {what}", when=when, what=story(record)) if when else story(record)


def who(record: Record) -> SafeText:
    """Such as "with Friend A and Friend B"; else how many faces are seen; else empty."""
    if record.people:
        return compose("with {people}", people=listed(record.people))
    count = None if record.description is None else record.description.people_count
    if not count:
        return NOTHING
    if count == 1:
        return word("one face is seen, nobody is named")
    return compose("{count} faces are seen, nobody is named", count=count)


def story(record: Record) -> SafeText:
    """What the owner says it is, else what was seen: event, context, feelings; else caption."""
    parts: list[SafeText] = []
    if record.objective is not None and record.objective.event:
        parts.append(_ended(record.objective.event))
    if record.subjective is not None:
        parts.extend(_experience(record))
    if not parts and record.inscription:
        parts.append(_ended(record.inscription))
    if not parts and record.description is not None and record.description.caption:
        parts.append(record.description.caption)
    return join(" ", parts) if parts else _kind(record)


def group_name(grouping: Grouping, group: Counted) -> SafeText:
    """The name of what was counted, from the records themselves."""
    record = group.records[0]
    if grouping in (Grouping.CITY, Grouping.COUNTRY):
        return _place_part(record, group.name)
    if grouping is Grouping.PERSON:
        return next(person for person in record.people if person.value == group.name)
    if grouping is Grouping.SCENARIO and record.scenario is not None:
        return compose("{scenario}", scenario=record.scenario)
    return _time_name(grouping, record)


def _place_part(record: Record, name: str) -> SafeText:
    label = record.place_label or NOTHING
    start = label.value.find(name)
    if start >= 0:
        return excerpt(label, start, start + len(name))
    town = None if record.place is None else record.place.place
    whole = NOTHING if town is None else place_label(town)
    start = max(whole.value.find(name), 0)
    return excerpt(whole, start, start + len(name))


def _time_name(grouping: Grouping, record: Record) -> SafeText:
    if record.at is None:
        return word("an unknown time")
    if grouping is Grouping.YEAR:
        return compose("{year}", year=record.at.year)
    if grouping is Grouping.MONTH:
        return say_month(record.at)
    if grouping is Grouping.WEEKDAY:
        return say_weekday(record.at)
    return short_day(record.at)


def listed(parts: Sequence[SafeText]) -> SafeText:
    """Such as "a, b and c"."""
    if len(parts) < 2:
        return join("", parts)
    head, tail = join(", ", parts[:-1]), parts[-1]
    return compose("{head} and {tail}", head=head, tail=tail)


def short_day(day: date | None) -> SafeText:
    """Such as "14 May 2023", or "an unknown day"."""
    if day is None:
        return word("an unknown day")
    return say_day(day)


def _experience(record: Record) -> Iterable[SafeText]:
    layer = record.subjective
    if layer is None:
        return
    if layer.context:
        yield _ended(layer.context)
    if layer.feelings:
        yield compose("Felt {feelings}.", feelings=layer.feelings)
    for preference in layer.preferences:
        yield _ended(preference)


def _ended(text: SafeText) -> SafeText:
    closed = text.value.rstrip().endswith((".", "!", "?", "。", "！", "？"))
    return text if closed else compose("{text}.", text=text)


def _kind(record: Record) -> SafeText:
    return word("A video.") if record.kind is MediaKind.VIDEO else word("A photo.")
