"""How often, on which days and at what hour something is done, from when it was done. Pure.

Weekdays are 0 = Monday to 6 = Sunday, days of a month 1 to 31, as DynamicMem writes them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median

__all__ = ["Schedule", "fit", "is_due", "nth_weekday"]

WINDOW = timedelta(days=70)
"""A weekly rhythm is read from the last ten weeks before the newest time."""
LATE = timedelta(days=28)
"""And from the last four alone, where these tell another one."""
_SHARE = 0.5
_ROUND = 5
_MONTHLY = (24.0, 37.0)
_BIWEEKLY = (11.0, 17.0)
_SEEN = 3
_NEAR = 30
_JITTER = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A rhythm.

    frequency: daily, weekly, biweekly, monthly_by_date or monthly_nth_weekday
    days_of_week, days_of_month: empty where the frequency does not use them
    week_of_month: 1 to 4, or 5 for the last; None where it is not used
    minute: of the day, the usual start
    regularity: 0 to 1, share of the times that fit
    times: those that fit, in order
    """

    frequency: str
    days_of_week: tuple[int, ...] = ()
    days_of_month: tuple[int, ...] = ()
    week_of_month: int | None = None
    minute: int = 0
    regularity: float = 0.0
    times: tuple[datetime, ...] = ()

    @property
    def start(self) -> str:
        """Such as "06:30"."""
        return f"{self.minute // 60:02}:{self.minute % 60:02}"


def fit(times: Sequence[datetime]) -> Schedule | None:
    """The rhythm that holds at the end of the times; None where too few days tell one.

    A pause does not matter: only weeks in which something was done are looked at. Where the
    newest times tell another rhythm than those before, the newest count.
    """
    found = sorted(times)
    days = sorted({each.date() for each in found})
    if len(days) < 2:
        return None
    if _MONTHLY[0] <= _usual_gap(days[-12:]) <= _MONTHLY[1]:
        return _monthly(found)
    if len(days) < _SEEN:
        return None
    newest = _after_jump(found, 4)
    recent = [each for each in newest if found[-1] - each <= WINDOW]
    whole, late = _weekly(recent), _weekly([e for e in recent if found[-1] - e <= LATE])
    chosen = late if late is not None and _is_other(late, whole) else whole
    return None if chosen is None else _widened(chosen, newest)


