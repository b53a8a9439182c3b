"""What a memory system gets, and the three hooks that it fills in.

Everything here is JSON at heart, since it travels between processes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

__all__ = [
    "Answered",
    "AppLog",
    "Checkpoint",
    "Json",
    "MemorySystem",
    "QuerySpec",
    "Retrieved",
    "leaves",
]


Json = Any
"""Whatever json.loads gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppLog:
    """One call of an app.

    id: app_log_id
    at: wall clock
    app, api: what was called
    request, response: as they were logged, any JSON
    """

    id: str
    at: datetime
    app: str
    api: str
    request: Json
    response: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A cut through the logs.

    id: such as "C1"
    log_index: how many logs exist
    at: wall clock of the cut
    """

    id: str
    log_index: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySpec:
    """A question as the system sees it; no reference value is in it.

    id: opaque for services, so that it does not name the routine that is meant
    task: "state" or "service"
    key: the state asked for, such as "habits_state:morning_walk"; None for services
    family: user_communication, action_configuration or information_request_construction; None
        for states
    question: the text, with scenario and instruction for services
    query: the pack's own text to retrieve by
    template: JSON with "<fill the blank>" leaves, None where a message is asked for
    oracle: ids of the gold evidence, filled in for oracle systems alone
    """

    id: str
    task: str
    key: str | None
    family: str | None
    question: str
    query: str
    template: Json
    oracle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """Context of one question: ids of logs, best first, and what a prompt would hold."""

    log_ids: tuple[str, ...]
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer.

    value: the filled template, or the message; None when nothing is known
    evidence: ids of logs it rests on
    prompt_tokens, completion_tokens: 0 without a language model
    """

    value: Json
    evidence: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0


class MemorySystem(Protocol):
    """A memory under test. One is made for each person.

    `prepare_checkpoint_state` is called once a checkpoint, in order, with all logs up to it. What
    it returns is a snapshot: the other two hooks must answer from it alone, and must not change
    it, also when later checkpoints have been prepared since. Both are checked.
    """

    name: str

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Json:
        """Take the logs into memory; the snapshot to ask."""
        ...

    def retrieve_context_for_query(self, state: Json, query: QuerySpec) -> Retrieved:
        """What is looked up for a question."""
        ...

    def answer_query(self, state: Json, query: QuerySpec, context: Retrieved) -> Answered:
        """The answer from what was looked up."""
        ...


def leaves(value: Json, path: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted path, scalar or list) of a JSON value; a scalar alone has the path "value"."""
    if isinstance(value, Mapping) and value:
        for key in sorted(value, key=str):
            yield from leaves(value[key], f"{path}.{key}" if path else str(key))
    else:
        yield path or "value", value
