"""Figures of a run from its records. Pure: the order of the records has no say."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from archive_mem.errors import InputError
from archive_mem.evals.log import Record
from archive_mem.evals.metrics import Interval, bootstrap, paired, weighted_mean
from archive_mem.evals.runner import of_systems

__all__ = ["compared", "figures", "summarised"]


def summarised(
    name: str,
    records: Iterable[Record],
    about: Mapping[str, Mapping[str, str]],
    tier_of: Callable[[str], str] | None = None,
) -> dict[str, Any]:
    """Everything `--json` prints: counts over all systems, then figures by system.

    about: system name -> what makes it that system
    tier_of: group -> the tier that its mean is weighted into, None for no tiers
    """
    found = sorted(records, key=lambda each: (each.system, each.sample))
    return {
        "name": name,
        **_counts(found),
        "seconds": round(sum(record.seconds for record in found), 3),
        "systems": {
            system: {"about": dict(about.get(system, {})), **figures(rows, tier_of)}
            for system, rows in of_systems(found).items()
        },
    }


def figures(
    records: Sequence[Record], tier_of: Callable[[str], str] | None = None
) -> dict[str, Any]:
    """Counts, mean with its interval, groups, tiers and cost of one system's records."""
    groups = {
        group: [record for record in records if record.group == group]
        for group in sorted({record.group for record in records})
    }
    body: dict[str, Any] = {
        **_counts(records),
        "score": _rounded(bootstrap(_values(records))),
        "groups": {group: _figures_of(rows) for group, rows in groups.items()},
        "cost": _cost(records),
        "reasons": _reasons(records),
    }
    if tier_of is not None:
        body["tiers"] = _tiers(groups, tier_of)
    return body


def compared(first: Mapping[Any, Record], second: Mapping[Any, Record]) -> dict[str, Any]:
    """Two runs question by question: each system of both, or the only one of each.

    Raises InputError when they have no system in common.
    """
    ours, theirs = of_systems(first.values()), of_systems(second.values())
    pairs = [(name, name) for name in ours if name in theirs]
    if not pairs and len(ours) == len(theirs) == 1:
        pairs = [(next(iter(ours)), next(iter(theirs)))]
    if not pairs:
        raise InputError("compare", "the two runs have no system in common")
    return {
        left if left == right else f"{left} / {right}": _pair(ours[left], theirs[right])
        for left, right in pairs
    }


def _pair(first: Sequence[Record], second: Sequence[Record]) -> dict[str, Any]:
    groups = sorted({record.group for record in first} & {record.group for record in second})
    return {
        **_difference(first, second),
        "only_in_first": _alone(first, second),
        "only_in_second": _alone(second, first),
        "groups": {
            group: _difference(
                [record for record in first if record.group == group],
                [record for record in second if record.group == group],
            )
            for group in groups
        },
    }


def _difference(first: Sequence[Record], second: Sequence[Record]) -> dict[str, Any]:
    found = paired(_by_sample(first), _by_sample(second))
    if found is None:
        return {"n": 0}
    return {
        "n": found.n,
        "difference": _rounded(found.difference),
        "better": found.better,
        "worse": found.worse,
        "same": found.same,
        "p": round(found.p, 4),
    }


def _alone(records: Sequence[Record], others: Sequence[Record]) -> int:
    """Scored here and not there: they have no part in the comparison."""
    return len(_by_sample(records).keys() - _by_sample(others).keys())


def _by_sample(records: Sequence[Record]) -> dict[str, float]:
    return {record.sample: record.value for record in records if record.value is not None}


def _counts(records: Sequence[Record]) -> dict[str, int]:
    status = Counter(record.status for record in records)
    return {
        "n": len(records),
        "scored": status["scored"],
        "unscored": status["unscored"],
        "failed": status["failed"],
    }


def _values(records: Sequence[Record]) -> list[float]:
    return [record.value for record in records if record.value is not None]


def _figures_of(records: Sequence[Record]) -> dict[str, Any]:
    names = sorted({name for record in records for name in record.parts})
    return {
        **_counts(records),
        "score": _rounded(bootstrap(_values(records))),
        "parts": {
            name: round(_mean([r.parts[name] for r in records if name in r.parts]), 4)
            for name in names
        },
    }


def _tiers(
    groups: Mapping[str, Sequence[Record]], tier_of: Callable[[str], str]
) -> dict[str, float | None]:
    """A tier is the mean of its subtasks weighted by how many questions were scored."""
    found: dict[str, list[tuple[float, float]]] = {}
    for group, records in groups.items():
        values = _values(records)
        weighed = (_mean(values), float(len(values))) if values else (0.0, 0.0)
        found.setdefault(tier_of(group), []).append(weighed)
    means = {tier: weighted_mean(pairs) for tier, pairs in sorted(found.items())}
    return {tier: None if mean is None else round(mean, 2) for tier, mean in means.items()}


def _cost(records: Sequence[Record]) -> dict[str, float]:
    answered = [record for record in records if record.status != "failed"]
    if not answered:
        return {}
    names = sorted({name for record in answered for name in record.tokens})
    tokens = {
        f"{name}_tokens": round(_mean([float(r.tokens.get(name, 0)) for r in answered]), 1)
        for name in names
    }
    cut = sum(1 for record in answered if record.tokens.get("cut", 0) > 0)
    seconds = round(_mean([record.seconds for record in answered]), 4)
    return {**tokens, "questions_cut": cut, "seconds": seconds}


def _reasons(records: Sequence[Record]) -> dict[str, int]:
    """Why there is no score, and how often."""
    found = Counter(record.why for record in records if record.value is None)
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _rounded(interval: Interval | None) -> dict[str, float] | None:
    if interval is None:
        return None
    return {name: round(value, 2) for name, value in asdict(interval).items()}
