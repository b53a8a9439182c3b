"""Two run folders side by side."""

from pathlib import Path
from time import perf_counter
from typing import Any

from archive_mem.errors import InputError
from archive_mem.evals.log import RunFolder
from archive_mem.evals.summary import compared

__all__ = ["compare_runs"]


def compare_runs(first: Path, second: Path) -> dict[str, Any]:
    """Second minus first, question by question, for each system in both.

    Raises InputError for a folder without a run, other data, or no system in common.
    """
    started = perf_counter()
    left, right = RunFolder(first), RunFolder(second)
    ours, theirs = left.settings(), right.settings()
    for name in ("benchmark", "data"):
        if ours.get(name) != theirs.get(name):
            raise InputError(second, f"its {name} is not that of {first}")
    systems = compared(left.records(), right.records())
    changed = {
        name: [ours.get(name), theirs.get(name)]
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    }
    return {
        "name": "compare",
        "benchmark": ours.get("benchmark"),
        "n": sum(body["n"] for body in systems.values()),
        "unscored": sum(_without(run, "unscored") for run in (left, right)),
        "failed": sum(_without(run, "failed") for run in (left, right)),
        "systems": systems,
        "settings_that_differ": changed,
        "seconds": round(perf_counter() - started, 3),
    }


def _without(run: RunFolder, status: str) -> int:
    return sum(record.status == status for record in run.records().values())
