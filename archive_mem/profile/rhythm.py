"""Constants of Algorithm 2 learned from the person's own rhythm (the paper's future work).

Off unless asked for (`stability_constants = "fitted"`). Each constant is the mean of an exponential
law over what the person showed up to a day (mentions a statement, days it lasted, days between
mentions), drawn to the constant that is set by `PRIOR` imagined observations, and at most `MOST`
times as large or as small. Only times of mentions are looked at, never questions or gold.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from math import fsum

from archive_mem.profile.stability import PAPER, StabilitySettings, mentions_until
from archive_mem.schema.profile import ProfileItem

__all__ = ["fit_settings"]

PRIOR = 20
MOST = 5.0


def fit_settings(
    items: Sequence[ProfileItem], as_of: datetime, usual: StabilitySettings = PAPER
) -> StabilitySettings:
    """Settings for a person as of a wall clock; `usual` where nothing repeats.

    The order of the items and of their mentions does not matter.
    """
    days = [_days(item, as_of) for item in items]
    repeated = [each for each in days if len(each) > 1]
    gaps = [later - earlier for each in repeated for earlier, later in pairwise(each)]
    return StabilitySettings(
        tau_sup=_drawn([float(len(each)) for each in repeated], usual.tau_sup),
        tau_dur=_drawn([each[-1] - each[0] for each in repeated], usual.tau_dur),
        tau_rec=_drawn(gaps, usual.tau_rec),
    )


def _drawn(observed: Sequence[float], usual: float) -> float:
    drawn = (fsum(observed) + PRIOR * usual) / (len(observed) + PRIOR)
    return min(max(drawn, usual / MOST), usual * MOST)


def _days(item: ProfileItem, as_of: datetime) -> list[float]:
    known = mentions_until(item, as_of)
    times = () if known is None else known.mentions
    return sorted(
        {(mention.at - datetime(1970, 1, 1)).total_seconds() / 86_400 for mention in times}
    )
