"""What extraction gives: statements that the profile may take up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from archive_mem.schema.profile import Category, Mention
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session

__all__ = ["Candidate", "Extractor", "is_event", "is_observed"]

# Slots of facts that are seen, not said: they are part of the persona once they repeat.
OBSERVED = ("habit:", "with:", "home", "event:", "trip:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One statement found in a session.

    category: one of five
    statement: what is said about the person
    mention: when, where and in which words
    slot: what it is about, None when unknown
    polarity: 1 for, -1 against, 0 neutral
    strength: 0 to 1, how firmly it is said
    """

    category: Category
    statement: SafeText
    mention: Mention
    slot: str | None = None
    polarity: int = 0
    strength: float = 1.0


class Extractor(Protocol):
    """Finds candidates. `name` changes when its results may change: then all is built again."""

    name: str

    def extract(self, session: Session, records: Sequence[Record]) -> list[Candidate]:
        """Candidates of one session in order of time. Only this session is looked at."""
        ...


def is_observed(slot: str | None) -> bool:
    """Whether the fact was seen in the records, rather than said by the person."""
    return slot is not None and slot.startswith(OBSERVED)


def is_event(slot: str | None) -> bool:
    """Whether the fact is an event in the person's words, of the same kind as others like it."""
    return slot is not None and slot.startswith("event:")
