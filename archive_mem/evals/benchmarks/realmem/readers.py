"""Readers of a context: the embedded one, and any chat model."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from anonymize.compose import NOTHING, compose, join, public, say_day, word
from archive_mem.evals.benchmarks.realmem.context import Arm, Context, Lab, Mode, Shown, shown_of
from archive_mem.evals.benchmarks.realmem.data import Asked
from archive_mem.evals.prompts import prompt
from archive_mem.evals.replies import json_objects
from archive_mem.evals.system import Reply
from archive_mem.evals.tokens import approximate
from archive_mem.index.base import IndexRecord
from archive_mem.index.hybrid import HybridIndex
from archive_mem.index.lexical import LexicalIndex
from archive_mem.profile.relevance import item_relevance
from archive_mem.profile.stability import score_profile
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.weighting import ProfileSettings, Weighting
from archive_mem.qa.base import TierReader
from archive_mem.qa.choice import Choice
from archive_mem.qa.persona import Persona
from archive_mem.qa.recall import Recall
from archive_mem.retrieval.search import Search
from archive_mem.schema.profile import Category, ProfileItem, Stability
from archive_mem.schema.qa import Answer, Query, Tier
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeImage, SafeText
from archive_mem.schema.session import Turn
from models.base import ChatModel, ChatTurn, TextEmbedder

__all__ = ["NO_PICTURES", "ChatReader", "ContextReader", "EmbeddedReader", "parsed_reply"]

NO_PICTURES = "this reader sees no pictures"

_WEIGHTINGS = {
    Arm.NONE: Weighting.UNIFORM,
    Arm.CHRONO: Weighting.STABILITY,
    Arm.NO_TS: Weighting.UNIFORM,
    Arm.RECENCY: Weighting.RECENCY,
    Arm.FREQUENCY: Weighting.FREQUENCY,
}
_PER_CATEGORY = 15
_REPLY_TOKENS = 512
_TOP_K = 10


class ContextReader(Protocol):
    """Answers a question from a context and nothing else."""

    name: str

    def read(self, lab: Lab, asked: Asked, context: Context) -> Reply:
        """The reply. Raises ModelError."""
        ...


class EmbeddedReader:
    """The product's own tiers over the narrowed archive; no language model."""

    name = "embedded"

    def __init__(self) -> None:
        self._remembering: _Remembering | None = None

    def read(self, lab: Lab, asked: Asked, context: Context) -> Reply:
        """An answer by the tier that is asked; other modes than `caption` are refused."""
        if context.mode is not Mode.CAPTION:
            return Reply(text="", refused=NO_PICTURES)
        started = perf_counter()
        shown = shown_of(lab, context, asked)
        with _reader_of(lab, asked, context, shown, self._embedder(lab)) as reader:
            answer = reader.answer(_query(asked))
        return replace(
            _reply(answer),
            context=shown.item_ids(),
            context_tokens=sum(_turn_tokens(shown)),
            seconds=perf_counter() - started,
        )

    def _embedder(self, lab: Lab) -> "_Remembering":
        if self._remembering is None or self._remembering.inner is not lab.statement_embedder:
            self._remembering = _Remembering(lab.statement_embedder)
        return self._remembering


