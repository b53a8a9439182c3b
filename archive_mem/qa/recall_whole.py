"""Answers from many records: counts, lists, firsts, lasts, most, how often. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from anonymize.compose import compose, join, word
from archive_mem.qa.recall_filter import Counted, grouped, occasions, trips
from archive_mem.qa.recall_one import tell_one
from archive_mem.qa.recall_words import (
    dated_story,
    group_name,
    listed,
    said_time,
    short_day,
    when_and_where,
)
from archive_mem.retrieval.plan import Plan
from archive_mem.retrieval.wording import Grouping, Operation, asks_trips, read_field
from archive_mem.schema.media import MediaKind
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["WHOLE", "Told", "compared", "tell_all"]

_PLAIN = frozenset({Grouping.OCCASION, Grouping.ITEM, Grouping.DAY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An answer and the records it stands on, in order of use."""

    text: SafeText
    records: tuple[Record, ...]


def tell_all(read: Plan, records: Sequence[Record]) -> Told | None:
    """The answer by the plan's operation; None when these records cannot give it."""
    told = WHOLE[read.operation](read, records) if records else None
    return None if told is None else _with_end(read, told)


def _with_end(read: Plan, told: Told) -> Told:
    """With its first or last day, for "how many times, and when was the first?"."""
    match = _AND_WHEN.search(read.text.value)
    times = [record.time for record in told.records if record.time is not None]
    if match is None or read.operation not in _COUNTING or not times:
        return told
    first = match["end"].casefold() == "first"
    ends = sorted(times, key=lambda time: time.local)
    day = said_time(ends[0] if first else ends[-1])
    which = word("the first") if first else word("the last")
    return replace(
        told, text=compose("{told}; {which} {day}", told=told.text, which=which, day=day)
    )


_COUNTING = frozenset({Operation.COUNT, Operation.HOW_OFTEN, Operation.LIST})
_AND_WHEN = re.compile(
    r"\band (?:when|on (?:what|which) (?:day|date)) .{0,30}\b(?P<end>first|last|latest)\b",
    re.IGNORECASE,
)


def compared(sides: Sequence[tuple[SafeText, Sequence[Record]]]) -> Told:
    """Which of the alternatives happened on more occasions."""
    ordered = sorted(sides, key=lambda side: -len(occasions(side[1])))
    counts = [
        compose("{name}: {times}", name=name, times=_times(len(occasions(found))))
        for name, found in ordered
    ]
    most, second = (len(occasions(found)) for _, found in ordered[:2])
    head = word("as often") if most == second else ordered[0][0]
    return Told(
        text=compose("{head} ({counts})", head=head, counts=join("; ", counts)),
        records=tuple(record for _, found in ordered for record in found),
    )


def _count(read: Plan, records: Sequence[Record]) -> Told:
    if asks_trips(read.text.value):
        return _counted_groups(trips(records), word("trip"), word("trips"), records)
    if read.grouping is Grouping.ITEM:
        return Told(text=_number(len(records), *_item_words(read)), records=tuple(records))
    if read.grouping is Grouping.OCCASION:
        return _counted_groups(occasions(records), word("time"), word("times"), records)
    if read.grouping is Grouping.DAY:
        return _counted_groups(occasions(records), word("day"), word("days"), records)
    return _counted_names(read, records)


def _item_words(read: Plan) -> tuple[SafeText, SafeText]:
    if read.kind is MediaKind.VIDEO:
        return word("video"), word("videos")
    if read.kind is MediaKind.PHOTO:
        return word("photo"), word("photos")
    return word("item"), word("items")


def _counted_groups(
    groups: Sequence[Counted], one: SafeText, many: SafeText, records: Sequence[Record]
) -> Told:
    days = [when_and_where(group.records[0]) for group in groups]
    text = compose(
        "{number}: {days}", number=_number(len(groups), one, many), days=listed(_filled(days))
    )
    return Told(text=text, records=tuple(records))


def _counted_names(read: Plan, records: Sequence[Record]) -> Told:
    """The distinct names for "how many cities"; a number for each of "in each year"."""
    groups = grouped(records, read.grouping)
    if read.grouping in _TIME_GROUPS:
        return _per_group(read, records)
    names = [group_name(read.grouping, group) for group in groups]
    text = compose("{number}: {names}", number=len(groups), names=listed(names))
    return Told(text=text, records=tuple(records))


