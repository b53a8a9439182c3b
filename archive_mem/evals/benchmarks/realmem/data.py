"""qa.jsonl as samples: what may be asked apart from what is gold."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from archive_mem.errors import InputError
from archive_mem.evals.dataset import Dataset, Sample, data_hash
from archive_mem.schema.qa import Option, Tier
from archive_mem.schema.safe import SafeText

__all__ = ["REFERENCE_TIME", "SUBTASKS", "Asked", "Gold", "read_questions", "tier_of"]

SUBTASKS = {
    "1.1": "episodic event retrieval",
    "1.2": "embedded content",
    "1.3": "multi-record aggregation",
    "1.4": "recall from a photo",
    "2.1": "profile of stable habits",
    "2.2": "longitudinal tracking",
    "2.3": "reasons for change",
    "3.1": "context-aware prediction",
    "3.2": "context-aware assistance",
}

REFERENCE_TIME = datetime(2026, 1, 12, 23, 59, 59)
"""Where a question does not say when it is asked: the benchmark's day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a system sees, redacted.

    tier: T1, T2 or T3
    question: the text
    asked_at: nothing later exists
    photo: item id of the given photo, None when none is given
    options: for T3
    oracle: gold item ids, filled in for the oracle alone
    """

    tier: Tier
    question: SafeText
    asked_at: datetime
    photo: str | None = None
    options: tuple[Option, ...] = ()
    oracle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What only the judge sees, redacted.

    answer: for T1, None when the file has none
    evidence: item ids, None when the file says nothing of evidence; none at all: not answerable
    key_points: for T2
    ranking: option ids for T3, best first
    """

    answer: SafeText | None = None
    evidence: tuple[str, ...] | None = None
    key_points: tuple[SafeText, ...] = ()
    ranking: tuple[str, ...] = ()


class _Option(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str
    text: str


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")
    id: str
    tier: Tier
    subtask: str
    question: str
    asked_at: datetime | None = None
    photo: str | None = None
    answer: str | None = None
    evidence: list[str] | None = None
    key_points: list[str] | None = None
    options: list[_Option] | None = None
    ranking: list[str] | None = None


Redact = Callable[[str], SafeText]
ItemOf = Callable[[str], str | None]


def read_questions(path: Path, redact: Redact, item_of: ItemOf) -> Dataset[Asked, Gold]:
    """All questions of a qa.jsonl. Raises InputError with the line of the first fault.

    redact: puts placeholders in place of names, as in the memory
    item_of: item id of a media path or id, None when the memory does not have it
    """
    samples: dict[str, Sample[Asked, Gold]] = {}
    for number, text in _lines(path):
        try:
            sample = _sample(_parsed(text), redact, item_of)
        except ValueError as error:
            raise InputError(path, f"line {number}: {error}") from error
        if sample.id in samples:
            raise InputError(path, f"line {number}: the id {sample.id!r} stands here twice")
        samples[sample.id] = sample
    if not samples:
        raise InputError(path, "there is no question in it")
    return Dataset(name="realmem", samples=tuple(samples.values()), sha256=data_hash([path]))


def tier_of(group: str) -> str:
    """The tier that a subtask belongs to: "1.2" is of "T1"."""
    return f"T{group[0]}"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(path, f"cannot be read ({reason})") from error
    yield from ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _parsed(text: str) -> _Line:
    try:
        row = _Line.model_validate_json(_lowered(text))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{where}: {first['msg']}" if where else first["msg"]) from error
    if row.subtask not in SUBTASKS or tier_of(row.subtask).lower() != row.tier.value:
        raise ValueError(f"subtask {row.subtask!r} is none of {row.tier.value.upper()}")
    return row


def _lowered(text: str) -> str:
    """The file writes "T1", the program "t1"."""
    for tier in Tier:
        written = tier.value.upper()
        text = text.replace(f'"tier": "{written}"', f'"tier": "{tier.value}"')
        text = text.replace(f'"tier":"{written}"', f'"tier":"{tier.value}"')
    return text


def _sample(row: _Line, redact: Redact, item_of: ItemOf) -> Sample[Asked, Gold]:
    options = tuple(Option(id=each.id, text=redact(each.text)) for each in row.options or ())
    _check_options(row, options)
    return Sample(
        id=row.id,
        group=row.subtask,
        asked=Asked(
            tier=row.tier,
            question=redact(row.question),
            asked_at=(row.asked_at or REFERENCE_TIME).replace(tzinfo=None),
            photo=None if row.photo is None else _item(row.photo, item_of),
            options=options,
        ),
        gold=Gold(
            answer=None if row.answer is None else redact(row.answer),
            evidence=None
            if row.evidence is None
            else tuple(_item(each, item_of) for each in row.evidence),
            key_points=tuple(redact(each) for each in row.key_points or ()),
            ranking=tuple(row.ranking or ()),
        ),
    )


def _check_options(row: _Line, options: tuple[Option, ...]) -> None:
    ids = [option.id for option in options]
    if len(set(ids)) < len(ids):
        raise ValueError("an option id stands here twice")
    if row.tier is Tier.T3 and len(options) < 2:
        raise ValueError("a question of T3 needs two options or more")
    if row.ranking and sorted(row.ranking) != sorted(ids):
        raise ValueError("the ranking is not of the options, each once")


def _item(media: str, item_of: ItemOf) -> str:
    found = item_of(media)
    if found is None:
        raise ValueError(f"{media!r} is no item of this memory")
    return found
