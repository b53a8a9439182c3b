"""Algorithm 2: the temporal stability of statements about a person (ChronoProfiler).

Pure NumPy over arrays; times are float days on any common axis. With `S` the unique mention times
of a statement that are not after the reference time:

    sup = 1 - exp(-|S| / tau_sup)
    dur = 1 - exp(-(last - first) / tau_dur)
    rec = exp(-(t_ref - last) / tau_rec)

The three columns are weighed by the entropy method, and the weighted sum is scaled to [0, 1].
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import ArrayLike, NDArray

from archive_mem.errors import UsageError
from archive_mem.profile.wording import statement_as_of
from archive_mem.schema.profile import Profile, ProfileItem, Stability, Weights

__all__ = [
    "PAPER",
    "Constants",
    "Spans",
    "StabilitySettings",
    "StabilityTable",
    "entropy_weights",
    "mentions_until",
    "score_profile",
    "score_spans",
    "spans",
    "stability",
]

Floats = NDArray[np.float64]

SECONDS_A_DAY = 86_400.0
ROUNDING = 8 * float(np.finfo(np.float64).eps)
EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilitySettings:
    """Constants of Algorithm 2; the defaults are the paper's.

    tau_sup: mentions
    tau_dur, tau_rec: days
    """

    tau_sup: float = 3.0
    tau_dur: float = 150.0
    tau_rec: float = 60.0

    def __post_init__(self) -> None:
        for name in ("tau_sup", "tau_dur", "tau_rec"):
            value = getattr(self, name)
            if not 0 < value < float("inf"):
                raise UsageError(f"{name} must be a positive number, not {value}")


PAPER = StabilitySettings()

Constants = StabilitySettings | Callable[[Sequence[ProfileItem], datetime], StabilitySettings]
"""The constants, or what finds them for a person as of a wall clock (profile.rhythm)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """What Algorithm 2 needs of each statement; arrays of one length.

    count: unique mention times, at least 1
    first, last: days
    """

    count: Floats
    first: Floats
    last: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityTable:
    """Result of Algorithm 2; arrays of one length m.

    rows: positions, in the input, of the statements that exist at the reference time
    sup, dur, rec, z, ts: as in the module's text
    weights: of sup, dur and rec
    """

    rows: NDArray[np.intp]
    sup: Floats
    dur: Floats
    rec: Floats
    z: Floats
    ts: Floats
    weights: Weights


def spans(times: Sequence[ArrayLike], t_ref: float) -> tuple[NDArray[np.intp], Spans]:
    """Rows with a mention at or before `t_ref`, and their spans.

    `times[i]` are the mention times of statement i in days, in any order, doubles allowed.
    """
    known = [_unique_until(row, t_ref) for row in times]
    rows = [position for position, row in enumerate(known) if row.size]
    kept = [known[position] for position in rows]
    return np.array(rows, dtype=np.intp), Spans(
        count=np.array([row.size for row in kept], dtype=np.float64),
        first=np.array([row[0] for row in kept], dtype=np.float64),
        last=np.array([row[-1] for row in kept], dtype=np.float64),
    )


def stability(
    times: Sequence[ArrayLike], t_ref: float, settings: StabilitySettings = PAPER
) -> StabilityTable:
    """Algorithm 2 over the mention times (days) of each statement, as of `t_ref` (days)."""
    rows, known = spans(times, t_ref)
    return score_spans(known, t_ref, settings, rows)


def score_spans(
    known: Spans,
    t_ref: float,
    settings: StabilitySettings = PAPER,
    rows: NDArray[np.intp] | None = None,
) -> StabilityTable:
    """Algorithm 2 over spans that end at or before `t_ref`; `rows` is handed through."""
    sup = -np.expm1(known.count / -settings.tau_sup)
    dur = -np.expm1((known.first - known.last) / settings.tau_dur)
    rec = np.exp((known.last - t_ref) / settings.tau_rec)
    weights = entropy_weights(sup, dur, rec)
    z = weights.sup * sup + weights.dur * dur + weights.rec * rec
    positions = np.arange(len(z), dtype=np.intp) if rows is None else rows
    return StabilityTable(
        rows=positions, sup=sup, dur=dur, rec=rec, z=z, ts=_scaled(z), weights=weights
    )


