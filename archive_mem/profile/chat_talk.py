"""What all uses of a chat model share: data in delimiters, replies checked, one repair."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from anonymize.compose import compose, fill, join, word
from archive_mem.errors import InvalidReply
from archive_mem.schema.safe import SafeText
from models.base import ChatModel, ChatTurn
from models.prompts import prompt
from models.replies import json_objects, printable, said, strict_schema

__all__ = ["Spent", "Unfit", "checked", "fenced", "printable", "read_json", "strict_schema"]

Made = TypeVar("Made")
Form = TypeVar("Form", bound=BaseModel)


class Unfit(Exception):
    """A reply that cannot be used.

    why: what the model is told of it
    """

    def __init__(self, why: SafeText) -> None:
        super().__init__(why.value)
        self.why = why


@dataclass(slots=True)
class Spent:
    """What a conversation took.

    prompt_tokens, completion_tokens: over all calls
    calls: requests to the model
    repairs: of them, those because of a reply that could not be used
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    repairs: int = 0


def fenced(lines: Sequence[SafeText]) -> SafeText:
    """Lines of data between two marks with a number that follows from all of them.

    What is in a line cannot know the number, and `quoted` words cannot begin a line: nothing that
    was read out of a photo or a note can look as if it stood outside.
    """
    body = join("\n", lines)
    mark = int(sha256(body.value.encode("utf-8", "replace")).hexdigest()[:8], 16)
    return compose("<data {mark}>\n{body}\n</data {mark}>", mark=mark, body=body)


def checked(
    model: ChatModel,
    turns: Sequence[ChatTurn],
    read: Callable[[str], Made],
    spent: Spent,
    *,
    max_tokens: int,
    schema: Mapping[str, Any] | None = None,
) -> Made:
    """What `read` makes of the reply; a reply that is Unfit is asked for once more.

    Raises Unfit when the second one is no better, ModelError when the model does not answer.
    """
    try:
        return read(_said(model, turns, spent, max_tokens, schema))
    except Unfit as unfit:
        why = unfit.why
    except InvalidReply:
        why = word("it was empty.")
    spent.repairs += 1
    again = fill(prompt("repair").user, asked=turns[-1].text, why=why)
    asked = ChatTurn(role="user", text=again, images=turns[-1].images)
    return read(_said(model, [*turns[:-1], asked], spent, max_tokens, schema))


def _said(
    model: ChatModel,
    turns: Sequence[ChatTurn],
    spent: Spent,
    max_tokens: int,
    schema: Mapping[str, Any] | None,
) -> str:
    spent.calls += 1
    reply = model.reply(turns, max_tokens, schema)
    spent.prompt_tokens += reply.prompt_tokens
    spent.completion_tokens += reply.completion_tokens
    return said(reply.text)


def read_json(text: str, form: type[Form]) -> Form:
    """The first JSON object in the text that has the form. Raises Unfit."""
    for body in json_objects(text):
        with suppress(ValidationError):
            return form.model_validate(body)
    raise Unfit(word("it is not one JSON object of the asked form."))
