"""One prompt for one question: tools and settings of all chat readers, the two messages, the cost.

The evidence gets what rules, question and reply leave of the budget.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from anonymize.compose import NOTHING, compose, fill, say_clock, say_day
from archive_mem.errors import ModelError
from archive_mem.profile.chat_talk import Spent
from archive_mem.profile.vectors import Vectors
from archive_mem.qa.reader.context import Context, Passage, build
from archive_mem.qa.reader.prior import PriorSettings
from archive_mem.retrieval.search import Search
from archive_mem.schema.qa import Query, Usage
from archive_mem.schema.record import Archive
from archive_mem.schema.safe import SafeText
from models.base import ChatModel, ChatTurn
from models.prompts import Prompt

__all__ = ["ChatTools", "ReaderSettings", "Talk"]

_TEMPLATE = 60
"""Tokens that the model's own chat template may add."""

_REPAIR = 80
"""Tokens kept for asking once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSettings:
    """How much a chat reader is given.

    budget: tokens of a whole prompt; less where the model reads less
    records: records looked for
    reply: tokens of a reply
    prior: how the profile is given
    """

    budget: int = 6000
    records: int = 30
    reply: int = 700
    prior: PriorSettings = field(default_factory=PriorSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTools:
    """What all chat readers need.

    model: answers
    archive: records, sessions and the profile
    search: over the same archive
    vectors: to compare statements with questions
    redact: makes words of a model safe to keep and to show
    settings: how much is given
    """

    model: ChatModel
    archive: Archive
    search: Search
    vectors: Vectors
    redact: Callable[[str], SafeText]
    settings: ReaderSettings = field(default_factory=ReaderSettings)


class Talk:
    """A prompt put together for one question.

    tools: the model and how much it may be given
    asked: the prompt
    query: the question
    passages: the most important first
    parts: what else the prompt has gaps for
    """

    def __init__(
        self,
        tools: ChatTools,
        asked: Prompt,
        query: Query,
        passages: Sequence[Passage],
        **parts: SafeText | int,
    ) -> None:
        self._begun = perf_counter()
        self._model, self._asked = tools.model, asked
        self._parts = {"question": query.text, "now": _now(query), **parts}
        self.reply_tokens = min(tools.settings.reply, max(tools.model.window // 3, 1))
        self.context = self._fitting(tools, passages)
        self.turns = self._messages(self.context.text)
        self.spent = Spent()

    @property
    def reader(self) -> str:
        """Model and prompt, such as "m, recall@1"."""
        return f"{self._model.name}, {self._asked.id}"

    def usage(self, invented: int) -> Usage:
        """What it has cost so far."""
        return Usage(
            prompt_tokens=self.spent.prompt_tokens,
            completion_tokens=self.spent.completion_tokens,
            seconds=perf_counter() - self._begun,
            calls=self.spent.calls,
            repairs=self.spent.repairs,
            invented=invented,
        )

    def _fitting(self, tools: ChatTools, passages: Sequence[Passage]) -> Context:
        model, budget = tools.model, tools.settings.budget
        bare = sum(model.tokens(turn.text) for turn in self._messages(NOTHING))
        whole = min(budget, model.window - self.reply_tokens)
        made = build(passages, whole - bare - _TEMPLATE - _REPAIR, model.tokens)
        if passages and not made.passages:
            raise ModelError(
                f"there is no room for evidence: {model.name} reads {model.window} tokens and the "
                f"setting reader_tokens is {budget}"
            )
        return made

    def _messages(self, data: SafeText) -> list[ChatTurn]:
        user = fill(self._asked.user, data=data, **self._parts)
        return [
            ChatTurn(role="system", text=fill(self._asked.system)),
            ChatTurn(role="user", text=user),
        ]


def _now(query: Query) -> SafeText:
    day = say_day(query.asked_at, weekday=True)
    return compose("{day} at {clock}", day=day, clock=say_clock(query.asked_at))
