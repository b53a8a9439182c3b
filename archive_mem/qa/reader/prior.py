"""The profile as a salience prior: what is near the question, each statement with its stability."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from archive_mem.profile.relevance import relevance
from archive_mem.profile.stability import PAPER, Constants, score_profile
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.weighting import ProfileSettings, Weighting, weight
from archive_mem.qa.reader.context import Passage, of_statement
from archive_mem.schema.profile import ProfileItem, Stability
from archive_mem.schema.qa import Query

__all__ = ["PriorSettings", "salience"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorSettings:
    """How the profile is given to the reader; the defaults are the paper's.

    per_category: statements taken from each category, nearest to the question; None for all, 0 for
        no profile
    with_stability: False hides temporal stability from the reader
    weighting: what is shown as stability, for comparison
    stability: constants of Algorithm 2
    """

    per_category: int | None = 15
    with_stability: bool = True
    weighting: Weighting = Weighting.STABILITY
    stability: Constants = PAPER

    @classmethod
    def of(cls, used: ProfileSettings) -> Self:
        """As the readers without a language model use the profile."""
        gone = used.weighting is Weighting.NO_PROFILE
        alike = used.weighting in (Weighting.NO_TS, Weighting.UNIFORM)
        return cls(
            per_category=0 if gone else used.per_category,
            with_stability=not alike,
            weighting=used.weighting,
            stability=used.stability,
        )


DEFAULT = PriorSettings()


def salience(
    items: Sequence[ProfileItem], query: Query, vectors: Vectors, settings: PriorSettings = DEFAULT
) -> list[Passage]:
    """The chosen statements, nearest to the question or one of its options first.

    They are as they were known when the question was asked: later mentions do not exist.
    """
    profile = score_profile(items, query.asked_at, settings.stability)
    known = list(profile.items)
    return [
        of_statement(
            item,
            replace(stability, ts=weight(stability, settings.weighting)),
            with_stability=settings.with_stability,
        )
        for item, stability in _nearest(known, query, vectors, settings.per_category)
    ]


def _nearest(
    known: list[tuple[ProfileItem, Stability]], query: Query, vectors: Vectors, most: int | None
) -> list[tuple[ProfileItem, Stability]]:
    if not known or most == 0:
        return []
    asked = [query.text, *(option.text for option in query.options)]
    near = relevance(vectors, asked, [item.statement for item, _ in known]).max(axis=0)
    taken: dict[str, int] = {}
    chosen = []
    for row in np.argsort(-near, kind="stable").tolist():
        category = known[row][0].category
        taken[category] = taken.get(category, 0) + 1
        if most is None or taken[category] <= most:
            chosen.append(known[row])
    return chosen
