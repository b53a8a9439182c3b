"""How stances gave way to others: threads of mentions that exclude each other, and turning points.

Within a thread the person holds one stance at a time: for or against a subject, or one of several
homes. Which one, when, is the sequence that explains the mentions with the fewest contradictions,
where each change costs as much as `CHANGE` firm mentions that contradict: one evening out of habit
is no change of mind, two are, and so is a change that is said.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from archive_mem.profile.claims import Change, claims
from archive_mem.profile.compare import Side, matches, sides
from archive_mem.profile.topics import EXCLUSIVE
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.wording import normal
from archive_mem.schema.profile import Mention, ProfileItem
from archive_mem.schema.safe import SafeText

__all__ = [
    "Event",
    "Period",
    "Thread",
    "TurningPoint",
    "held_now",
    "periods",
    "threads",
    "turning_points",
]

CHANGE = 1.5
SAID_CHANGE = 2.0
SHORTEST_HOME = timedelta(days=21)


class Event(NamedTuple):
    """A mention that takes a stance; `weight` is what contradicting it costs."""

    mention: Mention
    item: ProfileItem
    stance: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Mentions that speak to one question about the person.

    subject: what it is about
    events: in order of time
    """

    subject: SafeText
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A time in which one stance held.

    stance: "for", "against", or the id of a statement
    item: its most frequent statement, the newest of equals
    opening: the statement that it began with
    first, last: the first and the last mention within the period
    mentions: those that support it within the period
    """

    stance: str
    item: ProfileItem
    opening: ProfileItem
    first: datetime
    last: datetime
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """Where one period gave way to the next.

    at: best guess: the day the change was said, else the middle between the two periods
    before: None where the first thing known is the change itself
    after: what held from then on
    """

    at: datetime
    before: Period | None
    after: Period


def threads(items: Sequence[ProfileItem], vectors: Vectors) -> list[Thread]:
    """All threads: subjects that sides are taken on, homes and jobs, statements by themselves."""
    apart = [item for item in items if not sides(item.statement)]
    found = [*_subject_threads(items, vectors), *_slot_threads(apart), *_linked_threads(items)]
    return sorted(found, key=lambda thread: (thread.events[0].mention.at, thread.subject.value))


def periods(thread: Thread) -> list[Period]:
    """What held when, in order of time; a stance never held (one-off) is in no period."""
    path = _cheapest_path(thread.events)
    found = [_period(thread.events[start:end], path[start]) for start, end in _runs(path)]
    return _without_journeys(found)


def turning_points(found: Sequence[Period]) -> list[TurningPoint]:
    """One between each two periods, and one where the first statement itself tells of a change."""
    points = [_between(before, after) for before, after in pairwise(found)]
    if found and _says_change(found[0].opening):
        points.insert(0, TurningPoint(at=found[0].first, before=None, after=found[0]))
    return points


def held_now(found: Iterable[Thread]) -> Mapping[str, bool]:
    """By id: whether the statement agrees with the last period of all its threads."""
    held: dict[str, bool] = {}
    for thread in found:
        stance = periods(thread)[-1].stance
        for event in thread.events:
            held[event.item.id] = held.get(event.item.id, True) and event.stance == stance
    return held


def _says_change(item: ProfileItem) -> bool:
    """Whether the statement itself tells of a start, a stop or a switch."""
    return any(
        claim.change is not Change.NONE and not claim.passing
        for claim in claims(item.statement.value)
    )


def _subject_threads(items: Sequence[ProfileItem], vectors: Vectors) -> Iterator[Thread]:
    taken = [(item, side) for item in items for side in sides(item.statement)]
    subjects = list({normal(side.text.value): side for _, side in taken}.values())
    if not subjects:
        return
    match = matches(vectors, subjects, [side for _, side in taken])
    for row, subject in enumerate(subjects):
        near = [taken[column] for column in np.flatnonzero(match[row])]
        events = [event for item, side in near for event in _side_events(item, side)]
        if events:
            yield _thread(subject.text, events)


def _side_events(item: ProfileItem, side: Side) -> Iterator[Event]:
    weight = SAID_CHANGE if _says_change(item) else _firmness(item)
    for mention in item.mentions:
        yield Event(mention, item, "for" if side.sign > 0 else "against", weight)


def _firmness(item: ProfileItem) -> float:
    return max((claim.strength for claim in claims(item.statement.value)), default=0.5)


def _slot_threads(items: Sequence[ProfileItem]) -> Iterator[Thread]:
    """Homes and jobs exclude each other; any other statement stands by itself."""
    together: dict[str, list[ProfileItem]] = defaultdict(list)
    for item in items:
        exclusive = item.slot in EXCLUSIVE and item.category == "demographics"
        together[str(item.slot) if exclusive else item.id].append(item)
    for group in together.values():
        yield _thread(group[0].statement, [e for item in group for e in _own_events(item)])


def _linked_threads(items: Sequence[ProfileItem]) -> Iterator[Thread]:
    """Conflicts that a comparer saw without a common subject."""
    by_id = {item.id: item for item in items}
    for item in items:
        other = by_id.get(str(item.related_id))
        if other is not None and bool(sides(item.statement)) != bool(sides(other.statement)):
            yield _thread(item.statement, [*_own_events(other), *_own_events(item)])


def _own_events(item: ProfileItem) -> Iterator[Event]:
    return (Event(mention, item, item.id, 1.0) for mention in item.mentions)


def _thread(subject: SafeText, events: Iterable[Event]) -> Thread:
    ordered = sorted(
        events, key=lambda event: (event.mention.at, event.item.id, event.mention.item_id)
    )
    return Thread(subject=subject, events=tuple(ordered))


def _cheapest_path(events: Sequence[Event]) -> list[str]:
    """Viterbi: the stance at each mention."""
    stances = list(dict.fromkeys(event.stance for event in events))
    cost = dict.fromkeys(stances, 0.0)
    back: list[dict[str, str]] = []
    for event in events:
        best = min(stances, key=lambda stance: cost[stance])
        back.append({s: s if cost[s] <= cost[best] + CHANGE else best for s in stances})
        cost = {
            each: min(cost[each], cost[best] + CHANGE)
            + (0.0 if each == event.stance else event.weight)
            for each in stances
        }
    return _walked_back(back, min(stances, key=lambda stance: cost[stance]))


def _walked_back(back: Sequence[Mapping[str, str]], last: str) -> list[str]:
    path = [last]
    for came in reversed(back):
        path.append(came[path[-1]])
    return path[-2::-1]


def _runs(path: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for position in range(1, len(path) + 1):
        if position == len(path) or path[position] != path[start]:
            yield start, position
            start = position


def _period(events: Sequence[Event], stance: str) -> Period:
    own = [event for event in events if event.stance == stance]
    count = Counter(event.item.id for event in own)
    named = max(own, key=lambda event: (count[event.item.id], event.mention.at))
    mentions = tuple(event.mention for event in own)
    return Period(
        stance=stance,
        item=named.item,
        opening=own[0].item,
        first=mentions[0].at,
        last=mentions[-1].at,
        mentions=mentions,
    )


def _without_journeys(found: list[Period]) -> list[Period]:
    """Evenings in another place for less than three weeks are a journey, not a home."""
    if not found or found[0].item.slot != "home":
        return found
    stays = [
        period
        for position, period in enumerate(found)
        if position == len(found) - 1 or period.last - period.first > SHORTEST_HOME
    ]
    return _merged(stays)


def _merged(found: Sequence[Period]) -> list[Period]:
    kept: list[Period] = []
    for period in found:
        if kept and kept[-1].stance == period.stance:
            kept[-1] = _joined(kept[-1], period)
        else:
            kept.append(period)
    return kept


def _joined(left: Period, right: Period) -> Period:
    return Period(
        stance=left.stance,
        item=left.item,
        opening=left.opening,
        first=left.first,
        last=right.last,
        mentions=(*left.mentions, *right.mentions),
    )


def _between(before: Period, after: Period) -> TurningPoint:
    middle = before.last + (after.first - before.last) / 2
    at = after.first if _says_change(after.opening) else middle
    return TurningPoint(at=at, before=before, after=after)
