"""Finding turns and their records: vectors and words, neighbours and sessions, time and place."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from archive_mem.index.base import Hit
from archive_mem.index.hybrid import HybridIndex
from archive_mem.index.lexical import Stored
from archive_mem.retrieval.known import known_in
from archive_mem.retrieval.plan import Known, Plan
from archive_mem.retrieval.rank import (
    Parts,
    RankSettings,
    Scores,
    boosts,
    total,
)
from archive_mem.retrieval.shares import Shares
from archive_mem.schema.record import Archive, Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Turn
from models.base import Reranker, TextEmbedder
from models.embed import embed_question

__all__ = ["Found", "Scored", "Search"]

_WHOLE = 4_000
"""Up to so many turns all are scored; beyond, the best of each index and their sessions."""

_CANDIDATES = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One record that was found, by its best turn.

    record: the record
    session_id: its session
    turn: the turn that fits best
    score: higher is better
    parts: what the score is made of, such as ("dense", 0.61)
    """

    record: Record
    session_id: str
    turn: Turn
    score: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Candidates with their scores; arrays of shape (n,).

    stored: all turns
    rows: of the candidates among them, ascending
    parts: what the scores are made of
    boosts: for time, place and people
    total: what they are ordered by
    """

    stored: Stored
    rows: NDArray[np.int64]
    parts: Parts
    boosts: Scores
    total: Scores

    def ids(self) -> list[str]:
        """Turn of each candidate."""
        return [self.stored.ids[row] for row in self.rows.tolist()]

    def items(self) -> list[str]:
        """Item of each candidate."""
        return [self.stored.items[row] for row in self.rows.tolist()]

    def sessions(self) -> list[str]:
        """Session of each candidate."""
        return [self.stored.sessions[row] for row in self.rows.tolist()]

    def order(self) -> NDArray[np.int64]:
        """Candidates, best first, ties by id (rows ascend by id, and the sort is stable)."""
        return np.argsort(-self.total, kind="stable")


class Search:
    """Search over one memory.

    archive: records and sessions
    index: words and vectors of their turns
    embedder: the one that made the vectors
    settings: weights
    reranker: None for none
    """

    def __init__(
        self,
        archive: Archive,
        index: HybridIndex,
        embedder: TextEmbedder,
        settings: RankSettings | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self._archive, self._index, self._embedder = archive, index, embedder
        self._settings = settings or RankSettings()
        self._reranker = reranker
        self._known: tuple[Stored, Known] | None = None

    @property
    def archive(self) -> Archive:
        """The records that are searched."""
        return self._archive

    def known(self) -> Known:
        """Places and people of the archive; read again when the index has changed."""
        stored = self._index.stored()
        if self._known is None or self._known[0] is not stored:
            self._known = (stored, known_in(self._archive.records()))
        return self._known[1]

    def search(self, text: SafeText, plan: Plan, k: int) -> list[Found]:
        """The k records that fit best, best first; nothing captured after plan.asked_at."""
        scored = self.score(text, plan)
        rows = _best_of_items(scored, max(3 * k, k + 10))
        found = self._found(scored, rows, plan)
        if self._reranker is not None and found:
            found = _reranked(self._reranker, text, found)
        return found[:k]

    def score(self, text: SafeText, plan: Plan, extra: Mapping[str, float] | None = None) -> Scored:
        """Scores of the candidate turns.

        text: what to look for, such as plan.sought
        extra: more boosts by turn id, from whoever knows more about the archive
        """
        stored = self._index.stored()
        asked = embed_question(self._embedder, text)
        words = {hit.id: hit.score for hit in self._index.by_words(text, _words_wanted(stored))}
        rows = self._candidates(stored, asked, words, plan)
        parts = self._parts(stored, rows, asked, words, plan, extra or {})
        return Scored(
            stored=stored,
            rows=rows,
            parts=parts,
            boosts=boosts(parts, self._settings),
            total=total(parts, self._settings),
        )

    def _parts(
        self,
        stored: Stored,
        rows: NDArray[np.int64],
        asked: NDArray[np.float32],
        words: Mapping[str, float],
        plan: Plan,
        extra: Mapping[str, float],
    ) -> Parts:
        local = np.full(len(stored.ids) + 1, -1, np.int64)
        local[rows] = np.arange(len(rows))
        return Parts(
            dense=(stored.vectors[rows] @ asked).astype(np.float64),
            lexical=_by_row(stored, words)[rows],
            sessions=np.unique(stored.session_numbers[rows], return_inverse=True)[1],
            before=local[stored.before[rows]],
            after=local[stored.after[rows]],
            time=_time_fit(stored.at[rows], plan, timedelta(days=self._settings.fade_days)),
            place=self._holding(stored, rows, plan.place_words),
            people=self._holding(stored, rows, plan.people_words),
            extra=_by_row(stored, extra)[rows],
        )

    def _holding(
        self, stored: Stored, rows: NDArray[np.int64], names: Sequence[SafeText]
    ) -> Scores:
        """1 for turns of items that have one of the names."""
        held = [self._index.holding(name) for name in names]
        if not held:
            return np.zeros(len(rows), np.float64)
        items = stored.item_numbers[np.concatenate(held)]
        return np.isin(stored.item_numbers[rows], items).astype(np.float64)

    def items_holding(self, phrase: SafeText) -> set[str]:
        """Items of which a turn has these words next to each other."""
        stored = self._index.stored()
        return {stored.items[row] for row in self._index.holding(phrase).tolist()}

    def shares(self, weights: Mapping[SafeText, Callable[[int], float]]) -> Mapping[str, float]:
        """Item -> share of the weighted phrases that it has; items with none are left out.

        weights: phrase -> its weight, given how many items have it
        """
        stored = self._index.stored()
        sums, whole = np.zeros(len(stored.item_number_of), np.float64), 0.0
        for phrase, weigh in weights.items():
            having = _distinct(stored.item_numbers[self._index.holding(phrase)], len(sums))
            weight = weigh(len(having))
            sums[having] += weight
            whole += weight
        return Shares(stored.item_number_of, sums / (whole or 1.0))

    def item_count(self) -> int:
        """How many items have a turn."""
        return len(self._index.stored().item_number_of)

    def _candidates(
        self,
        stored: Stored,
        asked: NDArray[np.float32],
        words: Collection[str],
        plan: Plan,
    ) -> NDArray[np.int64]:
        eligible = _not_after(stored, plan.asked_at)
        if len(stored.ids) <= _WHOLE:
            return np.flatnonzero(eligible)
        chosen = np.zeros(len(stored.ids), bool)
        if eligible.all():
            _mark(chosen, stored, self._index.by_vector(asked, _CANDIDATES))
        else:
            _mark_nearest(chosen, stored, asked, np.flatnonzero(eligible))
        inside = eligible & _inside(stored, plan)
        if inside.any():
            _mark_nearest(chosen, stored, asked, np.flatnonzero(inside))
        chosen[[stored.row_of[turn] for turn in words if turn in stored.row_of]] = True
        return np.flatnonzero(chosen & eligible)

    def _found(self, scored: Scored, chosen: Sequence[int], plan: Plan) -> list[Found]:
        stored = scored.stored
        rows = {at: int(scored.rows[at]) for at in chosen}
        records = {
            record.item_id: record
            for record in self._archive.records([stored.items[row] for row in rows.values()])
            if record.exists_at(plan.asked_at)
        }
        turns = self._turns({stored.sessions[row] for row in rows.values()})
        found = [
            self._one(scored, at, records[stored.items[row]], turns[stored.ids[row]], plan)
            for at, row in rows.items()
            if stored.items[row] in records and stored.ids[row] in turns
        ]
        return sorted(found, key=lambda each: (-each.score, each.turn.id))

    def _one(self, scored: Scored, row: int, record: Record, turn: Turn, plan: Plan) -> Found:
        kind = self._settings.kind if plan.kind is not None and record.kind is plan.kind else 0.0
        parts = (
            ("dense", round(float(scored.parts.dense[row]), 4)),
            ("lexical", round(float(scored.parts.lexical[row]), 4)),
            ("boosts", round(float(scored.boosts[row]) + kind, 4)),
            *self._boosts_of(scored.parts, row, kind),
        )
        return Found(
            record=record,
            session_id=turn.session_id,
            turn=turn,
            score=float(scored.total[row]) + kind,
            parts=parts,
        )

    def _boosts_of(self, parts: Parts, row: int, kind: float) -> Iterator[tuple[str, float]]:
        """What the boosts are made of, those that the question gives none of left out."""
        weights = self._settings
        each = (
            ("time", weights.time * float(parts.time[row])),
            ("place", weights.place * float(parts.place[row])),
            ("people", weights.people * float(parts.people[row])),
            ("kind", kind),
            ("extra", float(parts.extra[row])),
        )
        return ((f"boost: {name}", round(value, 4)) for name, value in each if value)

    def _turns(self, session_ids: Collection[str]) -> dict[str, Turn]:
        sessions = self._archive.sessions(sorted(session_ids))
        return {turn.id: turn for session in sessions for turn in session.turns}


def _distinct(numbers: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Each of some numbers below `count` once, ascending; few are sorted, many are marked."""
    if 20 * len(numbers) < count:
        return np.array(sorted(set(numbers.tolist())), np.int64)
    present = np.zeros(count, bool)
    present[numbers] = True
    return np.flatnonzero(present)


