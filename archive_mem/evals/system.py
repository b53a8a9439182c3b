"""What is measured: something that answers samples."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from archive_mem.evals.dataset import Sample

__all__ = ["Reply", "System"]

Asked = TypeVar("Asked", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a system answered, and what it had before it.

    text: its words
    parsed: the answer read out of them (answer, ranking, fields), {} where nothing could be read
    cited: ids that it gives as evidence, in order
    context: ids of what it was shown, in order
    prompt: what it was asked, None where no prompt was made
    prompt_tokens, completion_tokens: by the reader's own tokenizer
    context_tokens: tokens of what was shown, before anything was cut off
    cut_tokens: how many of them did not fit and were left out
    seconds: wall time
    refused: why the question was not answered at all; it counts as unscored
    """

    text: str
    parsed: Mapping[str, Any] = field(default_factory=dict)
    cited: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    prompt: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    context_tokens: int = 0
    cut_tokens: int = 0
    seconds: float = 0.0
    refused: str | None = None


class System(Protocol[Asked]):
    """Answers one sample at a time; the gold of a sample is not for it."""

    name: str
    about: Mapping[str, str]
    """What makes it this system and no other, such as {"mode": "caption", "k": "10"}."""

    def answer(self, sample: Sample[Asked, None]) -> Reply:
        """The reply. Raises ArchiveMemError when it failed."""
        ...
