"""What a language model did for the profile, and what of it was refused."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from archive_mem.profile.chat_talk import Spent

__all__ = ["ChatTally"]


@dataclass(slots=True)
class ChatTally:
    """Counts of one or more runs.

    spent: calls, repairs and tokens
    sessions: read
    taken: statements that were taken up
    refused: statements that were not: no quote of the session, no known category, a name that
        stands in no line
    unread: sessions or comparisons that were left to the rules, since no reply could be used
    """

    spent: Spent = field(default_factory=Spent)
    sessions: int = 0
    taken: int = 0
    refused: int = 0
    unread: int = 0

    def body(self) -> dict[str, int]:
        """As JSON."""
        counts = {k: v for k, v in asdict(self).items() if k != "spent"}
        return counts | asdict(self.spent)

    def added_to(self, before: Mapping[str, Any] | None) -> dict[str, int]:
        """The counts together with those of runs before."""
        known = before or {}
        return {name: count + int(known.get(name, 0)) for name, count in self.body().items()}