def _words_wanted(stored: Stored) -> int:
    return _WHOLE if len(stored.ids) <= _WHOLE else _CANDIDATES


def _not_after(stored: Stored, asked_at: datetime) -> NDArray[np.bool_]:
    """Turns of a later time do not exist yet; those without a time do."""
    allowed: NDArray[np.bool_] = ~(stored.at > _seconds(asked_at))
    return allowed


def _inside(stored: Stored, plan: Plan) -> NDArray[np.bool_]:
    inside = np.zeros(len(stored.ids), bool)
    for window in plan.windows:
        inside |= (stored.at >= _seconds(window.start)) & (stored.at < _seconds(window.end))
    return inside


def _mark(chosen: NDArray[np.bool_], stored: Stored, hits: Sequence[Hit]) -> None:
    chosen[[stored.row_of[hit.id] for hit in hits if hit.id in stored.row_of]] = True


def _mark_nearest(
    chosen: NDArray[np.bool_],
    stored: Stored,
    asked: NDArray[np.float32],
    rows: NDArray[np.int64],
) -> None:
    whole = len(rows) == len(stored.ids)
    scores = (stored.vectors if whole else stored.vectors[rows]) @ asked
    best = scores.argsort()[-_CANDIDATES:] if len(rows) > _CANDIDATES else slice(None)
    chosen[rows[best]] = True


