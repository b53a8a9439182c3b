"""Answers from knowledge, without a language model. Pure.

Every system of this bench that has no reader of its own uses this one, so that they differ in
what they remember and retrieve, not in how it is read.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import exp, log

from archive_mem.evals.benchmarks.dynamicmem.knowledge import (
    Choice,
    Knowledge,
    Routine,
    Seen,
    Slot,
    words_of,
)
from archive_mem.evals.benchmarks.dynamicmem.protocol import Answered, Json, QuerySpec, leaves
from archive_mem.evals.benchmarks.dynamicmem.schedule import is_due
from archive_mem.profile.stability import StabilitySettings

__all__ = ["answered"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_NEAR_BEST, _NAMED, _LAST, _OUTVOTED = 0.8, 2.0, 5, 3
_BEFORE, _AFTER = 120, 20
_PLACES = frozenset({"location", "place", "venue", "where"})
_AGAINST = re.compile(r"(?:avoid|exclud|unwanted|dislike|not_|without|least)", re.IGNORECASE)
_ISO = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
_SAID = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s+([A-Z][a-z]{2,8})\.?,?\s+(20\d\d)\b")
_AMERICAN = re.compile(r"\b([A-Z][a-z]{2,8})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d\d)\b")
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)(?:\s*([AP])M\b)?", re.IGNORECASE)


def answered(known: Knowledge, query: QuerySpec) -> Answered:
    """An answer with its evidence; value None where nothing was found."""
    kind = (query.key or "").partition(":")[0]
    if query.task == "service":
        return _service(known, query)
    if kind == "habits_state":
        return _habit(known, query)
    if kind == "preferences_state":
        return _preference(known, query)
    return _filled(known, query.template, _asked_words(query), _name_words(query))


def _service(known: Knowledge, query: QuerySpec) -> Answered:
    if query.template is None:
        return _reminder(known, query)
    if any(_AGAINST.search(path) or "prefer" in path for path, _ in leaves(query.template)):
        return _filters(known, query)
    return _filled(known, query.template, words_of(query.question), frozenset())


def _asked_words(query: QuerySpec) -> frozenset[str]:
    return _name_words(query) | words_of(query.question)


def _name_words(query: QuerySpec) -> frozenset[str]:
    return words_of((query.key or "").partition(":")[2])


# Attributes: the value of the fields that are asked for


@dataclass(frozen=True, slots=True)
class _Fact:
    value: str
    log_ids: tuple[str, ...]


def _filled(
    known: Knowledge, template: Json, words: frozenset[str], name: frozenset[str]
) -> Answered:
    facts = {path: _fact(known, words, name | _leaf_words(path)) for path, _ in leaves(template)}
    evidence = [each for fact in facts.values() if fact is not None for each in fact.log_ids]
    values = {path: fact.value for path, fact in facts.items() if fact is not None}
    return Answered(value=_shaped(template, values), evidence=tuple(dict.fromkeys(evidence)))


def _leaf_words(path: str) -> frozenset[str]:
    return frozenset() if path == "value" else words_of(path.rpartition(".")[2])


def _fact(known: Knowledge, words: frozenset[str], name: frozenset[str]) -> _Fact | None:
    """What the fields nearest to the words say now, and every log that says the same since."""
    slots = _nearest(known, words, name, known.slots.values())
    seen = sorted((s for slot in slots for s in slot.seen), key=lambda each: (each.at, each.log_id))
    if not seen:
        return None
    set_logs = {each.log_id for slot in slots if slot.sets for each in slot.seen}
    value = _held(seen, set_logs)
    begun = _begun(seen, value)
    log_ids = [
        each.log_id
        for slot in known.slots.values()
        if slot.words & (words | name)
        for each in slot.seen
        if each.value == value and each.at >= begun
    ]
    return _Fact(value, tuple(log_ids))


def _held(seen: Sequence[Seen], set_logs: set[str]) -> str:
    """What was set last, unless later logs agree on something else; else the newest habit."""
    last_set = [number for number, each in enumerate(seen) if each.log_id in set_logs]
    if last_set:
        later = Counter(each.value for each in seen[last_set[-1] + 1 :])
        told = seen[last_set[-1]].value
        other = [value for value, n in later.items() if n >= _OUTVOTED and n > later[told]]
        return other[0] if other else told
    newest = [each.value for each in seen[-_LAST:]]
    counted = Counter(newest)
    return max(reversed(newest), key=lambda value: counted[value])


def _begun(seen: Sequence[Seen], value: str) -> datetime:
    """Since when the value is told without another one between for good."""
    begun = seen[-1].at
    others = 0
    for each in reversed(seen):
        others = 0 if each.value == value else others + 1
        if others >= 2:
            break
        if each.value == value:
            begun = each.at
    return begun


def _nearest(
    known: Knowledge, words: frozenset[str], name: frozenset[str], slots: Iterable[Slot]
) -> list[Slot]:
    """The fields whose names share most with the words; those of the name asked for count more."""
    weigh = _weights(slot.words for slot in known.slots.values())
    scored = {
        slot.name: (weigh(slot.words & words) + _NAMED * weigh(slot.words & name), slot)
        for slot in slots
    }
    best = max((score for score, _ in scored.values()), default=0.0)
    if best <= 0:
        return []
    return [slot for score, slot in scored.values() if score >= _NEAR_BEST * best]


def _weights(documents: Iterable[frozenset[str]]) -> Callable[[Iterable[str]], float]:
    """Words by how rare they are among the documents (inverse document frequency)."""
    counted: Counter[str] = Counter()
    whole = 0
    for words in documents:
        counted.update(words)
        whole += 1

    def weight(words: Iterable[str]) -> float:
        return sum(log(1 + whole / (1 + counted[word])) for word in words)

    return weight


# Preferences: what is taken among what is offered


@dataclass(frozen=True, slots=True)
class _Taste:
    liked: str
    left: str | None
    log_ids: tuple[str, ...]


def _preference(known: Knowledge, query: QuerySpec) -> Answered:
    taste = _taste(known, _asked_words(query), _name_words(query))
    if taste is None:
        return Answered(value=None)
    over = f" over {taste.left}" if taste.left else ""
    statement = f"Prefers {taste.liked}{over}"
    value = statement
    if isinstance(query.template, dict):
        value = _shaped(query.template, dict.fromkeys(_paths(query.template), statement))
    return Answered(value=value, evidence=taste.log_ids)


def _filters(known: Knowledge, query: QuerySpec) -> Answered:
    values: dict[str, str] = {}
    evidence: list[str] = []
    for path, _ in leaves(query.template):
        taste = _taste(known, words_of(query.question), words_of(path))
        if taste is None:
            continue
        told = taste.left if _AGAINST.search(path) else taste.liked
        if told is not None:
            values[path] = told
        evidence.extend(taste.log_ids)
    return Answered(value=_shaped(query.template, values), evidence=tuple(dict.fromkeys(evidence)))


def _taste(known: Knowledge, words: frozenset[str], name: frozenset[str]) -> _Taste | None:
    """The offer that is taken most of the times it is offered; newer choices count more."""
    slots = _nearest(known, words, name, [known.slots[each] for each in known.choices])
    choices = [choice for slot in slots for choice in known.choices[slot.name]]
    if not choices:
        return None
    weights = {each.log_id: _recency(known.as_of, each.at) for each in choices}
    rate = _rates(choices, weights)
    liked = max(sorted(rate), key=lambda name: rate[name])
    left: dict[str, float] = {}
    for choice in choices:
        for each in choice.declined if choice.taken == liked else ():
            left[each] = left.get(each, 0.0) + weights[choice.log_id]
    log_ids = tuple(each.log_id for each in choices if each.at >= _switched(choices, liked))
    return _Taste(liked, max(sorted(left), key=lambda n: left[n]) if left else None, log_ids)


def _recency(as_of: datetime, at: datetime) -> float:
    """The recency of Algorithm 2: it halves in about six weeks."""
    days = (as_of - at) / timedelta(days=1)
    return exp(-max(0.0, days) / StabilitySettings().tau_rec)


def _rates(choices: Sequence[Choice], weights: Mapping[str, float]) -> dict[str, float]:
    taken: dict[str, float] = {}
    offered: dict[str, float] = {}
    for choice in choices:
        weight = weights[choice.log_id]
        taken[choice.taken] = taken.get(choice.taken, 0.0) + weight
        for name in (choice.taken, *choice.declined):
            offered[name] = offered.get(name, 0.0) + weight
    usual = sum(weights.values()) / max(1, len(weights))
    return {name: taken.get(name, 0.0) / (offered[name] + usual) for name in offered}


def _switched(choices: Sequence[Choice], liked: str) -> datetime:
    """Since when the liked one is taken more often than not, looking back from the end."""
    begun, best, balance = choices[-1].at, 0, 0
    for choice in sorted(choices, key=lambda each: each.at, reverse=True):
        balance += 1 if choice.taken == liked else -1
        if balance > best:
            best, begun = balance, choice.at
    return begun


# Habits: rhythm, hour and place


def _habit(known: Knowledge, query: QuerySpec) -> Answered:
    routine = _routine(known, _asked_words(query))
    if routine is None:
        return Answered(value=None)
    told = _told(known, routine)
    values = {}
    for path in _paths(query.template):
        name = path.rpartition(".")[2]
        value = told[name] if name in told else _other(known, routine, path)
        if value is not None:
            values[path] = value
    return Answered(value=_shaped(query.template, values), evidence=routine.log_ids)


def _told(known: Knowledge, routine: Routine) -> dict[str, Json]:
    rhythm = routine.schedule
    place = routine.places[0] if routine.places else None
    told: dict[str, Json] = {
        "frequency_type": rhythm.frequency,
        "days_of_week": list(rhythm.days_of_week) or None,
        "day_of_week": rhythm.days_of_week[0] if len(rhythm.days_of_week) == 1 else None,
        "days_of_month": list(rhythm.days_of_month) or None,
        "day_of_month": rhythm.days_of_month[0] if len(rhythm.days_of_month) == 1 else None,
        "week_of_month": rhythm.week_of_month,
        "start_time": rhythm.start,
        "time": rhythm.start,
    }
    told.update(dict.fromkeys(_PLACES, place))
    return {name: each for name, each in told.items() if each is not None}


def _other(known: Knowledge, routine: Routine, path: str) -> str | None:
    """Any other field, from the request field of these logs whose name is most like it."""
    wanted = words_of(path.rpartition(".")[2])
    told: Counter[str] = Counter()
    for log_id in routine.log_ids[-8:]:
        for name, value in leaves(known.logs[log_id].request):
            if words_of(name) & wanted and isinstance(value, str):
                told[value] += 1
    return told.most_common(1)[0][0] if told else None


def _routine(known: Knowledge, words: frozenset[str]) -> Routine | None:
    weigh = _weights(each.words for each in known.routines)
    scored = [(weigh(each.words & words), len(each.log_ids), each) for each in known.routines]
    best = max((score for score, _, _ in scored), default=0.0)
    if best <= 0:
        return None
    near = [each for each in scored if each[0] >= _NEAR_BEST * best]
    return max(near, key=lambda each: (each[0] * each[2].schedule.regularity, each[1]))[2]


# The reminder: which routine fits the moment


def _reminder(known: Knowledge, query: QuerySpec) -> Answered:
    now = _moment(query.question)
    words = words_of(query.question)
    routine = _next_due(known, now, words) if now else _routine(known, words)
    if routine is None:
        return Answered(value=None)
    where = f", {routine.places[0]}" if routine.places else ""
    text = f"Reminder: {routine.names[0]} at {routine.schedule.start}{where} ({_days(routine)})."
    return Answered(value=text, evidence=routine.log_ids)


def _next_due(known: Knowledge, now: datetime, words: frozenset[str]) -> Routine | None:
    """The routine of that day that starts soonest; the surer and more often done, the better."""
    weigh = _weights(each.words for each in known.routines)
    scored = []
    for each in known.routines:
        gap = each.schedule.minute - (now.hour * 60 + now.minute)
        if is_due(each.schedule, now.date()) and -_AFTER <= gap <= _BEFORE:
            sure = each.schedule.regularity * (1 - exp(-len(each.log_ids) / 3))
            named = weigh(each.words & words) / (1 + weigh(each.words))
            scored.append((sure * (1 + named) * exp(-abs(gap) / 60) * _is_named(each), each))
    return max(scored, key=lambda each: each[0])[1] if scored else None


def _is_named(routine: Routine) -> float:
    """The field that says where is no name of a routine, though it repeats as often."""
    return 0.5 if set(routine.names) & set(routine.places) else 1.0


def _moment(text: str) -> datetime | None:
    day, clock = _day(text), _CLOCK.search(text)
    if day is None or clock is None:
        return None
    hour, half = int(clock[1]), (clock[3] or "").lower()
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return datetime(day.year, day.month, day.day, hour, int(clock[2]))


def _day(text: str) -> date | None:
    for pattern, order in ((_ISO, (1, 2, 3)), (_SAID, (3, 2, 1)), (_AMERICAN, (3, 1, 2))):
        for found in pattern.finditer(text):
            year, month, day = (found[n] for n in order)
            number = int(month) if month.isdecimal() else _month(month)
            try:
                return date(int(year), number, int(day))
            except ValueError:
                continue
    return None


def _month(name: str) -> int:
    return next((n for n, each in enumerate(_MONTHS, 1) if each.startswith(name.lower()[:3])), 0)


def _days(routine: Routine) -> str:
    rhythm = routine.schedule
    if rhythm.frequency == "daily":
        return "every day"
    if rhythm.frequency == "monthly_by_date":
        return f"day {', '.join(map(str, rhythm.days_of_month))} of each month"
    days = " and ".join(_DAYS[day] for day in rhythm.days_of_week)
    if rhythm.frequency == "monthly_nth_weekday":
        return f"{days} number {rhythm.week_of_month} of each month"
    return f"every other {days}" if rhythm.frequency == "biweekly" else f"every {days}"


# Templates


def _paths(template: Json) -> list[str]:
    return [path for path, _ in leaves(template)]


def _shaped(template: Json, values: Mapping[str, Json], path: str = "") -> Json:
    """The template with its leaves filled; None where nothing is known."""
    if isinstance(template, dict) and template:
        return {
            key: _shaped(each, values, f"{path}.{key}" if path else str(key))
            for key, each in template.items()
        }
    return values.get(path or "value")
