"""Numbers that say how good a ranking is. Pure."""

from collections.abc import Collection, Iterable, Sequence

__all__ = ["all_at", "any_at", "mean_percent", "recall_at"]


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
