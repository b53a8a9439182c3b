"""What makes a statement count: its temporal stability, or one of the ablations of the paper."""

from dataclasses import dataclass
from enum import StrEnum

from archive_mem.profile.stability import PAPER, Constants
from archive_mem.schema.profile import Stability

__all__ = ["ProfileSettings", "Weighting", "weight"]


class Weighting(StrEnum):
    """How statements are weighed against each other.

    full: by temporal stability; what was given up, or has lapsed, counts little
    no-ts: the same, but all statements are equally stable
    no-time: all statements alike, given up or not
    recency, frequency: by that part of temporal stability alone
    no-profile: no statement counts
    """

    STABILITY = "full"
    NO_TS = "no-ts"
    UNIFORM = "no-time"
    RECENCY = "recency"
    FREQUENCY = "frequency"
    NO_PROFILE = "no-profile"

    @property
    def sees_turns(self) -> bool:
        """Whether what was given up counts less than what holds."""
        return self in (Weighting.STABILITY, Weighting.NO_TS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSettings:
    """How a reader uses the profile.

    weighting: temporal stability, or one of the ablations
    per_category: statements taken from each category, nearest to the question; None for all
    stability: constants of Algorithm 2, or what fits them
    """

    weighting: Weighting = Weighting.STABILITY
    per_category: int | None = 15
    stability: Constants = PAPER


def weight(stability: Stability, weighting: Weighting) -> float:
    """0 to 1."""
    match weighting:
        case Weighting.STABILITY:
            return stability.ts
        case Weighting.RECENCY:
            return stability.rec
        case Weighting.FREQUENCY:
            return stability.sup
        case Weighting.NO_PROFILE:
            return 0.0
    return 1.0