class _Remembering:
    """An embedder that embeds a text once (TextEmbedder): a tier is built for every question."""

    def __init__(self, inner: TextEmbedder) -> None:
        self.inner, self.name, self.dimension = inner, inner.name, inner.dimension
        self._vectors = Vectors(inner)

    def embed(self, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension)."""
        return self._vectors.of(texts)


def _query(asked: Asked) -> Query:
    return Query(
        text=asked.question,
        tier=asked.tier,
        asked_at=asked.asked_at,
        photo=None if asked.photo is None else Path(asked.photo),
        options=asked.options,
        top_k=_TOP_K,
    )


@contextmanager
def _reader_of(
    lab: Lab, asked: Asked, context: Context, shown: Shown, statements: TextEmbedder
) -> Iterator[TierReader]:
    settings = ProfileSettings(
        weighting=_WEIGHTINGS[context.arm], per_category=_PER_CATEGORY, stability=lab.stability
    )
    if asked.tier is Tier.T3:
        yield Choice(shown, statements, settings)
    elif asked.tier is Tier.T2:
        yield Persona(shown, statements, settings)
    elif context.items is None:
        yield Recall(lab.archive, lab.search, lab.photos, lab.recall)
    else:
        with _small_index(lab, shown) as index:
            search = Search(shown, index, lab.embedder)
            yield Recall(shown, search, lab.photos, lab.recall)


@contextmanager
def _small_index(lab: Lab, shown: Shown) -> Iterator[HybridIndex]:
    """Words and vectors of the turns that are shown, with the vectors they have already."""
    stored = lab.index.stored()
    turns = [turn for session in shown.sessions() for turn in session.turns]
    with TemporaryDirectory() as folder:
        words = LexicalIndex(
            Path(folder) / "words.sqlite",
            model=lab.embedder.name,
            dimension=lab.embedder.dimension,
        )
        index = HybridIndex(None, words)
        try:
            index.upsert(
                [
                    _indexed(turn, stored.vectors[row], float(stored.at[row]))
                    for turn in turns
                    if (row := stored.row_of.get(turn.id)) is not None
                ]
            )
            yield index
        finally:
            index.close()


def _indexed(turn: Turn, vector: NDArray[np.float32], at: float) -> IndexRecord:
    return IndexRecord(
        id=turn.id,
        item_id=turn.item_id,
        session_id=turn.session_id,
        text=turn.text,
        vector=vector,
        at=None if np.isnan(at) else at,
    )


def _reply(answer: Answer) -> Reply:
    parsed: dict[str, Any] = {"answer": answer.text.value, "abstained": answer.abstained}
    if answer.ranking is not None:
        parsed["ranking"] = [each.option.id for each in answer.ranking.options]
    return Reply(
        text=answer.text.value,
        parsed=parsed,
        cited=tuple(dict.fromkeys(each.item_id for each in answer.evidence)),
        prompt_tokens=answer.usage.prompt_tokens,
        completion_tokens=answer.usage.completion_tokens,
    )


def _turn_tokens(shown: Shown) -> Iterator[int]:
    for session in shown.sessions():
        for turn in session.turns:
            yield approximate(turn.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Episode:
    """One item as a chat model is shown it."""

    item_id: str
    text: SafeText
    images: tuple[SafeImage, ...]


class ChatReader:
    """Any chat model over the same context; it cites item ids.

    model: the model
    sees: whether it takes pictures
    """

    def __init__(self, model: ChatModel, sees: bool = False) -> None:
        self.name, self._model, self._sees = model.name, model, sees

    def read(self, lab: Lab, asked: Asked, context: Context) -> Reply:
        """Asks once; what does not fit the window is left out and counted."""
        if context.mode is not Mode.CAPTION and not self._sees:
            return Reply(text="", refused=NO_PICTURES)
        shown = shown_of(lab, context, asked)
        question = _question(asked)
        profile = _profile(lab, asked, context, shown)
        instructions = prompt("realmem_reader_v1")
        fixed = sum(self._model.tokens(text) for text in (instructions, question, profile))
        room = self._model.window - _REPLY_TOKENS - fixed
        episodes = _episodes(lab, shown, context)
        kept, tokens, cut = self._fitting(episodes, context, room)
        given = _images(lab, asked, kept, context)
        text = join("\n\n", [profile, *(each.text for each in kept), question])
        started = perf_counter()
        said = self._model.reply(
            [
                ChatTurn(role="system", text=instructions),
                ChatTurn(role="user", text=text, images=given),
            ],
            max_tokens=_REPLY_TOKENS,
            schema=_Answered.model_json_schema(),
        )
        return replace(
            parsed_reply(said.text, {each.item_id for each in kept}),
            context=tuple(each.item_id for each in kept),
            prompt=f"{instructions.value}\n\n{text.value}",
            prompt_tokens=said.prompt_tokens,
            completion_tokens=said.completion_tokens,
            context_tokens=tokens + self._model.tokens(profile),
            cut_tokens=cut,
            seconds=perf_counter() - started,
        )

    def _fitting(
        self, episodes: Sequence[_Episode], context: Context, room: int
    ) -> tuple[list[_Episode], int, int]:
        """Best first (the newest first where all are shown) as long as there is room.

        Shown in order of time; returns the episodes, all their tokens, and those cut.
        """
        sizes = {each.item_id: self._model.tokens(each.text) for each in episodes}
        in_time = [each.item_id for each in episodes]
        wanted = [each for each in context.items or in_time[::-1] if each in sizes]
        kept: set[str] = set()
        for item_id in wanted:
            if sizes[item_id] > room:
                break
            room -= sizes[item_id]
            kept.add(item_id)
        cut = sum(size for item_id, size in sizes.items() if item_id not in kept)
        return [e for e in episodes if e.item_id in kept], sum(sizes.values()), cut


class _Answered(BaseModel):
    model_config = ConfigDict(extra="ignore")
    answer: str
    evidence: list[str] = []
    ranking: list[str] = []
    abstained: bool = False


def parsed_reply(text: str, known: set[str]) -> Reply:
    """The answer read out of a reply: its JSON, else its words as they are.

    known: ids that were shown; others are no citations
    """
    answered = next(_answered(text), None)
    if answered is None:
        return Reply(text=text, parsed={"answer": text.strip()} if text.strip() else {})
    return Reply(
        text=text,
        parsed=answered.model_dump(exclude={"evidence"}),
        cited=tuple(each for each in dict.fromkeys(answered.evidence) if each in known),
    )


def _answered(text: str) -> Iterator[_Answered]:
    for found in json_objects(text):
        with suppress(ValidationError):
            yield _Answered.model_validate(found)


def _question(asked: Asked) -> SafeText:
    lines = [
        compose(
            "Asked on {day}. Question: {text}", day=say_day(asked.asked_at), text=asked.question
        )
    ]
    if asked.photo is not None:
        lines.append(compose("The given photo is item {id}.", id=public(asked.photo)))
    for option in asked.options:
        lines.append(compose("Option {id}: {text}", id=public(option.id), text=option.text))
    return join("\n", lines)


def _episodes(lab: Lab, shown: Shown, context: Context) -> list[_Episode]:
    said: dict[str, list[SafeText]] = {}
    for session in shown.sessions():
        for turn in session.turns:
            said.setdefault(turn.item_id, []).append(turn.text)
    return [
        _episode(lab, record, said.get(record.item_id, []), context) for record in shown.records()
    ]


def _episode(lab: Lab, record: Record, said: Sequence[SafeText], context: Context) -> _Episode:
    head = compose("[item {id}, {when}]", id=public(record.item_id), when=_when(record))
    where = record.place_label or NOTHING
    words = [] if context.mode is Mode.PIXELS else said
    seen = () if context.mode is Mode.CAPTION else lab.pictures(record.item_id)
    return _Episode(item_id=record.item_id, text=join(" ", [head, where, *words]), images=seen)


def _when(record: Record) -> SafeText:
    return word("undated") if record.at is None else say_day(record.at, weekday=True)


def _images(
    lab: Lab, asked: Asked, kept: Sequence[_Episode], context: Context
) -> tuple[SafeImage, ...]:
    if context.mode is Mode.CAPTION:
        return ()
    shown = [image for each in kept for image in each.images]
    alone = asked.photo is not None and asked.photo not in {each.item_id for each in kept}
    return (*(lab.pictures(asked.photo) if alone and asked.photo else ()), *shown)


def _profile(lab: Lab, asked: Asked, context: Context, shown: Shown) -> SafeText:
    """The statements nearest to the question, 15 a category, with their stability as a prior."""
    if context.arm is Arm.NONE:
        return NOTHING
    profile = score_profile(shown.profile_items(), asked.asked_at, lab.stability)
    near = item_relevance(
        Vectors(lab.statement_embedder), asked.question, [item for item, _ in profile.items]
    )
    order = sorted(range(len(near)), key=lambda row: (-float(near[row]), row))
    taken: Mapping[Category, list[SafeText]] = {category: [] for category in Category}
    for row in order:
        item, stability = profile.items[row]
        if len(taken[item.category]) < _PER_CATEGORY:
            taken[item.category].append(_statement(item, stability, context.arm))
    lines = [line for category in Category for line in taken[category]]
    return join("\n", [word("Profile:"), *lines]) if lines else NOTHING


def _statement(item: ProfileItem, stability: Stability, arm: Arm) -> SafeText:
    said = compose("- ({what}) {text}", what=item.category, text=item.statement)
    if arm is Arm.CHRONO:
        return compose("{said} [stability {ts}]", said=said, ts=round(stability.ts, 2))
    if arm is Arm.RECENCY:
        return compose("{said} [last {day}]", said=said, day=say_day(item.mentions[-1].at))
    if arm is Arm.FREQUENCY:
        return compose("{said} [{n} times]", said=said, n=len(item.mentions))
    return said
