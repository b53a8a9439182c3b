"""Safe sentences from safe parts: fixed words of the program, numbers, dates and SafeText."""

import string
from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum
from typing import LiteralString

from archive_mem.schema.media import PlaceName
from archive_mem.schema.minting import mint_text
from archive_mem.schema.safe import SafeText
from models.prompts import Template
from models.quoting import as_data

__all__ = [
    "NOTHING",
    "Part",
    "compose",
    "excerpt",
    "fill",
    "join",
    "place_label",
    "public",
    "quoted",
    "restored",
    "say_clock",
    "say_day",
    "say_month",
    "say_weekday",
    "word",
]

Part = SafeText | int | float | date | StrEnum

NOTHING = mint_text("")

# Not strftime: its names follow the machine's locale.
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def compose(template: LiteralString, **parts: Part) -> SafeText:
    """Fill a fixed template such as "{who} at {where}" with safe parts.

    Plain strings are refused with TypeError: what was typed or read must be redacted first.
    """
    for name, part in parts.items():
        if not isinstance(part, Part):
            raise TypeError(f"{name} is not safe to put into a sentence: {type(part).__name__}")
    return mint_text(template.format(**{name: str(part) for name, part in parts.items()}))


def fill(template: Template, **parts: Part) -> SafeText:
    """A prompt that ships with the program, its `$word` gaps filled with safe parts."""
    for name, part in parts.items():
        if not isinstance(part, Part):
            raise TypeError(f"{name} is not safe to put into a prompt: {type(part).__name__}")
    filled = string.Template(template).substitute({n: str(part) for n, part in parts.items()})
    return mint_text(filled)


def quoted(text: SafeText) -> SafeText:
    """The text as one JSON string on one line, to be shown to a language model as data.

    Nothing in it can end the string, begin a line, be a control token of a known model, or be
    invisible to people but not to models (such as Unicode tags).
    """
    return mint_text(as_data(text.value))


def word(text: LiteralString) -> SafeText:
    """A fixed word of the program itself."""
    return mint_text(text)


def join(separator: LiteralString, parts: Iterable[SafeText]) -> SafeText:
    """Parts with a fixed separator between them; empty parts are left out."""
    return mint_text(separator.join(part.value for part in parts if part.value))


def excerpt(text: SafeText, start: int, end: int) -> SafeText:
    """A piece of a safe text: characters start to end."""
    return mint_text(text.value[start:end])


def place_label(place: PlaceName) -> SafeText:
    """City and country of a gazetteer: public names, kept by the policy."""
    return mint_text(place.label())


def public(text: str) -> SafeText:
    """Published benchmark text, never a person's own: nothing in it needs to be hidden."""
    return mint_text(text)


def restored(text: str) -> SafeText:
    """Safe text read back from the catalog: only for columns that were written from SafeText."""
    return mint_text(text)


def say_day(day: date, weekday: bool = False) -> SafeText:
    """Such as "14 May 2023", or "Sunday 14 May 2023"."""
    name = f"{say_weekday(day)} " if weekday else ""
    return mint_text(f"{name}{day.day} {say_month(day)}")


def say_month(day: date) -> SafeText:
    """Such as "May 2023"."""
    return mint_text(f"{_MONTHS[day.month - 1]} {day.year}")


def say_weekday(day: date) -> SafeText:
    """Such as "Sunday"."""
    return mint_text(_WEEKDAYS[day.weekday()])


def say_clock(at: datetime) -> SafeText:
    """Such as "09:05"."""
    return mint_text(f"{at.hour:02}:{at.minute:02}")
