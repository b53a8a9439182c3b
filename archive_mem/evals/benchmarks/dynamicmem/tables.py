"""Figures of a run that DynamicMem asks for beyond those of every benchmark. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from archive_mem.evals.log import Record
from archive_mem.evals.metrics import bootstrap
from archive_mem.evals.report import Table
from archive_mem.evals.runner import of_systems
from archive_mem.evals.summary import summarised

__all__ = ["dynamicmem_summary", "tables"]

_PARTS = ("core", "detail", "exact", "evidence_precision", "evidence_recall", "evidence_f1")


def dynamicmem_summary(
    records: Sequence[Record],
    about: Mapping[str, Mapping[str, str]],
    costs: Mapping[str, Any],
    checks: Mapping[str, Any],
) -> dict[str, Any]:
    """Everything `--json` prints."""
    summary = summarised("dynamicmem", records, about)
    for system, rows in of_systems(records).items():
        scored = [each for each in rows if each.value is not None]
        summary["systems"][system].update(
            people=_by_people(scored),
            percent=_percent(scored),
            checkpoints=_checkpoints(scored),
            slices=_slices(scored),
            failures=dict(Counter(each.why for each in scored if each.why).most_common()),
            build=costs.get(system, {}),
            checks=checks.get(system, {}),
        )
    return summary


def tables(summary: Mapping[str, Any]) -> list[Table]:
    """The same for people."""
    systems: Mapping[str, Any] = summary["systems"]
    groups = sorted({group for body in systems.values() for group in body["groups"]})
    cuts = sorted({cut for body in systems.values() for cut in body["checkpoints"]})
    return [
        Table(
            title="Mean over people, with its 95 % interval over people",
            head=["system", *groups],
            rows=[
                [s, *(_interval(b["people"].get(g)) for g in groups)] for s, b in systems.items()
            ],
        ),
        Table(
            title="Core right, in percent of fields",
            head=["system", *groups],
            rows=[[s, *(_part(b, g, "core") for g in groups)] for s, b in systems.items()],
        ),
        Table(
            title="Evidence F1",
            head=["system", *groups],
            rows=[[s, *(_part(b, g, "evidence_f1") for g in groups)] for s, b in systems.items()],
        ),
        Table(
            title="By checkpoint",
            head=["system", "group", *cuts],
            rows=[
                [s, group, *(_cell(b["checkpoints"].get(cut, {}).get(group)) for cut in cuts)]
                for s, b in systems.items()
                for group in groups
            ],
        ),
        Table(
            title="States that never changed (retention) and that did (update), after the first",
            head=["system", "retention", "update"],
            rows=[
                [s, _cell(b["slices"]["retention"]), _cell(b["slices"]["update"])]
                for s, b in systems.items()
            ],
        ),
        Table(
            title="What went wrong, times",
            head=["system", "class", "times"],
            rows=[[s, why, n] for s, b in systems.items() for why, n in b["failures"].items()],
        ),
        Table(
            title="Build phase and checks",
            head=["system", "seconds", "processor seconds", "peak MiB", "changed", "looked ahead"],
            rows=[[s, *_build(b["build"], b["checks"])] for s, b in systems.items()],
        ),
    ]


def _by_people(records: Iterable[Record]) -> dict[str, Any]:
    """A person's questions hang together: the interval is over people, not over questions."""
    found: dict[str, dict[str, list[float]]] = {}
    for each in records:
        of_group = found.setdefault(each.group, {})
        of_group.setdefault(each.sample.split(" ", 1)[0], []).append(each.value or 0.0)
    means = {group: [_mean(v) for v in people.values()] for group, people in found.items()}
    return {
        group: {name: round(value, 2) for name, value in asdict(interval).items()}
        for group, values in sorted(means.items())
        if (interval := bootstrap(values)) is not None
    }


def _percent(records: Sequence[Record]) -> dict[str, dict[str, float]]:
    return _grouped(
        records,
        lambda each: each.group,
        lambda rows: {
            part: round(100 * _mean([each.parts[part] for each in rows]), 1) for part in _PARTS
        },
    )


def _checkpoints(records: Sequence[Record]) -> dict[str, dict[str, dict[str, float]]]:
    def of_cut(rows: Sequence[Record]) -> dict[str, dict[str, float]]:
        return _grouped(rows, lambda each: each.group, _score_and_core)

    return _grouped(records, _cut, of_cut)


def _slices(records: Sequence[Record]) -> dict[str, dict[str, float] | None]:
    """States after the first checkpoint only: before it nothing can have changed."""
    first = min((_cut(each) for each in records), default="")
    later = [e for e in records if e.group.startswith("state") and _cut(e) != first]
    changed = {True: "update", False: "retention"}
    split = _grouped(later, lambda each: changed[each.parts["updated"] > 0], _score_and_core)
    return {name: split.get(name) for name in changed.values()}


def _score_and_core(rows: Sequence[Record]) -> dict[str, float]:
    return {
        "n": len(rows),
        "score": round(_mean([each.value or 0.0 for each in rows]), 1),
        "core": round(100 * _mean([each.parts["core"] for each in rows]), 1),
    }


def _cut(record: Record) -> str:
    return record.sample.split(" ")[1]


def _grouped(
    records: Sequence[Record],
    key: Callable[[Record], str],
    made: Callable[[Sequence[Record]], Any],
) -> dict[str, Any]:
    found: dict[str, list[Record]] = {}
    for each in records:
        found.setdefault(key(each), []).append(each)
    return {name: made(rows) for name, rows in sorted(found.items())}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _interval(body: Mapping[str, float] | None) -> str:
    return "" if body is None else f"{body['mean']:.1f} [{body['low']:.1f}, {body['high']:.1f}]"


def _part(body: Mapping[str, Any], group: str, part: str) -> str:
    found = body["percent"].get(group)
    return "" if found is None else f"{found[part]:.1f}"


def _cell(body: Mapping[str, float] | None) -> str:
    return "" if body is None else f"{body['score']:.1f} ({body['n']:.0f})"


def _build(build: Mapping[str, Any], checks: Mapping[str, Any]) -> list[Any]:
    times = [f"{build.get(name, 0.0):.1f}" for name in ("seconds", "cpu_seconds", "peak_mib")]
    again = f"{len(checks.get('different', ()))} of {checks.get('asked_again', 0)}"
    return [*times, f"{len(checks.get('changed', ()))} of {checks.get('snapshots', 0)}", again]
