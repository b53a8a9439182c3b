"""What a model said, as words and as JSON. Pure."""

import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

__all__ = ["json_objects", "printable", "said", "strict_schema"]

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def said(text: str) -> str:
    """The reply without thoughts, control characters and outer spaces."""
    return printable(_THOUGHT.sub("", text)).strip()


def printable(text: str) -> str:
    """Without control characters, which could move the cursor of a terminal, and bidi marks."""
    return _CONTROL.sub("", text)


def json_objects(text: str) -> Iterator[Any]:
    """Every JSON object that begins somewhere in the text, in order."""
    decoder = json.JSONDecoder()
    for found in re.finditer(r"\{", text):
        try:
            body, _ = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        yield body


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
