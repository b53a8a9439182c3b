"""Chat models without weights: one that quotes what it is shown, one that says what it was told to.

The quoting one knows nothing and makes nothing up, so that readers, benchmarks and their forms can
be tried on any machine: it takes the line of the data that shares most words with the question.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from archive_mem.schema.safe import SafeText
from models.base import ChatReply, ChatTurn

__all__ = ["FakeChat", "ScriptedChat"]

_DATA = re.compile(r"<data (\d+)>\n(.*?)\n</data \1>", re.DOTALL)
_LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_OPTION = re.compile(r"^([A-Z]|O\d+)\. (\".*\")$", re.MULTILINE)
_QUESTION = re.compile(r"^(?:Question|Situation): (.*)$", re.MULTILINE)
_NEW = re.compile(r"^new: (\".*\")$", re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_OWN_WORDS = re.compile(r"\bI (?:[^.!?\[]{4,200})")
_DISLIKE = re.compile(r"\b(?:hate|dislike|avoid|stopped|can't stand|no longer)\b", re.IGNORECASE)


class ScriptedChat:
    """Says the given replies in turn, the last one for ever; keeps what it was shown; window 8192.

    replies: texts, or errors to raise
    """

    def __init__(
        self, *replies: str | Exception, name: str = "scripted", window: int = 8192
    ) -> None:
        self.name, self.window = name, window
        self.shown: list[list[ChatTurn]] = []
        self.schemas: list[Mapping[str, Any] | None] = []
        self._replies = list(replies)

    def tokens(self, text: SafeText) -> int:
        """Words."""
        return len(text.value.split())

    def reply(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """The next reply."""
        self.shown.append(list(turns))
        self.schemas.append(schema)
        said = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(said, Exception):
            raise said
        prompt = sum(self.tokens(turn.text) for turn in turns)
        return ChatReply(
            text=said, prompt_tokens=prompt, completion_tokens=len(said.split()), cut=False
        )


class FakeChat:
    """Quotes the data of the last user message; without data, gives that message back.

    Tokens are words. A reply has at most `max_tokens` of them.
    """

    name = "fake"
    window = 8192

    def tokens(self, text: SafeText) -> int:
        """Words."""
        return len(text.value.split())

    def reply(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """The nearest line with its label, or what the schema asks for made of lines."""
        asked = [turn.text.value for turn in turns if turn.role == "user"]
        said = _answer(asked[-1] if asked else "", schema or {})
        words = said.split()[:max_tokens]
        return ChatReply(
            text=" ".join(words),
            prompt_tokens=sum(self.tokens(turn.text) for turn in turns),
            completion_tokens=len(words),
        )


def _answer(asked: str, schema: Mapping[str, Any]) -> str:
    wanted = schema.get("properties", {})
    lines = _lines(asked)
    if "ranking" in wanted:
        return json.dumps(_ranking(asked, lines), ensure_ascii=False)
    if "statements" in wanted:
        return json.dumps({"statements": _statements(lines)}, ensure_ascii=False)
    if "relation" in wanted:
        return json.dumps(_relation(asked, lines))
    return _nearest(asked, lines) if lines else asked


def _lines(asked: str) -> dict[int, str]:
    """Label -> words of each line of the data."""
    return {
        int(label): " ".join(map(json.loads, _STRING.findall(line)))
        for _, block in _DATA.findall(asked)
        for label, line in _LINE.findall(block)
    }


def _nearest(asked: str, lines: Mapping[int, str]) -> str:
    found = _QUESTION.search(asked)
    wanted = _words(found[1] if found else asked)
    shared = {label: len(wanted & _words(line)) for label, line in lines.items()}
    best = max(shared, key=lambda label: (shared[label], -label))
    return f"{lines[best]} [{best}]" if shared[best] else "NOT IN THE RECORDS"


def _ranking(asked: str, lines: Mapping[int, str]) -> dict[str, Any]:
    """Options by the lines that share words with them; a line of dislike counts against."""
    sides = {}
    for letter, text in _OPTION.findall(asked):
        near = [n for n, line in lines.items() if _words(json.loads(text)) & _words(line)]
        against = [label for label in near if _DISLIKE.search(lines[label])]
        sides[letter] = ([label for label in near if label not in against], against)
    order = sorted(sides, key=lambda letter: len(sides[letter][1]) - len(sides[letter][0]))
    reasons = [{"option": each, "pro": sides[each][0], "con": sides[each][1]} for each in order]
    return {"ranking": order, "reasons": reasons}


def _statements(lines: Mapping[int, str]) -> list[dict[str, Any]]:
    """Every sentence in the first person, as it stands."""
    found = [each.group().strip() for line in lines.values() for each in _OWN_WORDS.finditer(line)]
    return [
        {
            "category": "preferences",
            "statement": sentence,
            "quote": sentence,
            "polarity": -1 if _DISLIKE.search(sentence) else 1,
            "strength": 0.5,
        }
        for sentence in dict.fromkeys(found)
    ]


def _relation(asked: str, lines: Mapping[int, str]) -> dict[str, Any]:
    found = _NEW.search(asked)
    wanted = _words(json.loads(found[1])) if found else set()
    same = next((label for label, line in lines.items() if _words(line) == wanted), None)
    return {"relation": "new" if same is None else "duplicate", "id": same}


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3}
