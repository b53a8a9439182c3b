"""One generated life: what holds when, and the calls of apps that it leaves. Pure by seed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any

from archive_mem.evals.benchmarks.dynamicmem.generate.vocabulary import (
    ATTRIBUTES,
    HABITS,
    IDLE,
    PREFERENCES,
    Attribute,
    Call,
    Habit,
    Preference,
)

__all__ = ["CUTS", "Event", "Life", "Phase", "Thread", "is_due", "live"]

BEGIN = date(2024, 1, 1)
CUTS = (date(2024, 4, 1), date(2024, 7, 1), date(2024, 10, 1), date(2025, 1, 1), date(2025, 4, 1))
"""The checkpoints: midnight at the end of each quarter."""
_SKIPPED, _ASTRAY = 0.08, 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """What holds from a day on.

    since: the first day
    value: the state as DynamicMem writes it: a string, {"statement"} or a habit's object
    """

    since: date
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One state of a person over time.

    kind: user_attributes_state, preferences_state or habits_state
    source: what it was made from
    phases: in order of time
    """

    kind: str
    source: Attribute | Preference | Habit
    phases: tuple[Phase, ...]

    def at(self, day: date) -> Phase | None:
        """What holds at the begin of a day."""
        known = [phase for phase in self.phases if phase.since < day]
        return known[-1] if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A call of an app and what it shows.

    at, app, api, request, response: the log
    shows: (key, since of the phase), None where it shows nothing of the person
    """

    at: datetime
    app: str
    api: str
    request: dict[str, Any]
    response: dict[str, Any]
    shows: tuple[str, date] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """A person.

    threads: what holds when
    events: in order of time
    """

    threads: tuple[Thread, ...]
    events: tuple[Event, ...]


def live(seed: int) -> Life:
    """The life of a seed: six attributes, five preferences, seven habits, idle calls."""
    random = Random(f"dynamicmem {seed}")  # noqa: S311 - it is to be repeatable
    threads = (
        *(_attribute(random, each) for each in random.sample(ATTRIBUTES, 6)),
        *(_preference(random, each) for each in random.sample(PREFERENCES, 5)),
        *(_habit(random, each) for each in _seven(random)),
    )
    events = [event for thread in threads for event in _events(random, thread)]
    events.extend(_idle(random))
    return Life(threads=threads, events=tuple(sorted(events, key=lambda each: each.at)))


def _seven(random: Random) -> list[Habit]:
    """Some of each frequency, so that every kind of rhythm is asked for."""
    weekly = [each for each in HABITS if each.frequency == "weekly"]
    rest = [each for each in HABITS if each.frequency != "weekly"]
    return [*random.sample(weekly, 4), *random.sample(rest, 3)]


def _turns(random: Random, changes: int) -> list[date]:
    """The first day, and days in the first weeks of later quarters: early enough to be seen."""
    quarters = random.sample(CUTS[:-1], changes)
    return [BEGIN, *sorted(cut + timedelta(days=random.randint(2, 12)) for cut in quarters)]


def _attribute(random: Random, made: Attribute) -> Thread:
    days = _turns(random, random.choice((0, 1, 1, 2)))
    values = random.sample(made.values, len(days))
    phases = tuple(Phase(since=d, value=v) for d, v in zip(days, values, strict=True))
    return Thread(kind="user_attributes_state", source=made, phases=phases)


def _preference(random: Random, made: Preference) -> Thread:
    days = _turns(random, random.choice((0, 1)))
    order = random.sample(made.options, 3)
    pairs = [(order[0], order[1]), (order[1], order[0])][: len(days)]
    phases = tuple(
        Phase(since=day, value={"statement": f"Prefers {pro} over {con}"})
        for day, (pro, con) in zip(days, pairs, strict=True)
    )
    return Thread(kind="preferences_state", source=made, phases=phases)


def _habit(random: Random, made: Habit) -> Thread:
    days = _turns(random, random.choice((0, 0, 1)))
    value = _rhythm(random, made)
    phases = [Phase(since=days[0], value=value)]
    for day in days[1:]:
        value = _changed(random, made, value)
        phases.append(Phase(since=day, value=value))
    return Thread(kind="habits_state", source=made, phases=tuple(phases))


def _rhythm(random: Random, made: Habit) -> dict[str, Any]:
    minute = random.choice((0, 15, 30, 45))
    value: dict[str, Any] = {
        "schedule": _days(random, made),
        "timing": {"start_time": f"{random.randrange(*made.hours):02}:{minute:02}"},
    }
    if made.places:
        value["location"] = random.choice(made.places)
    return value


def _days(random: Random, made: Habit) -> dict[str, Any]:
    kind = {"frequency_type": made.frequency}
    if made.frequency == "weekly":
        return {
            **kind,
            "days_of_week": sorted(random.sample(range(7), random.choice(made.per_week))),
        }
    if made.frequency == "biweekly":
        day = random.randrange(7)
        start = BEGIN + timedelta(days=(day - BEGIN.weekday()) % 7 + random.choice((0, 7)))
        return {**kind, "days_of_week": [day], "start_date": start.isoformat()}
    if made.frequency == "monthly_by_date":
        return {**kind, "days_of_month": [random.randint(1, 28)]}
    if made.frequency == "monthly_nth_weekday":
        return {**kind, "week_of_month": random.randint(1, 4), "day_of_week": random.randrange(7)}
    return kind


def _changed(random: Random, made: Habit, value: dict[str, Any]) -> dict[str, Any]:
    """Another hour, other days or another place; monthly and fortnightly ones keep their days."""
    ways = ["hour", *(["days"] if made.frequency == "weekly" else [])]
    ways += ["place"] if made.places else []
    fresh = value
    while fresh == value:
        other = _rhythm(random, made)
        way = random.choice(ways)
        part = {"hour": "timing", "days": "schedule", "place": "location"}[way]
        fresh = {**value, part: other[part]}
    return fresh


def _events(random: Random, thread: Thread) -> Iterator[Event]:
    if isinstance(thread.source, Attribute):
        yield from _shown(random, thread, thread.source)
    elif isinstance(thread.source, Preference):
        yield from _chosen(random, thread, thread.source)
    else:
        yield from _done(random, thread, thread.source)


def _spans(thread: Thread) -> Iterator[tuple[Phase, date]]:
    ends = [*(phase.since for phase in thread.phases[1:]), CUTS[-1]]
    yield from zip(thread.phases, ends, strict=True)


def _shown(random: Random, thread: Thread, made: Attribute) -> Iterator[Event]:
    for phase, end in _spans(thread):
        shows = (made.key, phase.since)
        yield _event(random, phase.since, made.sets, {"{}": phase.value}, shows)
        for day in _scattered(random, phase.since + timedelta(days=1), end, 11):
            yield _event(random, day, random.choice(made.hints), {"{}": phase.value}, shows)
    for day in _scattered(random, BEGIN, CUTS[-1], 8):
        other = random.choice(made.values)
        yield _event(random, day, random.choice(made.others), {"{}": other}, None)


def _chosen(random: Random, thread: Thread, made: Preference) -> Iterator[Event]:
    for phase, end in _spans(thread):
        liked, left = phase.value["statement"].removeprefix("Prefers ").split(" over ")
        for day in _scattered(random, phase.since, end, 9):
            offers = [liked, left, *(each for each in made.options if each not in (liked, left))]
            offers = offers[: random.choice((2, 3))]
            taken = liked if random.random() >= 0.25 else random.choice(offers[1:])
            event = _event(random, day, made.call, {"{}": taken}, (made.key, phase.since))
            shown = random.sample(offers, len(offers))
            yield replace(event, response={"status": "ok", made.offered: shown})


def _done(random: Random, thread: Thread, made: Habit) -> Iterator[Event]:
    pauses = _pauses(random)
    for phase, end in _spans(thread):
        for day in _due(phase, end):
            if any(first <= day < last for first, last in pauses) or random.random() < _SKIPPED:
                continue
            yield _one(random, made, phase, day)


def _one(random: Random, made: Habit, phase: Phase, day: date) -> Event:
    """Some minutes off; now and then at quite another hour."""
    hour, minute = map(int, phase.value["timing"]["start_time"].split(":"))
    if random.random() < _ASTRAY:
        hour = (hour + random.choice((-3, 2, 4))) % 24
    at = datetime.combine(day, time(hour, minute)) + timedelta(minutes=random.randint(-4, 4))
    words = {"{}": random.choice(made.names), "{place}": phase.value.get("location", "")}
    return replace(_event(random, day, made.call, words, (made.key, phase.since)), at=at)


def _pauses(random: Random) -> list[tuple[date, date]]:
    """One or two holes of some weeks that end three weeks or more before a checkpoint."""
    holes = []
    for cut in random.sample(CUTS, random.choice((1, 2))):
        last = cut - timedelta(days=random.randint(25, 32))
        holes.append((last - timedelta(days=random.randint(21, 40)), last))
    return holes


def _due(phase: Phase, end: date) -> Iterator[date]:
    rule = phase.value["schedule"]
    day = phase.since
    while day < end:
        if is_due(rule, day):
            yield day
        day += timedelta(days=1)


def is_due(rule: dict[str, Any], day: date) -> bool:
    """Whether a schedule, as DynamicMem writes it, has something on a day."""
    kind = rule["frequency_type"]
    if kind == "monthly_by_date":
        return day.day in rule["days_of_month"]
    if kind == "monthly_nth_weekday":
        nth = (day.day - 1) // 7 + 1
        return (nth, day.weekday()) == (rule["week_of_month"], rule["day_of_week"])
    if kind == "biweekly":
        return (day - date.fromisoformat(rule["start_date"])).days % 14 == 0
    return kind == "daily" or day.weekday() in rule["days_of_week"]


def _idle(random: Random) -> Iterator[Event]:
    for day in _scattered(random, BEGIN, CUTS[-1], 2):
        yield _event(random, day, random.choice(IDLE), {}, None)


def _scattered(random: Random, start: date, end: date, every: int) -> Iterator[date]:
    """Days about `every` days apart."""
    day = start + timedelta(days=random.randint(0, every))
    while day < end:
        yield day
        day += timedelta(days=random.randint(1, 2 * every - 1))


def _event(
    random: Random, day: date, call: Call, words: dict[str, str], shows: tuple[str, date] | None
) -> Event:
    at = datetime.combine(day, time(random.randint(8, 21), random.randint(0, 59)))
    return Event(
        at=at + timedelta(seconds=random.randint(0, 59)),
        app=call.app,
        api=call.api,
        request={name: _filled(text, words) for name, text in call.fields.items()},
        response={"status": "ok"},
        shows=shows,
    )


def _filled(text: str, words: dict[str, str]) -> str:
    for gap, said in words.items():
        text = text.replace(gap, said)
    return text
