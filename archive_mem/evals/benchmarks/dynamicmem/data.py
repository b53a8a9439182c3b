"""Reading a person's two files, checking them, and taking apart what may be seen from gold.

Only the keeper imports this: whoever reads task_packs.json has gold in memory. Both contracts are
read: taskabc_v1 (a service has a question; state values may be {from, to}) and taskabc_v2 (a
service has a family, a scenario and, for two of three families, an output template).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from archive_mem.errors import InputError
from archive_mem.evals.benchmarks.dynamicmem.protocol import (
    AppLog,
    Checkpoint,
    Json,
    QuerySpec,
    leaves,
)

__all__ = ["EXCLUDED", "GoldItem", "Person", "Problem", "people_of", "read_person"]

EXCLUDED = frozenset({"priority", "schedule_date", "schedule_dates"})
"""Fields that taskabc_v2 neither asks nor scores."""

KINDS = {
    "user_attributes_state": "attribute",
    "attributes_state": "attribute",
    "preferences_state": "preference",
    "habits_state": "habit",
}
MESSAGE = "user_communication"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldItem:
    """What is right for one question; stays in the keeper.

    kind: attribute, preference or habit
    reference: the state, the output, or the message
    points: of a message: (field path, what is asked, reference value), the gate left out
    gate: what a message has to be about, None where it has no gate
    evidence: ids of logs
    updated: whether the state is another one than at the first checkpoint that has it
    former: what the state was at earlier checkpoints
    """

    kind: str
    reference: Json
    points: tuple[tuple[str, str, Json], ...] = ()
    gate: str | None = None
    evidence: tuple[str, ...] = ()
    updated: bool = False
    former: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in the files that is not as it should be; told, not fatal."""

    where: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One person of the benchmark.

    id: name of their folder
    logs: all, in order
    checkpoints: in order
    queries: what may be asked at each, by checkpoint id
    gold: by checkpoint id and query id
    problems: found while reading
    """

    id: str
    logs: tuple[AppLog, ...]
    checkpoints: tuple[Checkpoint, ...]
    queries: Mapping[str, tuple[QuerySpec, ...]]
    gold: Mapping[tuple[str, str], GoldItem]
    problems: tuple[Problem, ...]


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True, coerce_numbers_to_str=True)


class _Log(_Row):
    app_log_id: str
    timestamp: datetime
    app_name: str = ""
    api_name: str = ""
    request: Json = None
    response: Json = None


class _AsOf(_Row):
    log_index: int | None = None
    app_log_id: str | None = None
    timestamp: datetime | None = None


class _Item(_Row):
    qa_id: str = ""
    service_family: str = Field(
        default="", validation_alias=AliasChoices("service_family", "service_category")
    )
    scenario: str = ""
    task_instruction: str = Field(
        default="", validation_alias=AliasChoices("task_instruction", "question")
    )
    retrieval_query: str = ""
    output_template: Json = None
    reference_output: Json = None
    reference_answer: str | None = None
    answer_scoring_points: list[dict[str, Json]] = []
    gold_memory_evidence_app_log_ids: list[str] = []


class _Ask(_Row):
    question_text: str = ""
    answer_template: Json = None
    retrieval_query: str = ""
    scoring_points: list[dict[str, Json]] = []


class _Pack(_Row):
    keys: dict[str, _Ask] = {}


class _Node(_Row):
    items: list[_Item] = []


class _Service(_Row):
    keys: dict[str, _Node] = {}


class _Cut(_Row):
    checkpoint_id: str
    as_of: _AsOf = _AsOf()
    validated_snapshot_state: dict[str, Json] = Field(
        default_factory=dict,
        validation_alias=AliasChoices("validated_snapshot_state", "expected_snapshot_state"),
    )
    state_observability: dict[str, Json] = {}
    state_completion_pack: _Pack = _Pack()
    rq3_apply_service_qa: _Service = _Service()


class _Packs(_Row):
    task_contract_version: str = "taskabc_v1"
    checkpoints: list[_Cut]


def people_of(folder: Path) -> list[Path]:
    """Folders with an app_log_large.json: the folder itself, or those in it. Raises InputError."""
    if (folder / "app_log_large.json").is_file():
        return [folder]
    found = sorted(each.parent for each in folder.glob("*/app_log_large.json"))
    if not found:
        raise InputError(folder, "no app_log_large.json lies in it or in its folders")
    return found


def read_person(folder: Path) -> Person:
    """One person. Raises InputError for files that cannot be read at all."""
    logs = _logs(folder / "app_log_large.json")
    packs = _parsed(_Packs, _packs_file(folder))
    version = packs.task_contract_version
    problems = [
        Problem(where=each.id, what="its time is before that of the log before it")
        for before, each in pairwise(logs)
        if each.at < before.at
    ]
    checkpoints, queries, gold = [], {}, {}
    history: dict[str, list[Json]] = {}
    for cut in packs.checkpoints:
        checkpoint = _checkpoint(cut, logs, problems)
        checkpoints.append(checkpoint)
        state = {
            key: _current(value, version) for key, value in _flat(cut.validated_snapshot_state)
        }
        for key, value in state.items():
            history.setdefault(key, []).append(value)
        asked = [*_states(cut, state, history), *_services(cut, history)]
        queries[checkpoint.id] = tuple(query for query, _ in asked)
        gold.update({(checkpoint.id, query.id): item for query, item in asked})
        problems.extend(_checked(checkpoint, logs, asked))
    return Person(
        id=folder.name,
        logs=logs,
        checkpoints=tuple(checkpoints),
        queries=queries,
        gold=gold,
        problems=tuple(problems),
    )


def _packs_file(folder: Path) -> Path:
    named = [folder / "task_packs.json", *sorted(folder.glob("*task_packs*.json"))]
    found = next((each for each in named if each.is_file()), None)
    if found is None:
        raise InputError(folder, "no task_packs.json lies in it")
    return found


def _json(path: Path) -> Json:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InputError(path, "cannot be read as JSON") from error


def _parsed(model: type[_Packs], path: Path) -> _Packs:
    try:
        return model.model_validate(_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(path, f"{where}: {first['msg']}") from error


def _logs(path: Path) -> tuple[AppLog, ...]:
    body = _json(path)
    rows = body.get("app_logs", []) if isinstance(body, dict) else body
    found: dict[str, AppLog] = {}
    for number, row in enumerate(rows if isinstance(rows, list) else []):
        try:
            log = _Log.model_validate(row)
        except ValidationError as error:
            raise InputError(path, f"log {number}: {error.errors()[0]['msg']}") from error
        if log.app_log_id in found:
            raise InputError(path, f"log {number}: the id {log.app_log_id!r} stands here twice")
        found[log.app_log_id] = AppLog(
            id=log.app_log_id,
            at=log.timestamp.replace(tzinfo=None),
            app=log.app_name,
            api=log.api_name,
            request=log.request,
            response=log.response,
        )
    if not found:
        raise InputError(path, "there are no logs in it")
    return tuple(found.values())


def _checkpoint(cut: _Cut, logs: Sequence[AppLog], problems: list[Problem]) -> Checkpoint:
    """By the id of the last log that exists; else by its index; else by time."""
    last = cut.as_of.log_index
    by_id = next((n for n, log in enumerate(logs) if log.id == cut.as_of.app_log_id), None)
    if by_id is not None:
        if last not in (None, by_id):
            problems.append(Problem(where=cut.checkpoint_id, what="log_index is not app_log_id's"))
        last = by_id
    at = None if cut.as_of.timestamp is None else cut.as_of.timestamp.replace(tzinfo=None)
    if last is None and at is not None:
        last = sum(log.at <= at for log in logs) - 1
    if last is None or not 0 <= last < len(logs):
        problems.append(Problem(where=cut.checkpoint_id, what="as_of is not within the logs"))
        last = len(logs) - 1
    return Checkpoint(id=cut.checkpoint_id, log_index=last + 1, at=at or logs[last].at)


def _states(
    cut: _Cut, state: Mapping[str, Json], history: Mapping[str, Sequence[Json]]
) -> Iterator[tuple[QuerySpec, GoldItem]]:
    seen = dict(_flat(cut.state_observability))
    for key, ask in cut.state_completion_pack.keys.items():
        value = _asked_part(state.get(key), ask.answer_template)
        if value is None:
            continue
        query = QuerySpec(
            id=f"state {key}",
            task="state",
            key=key,
            family=None,
            question=ask.question_text or ask.retrieval_query,
            query=ask.retrieval_query or ask.question_text,
            template=ask.answer_template,
        )
        item = _gold(key, value, _ids(seen.get(key)), history)
        yield query, item


def _services(
    cut: _Cut, history: Mapping[str, Sequence[Json]]
) -> Iterator[tuple[QuerySpec, GoldItem]]:
    number = 0
    for key, node in cut.rq3_apply_service_qa.keys.items():
        for item in node.items:
            query = QuerySpec(
                id=f"service {number:03}",
                task="service",
                key=None,
                family=item.service_family or MESSAGE,
                question=f"{item.scenario}\n{item.task_instruction}".strip(),
                query=item.retrieval_query or item.task_instruction,
                template=item.output_template,
            )
            number += 1
            structured = item.reference_output is not None
            reference = item.reference_output if structured else item.reference_answer
            gold = _gold(key, reference, tuple(item.gold_memory_evidence_app_log_ids), history)
            points = () if structured else tuple(_points(item))
            yield query, replace(gold, points=points, gate=None if structured else _gate(item))


def _gold(
    key: str,
    reference: Json,
    evidence: tuple[str, ...],
    history: Mapping[str, Sequence[Json]],
) -> GoldItem:
    known = history.get(key, ())
    now = known[-1] if known else None
    return GoldItem(
        kind=KINDS.get(key.partition(":")[0], "other"),
        reference=reference,
        evidence=evidence,
        updated=bool(known) and now != known[0],
        former=tuple(each for each in known if each != now),
    )


def _points(item: _Item) -> Iterator[tuple[str, str, Json]]:
    for number, point in enumerate(item.answer_scoring_points):
        if point.get("point_role") == "identity_gate":
            continue
        path = point.get("source_field_path") or point.get("target_path") or f"point {number}"
        asked = str(point.get("point_text") or path)
        yield str(path), asked, point.get("reference_value", asked)


def _gate(item: _Item) -> str | None:
    for point in item.answer_scoring_points:
        if point.get("point_role") == "identity_gate":
            return str(point.get("reference_value") or point.get("point_text") or "")
    return None


def _current(value: Json, version: str) -> Json:
    """What holds now: `to` of a change; in taskabc_v2 without the fields that are not asked."""
    if isinstance(value, dict) and value and set(value) <= {"from", "to"}:
        value = value.get("to")
    return _pruned(value) if version.startswith("taskabc_v2") else value


def _pruned(value: Json) -> Json:
    if isinstance(value, dict):
        kept = {k: _pruned(v) for k, v in value.items() if k.strip().lower() not in EXCLUDED}
        return {k: v for k, v in kept.items() if v not in (None, "", [], {})} or None
    return value


def _asked_part(value: Json, template: Json) -> Json:
    """The part of a state that the template asks for; None where nothing is left."""
    if isinstance(value, dict) and isinstance(template, dict):
        kept = {k: _asked_part(v, template[k]) for k, v in value.items() if k in template}
        return {k: v for k, v in kept.items() if v is not None} or None
    return value


def _flat(state: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Both spellings: {"habits_state": {"run": ...}} and {"habits_state:run": ...}."""
    for key, value in state.items():
        if ":" in key or not isinstance(value, dict):
            yield key, value
        else:
            yield from ((f"{key}:{name}", each) for name, each in value.items())


