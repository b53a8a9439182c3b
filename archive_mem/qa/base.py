"""What a tier is, and what it says when there is nothing to say."""

from typing import Protocol

from anonymize.compose import word
from archive_mem.schema.qa import Answer, Query, Tier, Usage

__all__ = ["NOTHING_SUPPORTS", "TierReader", "nothing"]

NOTHING_SUPPORTS = word("Nothing in the archive supports an answer.")


class TierReader(Protocol):
    """Answers the questions of one tier."""

    def answer(self, query: Query) -> Answer:
        """An answer with evidence, or one that abstains; nothing after asked_at exists for it."""
        ...


def nothing(tier: Tier) -> Answer:
    """The answer of an archive in which there is nothing."""
    return Answer(
        text=NOTHING_SUPPORTS, evidence=(), abstained=True, tier=tier, usage=Usage(seconds=0.0)
    )
