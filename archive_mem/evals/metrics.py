"""Numbers that say how good an answer is, and how sure a mean is. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Interval",
    "Overlap",
    "Paired",
    "all_at",
    "any_at",
    "bootstrap",
    "choice_points",
    "field_score",
    "gated",
    "jaccard",
    "kendall_tau",
    "mean_percent",
    "overlap",
    "paired",
    "persona_points",
    "recall_at",
    "state_score",
    "weighted_mean",
]

_DRAWS = 2_000
_SEED = 20_260_112


def recall_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Share of the gold ids among the first k, 0 to 1. `gold` must not be empty."""
    return len(set(ranked[:k]) & set(gold)) / len(set(gold))


def any_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when any gold id is among the first k, else 0."""
    return float(recall_at(ranked, gold, k) > 0)


def all_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when all gold ids are among the first k, else 0."""
    return float(set(gold) <= set(ranked[:k]))


def mean_percent(values: Iterable[float]) -> float | None:
    """The mean in percent to one decimal, None for no values."""
    found = list(values)
    return round(100 * sum(found) / len(found), 1) if found else None


def kendall_tau(ranked: Sequence[str], gold: Sequence[str]) -> float:
    """Kendall's tau over the C(n, 2) pairs of two rankings without ties (Kendall 1938).

    1 for the same order, -1 for the reverse. Raises ValueError for a tie (an id twice), for a
    ranking that is not of the same ids, and for fewer than two.
    """
    for name, ids in (("ranking", ranked), ("gold", gold)):
        if len(set(ids)) != len(ids):
            raise ValueError(f"the {name} has a tie: an option stands in it twice")
    if set(ranked) != set(gold):
        raise ValueError("the ranking is not of the same options as the gold")
    if len(gold) < 2:
        raise ValueError("a ranking of fewer than two options has no tau")
    place = {name: position for position, name in enumerate(ranked)}
    signs = [1 if place[a] < place[b] else -1 for a, b in combinations(gold, 2)]
    return sum(signs) / len(signs)


def choice_points(tau: float) -> float:
    """ReaLMem's T3: 50 (tau + 1), 0 to 100."""
    return 50.0 * (tau + 1.0)


def persona_points(coverage: float, accuracy: float) -> float:
    """ReaLMem's T2: (coverage + accuracy) x 10 with each from 1 to 5, so 20 to 100.

    Raises ValueError outside that range.
    """
    for name, value in (("coverage", coverage), ("accuracy", accuracy)):
        if not 1 <= value <= 5:
            raise ValueError(f"{name} goes from 1 to 5, not {value}")
    return 10.0 * (coverage + accuracy)


def weighted_mean(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Mean of (value, weight) pairs, None where all weights are 0."""
    found = list(pairs)
    whole = sum(weight for _, weight in found)
    return sum(value * weight for value, weight in found) / whole if whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Two sets of ids compared.

    precision: share of the cited ones that are gold
    recall: share of the gold ones that are cited
    f1: their harmonic mean
    """

    precision: float
    recall: float
    f1: float


def overlap(cited: Collection[str], gold: Collection[str]) -> Overlap:
    """Precision, recall and F1 of two sets; all 1 when both are empty, all 0 when one is."""
    ours, theirs = set(cited), set(gold)
    if not ours and not theirs:
        return Overlap(precision=1.0, recall=1.0, f1=1.0)
    both = len(ours & theirs)
    return Overlap(
        precision=both / len(ours) if ours else 0.0,
        recall=both / len(theirs) if theirs else 0.0,
        f1=2 * both / (len(ours) + len(theirs)),
    )


def jaccard(left: Collection[str], right: Collection[str]) -> float:
    """Size of the intersection over that of the union; 1 when both are empty."""
    ours, theirs = set(left), set(right)
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 1.0


def field_score(core: int, detail: int) -> float:
    """DynamicMem's score of one field: 0.8 core + 0.2 detail / 2.

    core: 0 or 1; detail: 0, 1 or 2. Raises ValueError for anything else.
    """
    if core not in (0, 1) or detail not in (0, 1, 2):
        raise ValueError(f"core is 0 or 1 and detail 0, 1 or 2, not {core} and {detail}")
    return 0.8 * core + 0.2 * detail / 2


def state_score(fields: Sequence[tuple[int, int]]) -> float:
    """Mean of `field_score` over the (core, detail) of a state's fields. Needs one at least."""
    return sum(field_score(core, detail) for core, detail in fields) / len(fields)


def gated(points: Sequence[float], identity: bool) -> float:
    """Mean of the points of a service, 0 where the wrong thing was served (identity gate)."""
    return sum(points) / len(points) if identity and points else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean and its 95 % bootstrap interval.

    n: how many values
    mean, low, high: in the unit of the values; low and high are the mean where n is 1
    """

    n: int
    mean: float
    low: float
    high: float


def bootstrap(values: Sequence[float], draws: int = _DRAWS, seed: int = _SEED) -> Interval | None:
    """Percentile bootstrap of the mean (Efron 1979), None for no values.

    The order of the values has no say: they are sorted first.
    """
    if not values:
        return None
    found = np.sort(np.asarray(values, np.float64))
    means = _drawn_means(found, draws, seed)
    low, high = np.percentile(means, (2.5, 97.5)).tolist()
    return Interval(n=len(found), mean=float(found.mean()), low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two runs on the same questions; differences are second minus first.

    n: questions that both scored
    difference: mean difference with its 95 % interval
    better, worse, same: how many questions
    p: two-sided sign-flip test of a difference of 0
    """

    n: int
    difference: Interval
    better: int
    worse: int
    same: int
    p: float


def paired(
    first: Mapping[str, float], second: Mapping[str, float], draws: int = _DRAWS, seed: int = _SEED
) -> Paired | None:
    """Compare by question id; None when no question was scored in both."""
    ids = sorted(first.keys() & second.keys())
    gaps = np.asarray([second[each] - first[each] for each in ids], np.float64)
    interval = bootstrap(gaps.tolist(), draws, seed)
    if interval is None:
        return None
    return Paired(
        n=len(ids),
        difference=interval,
        better=int((gaps > 0).sum()),
        worse=int((gaps < 0).sum()),
        same=int((gaps == 0).sum()),
        p=_sign_flip(np.sort(gaps), draws, seed),
    )


def _drawn_means(values: NDArray[np.float64], draws: int, seed: int) -> NDArray[np.float64]:
    random = np.random.default_rng(seed)
    rows = random.integers(0, len(values), size=(draws, len(values)))
    means: NDArray[np.float64] = values[rows].mean(axis=1)
    return means


def _sign_flip(gaps: NDArray[np.float64], draws: int, seed: int) -> float:
    """Share of random signs whose mean is as far from 0, the observed one among them."""
    random = np.random.default_rng(seed)
    signs = random.choice((-1.0, 1.0), size=(draws, len(gaps)))
    means = np.abs((signs * gaps).mean(axis=1))
    as_far = int((means >= abs(float(gaps.mean())) - 1e-12).sum())
    return (as_far + 1) / (draws + 1)
