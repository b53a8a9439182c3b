"""Whether a text holds something of which the vault knows that it is personal."""

import re
from collections.abc import Iterable, Iterator

from anonymize.pseudonyms import PLACEHOLDER, Entry, Kind, fold

__all__ = ["Sweep", "cut_degrees", "cut_text"]

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d[\d .()/-]{4,}\d")
_COORDINATE = re.compile(r"\d{1,3}[.,]\d{4,}")
_NUMBERED = frozenset({Kind.PHONE, Kind.IBAN, Kind.CARD, Kind.NUMBER, Kind.BOOKING})
_FEWEST_DIGITS = 6
_SHORT = 3
_SPACELESS = 0x530
"""From here on scripts put endings to a name, or no blank between words."""


class Sweep:
    """Names by whole words (pieces in scripts without blanks), numbers by digits, coordinates.

    It looks for what is known, so it can only be stricter than the redaction before it.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        others: Iterable[str] = (),
        coordinates: Iterable[tuple[float, float]] = (),
    ) -> None:
        """entries: of the vault; others: file names, annotators; coordinates: in degrees."""
        self._words: dict[str, list[tuple[str, ...]]] = {}
        self._pieces: dict[str, None] = {}
        self._short: set[str] = set()
        self._digits: set[str] = set()
        self._places = {cut for pair in coordinates for cut in map(cut_degrees, pair) if cut}
        for entry in entries:
            for name in entry.names:
                self._add(name)
                if entry.kind in _NUMBERED:
                    self._add_digits(name)
        for name in others:
            self._add(name)

    def _add(self, name: str) -> None:
        words = tuple(_WORD.findall(fold(name)))
        if any(char.isalpha() and ord(char) >= _SPACELESS for char in name):
            if len(fold(name)) > 1:
                self._pieces[fold(name)] = None
        elif len(words) == 1 and len(words[0]) <= _SHORT:
            self._short.add(name.strip())
        elif words:
            known = self._words.setdefault(words[0], [])
            if words not in known:
                known.append(words)

    def _add_digits(self, name: str) -> None:
        digits = "".join(filter(str.isdigit, name))
        if len(digits) >= _FEWEST_DIGITS:
            self._digits.add(digits)

    def finds(self, text: str) -> bool:
        """True when something personal is in the text; placeholders are none."""
        bare = PLACEHOLDER.sub(" ", text)
        return (
            self._names_in(bare)
            or any("".join(filter(str.isdigit, run)) in self._digits for run in _runs(bare))
            or any(cut_text(match) in self._places for match in _COORDINATE.findall(bare))
        )

    def _names_in(self, text: str) -> bool:
        folded = fold(text) if len(text) < _LONG else " ".join(map(fold, text.split()))
        words = _WORD.findall(folded)
        return (
            any(self._begins(words, at) for at in range(len(words)))
            or not self._short.isdisjoint(_WORD.findall(text))
            or any(piece in folded for piece in self._pieces)
        )

    def _begins(self, words: list[str], at: int) -> bool:
        known = self._words.get(words[at], ())
        return any(tuple(words[at : at + len(name)]) == name for name in known)


_LONG = 2000


def _runs(text: str) -> Iterator[str]:
    return (match.group() for match in _DIGITS.finditer(text))


def cut_degrees(degrees: float) -> str | None:
    """Four digits after the point, without the sign; None for a coordinate that has fewer."""
    written = f"{abs(degrees):.6f}"
    return None if written.endswith("0000") else written[:-2]


def cut_text(text: str) -> str:
    """The same of a number in a text."""
    whole, _, part = text.replace(",", ".").partition(".")
    return f"{int(whole)}.{part[:4]}"
