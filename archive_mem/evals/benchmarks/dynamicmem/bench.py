"""DynamicMem: systems over people, in one run folder.

    <run>/audit.json        every field that each system received, and what it was refused
    <run>/costs.json        seconds and memory of the build phase
    <run>/judgements.jsonl  gold beside the answers, written by the keeper when all is asked

For each person a system first takes in the logs checkpoint by checkpoint (build phase), then all
questions are asked from the snapshots (test phase). At the end some are asked once more of a fresh
one that was never given later logs: another answer means that the system looked ahead.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from archive_mem.errors import InputError, ModelError, UsageError
from archive_mem.evals.benchmarks.dynamicmem.audit import Audit
from archive_mem.evals.benchmarks.dynamicmem.guard import allowed_roots, is_within
from archive_mem.evals.benchmarks.dynamicmem.protocol import (
    AppLog,
    Checkpoint,
    Json,
    QuerySpec,
)
from archive_mem.evals.benchmarks.dynamicmem.tables import dynamicmem_summary, tables
from archive_mem.evals.benchmarks.dynamicmem.wire import (
    Child,
    answer_of,
    checkpoint_of,
    log_of,
    packed,
    query_of,
)
from archive_mem.evals.dataset import Dataset, Sample
from archive_mem.evals.log import RunFolder, versions, write_whole
from archive_mem.evals.report import report_html
from archive_mem.evals.runner import Plan
from archive_mem.evals.runner import run as run_plans
from archive_mem.evals.scorers import Score
from archive_mem.evals.system import Reply
from archive_mem.progress import Track, silent

__all__ = ["ORACLES", "Asked", "Checks", "KeptScorer", "Visible", "WorkerSystem", "run"]

_MODULE = "archive_mem.evals.benchmarks.dynamicmem"
ORACLES = frozenset({"oracle"})
_AGAIN = 6
"""How many questions a checkpoint are asked again of one that knows nothing later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and where it is asked."""

    person: str
    checkpoint: str
    query: QuerySpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """A person as the bench knows them: no gold.

    id: name of the folder
    logs: all; a system gets those of a checkpoint
    checkpoints: in order
    samples: all questions
    problems: of the files
    """

    id: str
    logs: tuple[AppLog, ...]
    checkpoints: tuple[Checkpoint, ...]
    samples: tuple[Sample[Asked, None], ...]
    problems: tuple[str, ...]


@dataclass(slots=True)
class Checks:
    """What was found out about a system.

    snapshots: how many could be compared; changed: those that asking changed
    asked_again: questions; different: those answered otherwise without the later logs
    """

    snapshots: int = 0
    changed: list[str] = field(default_factory=list)
    asked_again: int = 0
    different: list[str] = field(default_factory=list)


class WorkerSystem:
    """One memory system in its own process (System)."""

    def __init__(self, name: str, people: Mapping[str, Visible], keeper: Child, work: Path) -> None:
        self._people, self._keeper = people, keeper
        self._worker = Child(f"{_MODULE}.worker", work, extra_path=Path.cwd())
        self.audit, self.checks = Audit(), Checks()
        self.costs: dict[str, Json] = {}
        self._person: str | None = None
        self.name = str(self._say("load", system=name, work=str(work))["name"])
        self.about: Mapping[str, str] = {"system": name}
        self._oracle = name in ORACLES

    def close(self) -> None:
        """End its process."""
        self._worker.close()

    def answer(self, sample: Sample[Asked, None]) -> Reply:
        """Build first where this person was not built yet. Raises ModelError."""
        asked = sample.asked
        if self._person != asked.person:
            self.leave()
            self._build(self._people[asked.person])
        said = self._ask(asked)
        answer = answer_of({k: said[k] for k in _ANSWER})
        return Reply(
            text=json.dumps(answer.value, ensure_ascii=False),
            parsed={"value": answer.value},
            cited=answer.evidence,
            context=tuple(said["context"]),
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            seconds=float(said["seconds"]),
        )

    def leave(self) -> None:
        """Done with a person: see whether the snapshots were left alone and nothing looks ahead."""
        if self._person is None:
            return
        person, self._person = self._people[self._person], None
        with suppress(ModelError):  # a process that died has failed its questions already
            self._check(person)

    def _check(self, person: Visible) -> None:
        ended = self._say("end")
        self.checks.snapshots += int(ended["checked"])
        self.checks.changed += [f"{person.id} {cut}" for cut in ended["changed"]]
        self._ask_again(person)
        self.audit.refused += [*ended["refused"], *self._say("end")["refused"]]

    def _ask_again(self, person: Visible) -> None:
        few = {
            cut.id: [s.asked for s in person.samples if s.asked.checkpoint == cut.id]
            for cut in person.checkpoints[:-1]
        }
        few = {cut: each[:: max(1, len(each) // _AGAIN)][:_AGAIN] for cut, each in few.items()}
        first = self._replies(person, few)
        self._say("begin")
        for cut, logs in _steps(person):
            self._say("prepare", checkpoint=packed(cut), logs=logs)
            for asked in few.get(cut.id, ()):
                self.checks.asked_again += 1
                if self._value(asked) != first[cut.id, asked.query.id]:
                    self.checks.different.append(f"{person.id} {cut.id} {asked.query.id}")

    def _replies(
        self, person: Visible, few: Mapping[str, Sequence[Asked]]
    ) -> dict[tuple[str, str], Json]:
        """What it says now that it knows all logs; a snapshot may not tell."""
        return {(cut, a.query.id): self._value(a) for cut, many in few.items() for a in many}

    def _value(self, asked: Asked) -> Json:
        """What is compared; a failure is an answer, too."""
        try:
            said = self._ask(asked)
        except ModelError as error:
            return str(error)
        return [said["value"], said["evidence"]]

    def _build(self, person: Visible) -> None:
        self._say("begin")
        for cut, logs in _steps(person):
            spent = self._say("prepare", checkpoint=packed(cut), logs=logs)
            for name in ("seconds", "cpu_seconds"):
                self.costs[name] = self.costs.get(name, 0.0) + float(spent[name])
            self.costs["peak_mib"] = max(self.costs.get("peak_mib", 0.0), float(spent["peak_mib"]))
        self.costs["people"] = self.costs.get("people", 0) + 1
        self._person = person.id

    def _ask(self, asked: Asked) -> dict[str, Json]:
        query = asked.query
        if self._oracle:
            told = self._keeper.ask(
                "oracle", person=asked.person, checkpoint=asked.checkpoint, query=query.id
            )
            query = replace(query, oracle=tuple(told["evidence"]))
        return self._say("ask", checkpoint=asked.checkpoint, query=packed(query))

    def _say(self, do: str, **said: Json) -> dict[str, Json]:
        self.audit.note(do, said)
        return self._worker.ask(do, **said)


_ANSWER = ("value", "evidence", "prompt_tokens", "completion_tokens")


class KeptScorer:
    """Scores in the keeper (Scorer)."""

    def __init__(self, keeper: Child, judge: str) -> None:
        self._keeper, self.name = keeper, judge

    def score(self, sample: Sample[Asked, None], reply: Reply) -> Score:
        """The verdict; `why` is the class of the failure. Raises ModelError."""
        found = self._keeper.ask(
            "score",
            person=sample.asked.person,
            checkpoint=sample.asked.checkpoint,
            query=sample.asked.query.id,
            value=reply.parsed["value"],
            evidence=list(reply.cited),
        )
        return Score(
            value=found["value"],
            parts=found["parts"],
            why=found["failure"],
            judge_tokens=int(found["judge_tokens"]),
        )


def run(
    data: Path,
    systems: Sequence[str],
    out: Path,
    judge: str = "exact",
    generate: tuple[int, int] | None = None,
    track: Track = silent,
) -> Mapping[str, Json]:
    """Run what is not done yet, and write summary.json and report.html.

    generate: (people, first seed) to write into `data` first, None to read what lies there

    Raises InputError, UsageError for unknown systems and for a folder with another run, ModelError.
    """
    with ExitStack() as stack:
        work = Path(stack.enter_context(TemporaryDirectory(prefix="archive-mem-bench-")))
        _check_apart(data, work)
        keeper = stack.enter_context(Child(f"{_MODULE}.keeper", work))
        if generate is not None:
            keeper.ask("generate", folder=str(data.resolve()), users=generate[0], seed=generate[1])
        opened = keeper.ask("open", folder=str(data.resolve()), judge=judge)
        people = {name: _visible(name, keeper.ask("person", id=name)) for name in opened["people"]}
        folder = RunFolder(out)
        settings = _settings(opened, systems, people)
        folder.begin(settings)
        chosen = [_started(stack, name, people, keeper, work) for name in dict.fromkeys(systems)]
        samples = tuple(sample for person in people.values() for sample in person.samples)
        dataset = Dataset(name="dynamicmem", samples=samples, sha256=str(opened["sha256"]))
        plans = [Plan(system=system, samples=samples) for system in chosen]
        done = run_plans(dataset, plans, KeptScorer(keeper, str(opened["judge"])), folder, track)
        for system in chosen:
            system.leave()
        costs = _kept(out / "costs.json", {s.name: s.costs for s in chosen if s.costs})
        audit = {s.name: s.audit.told() for s in chosen}
        write_whole(out / "audit.json", json.dumps(audit, indent=1) + "\n")
        about = {system.name: system.about for system in chosen}
        names = set(about)
        records = [record for (system, _), record in done.items() if system in names]
        summary = dynamicmem_summary(records, about, costs, _checks(out, chosen))
        summary["people"] = len(people)
        summary["problems"] = [f"{p.id} {each}" for p in people.values() for each in p.problems]
        keeper.ask("write", file=str((out / "judgements.jsonl").resolve()))
        folder.write_summary(summary)
        write_whole(out / "report.html", report_html(summary, settings, tables(summary)))
        return summary


def _started(
    stack: ExitStack, name: str, people: Mapping[str, Visible], keeper: Child, work: Path
) -> WorkerSystem:
    own = Path(stack.enter_context(TemporaryDirectory(prefix="system-", dir=work)))
    system = WorkerSystem(name, people, keeper, own)
    stack.callback(system.close)
    return system


def _check_apart(data: Path, work: Path) -> None:
    """Gold must not lie where a system may read."""
    here = str(data.resolve())
    if is_within(here, allowed_roots(work)):
        raise UsageError(f"{data}: lies among the program's own files; put the data elsewhere")


def _visible(name: str, told: Mapping[str, Json]) -> Visible:
    samples = [
        Sample(
            id=f"{name} {cut} {query['id']}",
            group=group,
            asked=Asked(person=name, checkpoint=cut, query=query_of(query)),
            gold=None,
        )
        for cut, queries in told["queries"].items()
        for query, group in zip(queries, told["groups"][cut], strict=True)
    ]
    if not samples:
        raise InputError(name, "there is no question in its task packs")
    return Visible(
        id=name,
        logs=tuple(log_of(row) for row in told["logs"]),
        checkpoints=tuple(checkpoint_of(row) for row in told["checkpoints"]),
        samples=tuple(samples),
        problems=tuple(told["problems"]),
    )


def _steps(person: Visible) -> Iterator[tuple[Checkpoint, list[dict[str, Json]]]]:
    """Checkpoints in order with the logs that are new at each."""
    known = 0
    for cut in person.checkpoints:
        yield cut, [packed(log) for log in person.logs[known : cut.log_index]]
        known = max(known, cut.log_index)


def _settings(
    opened: Mapping[str, Json], systems: Sequence[str], people: Mapping[str, Visible]
) -> dict[str, Json]:
    return {
        "benchmark": "dynamicmem",
        "data": opened["sha256"],
        "people": len(people),
        "systems": list(systems),
        "judge": opened["judge"],
        "versions": versions(),
    }


def _checks(out: Path, systems: Sequence[WorkerSystem]) -> dict[str, Json]:
    fresh = {
        s.name: {
            "snapshots": s.checks.snapshots,
            "changed": s.checks.changed,
            "asked_again": s.checks.asked_again,
            "different": s.checks.different,
        }
        for s in systems
        if s.checks.snapshots or s.checks.asked_again
    }
    return _kept(out / "checks.json", fresh)


def _kept(path: Path, fresh: Mapping[str, Json]) -> dict[str, Json]:
    """What an earlier part of the run found stays where this part had nothing left to do."""
    before = json.loads(path.read_text("utf-8")) if path.exists() else {}
    found = {**before, **fresh}
    write_whole(path, json.dumps(found, indent=1) + "\n")
    return found
