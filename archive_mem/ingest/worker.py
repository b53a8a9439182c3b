"""Running stages on one file in a worker: one attempt, retries, and the policy over stages."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.errors import ArchiveMemError, ModelError
from archive_mem.ingest.stages import STAGES, Stage
from archive_mem.ingest.work import Tools, Work

__all__ = ["Job", "attempt", "run_job", "run_stages", "start_worker", "with_retries"]

TRIES = 3
"""A model behind a server may fail for a moment; a broken file stays broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a worker is asked to do.

    work: the file
    wanted: stage name -> version, the stages that must run
    """

    work: Work
    wanted: Mapping[str, str]


_tools: Tools | None = None


def start_worker(make_tools: Callable[[], Tools]) -> None:
    """Build the tools once a process."""
    global _tools
    _tools = make_tools()


def run_job(job: Job) -> Work:
    """Run the wanted stages in a started worker."""
    if _tools is None:
        raise RuntimeError("start_worker was not called in this process")
    return run_stages(job.work, job.wanted, _tools)


def run_stages(work: Work, wanted: Mapping[str, str], tools: Tools) -> Work:
    """The policy: in order, only what is wanted, and nothing after a failure."""
    for stage in STAGES:
        if stage.name not in wanted:
            continue
        begun = time.perf_counter()
        try:
            work = with_retries(stage, work, tools)
        except ArchiveMemError as error:
            return _noted(work, stage, wanted, begun, Outcome.FAILED, str(error))
        except Exception as error:  # noqa: BLE001  one file's trouble is that file's reason
            reason = f"{type(error).__name__}: {error}"
            return _noted(work, stage, wanted, begun, Outcome.FAILED, reason)
        work = _noted(work, stage, wanted, begun, Outcome.DONE, None)
    return work


def with_retries(stage: Stage, work: Work, tools: Tools) -> Work:
    """Try again when a model did not answer, a little later each time."""
    for left in reversed(range(TRIES)):
        try:
            return attempt(stage, work, tools)
        except ModelError:
            if not left:
                raise
            time.sleep(0.2 * (TRIES - left))
    raise AssertionError("unreachable")


def attempt(stage: Stage, work: Work, tools: Tools) -> Work:
    """Run one stage once."""
    return stage.run(work, tools)


def _noted(
    work: Work,
    stage: Stage,
    wanted: Mapping[str, str],
    begun: float,
    outcome: Outcome,
    reason: str | None,
) -> Work:
    entry = Entry(
        item_id=work.item_id,
        stage=stage.name,
        version=wanted[stage.name],
        outcome=outcome,
        reason=None if reason is None else _without_path(reason, work),
        seconds=time.perf_counter() - begun,
    )
    return replace(work, entries=(*work.entries, entry))


def _without_path(reason: str, work: Work) -> str:
    """Paths hold names: what is stored and printed as a reason speaks of "the file"."""
    for part in (str(work.path.resolve()), str(work.path), work.path.name):
        reason = reason.replace(part, "the file")
    return " ".join(reason.split())[:300]
