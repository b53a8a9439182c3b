"""LoCoMo, as a test of search alone: are the turns that answer among the first.

Recall@k is the share of a question's evidence turns among the first k, averaged over questions
(categories 1 to 4, one turn a unit). Weights are chosen on the other conversations, so no question
has a say in the settings that it is measured with. Sessions are ranked by their best turns, with
weights of their own, chosen the same way: to find the right day is another aim than to find the
right words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anonymize.compose import public
from archive_mem.evals.benchmarks.locomo_chat import Chat, Hints, chat_hints, stamped
from archive_mem.evals.benchmarks.locomo_data import (
    CATEGORIES,
    ChatQuestion,
    read_conversations,
)
from archive_mem.evals.metrics import all_at, any_at, mean_percent, recall_at
from archive_mem.index.in_memory import nearest
from archive_mem.retrieval.rank import Parts, RankSettings, Scores, total
from models.base import TextEmbedder
from models.embed import embed_question

__all__ = ["ChatSettings", "run"]

_AT = (5, 10, 20, 50)
_RRF = 60


_START = RankSettings(people=0.0, time=0.1, fade_days=10.0)
"""The product's defaults; who is named is known better by who speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """The search's own weights, and what the hints of a chat add.

    rank: weights of the search
    speaker, length, timed, asks: weights of the hints
    """

    rank: RankSettings = _START
    speaker: float = 0.1
    length: float = 0.0
    timed: float = 0.0
    asks: float = 0.0


_GRID: Mapping[str, tuple[float, ...]] = {
    "dense": (0.4, 0.5, 0.6, 0.7),
    "before": (0.0, 0.1, 0.2, 0.3),
    "after": (0.0, 0.1, 0.2),
    "session": (0.2, 0.4, 0.6, 1.0),
    "best": (1, 2, 3),
    "time": (0.1, 0.2),
    "speaker": (0.1, 0.2, 0.3, 0.4, 0.5),
    "length": (0.0, 0.1, 0.2, 0.3),
    "timed": (0.0, 0.05, 0.1, 0.2),
    "asks": (-0.1, -0.05, 0.0),
}
"""What the tuning tries, one weight after the other."""

_ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Case:
    """One question of one conversation with all that scores are made of.

    ids, sessions: LoCoMo's own id and the session of each candidate
    """

    conversation: str
    question: ChatQuestion
    ids: tuple[str, ...]
    sessions: tuple[str, ...]
    parts: Parts
    hints: Hints
    seconds: float


def run(data: Path, embedder: TextEmbedder) -> dict[str, Any]:
    """Measure; all figures in percent. Raises InputError."""
    started = perf_counter()
    with TemporaryDirectory() as folder:
        chats = [Chat(each, embedder, Path(folder)) for each in read_conversations(data)]
        try:
            cases = [case for chat in chats for case in _cases(chat)]
            baselines = _baselines(chats, embedder)
        finally:
            for chat in chats:
                chat.close()
    tuned = _left_out(cases, _gain)
    of_sessions = _left_out(cases, _session_recall)
    ranked = [(case, _ranked(case, tuned[case.conversation])) for case in cases]
    return {
        "name": "locomo",
        "n": len(cases),
        "unscored": 0,
        "failed": 0,
        "questions": len(cases),
        **_figures(ranked),
        "by_category": _by_category(ranked),
        "by_conversation": _by_conversation(ranked),
        "session_recall": _session_recalls(cases, of_sessions),
        "baselines": baselines,
        "settings": {
            "embedder": embedder.name,
            "chosen_on_the_others": {name: _flat(each) for name, each in tuned.items()},
            "chosen_for_sessions": {name: _flat(each) for name, each in of_sessions.items()},
        },
        "seconds_per_query": round(mean(case.seconds for case in cases), 4),
        "seconds": round(perf_counter() - started, 1),
    }


def _cases(chat: Chat) -> list[_Case]:
    return [_case(chat, question) for question in chat.conversation.questions]


def _case(chat: Chat, question: ChatQuestion) -> _Case:
    started = perf_counter()
    scored = chat.score(question)
    seconds = perf_counter() - started
    turns = chat.turns(scored)
    return _Case(
        conversation=chat.conversation.name,
        question=question,
        ids=tuple(turn.id for turn in turns),
        sessions=tuple(scored.sessions()),
        parts=scored.parts,
        hints=chat_hints(question, chat.read(question).people, turns),
        seconds=seconds,
    )


def _scores(case: _Case, settings: ChatSettings) -> Scores:
    hints = case.hints
    extra = (
        settings.speaker * hints.speaker
        + settings.length * hints.length
        + settings.timed * hints.timed
        + settings.asks * hints.asks
    )
    return total(replace(case.parts, extra=extra), settings.rank)


def _ranked(case: _Case, settings: ChatSettings) -> list[str]:
    return _in_order(case.ids, _scores(case, settings))


def _in_order(ids: Sequence[str], scores: NDArray[np.float64]) -> list[str]:
    order = sorted(range(len(ids)), key=lambda row: (-scores[row], ids[row]))
    return [ids[row] for row in order]


_Measure = Callable[[_Case, Scores], float]


def _left_out(cases: Sequence[_Case], measure: _Measure) -> dict[str, ChatSettings]:
    """For each conversation the settings that are best on all the others."""
    names = list(dict.fromkeys(case.conversation for case in cases))
    seen: dict[ChatSettings, dict[str, list[float]]] = {}

    def measured(settings: ChatSettings) -> dict[str, list[float]]:
        if settings not in seen:
            seen[settings] = _measured(cases, settings, measure)
        return seen[settings]

    if len(names) == 1:
        return {names[0]: ChatSettings()}
    return {name: _climbed(measured, [each for each in names if each != name]) for name in names}


def _climbed(
    measured: Callable[[ChatSettings], dict[str, list[float]]], names: Sequence[str]
) -> ChatSettings:
    """Coordinate ascent over the grid from the defaults; a step must gain on `names`."""

    def value(settings: ChatSettings) -> float:
        found = measured(settings)
        return mean(each for name in names for each in found[name])

    best = ChatSettings()
    for _ in range(_ROUNDS):
        for weight, tried in _GRID.items():
            best = max([best, *(_with(best, weight, each) for each in tried)], key=value)
    return best


def _with(settings: ChatSettings, weight: str, value: float) -> ChatSettings:
    change: dict[str, Any] = {weight: value}
    if weight in ("speaker", "length", "timed", "asks"):
        return replace(settings, **change)
    return replace(settings, rank=replace(settings.rank, **change))


def _measured(
    cases: Sequence[_Case], settings: ChatSettings, measure: _Measure
) -> dict[str, list[float]]:
    """The measure of each question, by conversation."""
    found: dict[str, list[float]] = {}
    for case in cases:
        found.setdefault(case.conversation, []).append(measure(case, _scores(case, settings)))
    return found


def _gain(case: _Case, scores: Scores) -> float:
    """Discounted gain of the evidence turns; see `_discounted`."""
    wanted = np.isin(np.array(case.ids), list(case.question.gold))
    return _discounted(scores, scores[wanted])


def _session_recall(case: _Case, scores: Scores) -> float:
    """Share of the evidence's sessions among the first ten sessions."""
    return recall_at(_sessions_in_order(case, scores), _gold_sessions(case), 10)


