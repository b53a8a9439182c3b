"""Questions and answers."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from archive_mem.schema.safe import SafeText

__all__ = ["Answer", "Evidence", "Option", "Query", "RankedOption", "Ranking", "Tier", "Usage"]


class Tier(StrEnum):
    """T1 factual recall, T2 persona, T3 ranking of options."""

    T1 = "t1"
    T2 = "t2"
    T3 = "t3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing to choose.

    id: as given, else its position from 1
    text: redacted
    """

    id: str
    text: SafeText


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, redacted.

    text: the question
    tier: None to choose by the question
    asked_at: wall clock of the question; nothing later exists for it
    photo: item id or file of a given photo, None when none
    options: for T3
    top_k: how much evidence is looked for
    """

    text: SafeText
    tier: Tier | None
    asked_at: datetime
    photo: Path | None = None
    options: tuple[Option, ...] = ()
    top_k: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What supports an answer.

    item_id, session_id: where
    at: wall clock, None when unknown
    quote: the words
    score: higher is better
    why: the parts of the score, such as {"dense": 0.7, "lexical": 0.4}
    """

    item_id: str
    session_id: str | None
    at: datetime | None
    quote: SafeText
    score: float
    why: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedOption:
    """One option in its place.

    option: the option
    score: higher is better
    reasons: sentences for (+) and against (-), with dates
    """

    option: Option
    score: float
    reasons: tuple[SafeText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All options, best first."""

    options: tuple[RankedOption, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an answer cost.

    prompt_tokens, completion_tokens: 0 for the embedded reader
    seconds: wall time
    calls: requests to a model
    repairs: of them, those because of a reply that could not be used
    invented: labels in the reply that stood for nothing; they were dropped
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    calls: int = 0
    repairs: int = 0
    invented: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer and what it stands on.

    text: placeholders in place of personal details
    evidence: in order of use
    abstained: True when nothing supports an answer
    tier: which tier answered
    usage: cost
    ranking: for T3, None otherwise
    reader: what answered: "embedded", or model and prompt such as "m, recall@1"
    """

    text: SafeText
    evidence: tuple[Evidence, ...]
    abstained: bool
    tier: Tier
    usage: Usage
    ranking: Ranking | None = None
    reader: str = "embedded"