def _by_row(stored: Stored, values: Mapping[str, float]) -> Scores:
    """Values by turn id as an array over all turns, 0 where there is none."""
    spread = np.zeros(len(stored.ids), np.float64)
    known = [name for name in values if name in stored.row_of]
    spread[[stored.row_of[name] for name in known]] = [values[name] for name in known]
    return spread


def _time_fit(at: NDArray[np.float64], plan: Plan, fade: timedelta) -> Scores:
    """1 inside an asked window, fading to 0 at `fade` outside; times the recurring fit."""
    fit = np.zeros(at.shape, np.float64)
    for window in plan.windows:
        outside = np.maximum(_seconds(window.start) - at, at - _seconds(window.end))
        near = 1.0 - np.maximum(outside, 0.0) / max(fade.total_seconds(), 1.0)
        fit = np.maximum(fit, np.where(np.isnan(at), 0.0, np.clip(near, 0.0, 1.0)))
    if plan.recurring:
        comes_back = np.array([_recurs(seconds, plan) for seconds in at.tolist()], np.float64)
        fit = np.maximum(fit, 0.5 * comes_back) if not plan.windows else fit * comes_back
    return fit


def _recurs(seconds: float, plan: Plan) -> bool:
    known = not np.isnan(seconds)
    return known and plan.recurring.holds(datetime(1970, 1, 1) + timedelta(seconds=seconds))


def _seconds(at: datetime) -> float:
    return at.replace(tzinfo=UTC).timestamp()


def _best_of_items(scored: Scored, count: int) -> list[int]:
    """The best candidate of each item, best items first."""
    best: dict[int, int] = {}
    numbers = scored.stored.item_numbers[scored.rows]
    for at in scored.order().tolist():
        best.setdefault(int(numbers[at]), at)
        if len(best) == count:
            break
    return list(best.values())


def _reranked(reranker: Reranker, text: SafeText, found: list[Found]) -> list[Found]:
    scores = reranker.scores(text, [each.turn.text for each in found]).tolist()
    again = [
        Found(
            record=each.record,
            session_id=each.session_id,
            turn=each.turn,
            score=score,
            parts=(*each.parts, ("before reranking", round(each.score, 4))),
        )
        for each, score in zip(found, scores, strict=True)
    ]
    return sorted(again, key=lambda each: (-each.score, each.turn.id))
