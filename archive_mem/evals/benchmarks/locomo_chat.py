"""A chat as an archive, so that the product's own search is what is measured.

What is particular to a chat of two people is here, not in the search: who is asked about spoke
(most often) themself, a longer turn says more, and "when" is answered where a time is spoken of.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anonymize.compose import public
from archive_mem.evals.benchmarks.locomo_data import ChatQuestion, ChatTurn, Conversation
from archive_mem.index.base import IndexRecord
from archive_mem.index.hybrid import HybridIndex
from archive_mem.index.in_memory import InMemoryIndex
from archive_mem.index.lexical import LexicalIndex
from archive_mem.retrieval.plan import Known, Plan, plan
from archive_mem.retrieval.search import Scored, Search
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session
from models.base import TextEmbedder

__all__ = ["Chat", "Hints", "chat_hints", "spoken", "stamped"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hints:
    """What a chat knows of each candidate turn; arrays of shape (n,).

    speaker: 1 where the one person named in the question speaks
    length: 0 to 1, logarithm of the number of words
    timed: 1 where a "when" question meets a turn that speaks of a time
    asks: 1 where the turn itself is a question
    """

    speaker: NDArray[np.float64]
    length: NDArray[np.float64]
    timed: NDArray[np.float64]
    asks: NDArray[np.float64]


class _NoRecords:
    """The search scores turns alone here; a chat has no records to give."""

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        return iter(())

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        return iter(())

    def profile_items(self) -> tuple[ProfileItem, ...]:
        return ()


class Chat:
    """One conversation, indexed.

    conversation: the chat
    embedder: for its turns and the questions
    folder: where the word index may lie
    index: to put the turns in; one of its own when None
    """

    def __init__(
        self,
        conversation: Conversation,
        embedder: TextEmbedder,
        folder: Path,
        *,
        index: HybridIndex | None = None,
    ) -> None:
        self.conversation = conversation
        self._known = Known(people=conversation.speakers)
        self._asked_at = max(turn.at for turn in conversation.turns) + timedelta(days=1)
        self._ids = dict(zip(_index_ids(conversation.turns), conversation.turns, strict=True))
        self.index = index or _own_index(conversation.name, embedder, folder)
        self.index.upsert(_records(self._ids, embedder))
        self._search = Search(_NoRecords(), self.index, embedder)

    def read(self, question: ChatQuestion) -> Plan:
        """The plan, as the product reads it."""
        return plan(public(question.text), self._asked_at, self._known)

    def score(self, question: ChatQuestion) -> Scored:
        """Candidates by the product's search, names taken out of what is looked for."""
        read = self.read(question)
        return self._search.score(read.sought, read)

    def turns(self, scored: Scored) -> list[ChatTurn]:
        """The turns of the candidates, row by row."""
        return [self._ids[name] for name in scored.ids()]

    def turn_id(self, index_id: str) -> str:
        """LoCoMo's own id of an indexed turn."""
        return self._ids[index_id].id

    def close(self) -> None:
        """Let go of the word index."""
        self.index.close()


def chat_hints(question: ChatQuestion, named: Sequence[str], turns: Sequence[ChatTurn]) -> Hints:
    """Hints of each turn; `named` are the speakers that the question names."""
    longest = math.log1p(max(len(turn.text.split()) for turn in turns))
    only = named[0] if len(named) == 1 else None
    when = _WHEN.match(question.text) is not None
    return Hints(
        speaker=_array(turn.speaker == only for turn in turns),
        length=_array(math.log1p(len(turn.text.split())) / longest for turn in turns),
        timed=_array(when and _TIMED.search(turn.text) is not None for turn in turns),
        asks=_array(turn.text.rstrip().endswith("?") for turn in turns),
    )


_WHEN = re.compile(r"\s*(?:when|how long|what (?:date|day|month|year|time))\b", re.IGNORECASE)
_TIMED = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|weekend|weeks?|months?"
    r"|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)


def _array(values: Iterator[float]) -> NDArray[np.float64]:
    return np.array(list(values), np.float64)


def _index_ids(turns: Sequence[ChatTurn]) -> list[str]:
    """Such as "s3:0", as the search expects; LoCoMo counts from 1 with gaps."""
    counts: dict[int, int] = {}
    ids = []
    for turn in turns:
        position = counts.get(turn.session, 0)
        counts[turn.session] = position + 1
        ids.append(f"s{turn.session}:{position}")
    return ids


def _own_index(name: str, embedder: TextEmbedder, folder: Path) -> HybridIndex:
    words = LexicalIndex(
        folder / f"{name}.sqlite", model=embedder.name, dimension=embedder.dimension
    )
    return HybridIndex(InMemoryIndex(embedder.dimension), words)


def _records(turns: dict[str, ChatTurn], embedder: TextEmbedder) -> list[IndexRecord]:
    vectors = embedder.embed([spoken(turn) for turn in turns.values()])
    return [
        IndexRecord(
            id=name,
            item_id=name,
            session_id=name.partition(":")[0],
            text=stamped(turn),
            vector=vector,
            at=turn.at.replace(tzinfo=UTC).timestamp(),
        )
        for (name, turn), vector in zip(turns.items(), vectors, strict=True)
    ]


def spoken(turn: ChatTurn) -> SafeText:
    """What was said and shown: what is embedded."""
    shown = f" [shares image: {turn.caption}]" if turn.caption else ""
    return public(f"{turn.text}{shown}")


def stamped(turn: ChatTurn) -> SafeText:
    """With its day and speaker: what is searched by words."""
    return public(f"[{turn.at.day} {turn.at:%B %Y}] {turn.speaker}: {spoken(turn)}")
