"""How a statement stands to those that are known, by a language model; ids are small integers."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from pydantic import BaseModel

from anonymize.compose import compose, fill, join, quoted
from archive_mem.profile.candidates import Candidate, is_observed
from archive_mem.profile.chat_talk import Unfit, checked, fenced, read_json, strict_schema
from archive_mem.profile.chat_tally import ChatTally
from archive_mem.profile.compare import Comparer, Relation, Verdict
from archive_mem.profile.vectors import Vectors
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.safe import SafeText
from models.base import ChatModel, ChatTurn
from models.prompts import prompt

__all__ = ["ChatComparer"]

_NEAREST = 12
"""Entries that one question shows; those that are further away are New by any measure."""

_REPLY = 80


class _Reply(BaseModel):
    relation: Literal["new", "duplicate", "update", "conflict"]
    id: int | None = None


class ChatComparer(Comparer):
    """A language model compares what was said; facts that were seen are compared by rules.

    model: made when there is something to compare
    rules: the embedded comparer, which also decides where no reply can be used
    vectors: to choose the entries that are shown
    tally: is added to
    """

    def __init__(
        self,
        name: str,
        model: Callable[[], ChatModel],
        rules: Comparer,
        vectors: Vectors,
        tally: ChatTally,
    ) -> None:
        self._prompt = prompt("compare")
        self.name = f"chat-1/{name}/{self._prompt.id} {rules.name}"
        self._model, self._rules, self._vectors = model, rules, vectors
        self._tally = tally

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        """Embed in one batch."""
        self._rules.prepare(candidates)
        self._vectors.prepare(each.statement for each in candidates)

    def compare(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
        """The verdict. Raises ModelError when the model does not answer."""
        said = [entry for entry in entries if not is_observed(entry.slot)]
        if is_observed(candidate.slot) or not said:
            return self._rules.compare(candidate, entries)
        shown = self._nearest(candidate, said)
        try:
            return checked(
                self._model(),
                self._turns(candidate, shown),
                lambda reply: _verdict(reply, shown),
                self._tally.spent,
                max_tokens=_REPLY,
                schema=strict_schema(_Reply),
            )
        except Unfit:
            self._tally.unread += 1
            return self._rules.compare(candidate, entries)

    def _nearest(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> list[ProfileItem]:
        texts = [entry.statement for entry in entries]
        near = self._vectors.similarity([candidate.statement], texts)[0]
        return [entries[row] for row in np.argsort(-near, kind="stable")[:_NEAREST]]

    def _turns(self, candidate: Candidate, shown: Sequence[ProfileItem]) -> list[ChatTurn]:
        lines = [_line(number, entry.statement) for number, entry in enumerate(shown, 1)]
        new = compose("new: {said}", said=quoted(candidate.statement))
        data = fenced([join("\n", lines), new])
        return [
            ChatTurn(role="system", text=fill(self._prompt.system)),
            ChatTurn(role="user", text=fill(self._prompt.user, data=data)),
        ]


def _line(number: int, statement: SafeText) -> SafeText:
    return compose("[{n}] {said}", n=number, said=quoted(statement))


def _verdict(reply: str, shown: Sequence[ProfileItem]) -> Verdict:
    """Raises Unfit for an id that was not shown."""
    said = read_json(reply, _Reply)
    relation = Relation(said.relation)
    if relation is Relation.NEW:
        return Verdict(relation=relation)
    if said.id is None or not 0 < said.id <= len(shown):
        raise Unfit(compose('"id" must be a number from 1 to {count}.', count=len(shown)))
    return Verdict(relation=relation, item_id=shown[said.id - 1].id)