_TIME_GROUPS = frozenset({Grouping.YEAR, Grouping.MONTH, Grouping.WEEKDAY})


def _list(read: Plan, records: Sequence[Record]) -> Told:
    if read.grouping not in _PLAIN:
        return _per_group(read, records)
    told = [dated_story(group.records[0]) for group in occasions(records)]
    return Told(text=join("; ", told), records=tuple(records))


def _per_group(read: Plan, records: Sequence[Record]) -> Told:
    groups = grouped(records, read.grouping)
    if read.grouping in _TIME_GROUPS:
        groups = sorted(groups, key=lambda group: group.name)
    told = [
        compose(
            "{name}: {count}",
            name=group_name(read.grouping, group),
            count=_times(len(occasions(group.records))),
        )
        for group in groups
    ]
    return Told(text=join("; ", told), records=tuple(records))


def _first_or_last(read: Plan, records: Sequence[Record]) -> Told | None:
    dated = [record for record in records if record.at is not None]
    if not dated:
        return None
    chosen = dated[0] if read.operation is Operation.FIRST else dated[-1]
    rest = [record for record in dated if record is not chosen]
    text = tell_one(read, chosen, read_field(read.text.value))
    return Told(text=text, records=(chosen, *rest))


def _often(read: Plan, records: Sequence[Record]) -> Told:
    times = occasions(records)
    dated = [record.at for record in records if record.at is not None]
    count = _times(len(times))
    if len(times) < 2 or len(dated) < 2:
        return Told(text=count, records=tuple(records))
    text = compose(
        "{count} between {first} and {last}, about every {gap}",
        count=count,
        first=short_day(dated[0]),
        last=short_day(dated[-1]),
        gap=_gap((dated[-1] - dated[0]) / (len(times) - 1)),
    )
    return Told(text=text, records=tuple(records))


def _gap(length: timedelta) -> SafeText:
    days = max(round(length.total_seconds() / 86_400), 1)
    for size, one, many in (
        (365, word("year"), word("years")),
        (30, word("month"), word("months")),
        (7, word("week"), word("weeks")),
    ):
        if days >= 2 * size:
            return _number(round(days / size), one, many)
    return word("day") if days == 1 else _number(days, word("day"), word("days"))


def _longest(read: Plan, records: Sequence[Record]) -> Told | None:
    videos = [record for record in records if record.duration]
    if not videos:
        return None
    best = max(videos, key=lambda record: (record.duration or 0.0, record.item_id))
    seconds = _number(round(best.duration or 0.0), word("second"), word("seconds"))
    rest = [record for record in videos if record is not best]
    text = compose("{seconds}, {line}", seconds=seconds, line=dated_story(best))
    return Told(text=text, records=(best, *rest))


def _most(read: Plan, records: Sequence[Record]) -> Told | None:
    if read.grouping in _PLAIN:
        field = read_field(read.text.value)
        read = replace(read, grouping=_BY_FIELD.get(field, Grouping.CITY))
    groups = grouped(records, read.grouping)
    if not groups:
        return None
    most = len(occasions(groups[0].records))
    best = [group for group in groups if len(occasions(group.records)) == most]
    names = listed([group_name(read.grouping, group) for group in best])
    shown = tuple(record for group in best for record in group.records)
    return Told(text=compose("{names}, {times}", names=names, times=_times(most)), records=shown)


_BY_FIELD = {Operation.WHO: Grouping.PERSON, Operation.WHEN: Grouping.MONTH}


def _times(count: int) -> SafeText:
    return word("once") if count == 1 else _number(count, word("time"), word("times"))


def _number(count: int, one: SafeText, many: SafeText) -> SafeText:
    return compose("{count} {unit}", count=count, unit=one if count == 1 else many)


def _filled(parts: Sequence[SafeText]) -> list[SafeText]:
    return [part or word("on an unknown day") for part in parts]


WHOLE: Mapping[Operation, Callable[[Plan, Sequence[Record]], Told | None]] = {
    Operation.COUNT: _count,
    Operation.LIST: _list,
    Operation.FIRST: _first_or_last,
    Operation.LAST: _first_or_last,
    Operation.HOW_OFTEN: _often,
    Operation.LONGEST: _longest,
    Operation.MOST: _most,
}
"""What is answered over the whole archive."""
