"""Questions about a memory (qa.jsonl), taken over into its release."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from archive_mem.errors import InputError
from archive_mem.release.names import ReleaseNames
from archive_mem.release.words import Cleaner
from archive_mem.schema.safe import SafeText

__all__ = ["LeftOut", "Questions", "SafeQuestion", "read_questions"]

_TIERS = ("T1", "T2", "T3")
Row = dict[str, Any]


class _Option(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str
    text: str


class _Line(BaseModel):
    """DESIGN section 6."""

    model_config = ConfigDict(extra="forbid")
    id: str
    tier: str
    subtask: str
    question: str
    asked_at: datetime | None = None
    photo: str | None = None
    answer: str | None = None
    evidence: list[str] | None = None
    key_points: list[str] | None = None
    options: list[_Option] | None = None
    ranking: list[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A question that is not in the release.

    question: its id, or the line of the file
    why: for the person who gave the file
    """

    question: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeQuestion:
    """A question with its words redacted; items are ids of this memory.

    line: as it was given
    texts: every text of it, redacted
    photo, evidence: item ids
    """

    line: _Line
    texts: dict[str, SafeText]
    photo: str | None
    evidence: tuple[str, ...]


def read_questions(
    path: Path,
    redact: Callable[[str], SafeText],
    item_of: Callable[[str], str | None],
    refuse: Callable[[LeftOut], None],
) -> Iterator[SafeQuestion]:
    """Questions whose media are all known; the others are refused.

    Raises InputError for a file that cannot be read.
    """
    for number, text in _lines(path):
        try:
            line = _Line.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            refuse(LeftOut(question=f"line {number}", why=f"{where}: {first['msg']}"))
            continue
        wrong = _wrong(line)
        media = [*(line.evidence or ()), *([line.photo] if line.photo else ())]
        found = {each: item_of(each) for each in media}
        unknown = sum(each is None for each in found.values())
        if wrong or unknown:
            why = wrong or f"{unknown} of its media are not in the release"
            refuse(LeftOut(question=line.id, why=why))
            continue
        yield SafeQuestion(
            line=line,
            texts={text: redact(text) for text in _texts(line)},
            photo=found[line.photo] if line.photo else None,
            evidence=tuple(str(found[each]) for each in line.evidence or ()),
        )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from ((at, text) for at, text in enumerate(file, 1) if text.strip())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(path, f"cannot be read ({reason})") from error


def _wrong(line: _Line) -> str | None:
    """What is wrong with a line of the right form."""
    if line.tier not in _TIERS:
        return f"its tier is not one of {', '.join(_TIERS)}"
    if not line.subtask.replace(".", "").isdecimal():
        return "its subtask is not such as 1.2"
    known = [option.id for option in line.options or ()]
    if len(set(known)) < len(known) or not set(line.ranking or ()) <= set(known):
        return "its ranking and its options do not agree"
    return None


def _texts(line: _Line) -> Iterator[str]:
    yield line.question
    if line.answer is not None:
        yield line.answer
    yield from line.key_points or ()
    yield from (option.text for option in line.options or ())


class _Withheld(Exception):
    """A text of the question cannot go."""


@dataclass(slots=True, kw_only=True)
class Questions:
    """Makes the lines of qa.jsonl.

    names, cleaner: as for the other lines
    media: path of an item below the release, None when it is not in it
    left_out: grows
    """

    names: ReleaseNames
    cleaner: Cleaner
    media: Callable[[str], str | None]
    left_out: list[LeftOut] = field(default_factory=list)

    def rows(self, questions: Sequence[SafeQuestion]) -> Iterator[Row]:
        """A line a question; one that would not be whole is left out."""
        for each in questions:
            row = self._row(each)
            if row is not None:
                yield row

    def _row(self, question: SafeQuestion) -> Row | None:
        try:
            return self._whole(question)
        except _Withheld as error:
            self.left_out.append(LeftOut(question=question.line.id, why=str(error)))
            return None

    def _whole(self, question: SafeQuestion) -> Row:
        line = question.line
        letters = {option.id: str(at) for at, option in enumerate(line.options or (), 1)}
        row: Row = {
            "id": self.names.question(line.id),
            "tier": line.tier,
            "subtask": line.subtask,
            "question": self._said(question, line.question),
            "asked_at": self.cleaner.moment(line.asked_at),
            "photo": None if question.photo is None else self._media(question.photo),
            "answer": None if line.answer is None else self._said(question, line.answer),
            "evidence": [self._media(each) for each in question.evidence],
            "key_points": [self._said(question, each) for each in line.key_points or ()],
            "options": [
                {"id": letters[each.id], "text": self._said(question, each.text)}
                for each in line.options or ()
            ],
            "ranking": [letters[each] for each in line.ranking or ()],
        }
        given = {"id", "tier", "subtask", "question"}
        return {key: value for key, value in row.items() if key in given or value}

    def _said(self, question: SafeQuestion, text: str) -> str:
        if not text:
            return text
        redacted = question.texts[text]
        if not str(redacted):
            raise _Withheld("it has no words")
        safe, why = self.cleaner.cleaned(redacted, question.line.asked_at, of_that_day=False)
        if safe is None:
            raise _Withheld(f"{why} in it cannot go")
        return safe

    def _media(self, item_id: str) -> str:
        found = self.media(item_id)
        if found is None:
            raise _Withheld("one of its media is not in the release")
        return found