def _ids(node: Json) -> tuple[str, ...]:
    if not isinstance(node, dict):
        return ()
    found = node.get("evidence_app_log_ids") or [node.get("last_app_log_id")]
    return tuple(dict.fromkeys(str(each) for each in found if each is not None))


def _checked(
    checkpoint: Checkpoint, logs: Sequence[AppLog], asked: Sequence[tuple[QuerySpec, GoldItem]]
) -> Iterator[Problem]:
    visible = {log.id for log in logs[: checkpoint.log_index]}
    for query, item in asked:
        where = f"{checkpoint.id} {query.id}"
        unseen = [each for each in item.evidence if each not in visible]
        if unseen:
            yield Problem(where=where, what=f"{len(unseen)} of its evidence is not in the logs yet")
        if query.task == "service" and query.template is None and not item.points:
            yield Problem(where=where, what="a message without scoring points")
        if item.kind == "other":
            yield Problem(where=where, what="neither attribute, preference nor habit")
        yield from _shapes(where, query, item)


def _shapes(where: str, query: QuerySpec, item: GoldItem) -> Iterator[Problem]:
    if query.template is None:
        return
    asked = {path for path, _ in leaves(query.template)}
    missing = {path for path, _ in leaves(item.reference)} - asked
    if missing:
        yield Problem(where=where, what=f"its template lacks {', '.join(sorted(missing))}")
