"""A profile of logs, sorted for reading: values by field, choices, routines. Immutable."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from archive_mem.evals.benchmarks.dynamicmem.profiler import (
    DECLINED,
    SEEN,
    is_set,
    one_thing,
    profile_of,
)
from archive_mem.evals.benchmarks.dynamicmem.protocol import AppLog, leaves
from archive_mem.evals.benchmarks.dynamicmem.schedule import Schedule, fit
from archive_mem.profile.chrono import ProfileState
from archive_mem.profile.wording import stems
from archive_mem.schema.profile import ProfileItem

__all__ = ["Choice", "Knowledge", "Routine", "Seen", "Slot", "knowledge_of", "words_of"]

_REGULAR = 0.5
_PLACE = frozenset({"venue", "place", "location", "where", "shop", "room", "address", "store"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A value of a field in one log."""

    at: datetime
    value: str
    log_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One field of one call.

    name: "app/call/path"
    words: of the name
    sets: whether the call sets it
    seen: values in order of time
    """

    name: str
    words: frozenset[str]
    sets: bool
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was taken among offers, in one log."""

    at: datetime
    taken: str
    declined: tuple[str, ...]
    log_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """Something done again and again.

    slot: the field that names it
    names: what it was called, most often first
    words: of its names and field
    schedule: its rhythm at the end of what is known
    log_ids: of the times that fit the rhythm
    places: where it was done in these logs, most often first
    """

    slot: str
    names: tuple[str, ...]
    words: frozenset[str]
    schedule: Schedule
    log_ids: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """All that can be read, as of one checkpoint.

    as_of: nothing later is in it
    logs: by id
    slots: by name
    choices: by name of the slot, in order of time
    routines: most often done first
    """

    as_of: datetime
    logs: Mapping[str, AppLog]
    slots: Mapping[str, Slot]
    choices: Mapping[str, tuple[Choice, ...]]
    routines: tuple[Routine, ...]


def knowledge_of(
    logs: Sequence[AppLog], as_of: datetime, profile: ProfileState | None = None
) -> Knowledge:
    """Read a profile, or make it from the logs first."""
    items = (profile or profile_of(logs)).items
    by_id = {log.id: log for log in logs}
    slots = {slot.name: slot for slot in _slots(items)}
    routines = [each for slot in slots.values() for each in _routines(slot, by_id)]
    return Knowledge(
        as_of=as_of,
        logs=by_id,
        slots=slots,
        choices=_choices(items, slots),
        routines=tuple(sorted(routines, key=lambda each: (-len(each.log_ids), each.slot))),
    )


def words_of(text: str) -> frozenset[str]:
    """Stems of the words of a text, also of those in snake_case and CamelCase."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return frozenset(stems(re.sub(r"[_./:]+", " ", apart)))


def _slots(items: Sequence[ProfileItem]) -> Iterator[Slot]:
    found: dict[str, list[Seen]] = defaultdict(list)
    for item in items:
        if item.slot is not None and item.slot.startswith(SEEN):
            found[item.slot].extend(_seen(item))
    for slot, seen in found.items():
        name = slot.removeprefix(SEEN)
        yield Slot(
            name=name,
            words=words_of(name),
            sets=is_set(slot),
            seen=tuple(sorted(seen, key=lambda each: (each.at, each.log_id))),
        )


def _seen(item: ProfileItem) -> Iterator[Seen]:
    for mention in item.mentions:
        yield Seen(at=mention.at, value=mention.quote.value, log_id=mention.item_id)


def _choices(
    items: Sequence[ProfileItem], slots: Mapping[str, Slot]
) -> dict[str, tuple[Choice, ...]]:
    declined: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        if item.slot is not None and item.slot.startswith(DECLINED):
            for each in _seen(item):
                declined[item.slot.removeprefix(DECLINED)][each.log_id].append(each.value)
    return {
        name: tuple(
            Choice(
                at=seen.at,
                taken=seen.value,
                declined=tuple(sorted(by_log[seen.log_id])),
                log_id=seen.log_id,
            )
            for seen in slots[name].seen
            if seen.log_id in by_log
        )
        for name, by_log in declined.items()
    }


def _routines(slot: Slot, logs: Mapping[str, AppLog]) -> Iterator[Routine]:
    for names in _groups(slot):
        seen = [each for each in slot.seen if each.value in names]
        schedule = fit([each.at for each in seen])
        if schedule is None or schedule.regularity < _REGULAR:
            continue
        times = set(schedule.times)
        log_ids = tuple(each.log_id for each in seen if each.at in times)
        places = _places(log_ids, logs)
        if places:
            log_ids = tuple(each for each in log_ids if places[0] in _place(logs[each]))
        counted = Counter(each.value for each in seen).most_common()
        yield Routine(
            slot=slot.name,
            names=tuple(name for name, _ in counted),
            words=slot.words | words_of(" ".join(names)),
            schedule=schedule,
            log_ids=log_ids,
            places=places,
        )


def _groups(slot: Slot) -> Iterator[frozenset[str]]:
    """Names that mean one thing; each name is in one group."""
    rest = sorted({each.value for each in slot.seen}, key=lambda name: (len(name), name))
    while rest:
        group, grown = {rest[0]}, True
        while grown:
            more = {each for each in rest if any(one_thing(each, name) for name in group)}
            grown, group = more != group, group | more
        yield frozenset(group)
        rest = [each for each in rest if each not in group]


def _places(log_ids: Sequence[str], logs: Mapping[str, AppLog]) -> tuple[str, ...]:
    """The place that the newest of the logs agree on comes first; a move shows soon."""
    told = [place for log_id in log_ids for place in _place(logs[log_id])]
    newest = Counter(told[-4:]).most_common(1)
    rest = [place for place, _ in Counter(told).most_common()]
    return tuple(dict.fromkeys([*(place for place, _ in newest), *rest]))


def _place(log: AppLog) -> Iterator[str]:
    for path, value in leaves(log.request):
        if _PLACE & set(re.split(r"[^a-z]+", path.lower())) and isinstance(value, str) and value:
            yield value
