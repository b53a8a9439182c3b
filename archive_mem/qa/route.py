"""Which tier answers a question."""

from archive_mem.retrieval.wording import read_tier
from archive_mem.schema.qa import Query, Tier

__all__ = ["route"]


def route(query: Query) -> Tier:
    """The tier that was asked for; else T3 where there are options, T1 for a photo, else by words.

    Without options there is nothing to rank: such a question goes to the persona.
    """
    if query.tier is not None:
        return query.tier
    if query.options:
        return Tier.T3
    if query.photo is not None:
        return Tier.T1
    tier = read_tier(query.text.value)
    return Tier.T2 if tier is Tier.T3 else tier
