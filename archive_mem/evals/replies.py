"""JSON read out of what a model said, however it was wrapped."""

import json
from collections.abc import Iterator
from typing import Any

__all__ = ["json_objects"]


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Every outermost JSON object in a text, in order; what is none is passed over."""
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield found
