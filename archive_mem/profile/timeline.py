"""How a statement gave way to another: groups that exclude each other, and their turning points.

Pure. Within a group the person holds one statement at a time; which one, when, is the sequence that
explains the mentions with the fewest contradictions, where each change costs as much as `CHANGE`
contradicting mentions: one evening out of habit is no change of mind, three are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from archive_mem.profile.claims import Change, claims
from archive_mem.profile.topics import EXCLUSIVE
from archive_mem.schema.profile import Mention, ProfileItem

__all__ = ["Period", "TurningPoint", "groups", "held_now", "periods", "turning_points"]

CHANGE = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A time in which one statement held.

    item: the statement
    first, last: the first and the last mention within the period
    mentions: those that support it within the period
    """

    item: ProfileItem
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


def groups(items: Sequence[ProfileItem]) -> list[tuple[ProfileItem, ...]]:
    """Statements linked by conflict, each in one group, in order of first mention."""
    by_id = {item.id: item for item in items}
    root = {item.id: item.id for item in items}
    for item in items:
        if item.related_id in by_id:
            root[_find(root, item.id)] = _find(root, str(item.related_id))
    gathered: dict[str, list[ProfileItem]] = defaultdict(list)
    for item in items:
        gathered[_find(root, item.id)].append(item)
    return sorted((_by_time(group) for group in gathered.values()), key=_begins)


def periods(group: Sequence[ProfileItem]) -> list[Period]:
    """What held when, in order of time; a stance never held (one-off) is in no period."""
    stance = _stances(group)
    events = sorted(
        (_Event(mention, item, stance[item.id]) for item in group for mention in item.mentions),
        key=lambda event: (event.mention.at, event.item.id, event.mention.item_id),
    )
    path = _cheapest_path(events)
    return [_period(events[start:end], path[start]) for start, end in _runs(path)]


def turning_points(found: Sequence[Period]) -> list[TurningPoint]:
    """One between each two periods, and one where the first statement itself tells of a change."""
    points = [_between(before, after) for before, after in pairwise(found)]
    if found and _says_change(found[0].item):
        points.insert(0, TurningPoint(at=found[0].first, before=None, after=found[0]))
    return points


def held_now(items: Sequence[ProfileItem]) -> Mapping[str, bool]:
    """By id: whether the statement still holds after the last mention of its group."""
    current: dict[str, bool] = {}
    for group in groups(items):
        last = {id(mention) for mention in periods(group)[-1].mentions}
        for item in group:
            current[item.id] = any(id(mention) in last for mention in item.mentions)
    return current


def _find(root: dict[str, str], item_id: str) -> str:
    while root[item_id] != item_id:
        root[item_id] = root[root[item_id]]
        item_id = root[item_id]
    return item_id


def _by_time(group: Sequence[ProfileItem]) -> tuple[ProfileItem, ...]:
    return tuple(sorted(group, key=lambda item: (item.mentions[0].at, item.id)))


def _begins(group: Sequence[ProfileItem]) -> tuple[datetime, str]:
    return group[0].mentions[0].at, group[0].id


def _says_change(item: ProfileItem) -> bool:
    return any(
        claim.change is not Change.NONE and not claim.passing
        for claim in claims(item.statement.value)
    )


class _Event(NamedTuple):
    mention: Mention
    item: ProfileItem
    stance: str


def _stances(group: Sequence[ProfileItem]) -> dict[str, str]:
    """By id, the stance of each statement: opposite to that of the one it contradicts.

    Where a person has one value at a time (a home, a job), each statement is its own stance.
    """
    known: dict[str, str] = {}
    for item in group:
        if item.slot in EXCLUSIVE:
            known[item.id] = item.id
        else:
            before = known.get(str(item.related_id))
            known[item.id] = "against" if before == "for" else "for"
    return known


def _cheapest_path(events: Sequence[_Event]) -> list[str]:
    """Viterbi over mentions: a contradicted mention costs 1 (2 where a change was said)."""
    stances = list(dict.fromkeys(event.stance for event in events))
    cost = dict.fromkeys(stances, 0.0)
    back: list[dict[str, str]] = []
    for event in events:
        best = min(stances, key=lambda stance: cost[stance])
        came = {each: each if cost[each] <= cost[best] + CHANGE else best for each in stances}
        wrong = 2.0 if _says_change(event.item) else 1.0
        cost = {
            each: min(cost[each], cost[best] + CHANGE) + (0.0 if each == event.stance else wrong)
            for each in stances
        }
        back.append(came)
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


def _period(events: Sequence[_Event], stance: str) -> Period:
    """The run as one period, named by its most frequent statement, the newest of equals."""
    own = [event for event in events if event.stance == stance]
    count = Counter(event.item.id for event in own)
    named = max(own, key=lambda event: (count[event.item.id], event.mention.at))
    mentions = tuple(event.mention for event in own)
    return Period(item=named.item, first=mentions[0].at, last=mentions[-1].at, mentions=mentions)


def _between(before: Period, after: Period) -> TurningPoint:
    middle = before.last + (after.first - before.last) / 2
    at = after.first if _says_change(after.item) else middle
    return TurningPoint(at=at, before=before, after=after)