def entropy_weights(sup: Floats, dur: Floats, rec: Floats) -> Weights:
    """Weights 1 - e_j over their sum; 1/3 each when no column tells the rows apart."""
    spread = [_spread(column) for column in (sup, dur, rec)]
    total = sum(spread)
    if total == 0:
        return Weights(sup=1 / 3, dur=1 / 3, rec=1 / 3)
    return Weights(sup=spread[0] / total, dur=spread[1] / total, rec=spread[2] / total)


def mentions_until(item: ProfileItem, as_of: datetime) -> ProfileItem | None:
    """The statement as it was known at `as_of`; None when it was not known yet."""
    kept = tuple(mention for mention in item.mentions if mention.at <= as_of)
    if not kept:
        return None
    return replace(item, mentions=kept, statement=statement_as_of(item, kept))


def score_profile(
    items: Sequence[ProfileItem], as_of: datetime, constants: Constants = PAPER
) -> Profile:
    """The profile as it was known at `as_of`, most stable first, ties by id.

    `as_of` is a wall clock, as mentions are; one with an offset is taken to UTC.
    """
    moment = _wall_clock(as_of)
    settings = constants(items, moment) if callable(constants) else constants
    known = [item for item in (mentions_until(one, moment) for one in items) if item is not None]
    table = stability([_days(item) for item in known], _day(moment), settings)
    present = {item.id for item in known}
    pairs = [
        (_without_unknown_link(item, present), _stability_at(table, row))
        for row, item in enumerate(known)
    ]
    ordered = sorted(pairs, key=lambda pair: (-pair[1].ts, pair[0].id))
    return Profile(as_of=as_of, weights=table.weights, items=tuple(ordered))


def _unique_until(row: ArrayLike, t_ref: float) -> Floats:
    times = np.asarray(row, dtype=np.float64)
    return np.unique(times[times <= t_ref])


def _spread(column: Floats) -> float:
    """1 - e_j of the entropy method; 0 for an empty, zero or constant column."""
    if len(column) < 2:
        return 0.0
    total = float(column.sum())
    if total <= 0 or float(np.ptp(column)) <= ROUNDING * float(column.max()):
        return 0.0
    share = column / total
    if float(share.min()) > 0:
        entropy = -float((share * np.log(share)).sum())
    else:
        held = share[share > 0]
        entropy = -float((held * np.log(held)).sum())
    return max(0.0, 1.0 - entropy / float(np.log(len(column))))


def _scaled(z: Floats) -> Floats:
    """Scaled to [0, 1]; 1 for all when all are equal."""
    if len(z) == 0:
        return z.copy()
    low, high = float(z.min()), float(z.max())
    if high - low <= ROUNDING * high:
        return np.ones_like(z)
    return (z - low) / (high - low)


def _stability_at(table: StabilityTable, row: int) -> Stability:
    return Stability(
        sup=float(table.sup[row]),
        dur=float(table.dur[row]),
        rec=float(table.rec[row]),
        z=float(table.z[row]),
        ts=float(table.ts[row]),
    )


def _without_unknown_link(item: ProfileItem, present: set[str]) -> ProfileItem:
    if item.related_id is None or item.related_id in present:
        return item
    return replace(item, related_id=None)


def _wall_clock(moment: datetime) -> datetime:
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def _day(moment: datetime) -> float:
    return (moment - EPOCH).total_seconds() / SECONDS_A_DAY


def _days(item: ProfileItem) -> list[float]:
    return [_day(mention.at) for mention in item.mentions]
