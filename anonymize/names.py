"""The owner's own list of names and places: the strongest recogniser there is."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anonymize.lexicon import word_list
from anonymize.pseudonyms import PEOPLE, Kind, fold, strip_marks
from archive_mem.errors import InputError

__all__ = ["KnownName", "NameHit", "NameList", "names_from_table", "read_names"]

LISTED_KINDS = frozenset(
    {
        Kind.PERSON,
        Kind.FRIEND,
        Kind.FAMILY,
        Kind.COLLEAGUE,
        Kind.VENUE,
        Kind.RESTAURANT,
        Kind.CAFE,
        Kind.HOTEL,
        Kind.PLACE,
        Kind.HANDLE,
    }
)
# Letters, digits and the vowel signs of Indic, Thai and Burmese script, which \w leaves out.
TOKEN = re.compile(r"(?:[^\W_]|[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f])+")
# Scripts written without blanks between words: a name may stand inside a run of letters.
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
HANGUL = re.compile(r"[\uac00-\ud7af]")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"})
MAX_SUFFIX = 3
PART = 4
"""Letters that a part of a name must have to be known by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """One entry of the list.

    kind: what it is
    name: the name that goes into the vault
    aliases: other spellings of the same
    given: whether the owner named it; what was only recognised is matched in capitals alone
    """

    kind: Kind
    name: str
    aliases: tuple[str, ...] = ()
    given: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The name and its aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class NameHit:
    """Where a listed name stands in a text.

    start, end: characters
    known: the entry
    """

    start: int
    end: int
    known: KnownName


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str
    capital: bool


