"""Placeholders: who is called what. Pure values; the vault keeps them.

Every kind has its own row of letters, A to Z, then AA, AB, ... A name keeps its placeholder for
good; two people never share one unless their owner says that they are one.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

__all__ = [
    "PEOPLE",
    "PLACEHOLDER",
    "Entry",
    "Kind",
    "Part",
    "PlaceholderMap",
    "fold",
    "group",
    "label",
    "letters",
    "strip_marks",
]


class Kind(StrEnum):
    """What a hidden detail is."""

    PERSON = "person"
    FRIEND = "friend"
    FAMILY = "family"
    COLLEAGUE = "colleague"
    VENUE = "venue"
    RESTAURANT = "restaurant"
    CAFE = "cafe"
    HOTEL = "hotel"
    PLACE = "place"
    HANDLE = "handle"
    PHONE = "phone"
    EMAIL = "email"
    LINK = "link"
    IBAN = "iban"
    CARD = "card"
    PLATE = "plate"
    BOOKING = "booking"
    NUMBER = "number"
    ADDRESS = "address"


PEOPLE = frozenset({Kind.PERSON, Kind.FRIEND, Kind.FAMILY, Kind.COLLEAGUE})
VENUES = frozenset({Kind.VENUE, Kind.RESTAURANT, Kind.CAFE, Kind.HOTEL})
BARE = frozenset({Kind.FRIEND, Kind.FAMILY, Kind.COLLEAGUE})
WORDS: Mapping[Kind, str] = MappingProxyType(
    {kind: kind.value.capitalize() for kind in Kind} | {Kind.IBAN: "IBAN"}
)

_BRACKETED = "|".join(WORDS[kind] for kind in Kind if kind not in BARE)
_BARE = "|".join(WORDS[kind] for kind in Kind if kind in BARE)
PLACEHOLDER = re.compile(rf"\[(?:{_BRACKETED}) [A-Z]+\]|\b(?:{_BARE}) [A-Z]{{1,3}}\b")
"""Any placeholder in a text."""

# Latin letters that carry their mark inside; the others come apart under NFD.
_LATIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe",
                        "ı": "i", "’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-"})  # fmt: skip


def strip_marks(text: str) -> str:
    """Lower case without accents; marks of scripts that need them (Devanagari, kana) stay.

    One character in gives one or more out, or none for a combining accent.
    """
    wide = unicodedata.normalize("NFKC", text) if text and "！" <= text[0] <= "～" else text
    apart = "".join(_apart(char) for char in wide.casefold())
    return apart.translate(_LATIN)


def _apart(char: str) -> str:
    if 0xC0 <= ord(char) < 0x530 or 0x1E00 <= ord(char) < 0x2000:
        base = unicodedata.normalize("NFD", char)
        return "".join(part for part in base if not 0x300 <= ord(part) < 0x370)
    return char


@lru_cache(maxsize=65536)
def fold(name: str) -> str:
    """The form under which names are compared: no case, accents or doubled blanks."""
    return " ".join(strip_marks(unicodedata.normalize("NFC", name)).split())


def letters(number: int) -> str:
    """A for 0, Z for 25, AA for 26."""
    out = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(ord("A") + rest) + out
    return out


def label(kind: Kind, number: int) -> str:
    """Such as "Friend A" where the relation is known, else "[Person A]"."""
    text = f"{WORDS[kind]} {letters(number)}"
    return text if kind in BARE else f"[{text}]"


def group(kind: Kind) -> str:
    """The names that are compared with each other: a friend may be a colleague, too."""
    if kind in PEOPLE:
        return "people"
    return "venues" if kind in VENUES else kind.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One person, venue or detail behind a placeholder.

    placeholder: such as "Friend A"
    kind: what it is
    name: the real name as first met
    aliases: other names of the same, as met
    given: whether the owner named it, and not a recogniser
    """

    placeholder: str
    kind: Kind
    name: str
    aliases: tuple[str, ...] = ()
    given: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The name and its aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """An entry as it was when it was merged away, for the day on which that is undone.

    entry: what it was
    into: the placeholder that it was merged into
    moved: placeholders that had been merged into it before
    kept_given: whether the owner had named the other one
    """

    entry: Entry
    into: str
    moved: tuple[str, ...] = ()
    kept_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceholderMap:
    """All entries, and how many letters of each kind are used up (gaps are never filled again).

    entries: by placeholder
    used: letters given out by kind
    merged: placeholder that was merged away -> the one that stands for it now
    parts: placeholder that was merged away -> what it was, in the order of the merges
    """

    entries: Mapping[str, Entry] = field(default_factory=dict)
    used: Mapping[Kind, int] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)
    _by_name: dict[tuple[str, str], str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name = {
            (group(entry.kind), fold(name)): entry.placeholder
            for entry in self.entries.values()
            for name in entry.names
        }
        object.__setattr__(self, "_by_name", by_name)

    def find(self, kind: Kind, name: str) -> str | None:
        """The placeholder of a name that is known, whatever the relation was said to be."""
        return self._by_name.get((group(kind), fold(name)))

    def assign(
        self, kind: Kind, name: str, *, guess: bool = False, given: bool = False
    ) -> tuple["PlaceholderMap", str]:
        """The map that knows `name`, and its placeholder.

        guess: a first name alone goes to the only person who has it in a full name, and the
        other way round; the owner can undo that with `split`
        given: the owner named it
        """
        known = self.find(kind, name)
        if known is not None and given and not self.entries[known].given:
            return self._with(replace(self.entries[known], given=True), self.used), known
        if known is None and guess and kind in PEOPLE:
            known = self._only_namesake(name)
            if known is not None:
                return self.with_alias(known, name), known
        if known is not None:
            return self, known
        number = self.used.get(kind, 0)
        entry = Entry(
            placeholder=label(kind, number), kind=kind, name=" ".join(name.split()), given=given
        )
        return self._with(entry, {**self.used, kind: number + 1}), entry.placeholder

    def _only_namesake(self, name: str) -> str | None:
        words = fold(name).split()
        hits = [entry for entry in self._people() if _may_be(words, entry)]
        return hits[0].placeholder if len(hits) == 1 else None

    def _people(self) -> Iterable[Entry]:
        return (entry for entry in self.entries.values() if entry.kind in PEOPLE)

    def with_alias(self, placeholder: str, name: str) -> "PlaceholderMap":
        """The map in which `name` means that entry too. Raises KeyError, ValueError if taken."""
        entry = self.entries[self.merged.get(placeholder, placeholder)]
        owner = self.find(entry.kind, name)
        if owner == entry.placeholder:
            return self
        if owner is not None:
            raise ValueError(f"that name belongs to {owner}")
        grown = replace(entry, aliases=(*entry.aliases, " ".join(name.split())))
        return self._with(grown, self.used)

    def merge(self, keep: str, gone: str) -> "PlaceholderMap":
        """The map in which both placeholders are one; texts with the old one still resolve.

        Raises KeyError for an unknown placeholder, ValueError for two of different sorts.
        """
        first, second = self.entries[keep], self.entries[gone]
        if keep == gone or group(first.kind) != group(second.kind):
            raise ValueError(f"{keep} and {gone} cannot be one")
        entries = {key: entry for key, entry in self.entries.items() if key != gone}
        entries[keep] = replace(
            first,
            aliases=(*first.aliases, *second.names),
            given=first.given or second.given,
        )
        moved = tuple(old for old, now in self.merged.items() if now == gone)
        merged = {**self.merged, **dict.fromkeys((*moved, gone), keep)}
        part = Part(entry=second, into=keep, moved=moved, kept_given=first.given)
        return replace(self, entries=entries, merged=merged, parts={**self.parts, gone: part})

    def split(self, placeholder: str, names: Iterable[str] = ()) -> tuple["PlaceholderMap", str]:
        """The map in which those names of an entry are somebody else, and their placeholder.

        Without names, or with all those that a merge brought, the newest such merge is undone:
        the part is again what it was. Raises KeyError, and ValueError when a name is not of that
        entry, none would be left, or there is nothing to undo.
        """
        entry, wanted = self.entries[placeholder], {fold(name) for name in names}
        part = self._part_of(entry, wanted)
        if part is not None:
            return self._undone(entry, part), part.entry.placeholder
        if not wanted:
            raise ValueError(f"nothing was merged into {placeholder}")
        out = [name for name in entry.names if fold(name) in wanted]
        stay = [name for name in entry.names if fold(name) not in wanted]
        if len({fold(name) for name in out}) < len(wanted) or not stay:
            raise ValueError(f"those are not some of the names of {placeholder}")
        return self._apart_from(entry, stay, out)

    def _part_of(self, entry: Entry, wanted: set[str]) -> Part | None:
        """The newest part of an entry that has just these names (any, for none)."""
        mine = [part for part in self.parts.values() if part.into == entry.placeholder]
        for part in reversed(mine):
            if not wanted or wanted == {fold(name) for name in part.entry.names}:
                return part
        return None

    def _undone(self, entry: Entry, part: Part) -> "PlaceholderMap":
        """What the entry lost since the merge stays lost, what it won stays with it."""
        was = {fold(name) for name in part.entry.names}
        back = [name for name in part.entry.names if self.find(entry.kind, name) == part.into]
        stay = [name for name in entry.names if fold(name) not in was]
        if not back or not stay:
            raise ValueError(f"the names of {part.entry.placeholder} are somebody else's by now")
        gone = part.entry.placeholder
        given = entry.given and part.kept_given
        rest = replace(entry, name=stay[0], aliases=tuple(stay[1:]), given=given)
        again = replace(part.entry, name=back[0], aliases=tuple(back[1:]))
        merged = {old: now for old, now in self.merged.items() if old != gone}
        merged |= {old: gone for old in part.moved if old in merged}
        parts = {key: each for key, each in self.parts.items() if key != gone}
        entries = {**self.entries, rest.placeholder: rest, gone: again}
        return replace(self, entries=entries, merged=merged, parts=parts)

    def _apart_from(
        self, entry: Entry, stay: list[str], out: list[str]
    ) -> tuple["PlaceholderMap", str]:
        old = self._unexplained(entry.placeholder)
        number = self.used.get(entry.kind, 0)
        name = old or label(entry.kind, number)
        used = self.used if old else {**self.used, entry.kind: number + 1}
        merged = {was: now for was, now in self.merged.items() if was != old}
        rest = replace(entry, name=stay[0], aliases=tuple(stay[1:]))
        new = replace(entry, placeholder=name, name=out[0], aliases=tuple(out[1:]))
        entries = {**self.entries, rest.placeholder: rest, name: new}
        return replace(self, entries=entries, used=used, merged=merged), name

    def _unexplained(self, placeholder: str) -> str | None:
        """A placeholder merged in by a version that did not keep what it was."""
        merged = (was for was, now in self.merged.items() if now == placeholder)
        return next((was for was in merged if was not in self.parts), None)

    def without(self, placeholder: str) -> "PlaceholderMap":
        """The map that has forgotten an entry; its letter is not given out again."""
        entries = {key: entry for key, entry in self.entries.items() if key != placeholder}
        merged = {old: now for old, now in self.merged.items() if now != placeholder}
        parts = {old: part for old, part in self.parts.items() if old in merged}
        return replace(self, entries=entries, merged=merged, parts=parts)

    def reveal(self, text: str) -> str:
        """The text with real names in place of known placeholders."""
        return PLACEHOLDER.sub(lambda match: self._name_of(match.group()), text)

    def _name_of(self, placeholder: str) -> str:
        entry = self.entries.get(self.merged.get(placeholder, placeholder))
        return entry.name if entry else placeholder

    def _with(self, entry: Entry, used: Mapping[Kind, int]) -> "PlaceholderMap":
        return replace(self, entries={**self.entries, entry.placeholder: entry}, used=used)


def _may_be(words: list[str], entry: Entry) -> bool:
    """Whether a first name alone and a full name may mean one person."""
    fulls = [full for full in (fold(name).split() for name in entry.names) if len(full) > 1]
    if len(words) == 1:
        return any(full[0] == words[0] for full in fulls)
    return not fulls and fold(entry.name) == words[0]