def _usual_gap(days: Sequence[date]) -> float:
    """The lower quarter of the days between: what was skipped makes gaps longer, never shorter."""
    gaps = sorted((later - earlier).days for earlier, later in pairwise(days))
    return float(gaps[len(gaps) // 4]) if gaps else 0.0


def is_due(schedule: Schedule, day: date) -> bool:
    """Whether the rhythm has something on that day."""
    if schedule.frequency == "daily":
        return True
    if schedule.frequency == "monthly_by_date":
        return day.day in schedule.days_of_month
    if schedule.frequency == "monthly_nth_weekday":
        return nth_weekday(day) == (schedule.week_of_month, *schedule.days_of_week)
    return day.weekday() in schedule.days_of_week


def nth_weekday(day: date) -> tuple[int, int]:
    """(which one of its month, weekday): 3 October 2024 is (1, 3), the first Thursday."""
    return (day.day - 1) // 7 + 1, day.weekday()


def _after_jump(times: Sequence[datetime], run: int) -> Sequence[datetime]:
    """The times since the hour of the day last moved for good: `run` times or more ago."""
    minutes = [_minute(each) for each in times]
    for start in range(len(times) - run, run - 1, -1):
        before, after = median(minutes[max(0, start - 6) : start]), median(minutes[start:])
        fits = sum(abs(each - after) <= _JITTER for each in minutes[start:])
        moved = abs(before - after) > _JITTER and abs(minutes[start] - after) <= _JITTER
        if moved and fits >= 0.8 * len(minutes[start:]):
            return _from_first(times, minutes, start, after)
    return times


def _from_first(
    times: Sequence[datetime], minutes: Sequence[int], start: int, after: float
) -> Sequence[datetime]:
    """From the first of the run of times that have the new hour."""
    while start > 0 and abs(minutes[start - 1] - after) <= _JITTER:
        start -= 1
    return times[start:]


def _weekly(times: Sequence[datetime]) -> Schedule | None:
    weeks = {each.isocalendar()[:2] for each in times}
    if len(weeks) < 2:
        return None
    on = Counter(day.weekday() for day in {each.date() for each in times})
    often = tuple(sorted(day for day, n in on.items() if n >= _SHARE * len(weeks)))
    kept = tuple(each for each in times if each.weekday() in often)
    if not kept:
        return None
    minute = _usual(kept)
    kept = tuple(each for each in kept if abs(_minute(each) - minute) <= _NEAR)
    if not kept:
        return None
    return Schedule(
        frequency=_frequency(often, kept),
        days_of_week=() if len(often) == 7 else often,
        minute=minute,
        regularity=len(kept) / len(times),
        times=kept,
    )


def _widened(schedule: Schedule, times: Sequence[datetime]) -> Schedule:
    """With all earlier times that fit it; many times tell the usual minute better than few."""
    days = schedule.days_of_week or tuple(range(7))
    fits = tuple(
        each
        for each in times
        if each.weekday() in days and abs(_minute(each) - schedule.minute) <= _NEAR
    )
    return replace(schedule, times=fits, minute=_usual(fits[-24:]))


def _frequency(days: tuple[int, ...], kept: Sequence[datetime]) -> str:
    if len(days) == 7:
        return "daily"
    dates = sorted({each.date() for each in kept})
    alternates = len(days) == 1 and _BIWEEKLY[0] <= _usual_gap(dates) <= _BIWEEKLY[1]
    return "biweekly" if alternates else "weekly"


def _is_other(late: Schedule, whole: Schedule | None) -> bool:
    """Whether the last weeks tell other days: one gone altogether, or one new."""
    if whole is None:
        return True
    ours, before = (set(each.days_of_week or range(7)) for each in (late, whole))
    gone = before - {each.weekday() for each in late.times}
    return bool(gone or ours - before) and late.regularity >= 0.8 and len(late.times) >= _SEEN


def _monthly(times: Sequence[datetime]) -> Schedule:
    by_date = _agreeing([(each.day,) for each in times])
    by_week = _agreeing([nth_weekday(each.date()) for each in times])
    dated = by_date[1] >= by_week[1]
    value, share, count = by_date if dated else by_week
    marks = [(each.day,) if dated else nth_weekday(each.date()) for each in times]
    kept = tuple(
        each for each, mark in zip(times[-count:], marks[-count:], strict=True) if mark == value
    )
    return Schedule(
        frequency="monthly_by_date" if dated else "monthly_nth_weekday",
        days_of_week=() if dated else (value[1],),
        days_of_month=(value[0],) if dated else (),
        week_of_month=None if dated else value[0],
        minute=_usual(_after_jump(kept, 2)[-6:]),
        regularity=share,
        times=kept,
    )


def _agreeing(marks: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], float, int]:
    """(mark, share, of how many of the newest): the newest three where they agree, else all."""
    newest = Counter(marks[-_SEEN:]).most_common(1)[0]
    if newest[1] >= 2:
        held = [mark == newest[0] for mark in marks]
        first = held.index(True)
        return newest[0], sum(held[first:]) / len(held[first:]), len(marks) - first
    value, n = Counter(marks).most_common(1)[0]
    return value, n / len(marks), len(marks)


def _usual(times: Sequence[datetime]) -> int:
    """Median minute of the day, to five minutes: nobody starts on the dot."""
    return int(_ROUND * round(median(_minute(each) for each in times) / _ROUND)) % 1440


def _minute(at: datetime) -> int:
    return at.hour * 60 + at.minute
