"""What a tier is, and what the readers read from."""

from typing import Protocol

from archive_mem.schema.qa import Answer, Query

__all__ = ["TierReader"]


class TierReader(Protocol):
    """Answers the questions of one tier."""

    def answer(self, query: Query) -> Answer:
        """An answer with evidence, or one that abstains; nothing after asked_at exists for it."""
        ...
