"""How good a reply is: one score a sample, or none with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from archive_mem.evals.dataset import Sample
from archive_mem.evals.system import Reply

__all__ = ["Score", "Scorer", "not_scored"]

AnySample = TypeVar("AnySample", bound=Sample[Any, Any], contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a scorer says of one reply.

    value: 0 to 100, None when it could not be scored
    parts: what it is made of, such as {"coverage": 4.0, "accuracy": 5.0}
    why: in words; the reason where there is no value
    judge_prompt, judge_reply: of a chat judge, None for the exact one
    judge_tokens: prompt and completion together
    """

    value: float | None
    parts: Mapping[str, float] = field(default_factory=dict)
    why: str = ""
    judge_prompt: str | None = None
    judge_reply: str | None = None
    judge_tokens: int = 0


class Scorer(Protocol[AnySample]):
    """Scores replies. `name` holds the version of all that has a say in the score."""

    name: str

    def score(self, sample: AnySample, reply: Reply) -> Score:
        """A score; one without a value when the reply or the judge's words cannot be read."""
        ...


def not_scored(why: str) -> Score:
    """Neither zero nor dropped: counted as unscored, with its reason."""
    return Score(value=None, why=why)
