"""From an answer and gold to a score, its parts, and the kind of failure. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from archive_mem.evals.benchmarks.dynamicmem.data import GoldItem
from archive_mem.evals.benchmarks.dynamicmem.judge import (
    Judged,
    fields_of,
    is_same,
    said_about,
)
from archive_mem.evals.benchmarks.dynamicmem.protocol import Json, leaves
from archive_mem.evals.metrics import field_score, gated, overlap

__all__ = ["FAILURES", "Verdict", "judged_exactly", "verdict"]

FAILURES = (
    "identity missing",
    "conflict",
    "irrelevant evidence",
    "detail missing",
    "evidence complete, answer wrong",
    "evidence partly found",
)
"""Checked in this order; the first that fits is the class of an answer that is not whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A scored answer; nothing of gold is in it.

    value: 0 to 100
    parts: core, detail, exact (all 0 to 1), evidence_precision, evidence_recall, evidence_f1,
        updated (1 where the state changed since the first checkpoint), gate
    failure: one of FAILURES, "" where the answer is whole
    """

    value: float
    parts: dict[str, float]
    failure: str


def judged_exactly(gold: GoldItem, said: Json) -> tuple[list[Judged], bool]:
    """Every field, and whether the right thing is spoken of (identity gate)."""
    if gold.gate is None and not gold.points:
        return fields_of(gold.reference, said), True
    message = said if isinstance(said, str) else " ".join(str(v) for _, v in leaves(said))
    fields = [
        Judged(path=path, core=core, detail=detail)
        for path, _, value in gold.points
        for core, detail in [said_about(value, message, path)]
    ]
    gate = gold.gate is None or said_about(gold.gate, message, "")[0] == 1
    return fields, gate


def verdict(
    gold: GoldItem,
    said: Json,
    cited: Sequence[str],
    fields: Sequence[Judged],
    gate: bool,
) -> Verdict:
    """The score: mean of 0.8 core + 0.2 detail / 2, nothing where the gate is not passed."""
    points = [field_score(each.core, each.detail) for each in fields]
    value = gated(points, gate) if fields else float(gate)
    found = overlap(cited, gold.evidence)
    core = gate * _mean([float(each.core) for each in fields])
    parts = {
        "core": core,
        "detail": gate * _mean([each.detail / 2 for each in fields]),
        "exact": float(is_same(gold.reference, said)),
        "evidence_precision": found.precision,
        "evidence_recall": found.recall,
        "evidence_f1": found.f1,
        "updated": float(gold.updated),
        "gate": float(gate),
    }
    failure = _failure(gold, said, cited, core, gate) if value < 1 - 1e-9 else ""
    return Verdict(value=100 * value, parts=parts, failure=failure)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0


def _failure(
    gold: GoldItem,
    said: Json,
    cited: Sequence[str],
    core: float,
    gate: bool,
) -> str:
    if not gate:
        return "identity missing"
    if core < 1 and any(_tells(each, said) for each in gold.former):
        return "conflict"
    if not set(cited) & set(gold.evidence):
        return "irrelevant evidence"
    if core == 1:
        return "detail missing"
    whole = set(gold.evidence) <= set(cited)
    return "evidence complete, answer wrong" if whole else "evidence partly found"


def _tells(former: Json, said: Json) -> bool:
    """Whether an answer is what held before: every field of it, or its words."""
    if isinstance(former, dict) and isinstance(said, dict):
        return all(each.core for each in fields_of(former, said))
    words = " ".join(str(value) for _, value in leaves(said))
    return all(said_about(value, words, path)[0] for path, value in leaves(former))
