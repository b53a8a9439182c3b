"""The persona: statements, their mentions, and their temporal stability (ChronoProfiler)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from archive_mem.schema.safe import SafeText

__all__ = ["Category", "Mention", "Profile", "ProfileItem", "Stability", "Weights"]


class Category(StrEnum):
    """The five categories of a persona."""

    DEMOGRAPHICS = "demographics"
    PREFERENCES = "preferences"
    BEHAVIORAL_HABITS = "behavioral_habits"
    HOBBIES = "hobbies"
    MEANINGFUL_FACTS = "meaningful_facts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One time that a statement was supported.

    at: wall clock of the record
    session_id, item_id: where
    quote: the words that support it
    """

    at: datetime
    session_id: str
    item_id: str
    quote: SafeText


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileItem:
    """One statement about the person.

    id: stable, from category and first statement
    category: one of five
    statement: newest, most specific wording
    mentions: in order of time
    related_id: the entry it conflicts with, None when none
    slot: what it is about ("diet", "city", "drink"), None when unknown
    polarity: 1 for, -1 against, 0 neutral
    settled: whether the owner put the statement into words by hand
    """

    id: str
    category: Category
    statement: SafeText
    mentions: tuple[Mention, ...]
    related_id: str | None = None
    slot: str | None = None
    polarity: int = 0
    settled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Entropy weights of support, duration and recency; they sum to 1."""

    sup: float
    dur: float
    rec: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """Temporal stability of one item as of a time (Algorithm 2); all in [0, 1].

    sup, dur, rec: support, duration, recency
    z: weighted sum
    ts: z scaled over the person's items
    """

    sup: float
    dur: float
    rec: float
    z: float
    ts: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A persona as it was known at a time.

    as_of: reference time; later mentions do not exist yet
    weights: entropy weights over the items
    items: pairs of item (mentions up to `as_of` only) and stability, highest ts first
    """

    as_of: datetime
    weights: Weights
    items: tuple[tuple[ProfileItem, Stability], ...]
