"""Temporal stability as it was, day by day: what a plot and a table of a profile show. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from archive_mem.profile.stability import PAPER, Constants, score_profile
from archive_mem.schema.profile import Profile, ProfileItem, Stability

__all__ = ["Line", "days_until", "history", "lines"]

MOST_DAYS = 120
SHORTEST_STEP = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One statement over time.

    item: as it is known at the end
    days: reference times at which it was known, in order
    stability: one for each day
    """

    item: ProfileItem
    days: tuple[datetime, ...]
    stability: tuple[Stability, ...]


def days_until(items: Sequence[ProfileItem], as_of: datetime) -> list[datetime]:
    """Evenly from the first mention to `as_of`, a week apart at least, `as_of` the last one."""
    first = min((m.at for item in items for m in item.mentions), default=as_of)
    if first >= as_of:
        return [as_of]
    count = max(1, min(MOST_DAYS - 1, int((as_of - first) / SHORTEST_STEP)))
    step = (as_of - first) / count
    return [*(first + step * number for number in range(count)), as_of]


def history(
    items: Sequence[ProfileItem], days: Sequence[datetime], constants: Constants = PAPER
) -> Iterator[Profile]:
    """The profile as it was known on each day: weights and stability are those of that day."""
    for day in days:
        yield score_profile(items, day, constants)


def lines(profiles: Sequence[Profile]) -> list[Line]:
    """One line for each statement of the last profile, the most stable first."""
    rows: dict[str, list[tuple[datetime, Stability]]] = {}
    for profile in profiles:
        for item, stability in profile.items:
            rows.setdefault(item.id, []).append((profile.as_of, stability))
    return [_line(item, rows[item.id]) for item, _ in (profiles[-1].items if profiles else ())]


def _line(item: ProfileItem, rows: Sequence[tuple[datetime, Stability]]) -> Line:
    return Line(
        item=item, days=tuple(day for day, _ in rows), stability=tuple(each for _, each in rows)
    )
