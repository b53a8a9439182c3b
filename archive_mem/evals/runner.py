"""Ask every system every sample, score, and log: what is done already is not done again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from archive_mem.errors import ArchiveMemError, StoreError
from archive_mem.evals.dataset import Dataset, Sample
from archive_mem.evals.log import Record, RunFolder
from archive_mem.evals.scorers import Score, Scorer, not_scored
from archive_mem.evals.system import Reply, System
from archive_mem.progress import Track, silent

__all__ = ["Plan", "of_systems", "one", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One system and the samples that it is asked.

    system: what answers
    samples: which; a system that is defined for one tier alone is asked that tier alone
    """

    system: System[Any]
    samples: tuple[Sample[Any, Any], ...]


def run(
    dataset: Dataset[Any, Any],
    plans: Sequence[Plan],
    scorer: Scorer[Any],
    folder: RunFolder,
    track: Track = silent,
) -> dict[tuple[str, str], Record]:
    """Fill the folder's records up; returns all of them.

    A system or judge that fails is recorded as failed and asked again by the next run. Raises
    StoreError when a record cannot be kept.
    """
    done = folder.records()
    todo = [
        (plan.system, sample)
        for plan in plans
        for sample in plan.samples
        if _is_open(done.get((plan.system.name, sample.id)))
    ]
    for system, sample in track(todo, f"asking ({dataset.name})", len(todo)):
        record = one(system, sample, scorer)
        folder.append(record)
        done[record.system, record.sample] = record
    return done


def one(system: System[Any], sample: Sample[Any, Any], scorer: Scorer[Any]) -> Record:
    """Ask and score once; an error of the system or of the judge is a result, too."""
    started = perf_counter()
    try:
        reply = system.answer(replace(sample, gold=None))
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - a system is foreign code: its failure is a result
        return _failed(system, sample, "the system", error, perf_counter() - started)
    reply = replace(reply, seconds=reply.seconds or perf_counter() - started)
    try:
        score = _scored(sample, reply, scorer)
    except Exception as error:  # noqa: BLE001 - so is a judge
        failed = _failed(system, sample, "the judge", error, reply.seconds)
        return replace(failed, reply=reply.text, prompt=reply.prompt, context=reply.context)
    return _record(system, sample, reply, score)


def _is_open(record: Record | None) -> bool:
    return record is None or record.status == "failed"


def _scored(sample: Sample[Any, Any], reply: Reply, scorer: Scorer[Any]) -> Score:
    if reply.refused is not None:
        return not_scored(reply.refused)
    return scorer.score(sample, reply)


def _record(system: System[Any], sample: Sample[Any, Any], reply: Reply, score: Score) -> Record:
    return Record(
        system=system.name,
        sample=sample.id,
        group=sample.group,
        status="unscored" if score.value is None else "scored",
        value=score.value,
        parts=score.parts,
        why=score.why,
        prompt=reply.prompt,
        context=reply.context,
        reply=reply.text,
        parsed=reply.parsed,
        cited=reply.cited,
        judge_prompt=score.judge_prompt,
        judge_reply=score.judge_reply,
        tokens={
            "prompt": reply.prompt_tokens,
            "completion": reply.completion_tokens,
            "context": reply.context_tokens,
            "cut": reply.cut_tokens,
            "judge": score.judge_tokens,
        },
        seconds=round(reply.seconds, 6),
    )


def _failed(
    system: System[Any], sample: Sample[Any, Any], who: str, error: Exception, seconds: float
) -> Record:
    said = str(error) if isinstance(error, ArchiveMemError) else f"{type(error).__name__}: {error}"
    return Record(
        system=system.name,
        sample=sample.id,
        group=sample.group,
        status="failed",
        why=f"{who} failed: {said}",
        seconds=round(seconds, 6),
    )


def of_systems(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Records by system, in order of first appearance."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record.system, []).append(record)
    return found
