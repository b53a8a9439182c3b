"""T3, the choice: every option ranked by what the profile says for and against it.

score(option) = mean over sides of statements of side x strength, weighed by relevance x temporal
stability x fit of context, and drawn to 0 where little is known. What was given up, or has long not
been said by the rhythm of its mentions, counts little.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from anonymize.compose import compose, excerpt, join
from archive_mem.profile.claims import Claim, claims
from archive_mem.profile.phrases import span_of
from archive_mem.profile.relevance import relevance
from archive_mem.profile.stability import score_profile
from archive_mem.profile.timeline import held_now, threads
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.weighting import ProfileSettings, Weighting, weight
from archive_mem.qa.base import NOTHING_SUPPORTS, TierReader
from archive_mem.schema.profile import Profile, ProfileItem, Stability
from archive_mem.schema.qa import (
    Answer,
    Evidence,
    Query,
    RankedOption,
    Ranking,
    Tier,
    Usage,
)
from archive_mem.schema.record import Archive
from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder

__all__ = ["Choice", "ChoiceSettings", "Weighting", "alive"]

Floats = NDArray[np.float64]

NEAR = 0.45
PAST = 0.05
FLOOR = 0.25
DOUBT = 1.0
REASONS = 2
PAUSE, PAUSE_WEIGHT, LAPSE = 365, 1, 3
UNFIT, SPOKEN_OF = 0.15, 0.3


# The name that callers of this module know.
ChoiceSettings = ProfileSettings

DEFAULT = ProfileSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vote:
    """One side of one statement.

    item: the statement
    subject: what the side is taken on
    condition: when it holds, None when always
    value: side x strength, -1 to 1
    weight: how much it counts
    """

    item: ProfileItem
    subject: SafeText
    condition: SafeText | None
    value: float
    weight: float


class Choice(TierReader):
    """Ranks options by the profile as it was known when the question was asked."""

    def __init__(
        self, archive: Archive, embedder: TextEmbedder, settings: ProfileSettings = DEFAULT
    ) -> None:
        self._archive = archive
        self._vectors = Vectors(embedder)
        self._settings = settings

    def answer(self, query: Query) -> Answer:
        """A ranking of all options; ties keep the order of their ids."""
        begun = time.perf_counter()
        votes = self._votes(query)
        table = self._table(query, votes)
        ranking = self._ranking(query, votes, table)
        evidence = _evidence(votes, table)
        return Answer(
            text=_sentence(ranking, bool(evidence)),
            evidence=evidence[: query.top_k],
            abstained=not evidence,
            tier=Tier.T3,
            usage=Usage(seconds=time.perf_counter() - begun),
            ranking=ranking,
        )

    def _votes(self, query: Query) -> list[_Vote]:
        if self._settings.weighting is Weighting.NO_PROFILE:
            return []
        profile = score_profile(
            self._archive.profile_items(), query.asked_at, self._settings.stability
        )
        chosen = self._nearest(query, [item for item, _ in profile.items])
        weights = self._weights(profile, chosen)
        return [vote for item in chosen for vote in _votes_of(item, weights[item.id])]

    def _weights(self, profile: Profile, chosen: Sequence[ProfileItem]) -> dict[str, float]:
        weighting = self._settings.weighting
        turns = weighting.sees_turns
        held = held_now(threads(chosen, self._vectors)) if turns else {}
        return {
            item.id: _weight(stability, weighting)
            * (1.0 if held.get(item.id, True) else PAST)
            * (alive(item, profile.as_of) if turns else 1.0)
            for item, stability in profile.items
        }

    def _nearest(self, query: Query, items: Sequence[ProfileItem]) -> list[ProfileItem]:
        """At most `per_category` statements a category, by closeness to question and options."""
        if not items:
            return []
        asked = [query.text, *(option.text for option in query.options)]
        closeness = relevance(self._vectors, asked, [item.statement for item in items]).max(axis=0)
        taken: dict[str, int] = {}
        chosen = []
        for position in np.argsort(-closeness, kind="stable"):
            item = items[position]
            taken[item.category] = taken.get(item.category, 0) + 1
            limit = self._settings.per_category
            if limit is None or taken[item.category] <= limit:
                chosen.append(item)
        return chosen

    def _table(self, query: Query, votes: Sequence[_Vote]) -> Floats:
        """Shape (options, votes): what each vote adds to each option.

        The sum of a row is the mean side taken on the option, drawn towards 0 where little is
        known: ten mild words do not outweigh three strong ones by number alone.
        """
        if not votes or not query.options:
            return np.zeros((len(query.options), len(votes)))
        options = [option.text for option in query.options]
        near = relevance(self._vectors, options, [vote.subject for vote in votes])
        sharp = np.clip((near - NEAR) / (1 - NEAR), 0.0, 1.0) ** 1.5
        values = np.array([vote.value for vote in votes])
        pull = sharp * self._fit(query, votes) * np.array([vote.weight for vote in votes])
        table: Floats = pull * values / (pull.sum(axis=1, keepdims=True) + DOUBT)
        return table

    def _fit(self, query: Query, votes: Sequence[_Vote]) -> Floats:
        """How well the condition of each vote goes with the situation; 1 where there is none.

        Where the situation speaks of no condition at all, each conditional vote counts half.
        """
        conditions = [vote.condition for vote in votes if vote.condition is not None]
        if not conditions:
            return np.ones(len(votes))
        close = relevance(self._vectors, [query.text], conditions)[0]
        fits = iter(_contrast(close))
        return np.array([1.0 if vote.condition is None else next(fits) for vote in votes])

    def _ranking(self, query: Query, votes: Sequence[_Vote], table: Floats) -> Ranking:
        scores = table.sum(axis=1) if votes else self._by_similarity(query)
        order = sorted(
            range(len(query.options)), key=lambda row: (-round(float(scores[row]), 9), row)
        )
        return Ranking(
            options=tuple(
                RankedOption(
                    option=query.options[row],
                    score=float(scores[row]),
                    reasons=_reasons(votes, table[row]),
                )
                for row in order
            )
        )

    def _by_similarity(self, query: Query) -> Floats:
        options = [option.text for option in query.options]
        if not options:
            return np.zeros(0)
        scores: Floats = relevance(self._vectors, [query.text], options)[0]
        return scores


def alive(item: ProfileItem, as_of: datetime) -> float:
    """1 just after a mention, 1/2 once it was silent for thrice its usual pause, then towards 0.

    What was said every few months and then not for years has lapsed, though nothing took its place;
    the usual pause is the mean one, drawn to `PAUSE` where there are few.
    """
    days = sorted({mention.at.date() for mention in item.mentions})
    between = (days[-1] - days[0]).days
    pause = (between + PAUSE_WEIGHT * PAUSE) / (len(days) - 1 + PAUSE_WEIGHT)
    silence = max(0, (as_of.date() - days[-1]).days)
    return 1 / (1 + (silence / (LAPSE * pause)) ** 2)


def _contrast(close: Floats) -> Floats:
    """From `UNFIT` to 1.1, the nearest condition highest; half for all where none is near."""
    best = float(close.max())
    if best < SPOKEN_OF:
        return np.full(len(close), 0.5)
    fit: Floats = UNFIT + (1.1 - UNFIT) * np.clip(2 * close / best - 1, 0.0, 1.0)
    return fit


def _weight(stability: Stability, weighting: Weighting) -> float:
    whole = weight(stability, weighting)
    return FLOOR + (1 - FLOOR) * whole if weighting.sees_turns else whole


def _votes_of(item: ProfileItem, weight: float) -> list[_Vote]:
    return [
        vote for claim in claims(item.statement.value) for vote in _claim_votes(item, claim, weight)
    ]


def _claim_votes(item: ProfileItem, claim: Claim, weight: float) -> list[_Vote]:
    condition = None if claim.condition is None else excerpt(item.statement, *claim.condition)
    return [
        _Vote(
            item=item,
            subject=excerpt(item.statement, *facet.span),
            condition=condition,
            value=_side(facet.sign, item) * claim.strength,
            weight=weight,
        )
        for facet in claim.facets
    ]


def _side(sign: int, item: ProfileItem) -> float:
    """A neutral habit or fact speaks a little for what is like it."""
    return float(sign or item.polarity) or 0.3


def _reasons(votes: Sequence[_Vote], row: Floats) -> tuple[SafeText, ...]:
    strongest: dict[str, tuple[float, ProfileItem]] = {}
    for vote, value in zip(votes, row, strict=True):
        known = strongest.get(vote.item.id, (0.0, vote.item))
        strongest[vote.item.id] = (known[0] + float(value), vote.item)
    ordered = sorted(strongest.values(), key=lambda pair: (-abs(pair[0]), pair[1].id))
    speaks_for = [item for value, item in ordered if value > 0][:REASONS]
    against = [item for value, item in ordered if value < 0][:REASONS]
    return (
        *(compose("+ {what} ({when})", what=i.statement, when=span_of(i)) for i in speaks_for),
        *(compose("- {what} ({when})", what=i.statement, when=span_of(i)) for i in against),
    )


def _evidence(votes: Sequence[_Vote], table: Floats) -> tuple[Evidence, ...]:
    found: dict[str, Evidence] = {}
    for column, vote in enumerate(votes):
        value = float(np.abs(table[:, column]).max()) if len(table) else 0.0
        if value > 0:
            newest = vote.item.mentions[-1]
            known = found.get(vote.item.id)
            evidence = Evidence(
                item_id=newest.item_id,
                session_id=newest.session_id,
                at=newest.at,
                quote=newest.quote,
                score=value,
            )
            found[vote.item.id] = (
                evidence if known is None else replace(known, score=max(value, known.score))
            )
    return tuple(sorted(found.values(), key=lambda each: (-each.score, each.item_id)))


def _sentence(ranking: Ranking, supported: bool) -> SafeText:
    if not supported or not ranking.options:
        return NOTHING_SUPPORTS
    first = ranking.options[0]
    because = join(" ", first.reasons[:1])
    order = join(", ", [ranked.option.text for ranked in ranking.options])
    if not because:
        return compose(
            "Most likely: {best}. In order: {order}.", best=first.option.text, order=order
        )
    return compose(
        "Most likely: {best}. {because}. In order: {order}.",
        best=first.option.text,
        because=because,
        order=order,
    )