@dataclass(frozen=True, slots=True)
class _Pattern:
    words: tuple[str, ...]
    known: KnownName
    part: bool = False

    @property
    def needs_capital(self) -> bool:
        """A lone name that is also a word ("will", "rose"), a part, or one only recognised."""
        lone = len(self.words) == 1
        return lone and (
            self.part or not self.known.given or self.words[0] in word_list("ambiguous")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NameList:
    """Names that are always hidden. Case and accents do not matter; words are taken whole.

    entries: in the order given; the first to claim a name has it
    """

    entries: tuple[KnownName, ...] = ()
    _words: dict[str, list[_Pattern]] = field(init=False, repr=False, compare=False)
    _unspaced: dict[str, list[_Pattern]] = field(init=False, repr=False, compare=False)
    _hangul: dict[str, list[_Pattern]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("_words", "_unspaced", "_hangul"):
            object.__setattr__(self, name, {})
        for entry in self.entries:
            for spelling in entry.names:
                self._learn(spelling, entry)
        for word, known in _parts(self.entries):
            self._words.setdefault(word, []).append(_Pattern((word,), known, part=True))
        for table in (self._words, self._unspaced, self._hangul):
            for patterns in table.values():
                patterns.sort(key=lambda each: (-sum(map(len, each.words)), each.part))

    def _learn(self, spelling: str, entry: KnownName) -> None:
        for form in {spelling, spelling.translate(UMLAUTS)}:
            words = tuple(token.text for token in _tokens(form))
            if not words:
                continue
            if UNSPACED.search(words[0]):
                joined = "".join(words)
                self._unspaced.setdefault(joined[0], []).append(_Pattern((joined,), entry))
                continue
            if HANGUL.match(words[0]) and len(words) == 1:
                self._hangul.setdefault(words[0][:1], []).append(_Pattern(words, entry))
            self._words.setdefault(words[0], []).append(_Pattern(words, entry))
            if len(words) > 1:
                joined = "".join(words)
                self._words.setdefault(joined, []).append(_Pattern((joined,), entry))

    def __add__(self, other: "NameList") -> "NameList":
        return NameList(entries=(*self.entries, *other.entries))

    def find(self, text: str) -> list[NameHit]:
        """Where listed names stand, in order, the longest at each place."""
        tokens = list(_tokens(text))
        found: list[NameHit] = []
        at = 0
        while at < len(tokens):
            hits, step = self._at(text, tokens, at)
            found += hits
            at += step
        return found

    def _at(self, text: str, tokens: Sequence[_Token], at: int) -> tuple[list[NameHit], int]:
        token = tokens[at]
        for pattern in self._words.get(token.text, ()):
            last = _matched(pattern, text, tokens, at)
            if last is not None:
                return [NameHit(token.start, tokens[last].end, pattern.known)], last - at + 1
        return self._inside(text, token), 1

    def _inside(self, text: str, token: _Token) -> list[NameHit]:
        """Names that are a part of a word: a possessive s, a Korean particle, unspaced script."""
        if UNSPACED.search(token.text):
            return list(self._unspaced_hits(text, token))
        for pattern in self._hangul.get(token.text[:1], ()):
            name = pattern.words[0]
            if token.text.startswith(name) and len(token.text) - len(name) <= MAX_SUFFIX:
                return [NameHit(token.start, token.start + len(name), pattern.known)]
        if token.capital and token.text.endswith("s") and len(token.text) > 3:
            for pattern in self._words.get(token.text[:-1], ()):
                if len(pattern.words) == 1:
                    return [NameHit(token.start, token.end - 1, pattern.known)]
        return []

    def _unspaced_hits(self, text: str, token: _Token) -> Iterator[NameHit]:
        at = token.start
        while at < token.end:
            hit = next(
                (
                    each
                    for each in self._unspaced.get(text[at], ())
                    if text.startswith(each.words[0], at)
                ),
                None,
            )
            if hit is not None:
                yield NameHit(at, at + len(hit.words[0]), hit.known)
            at += len(hit.words[0]) if hit else 1


def _parts(entries: Iterable[KnownName]) -> Iterator[tuple[str, KnownName]]:
    """First and last words of the full names that the owner gave, as "Quartermaine" alone.

    What two of them share is somebody that nobody said who it is. A part that is a word, too, is
    left to the other recognisers.
    """
    owners: dict[str, dict[str, KnownName]] = {}
    for known in entries:
        if known.given and known.kind in PEOPLE:
            for word in {part for name in known.names for part in _ends(name)}:
                owners.setdefault(word, {})[known.name] = known
    for word, people in owners.items():
        alone = next(iter(people.values())) if len(people) == 1 else None
        yield word, alone or KnownName(kind=Kind.PERSON, name=word.capitalize(), given=False)


def _ends(name: str) -> list[str]:
    words = [token.text for token in _tokens(name)]
    ends = [words[0], words[-1]] if len(words) > 1 else []
    return [word for word in ends if len(word) >= PART and not _is_word(word)]


def _is_word(word: str) -> bool:
    return (
        word in word_list("ambiguous")
        or word in word_list("surname_words")
        or UNSPACED.search(word) is not None
        or HANGUL.search(word) is not None
    )


def _tokens(text: str) -> Iterator[_Token]:
    for match in TOKEN.finditer(text):
        word = match.group()
        yield _Token(match.start(), match.end(), strip_marks(_composed(word)), word[0].isupper())


def _composed(word: str) -> str:
    """Without the combining accents of a decomposed spelling."""
    return re.sub("[\u0300-\u036f]", "", word)


def _matched(pattern: _Pattern, text: str, tokens: Sequence[_Token], at: int) -> int | None:
    """Index of the last token when all words follow each other closely."""
    words = pattern.words
    if text[tokens[at].start].islower() and pattern.needs_capital:
        return None
    last = at + len(words) - 1
    if last >= len(tokens):
        return None
    for offset, word in enumerate(words):
        if offset == len(words) - 1 and _genitive(tokens[at + offset], word):
            continue
        if tokens[at + offset].text != word:
            return None
    gaps = (text[tokens[i].end : tokens[i + 1].start] for i in range(at, last))
    return last if all(len(gap) <= MAX_SUFFIX and "\n" not in gap for gap in gaps) else None


def _genitive(token: _Token, word: str) -> bool:
    return token.capital and len(word) > 2 and token.text == word + "s"


def read_names(path: Path) -> NameList:
    """Read a list with a line an entry: kind, tab, name, tab, alias|alias.

    A line with a name alone means a person; "#" begins a comment line. UTF-8, with or without a
    byte order mark. Raises InputError naming the file and the line.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(path, f"the list of names cannot be read ({_why(error)})") from error
    return NameList(
        entries=tuple(
            _entry(line, path, number)
            for number, line in enumerate(lines, 1)
            if line.strip() and not line.lstrip().startswith("#")
        )
    )


def _why(error: Exception) -> str:
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else type(error).__name__


def _entry(line: str, path: Path, number: int) -> KnownName:
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) == 1:
        return _known(Kind.PERSON, parts[0], (), path, number)
    if len(parts) > 3:
        raise InputError(path, f"line {number} has more than kind, name and aliases")
    aliases = tuple(parts[2].split("|")) if len(parts) == 3 else ()
    return _known(_kind(parts[0], path, number), parts[1], aliases, path, number)


def _kind(word: str, path: Path, number: int) -> Kind:
    kind = next((each for each in LISTED_KINDS if each.value == word.casefold()), None)
    if kind is None:
        known = ", ".join(sorted(each.value for each in LISTED_KINDS))
        raise InputError(path, f"line {number}: no kind {word!r} (one of {known})")
    return kind


def _known(kind: Kind, name: str, aliases: Iterable[str], path: Path, number: int) -> KnownName:
    if not fold(name) or not TOKEN.search(name):
        raise InputError(path, f"line {number} has no name")
    kept = tuple(alias.strip() for alias in aliases if TOKEN.search(alias))
    return KnownName(kind=kind, name=name, aliases=kept)


def names_from_table(table: Mapping[str, Sequence[str]], path: Path) -> NameList:
    """Names of archive.toml's [names]: kind -> list of "name|alias|alias". Raises InputError."""
    return NameList(
        entries=tuple(
            _known(_kind(kind, path, 0), line.split("|")[0].strip(), line.split("|")[1:], path, 0)
            for kind, lines in table.items()
            for line in lines
        )
    )
