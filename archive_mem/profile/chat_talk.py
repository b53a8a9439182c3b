"""What all uses of a chat model share: data in delimiters, replies checked, one repair."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from anonymize.compose import compose, fill, join, word
from archive_mem.errors import InvalidReply
from archive_mem.schema.safe import SafeText
from models.base import ChatModel, ChatTurn
from models.prompts import prompt

__all__ = ["Spent", "Unfit", "checked", "fenced", "printable", "read_json", "strict_schema"]

Made = TypeVar("Made")
Form = TypeVar("Form", bound=BaseModel)

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


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
    return printable(_THOUGHT.sub("", reply.text)).strip()


def printable(text: str) -> str:
    """Without control characters, which could move the cursor of a terminal, and bidi marks."""
    return _CONTROL.sub("", text)


def read_json(text: str, form: type[Form]) -> Form:
    """The first JSON object in the text that has the form. Raises Unfit."""
    decoder = json.JSONDecoder()
    for found in re.finditer(r"\{", text):
        try:
            body, _ = decoder.raw_decode(text, found.start())
            return form.model_validate(body)
        except (ValueError, RecursionError, ValidationError):
            continue
    raise Unfit(word("it is not one JSON object of the asked form."))


def strict_schema(form: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a form, closed and with every key required, as strict servers want it."""
    schema = form.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        if part.get("type") == "object":
            part["additionalProperties"] = False
            part["required"] = list(part["properties"])
        for each in part.get("properties", {}).values():
            each.pop("default", None)
    return schema
