"""Which tier answers a question."""

from archive_mem.retrieval.plan import Plan
from archive_mem.schema.qa import Query, Tier

__all__ = ["route"]


def route(query: Query, plan: Plan) -> Tier:
    """The tier that was asked for; else T3 where there are options, T1 for a photo, else by words.

    Without options there is nothing to rank: such a question goes to the persona.
    """
    if query.tier is not None:
        return query.tier
    if query.options:
        return Tier.T3
    if query.photo is not None:
        return Tier.T1
    return Tier.T2 if plan.tier is Tier.T3 else plan.tier
