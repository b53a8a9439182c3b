"""Facts that are seen rather than said: where, when, with whom, at what. Pure.

One record gives one mention of each; `chrono.published` keeps those that repeat.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from anonymize.compose import compose, say_weekday, word
from archive_mem.profile.candidates import Candidate
from archive_mem.profile.wording import normal
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.profile import Category, Mention
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["daypart", "observed"]


class _Activity(NamedTuple):
    words: SafeText
    category: Category


LIFE_EVENTS = frozenset({Scenario.SPECIAL_EVENTS, Scenario.MEDICAL_CARE})
EVENING, MORNING = 18, 5


def observed(record: Record, session_id: str, feeling: int) -> Iterator[Candidate]:
    """Candidates of one record that has a time; `feeling` is 1, -1 or 0."""
    if record.at is None:
        return
    yield from _evening(record, session_id, record.at)
    yield from _habit(record, session_id, record.at)
    yield from _companions(record, session_id, record.at)
    yield from _event(record, session_id, record.at, feeling)
    yield from _trip(record, session_id, record.at)


def daypart(at: datetime) -> SafeText:
    """Morning from 5, midday from 11, afternoon from 14, evening from 18, night from 23."""
    parts = (
        (5, word("night")),
        (11, word("morning")),
        (14, word("midday")),
        (18, word("afternoon")),
        (23, word("evening")),
        (24, word("night")),
    )
    return next(name for until, name in parts if at.hour < until)


def _activity(scenario: Scenario) -> _Activity:
    habit, hobby = Category.BEHAVIORAL_HABITS, Category.HOBBIES
    return {
        Scenario.LEISURE_ENTERTAINMENT: _Activity(word("leisure and entertainment"), hobby),
        Scenario.NATURE_OUTDOOR: _Activity(word("time outdoors in nature"), hobby),
        Scenario.HOME_ROUTINE: _Activity(word("routine at home"), habit),
        Scenario.SOCIAL_INTERACTION: _Activity(word("time with other people"), habit),
        Scenario.FASHION: _Activity(word("fashion and clothes"), habit),
        Scenario.SPORTS_PHYSICAL: _Activity(word("sport and exercise"), hobby),
        Scenario.SPECIAL_EVENTS: _Activity(word("special events"), habit),
        Scenario.TRAVEL_MOBILITY: _Activity(word("travel and getting around"), habit),
        Scenario.WORK_STUDY: _Activity(word("work and study"), habit),
        Scenario.MEDICAL_CARE: _Activity(word("medical care"), habit),
    }[scenario]


def _evening(record: Record, session_id: str, at: datetime) -> Iterator[Candidate]:
    at_home = record.scenario is Scenario.HOME_ROUTINE
    late = at.hour >= EVENING or at.hour < MORNING
    away = record.scenario in (Scenario.TRAVEL_MOBILITY, Scenario.SPECIAL_EVENTS)
    if record.place_label and (at_home or (late and not away)):
        yield _seen(
            record,
            session_id,
            at,
            Category.DEMOGRAPHICS,
            compose("Home and evenings are in {place}", place=record.place_label),
            "home",
        )


def _habit(record: Record, session_id: str, at: datetime) -> Iterator[Candidate]:
    if record.scenario is None or record.scenario in LIFE_EVENTS:
        return
    template = compose(
        "{day} {part}s: {activity}",
        day=say_weekday(at),
        part=daypart(at),
        activity=_activity(record.scenario).words,
    )
    where = record.place_label
    statement = template if not where else compose("{what} in {place}", what=template, place=where)
    slot = f"habit:{normal(statement.value)}"
    yield _seen(record, session_id, at, Category.BEHAVIORAL_HABITS, statement, slot)


def _companions(record: Record, session_id: str, at: datetime) -> Iterator[Candidate]:
    for person in record.people:
        statement = compose("Spends time with {person}", person=person)
        slot = f"with:{person.value}"
        yield _seen(record, session_id, at, Category.MEANINGFUL_FACTS, statement, slot)


def _event(record: Record, session_id: str, at: datetime, feeling: int) -> Iterator[Candidate]:
    event = None if record.objective is None else record.objective.event
    if not event:
        return
    if record.scenario in LIFE_EVENTS:
        yield _seen(record, session_id, at, Category.MEANINGFUL_FACTS, event, None)
        return
    slot = f"event:{record.scenario or 'other'}"
    category = (
        Category.BEHAVIORAL_HABITS
        if record.scenario is None
        else _activity(record.scenario).category
    )
    yield _seen(record, session_id, at, category, event, slot)
    if feeling:
        liked = compose("Enjoys {event}", event=event)
        disliked = compose("Does not enjoy {event}", event=event)
        statement = liked if feeling > 0 else disliked
        yield _seen(
            record, session_id, at, Category.PREFERENCES, statement, f"{slot}:{feeling}", feeling
        )


def _trip(record: Record, session_id: str, at: datetime) -> Iterator[Candidate]:
    if record.scenario is Scenario.TRAVEL_MOBILITY and record.place_label:
        statement = compose("Travels in {place}", place=record.place_label)
        slot = f"trip:{record.place_label.value}"
        yield _seen(record, session_id, at, Category.MEANINGFUL_FACTS, statement, slot)


def _seen(
    record: Record,
    session_id: str,
    at: datetime,
    category: Category,
    statement: SafeText,
    slot: str | None,
    polarity: int = 0,
) -> Candidate:
    mention = Mention(
        at=at, session_id=session_id, item_id=record.item_id, quote=_quote(record, statement)
    )
    return Candidate(
        category=category, statement=statement, mention=mention, slot=slot, polarity=polarity
    )


def _quote(record: Record, statement: SafeText) -> SafeText:
    if record.subjective is not None and record.subjective.context:
        return record.subjective.context
    if record.objective is not None and record.objective.event:
        return record.objective.event
    return statement
