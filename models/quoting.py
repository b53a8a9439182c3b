"""Words that were read out of photos and notes, made harmless for a language model. Pure."""

import json
import re
import unicodedata
from collections.abc import Iterable

__all__ = ["as_data", "without_tokens"]

_CONTROL_WORD = re.compile(
    r"<(?=[|｜][^<>\n]{1,60}[|｜]>)|<(?=/?(?:s|start_of_turn|end_of_turn|bos|eos|think|data"
    r"|tool_call|tool_response|im_start|im_end)\b[^<>\n]{0,40}>)|<(?=</?SYS>>)|\[(?=/?INST\])",
    re.IGNORECASE,
)
"""Where a spelling begins that some language model reads as the end or begin of a message."""

_JOINERS = "\u200c\u200d"


def as_data(text: str) -> str:
    """The text as one JSON string on one line, to be shown to a language model as data.

    Nothing in it can end the string, begin a line, be a control token of a known model, or be
    invisible to people but not to models (such as Unicode tags).
    """
    seen = "".join(map(_visible, text))
    return json.dumps(_CONTROL_WORD.sub(r"\g<0> ", seen), ensure_ascii=False)


def without_tokens(text: str, tokens: Iterable[str]) -> str:
    """The text without a model's own control tokens: what a note spells ends no message.

    tokens: the longest first
    """
    for token in tokens:
        if token in text:
            text = text.replace(token, f"{token[0]} {token[1:]}")
    return text


def _visible(letter: str) -> str:
    if "\U000e0100" <= letter <= "\U000e01ef":
        return ""
    kind = unicodedata.category(letter)
    if kind in ("Zl", "Zp", "Cc"):
        return "\n" if letter in "\n\r\u2028\u2029\x85" else " "
    return "" if kind in ("Cf", "Cs", "Co", "Cn") and letter not in _JOINERS else letter
