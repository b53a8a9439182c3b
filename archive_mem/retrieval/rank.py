"""Scores of turns from vectors, words, neighbours, sessions, time and place. Pure NumPy.

All arrays are float of shape (n,), one number a candidate. Nothing here depends on the order of
the candidates.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Parts",
    "RankSettings",
    "boosted",
    "boosts",
    "fused",
    "minmax",
    "smoothed",
    "total",
    "with_session_prior",
]

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSettings:
    """Weights of the parts of a score (docs: how search ranks).

    dense: share of the vectors; words have the rest
    before, after: share of the score of the turn before, and after, in the same session
    session: share of the session's best turns
    best: how many turns of a session make its prior
    time, place, people, kind: added where a turn fits what the question names
    fade_days: how far outside an asked time still counts a little
    """

    dense: float = 0.5
    before: float = 0.1
    after: float = 0.1
    session: float = 0.3
    best: int = 3
    time: float = 0.3
    place: float = 0.3
    people: float = 0.3
    kind: float = 0.1
    fade_days: float = 3.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """What is known of each candidate; arrays of shape (n,).

    dense: cosine with the question
    lexical: BM25, 0 where no word fits
    sessions: number of its session, 0 to m - 1
    before, after: row of the turn before and after it in its session, -1 for none
    time, place, people: how well it fits what the question names, 0 to 1
    extra: added as it is
    """

    dense: Scores
    lexical: Scores
    sessions: NDArray[np.int64]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    time: Scores
    place: Scores
    people: Scores
    extra: Scores


def total(parts: Parts, settings: RankSettings) -> Scores:
    """The score that candidates are ordered by."""
    scores = fused(parts.dense, parts.lexical, settings.dense)
    scores = smoothed(scores, parts.before, parts.after, (settings.before, settings.after))
    scores = with_session_prior(scores, parts.sessions, settings.session, settings.best)
    return boosted(scores, boosts(parts, settings))


def boosts(parts: Parts, settings: RankSettings) -> Scores:
    """What time, place, people and the extra add."""
    named = settings.time * parts.time + settings.place * parts.place
    return named + settings.people * parts.people + parts.extra


def minmax(scores: Scores) -> Scores:
    """Scaled to [0, 1]; all zeros when all are equal."""
    if scores.size == 0:
        return scores
    low, high = float(scores.min()), float(scores.max())
    if high - low < 1e-12:
        return np.zeros_like(scores)
    return (scores - low) / (high - low)


def fused(dense: Scores, lexical: Scores, weight: float) -> Scores:
    """`weight` of the vectors' and the rest of the words' scores, both by min-max."""
    return weight * minmax(dense) + (1 - weight) * minmax(lexical)


def smoothed(
    scores: Scores,
    before: NDArray[np.int64],
    after: NDArray[np.int64],
    weights: tuple[float, float],
) -> Scores:
    """Plus shares of the scores of the turn before and the turn after; -1 for none."""
    padded: Scores = np.append(scores, 0.0)
    near: Scores = weights[0] * padded[before] + weights[1] * padded[after]
    return scores + near


def with_session_prior(
    scores: Scores, sessions: NDArray[np.int64], weight: float, best: int
) -> Scores:
    """Plus `weight` times the mean of the session's `best` highest scores (fewer when it is short).

    sessions: number of the session of each candidate, 0 to m - 1
    """
    if scores.size == 0:
        return scores
    order = np.lexsort((-scores, sessions))
    firsts = np.searchsorted(sessions[order], np.arange(int(sessions.max()) + 1))
    rank = np.arange(scores.size) - firsts[sessions[order]]
    top = order[rank < best]
    size = int(sessions.max()) + 1
    sums = np.bincount(sessions[top], weights=scores[top], minlength=size)
    counts = np.bincount(sessions[top], minlength=size)
    return scores + weight * (sums / np.maximum(counts, 1))[sessions]


def boosted(scores: Scores, boosts: Scores) -> Scores:
    """Min-max again, plus the boosts: a wrong reading of the question reorders, never empties."""
    return minmax(scores) + boosts
