"""The JSON reply of T3: an order of all options, with labels for and against; pure."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from pydantic import BaseModel, Field, field_validator

from anonymize.compose import compose, join, quoted, word
from archive_mem.profile.chat_talk import Unfit, read_json, strict_schema
from archive_mem.qa.reader.context import Context
from archive_mem.qa.reader.labels import known_labels
from archive_mem.schema.qa import Option
from archive_mem.schema.safe import SafeText

__all__ = ["Order", "option_lines", "order_schema", "read_order"]

_LETTERS: LiteralString = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class _Reason(BaseModel):
    option: str
    pro: list[int] = Field(default_factory=list)
    con: list[int] = Field(default_factory=list)

    @field_validator("pro", "con", mode="before")
    @classmethod
    def _numbers(cls, given: object) -> object:
        """Labels may come as "[3]" or "3", and no list as null."""
        if given is None:
            return []
        if isinstance(given, list):
            return [_number(each) for each in given]
        return given


class _Reply(BaseModel):
    ranking: list[str]
    reasons: list[_Reason] = Field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A ranking that was checked.

    places: positions of the options, best first
    pro, con: option position -> labels that are there, in order of use
    invented: labels and options that there are not
    """

    places: tuple[int, ...]
    pro: Mapping[int, tuple[int, ...]]
    con: Mapping[int, tuple[int, ...]]
    invented: int


def option_lines(options: Sequence[Option]) -> SafeText:
    """One option a line, with its letter."""
    return join(
        "\n",
        [
            compose("{name}. {text}", name=_name(place), text=quoted(option.text))
            for place, option in enumerate(options)
        ],
    )


def order_schema() -> dict[str, Any]:
    """JSON schema of the reply."""
    return strict_schema(_Reply)


def read_order(text: str, count: int, context: Context) -> Order:
    """The order of `count` options. Raises Unfit unless it has each of them exactly once."""
    reply = read_json(text, _Reply)
    names = {_name(place).value: place for place in range(count)}
    places = [names.get(_letter(each), -1) for each in reply.ranking]
    if Counter(places) != Counter(range(count)):
        raise Unfit(
            compose(
                '"ranking" must have each of the {count} letters {names} exactly once.',
                count=count,
                names=join(", ", [_name(place) for place in range(count)]),
            )
        )
    pro: dict[int, tuple[int, ...]] = {}
    con: dict[int, tuple[int, ...]] = {}
    invented = 0
    for reason in reply.reasons:
        place = names.get(_letter(reason.option))
        for side, labels in ((pro, reason.pro), (con, reason.con)):
            known, unknown = known_labels(labels, context)
            invented += unknown if place is not None else len(labels)
            if place is not None and known:
                side[place] = tuple(dict.fromkeys((*side.get(place, ()), *known)))
    return Order(places=tuple(places), pro=pro, con=con, invented=invented)


def _name(place: int) -> SafeText:
    if place < len(_LETTERS):
        return word(_LETTERS[place])
    return compose("O{number}", number=place + 1)


def _letter(text: str) -> str:
    """The letter in "b", "B.", "Option B" and "B) tea"; "" when there is none."""
    found = re.match(r"\s*(?:option\s+)?[\[(\"']?([A-Z]|O\d+)\b", text, re.IGNORECASE)
    return "" if found is None else found[1].upper()


def _number(given: object) -> object:
    if isinstance(given, str):
        return given.strip().strip("[]#").strip()
    return given
