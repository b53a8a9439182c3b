"""Statements about a person by a language model: each stands on words of the session.

The model sees what people wrote about a record. What was merely read in a picture or a file (a
sign, a caption, a file name) is not shown: it is nobody's word about themself.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from anonymize.compose import compose, excerpt, fill, join, quoted, say_day
from anonymize.pseudonyms import PLACEHOLDER
from archive_mem.profile.candidates import Candidate, Extractor, is_observed
from archive_mem.profile.chat_talk import Unfit, checked, fenced, read_json, strict_schema
from archive_mem.profile.chat_tally import ChatTally
from archive_mem.profile.claims import claims
from archive_mem.profile.extract import head
from archive_mem.profile.topics import Topics
from archive_mem.schema.profile import Category, Mention
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session
from models.base import ChatModel, ChatTurn
from models.prompts import prompt

__all__ = ["ChatExtractor"]

_REPLY = 700
_TEMPLATE = 80
_SHORTEST_QUOTE = 6
_LONGEST = 300


class _Said(BaseModel):
    category: Category
    statement: str = Field(min_length=3, max_length=_LONGEST)
    quote: str = Field(min_length=_SHORTEST_QUOTE)
    polarity: Literal[-1, 0, 1] = 0
    strength: float = Field(default=0.5, ge=0, le=1)


class _Asked(BaseModel):
    """The form that is asked for."""

    statements: list[_Said]


class _Reply(BaseModel):
    """The form that is read: one bad statement is refused alone."""

    statements: list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One line that the model is shown.

    at, item_id: of its record
    said: what was written, not quoted yet
    """

    at: datetime
    item_id: str
    said: tuple[SafeText, ...]


class ChatExtractor(Extractor):
    """A language model reads what was written; the rules see what repeats.

    model: made when there is something to read
    rules: the embedded extractor: what records show, and sessions that the model cannot read
    topics: what a statement is about
    redact: makes words of the model safe
    tally: is added to
    """

    def __init__(
        self,
        name: str,
        model: Callable[[], ChatModel],
        rules: Extractor,
        topics: Topics,
        redact: Callable[[str], SafeText],
        tally: ChatTally,
    ) -> None:
        self._prompt = prompt("extract")
        self.name = f"chat-1/{name}/{self._prompt.id} {rules.name}"
        self._model, self._rules, self._topics = model, rules, topics
        self._redact, self._tally = redact, tally

    def extract(self, session: Session, records: Sequence[Record]) -> list[Candidate]:
        """Candidates in order of time. Raises ModelError when the model does not answer."""
        ruled = self._rules.extract(session, records)
        lines = _lines(records)
        if not lines:
            return ruled
        self._tally.sessions += 1
        try:
            said = [each for part in self._parts(lines) for each in self._read(session.id, part)]
        except Unfit:
            self._tally.unread += 1
            return ruled
        seen = [each for each in ruled if is_observed(each.slot)]
        return sorted((*said, *seen), key=lambda each: (each.mention.at, each.mention.item_id))

    def _parts(self, lines: Sequence[_Line]) -> Iterator[list[_Line]]:
        """Runs of lines that fit what the model reads; a longer line stands alone, shortened."""
        model = self._model()
        reply = min(_REPLY, model.window // 3)
        room = max(model.window - reply - model.tokens(fill(self._prompt.system)) - _TEMPLATE, 1)
        part: list[_Line] = []
        left = room
        for line in lines:
            fitting, cost = _fitted(line, room, model)
            if part and cost > left:
                yield part
                part, left = [], room
            part.append(fitting)
            left -= cost
        yield part

    def _read(self, session_id: str, lines: Sequence[_Line]) -> list[Candidate]:
        model = self._model()
        return checked(
            model,
            self._turns(lines),
            lambda reply: self._candidates(session_id, reply, lines),
            self._tally.spent,
            max_tokens=min(_REPLY, model.window // 3),
            schema=strict_schema(_Asked),
        )

    def _turns(self, lines: Sequence[_Line]) -> list[ChatTurn]:
        shown = [compose("[{n}] {line}", n=n, line=_shown(line)) for n, line in enumerate(lines, 1)]
        return [
            ChatTurn(role="system", text=fill(self._prompt.system)),
            ChatTurn(role="user", text=fill(self._prompt.user, data=fenced(shown))),
        ]

    def _candidates(self, session_id: str, reply: str, lines: Sequence[_Line]) -> list[Candidate]:
        given = read_json(reply, _Reply).statements
        found = [self._candidate(session_id, each, lines) for each in given]
        taken = [each for each in found if each is not None]
        self._tally.taken += len(taken)
        self._tally.refused += len(found) - len(taken)
        return taken

    def _candidate(
        self, session_id: str, given: object, lines: Sequence[_Line]
    ) -> Candidate | None:
        """The statement, None for one that is refused."""
        try:
            said = _Said.model_validate(given)
        except ValidationError:
            return None
        proof = _proof(said.quote, lines)
        if proof is None or not _known_names(said.statement, lines):
            return None
        line, quote = proof
        statement = self._redact(" ".join(said.statement.split()))
        return Candidate(
            category=said.category,
            statement=statement,
            mention=Mention(at=line.at, session_id=session_id, item_id=line.item_id, quote=quote),
            slot=self._slot(statement),
            polarity=said.polarity,
            strength=said.strength,
        )

    def _slot(self, statement: SafeText) -> str | None:
        found = claims(statement.value)
        topic = self._topics.nearest(head(statement, found[0]) if found else statement)
        return None if topic is None else topic.slot


def _lines(records: Sequence[Record]) -> list[_Line]:
    lines = [
        _Line(at=record.at, item_id=record.item_id, said=_written(record))
        for record in records
        if record.at is not None
    ]
    return sorted((each for each in lines if each.said), key=lambda each: (each.at, each.item_id))


def _written(record: Record) -> tuple[SafeText, ...]:
    """What people wrote of it."""
    facts, own = record.objective, record.subjective
    event = () if facts is None or facts.event is None else (facts.event,)
    if own is None:
        return event
    felt = [text for text in (own.context, own.feelings) if text is not None]
    return (*event, *felt, *own.preferences)


def _shown(line: _Line) -> SafeText:
    said = join(" ", [quoted(text) for text in line.said])
    return compose("{day}: {said}", day=say_day(line.at, weekday=True), said=said)


def _fitted(line: _Line, room: int, model: ChatModel) -> tuple[_Line, int]:
    """The line and its tokens; the end of what is too long is left out."""
    cost = model.tokens(_shown(line)) + 6
    if cost <= room:
        return line, cost
    share = max(room * sum(len(text.value) for text in line.said) // (2 * cost), 1)
    first = excerpt(line.said[0], 0, share)
    return _Line(at=line.at, item_id=line.item_id, said=(first,)), room


def _proof(quote: str, lines: Sequence[_Line]) -> tuple[_Line, SafeText] | None:
    """Where the quote stands, as it stands there; spaces and case may differ."""
    words = [re.escape(each) for each in quote.strip(" \t\n\"'“”.").split()]
    if not words:
        return None
    wanted = re.compile(r"\s+".join(words), re.IGNORECASE)
    for line in lines:
        for text in line.said:
            found = wanted.search(text.value)
            if found is not None:
                return line, excerpt(text, *found.span())
    return None


def _known_names(statement: str, lines: Sequence[_Line]) -> bool:
    """Whether each placeholder in it was shown: another one would be somebody else."""
    shown = {
        each.group() for line in lines for t in line.said for each in PLACEHOLDER.finditer(t.value)
    }
    return {each.group() for each in PLACEHOLDER.finditer(statement)} <= shown