def _discounted(scores: Scores, wanted: Scores) -> float:
    """Mean of 1 / log2(2 + how many are above), over the wanted scores (Jarvelin et al. 2002).

    Tuning climbs this, not the share among the first ten that is reported: a share moves by one
    turn that slips from tenth to eleventh, so that its best weights differ with every conversation
    left out.
    """
    above = (scores[None, :] > wanted[:, None]).sum(axis=1)
    return float((1.0 / np.log2(2.0 + above)).mean())


def _sessions_in_order(case: _Case, scores: Scores) -> list[str]:
    """Sessions by their best turns, ties by name."""
    names, numbers = np.unique(np.array(case.sessions), return_inverse=True)
    best = np.full(len(names), -np.inf)
    np.maximum.at(best, numbers, scores)
    return [str(names[row]) for row in np.argsort(-best, kind="stable").tolist()]


def _gold_sessions(case: _Case) -> set[str]:
    pairs = zip(case.ids, case.sessions, strict=True)
    return {session for name, session in pairs if name in case.question.gold}


_Ranked = Sequence[tuple[_Case, Sequence[str]]]


def _figures(ranked: _Ranked) -> dict[str, Any]:
    return {
        name: {
            str(k): mean_percent(measure(ids, case.question.gold, k) for case, ids in ranked)
            for k in _AT
        }
        for name, measure in (("recall", recall_at), ("any", any_at), ("all", all_at))
    }


def _by_category(ranked: _Ranked) -> dict[str, Any]:
    groups = {
        name: [(case, ids) for case, ids in ranked if case.question.category == number]
        for number, name in CATEGORIES.items()
    }
    return {name: {"questions": len(group), **_figures(group)} for name, group in groups.items()}


def _by_conversation(ranked: _Ranked) -> dict[str, float | None]:
    names = dict.fromkeys(case.conversation for case, _ in ranked)
    return {
        name: mean_percent(
            recall_at(ids, case.question.gold, 10)
            for case, ids in ranked
            if case.conversation == name
        )
        for name in names
    }


def _session_recalls(
    cases: Sequence[_Case], tuned: Mapping[str, ChatSettings]
) -> dict[str, float | None]:
    """Sessions by their best turns, against the sessions of the evidence."""
    found = [
        (_sessions_in_order(case, _scores(case, tuned[case.conversation])), _gold_sessions(case))
        for case in cases
    ]
    return {str(k): mean_percent(recall_at(ids, gold, k) for ids, gold in found) for k in (5, 10)}


def _baselines(chats: Sequence[Chat], embedder: TextEmbedder) -> dict[str, Any]:
    """Vectors alone, words alone, and both by reciprocal ranks; the question as it was asked."""
    found: dict[str, list[tuple[list[str], frozenset[str]]]] = {"dense": [], "bm25": [], "rrf": []}
    for chat in chats:
        turns = chat.conversation.turns
        rows = embedder.embed([stamped(turn) for turn in turns])
        ids = [turn.id for turn in turns]
        for question in chat.conversation.questions:
            asked = embed_question(embedder, public(question.text))
            dense = [hit.id for hit in nearest(ids, rows, asked, len(ids))]
            hits = chat.index.by_words(public(question.text), len(ids))
            words = [chat.turn_id(hit.id) for hit in hits]
            for name, ranking in (
                ("dense", dense),
                ("bm25", words),
                ("rrf", _reciprocal(dense, words)),
            ):
                found[name].append((ranking, question.gold))
    return {
        name: {str(k): mean_percent(recall_at(ids, gold, k) for ids, gold in each) for k in _AT}
        for name, each in found.items()
    }


def _reciprocal(*rankings: Sequence[str]) -> list[str]:
    """Reciprocal rank fusion (Cormack et al. 2009) with the usual constant of 60."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, 1):
            scores[name] = scores.get(name, 0.0) + 1 / (_RRF + rank)
    return sorted(scores, key=lambda name: (-scores[name], name))


def _flat(settings: ChatSettings) -> dict[str, float]:
    flat = asdict(settings)
    return {**flat.pop("rank"), **flat}
