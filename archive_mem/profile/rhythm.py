"""Constants of Algorithm 2 learned from the person's own rhythm (the paper's future work).

Off unless asked for. Each constant is the mean of an exponential law over what the person showed
up to a day (mentions a statement, days it lasted, days between mentions), drawn to the paper's
constant by `PRIOR` imagined observations. Only times of mentions are looked at, never questions or
gold.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from archive_mem.profile.stability import StabilitySettings, mentions_until
from archive_mem.schema.profile import ProfileItem

__all__ = ["fit_settings"]

PRIOR = 20


def fit_settings(items: Sequence[ProfileItem], as_of: datetime) -> StabilitySettings:
    """Settings for a person as of a wall clock; the paper's where nothing repeats."""
    paper = StabilitySettings()
    days = [_days(item, as_of) for item in items]
    repeated = [each for each in days if len(each) > 1]
    gaps = [later - earlier for each in repeated for earlier, later in pairwise(each)]
    return StabilitySettings(
        tau_sup=_drawn([float(len(each)) for each in repeated], paper.tau_sup),
        tau_dur=_drawn([each[-1] - each[0] for each in repeated], paper.tau_dur),
        tau_rec=_drawn(gaps, paper.tau_rec),
    )


def _drawn(observed: Sequence[float], usual: float) -> float:
    return (sum(observed) + PRIOR * usual) / (len(observed) + PRIOR)


def _days(item: ProfileItem, as_of: datetime) -> list[float]:
    known = mentions_until(item, as_of)
    times = () if known is None else known.mentions
    return sorted(
        {(mention.at - datetime(1970, 1, 1)).total_seconds() / 86_400 for mention in times}
    )
