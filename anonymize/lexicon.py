"""First names and surnames of many countries, and words that only look like names.

The names are those of the package Faker (MIT); nothing is invented with it. The words that only
look like names are in words/, one a line.
"""

import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from anonymize.pseudonyms import fold

__all__ = ["Lexicon", "lexicon", "word_list"]

LOCALES = (
    "en_US", "en_GB", "en_IN", "fr_FR", "es_ES", "de_DE", "pt_PT", "pt_BR", "it_IT", "nl_NL",
    "pl_PL", "sv_SE", "tr_TR", "ru_RU", "ko_KR", "ja_JP", "hi_IN", "zh_CN", "zh_TW",
)  # fmt: skip
FIELDS = ("first_names", "first_names_male", "first_names_female", "first_names_nonbinary")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Names as they are compared (folded).

    given: first names
    surnames: family names
    ambiguous: first names that are as often something else; more must speak for them
    never: words that are no names at all
    """

    given: frozenset[str]
    surnames: frozenset[str]
    ambiguous: frozenset[str]
    never: frozenset[str]


@cache
def lexicon() -> Lexicon:
    """The names of all countries; read once a process."""
    providers = [_provider(locale) for locale in LOCALES]
    given = frozenset(fold(name) for each in providers for name in _given(each))
    surnames = frozenset(fold(name) for each in providers for name in _surnames(each))
    return Lexicon(
        given=given, surnames=surnames, ambiguous=word_list("ambiguous"), never=word_list("never")
    )


@cache
def word_list(name: str) -> frozenset[str]:
    """The folded lines of words/<name>.txt."""
    text = resources.files("anonymize").joinpath("words", f"{name}.txt").read_text("utf-8")
    return frozenset(fold(line) for line in text.splitlines() if not line.startswith("#"))


def _provider(locale: str) -> object:
    module = importlib.import_module(f"faker.providers.person.{locale}")
    provider: object = module.Provider
    return provider


def _given(provider: object) -> Iterator[str]:
    for field in FIELDS:
        yield from _texts(getattr(provider, field, ()))


def _surnames(provider: object) -> Iterator[str]:
    for field in ("last_names", "last_names_male", "last_names_female"):
        yield from _texts(getattr(provider, field, ()))


def _texts(names: Iterable[object]) -> Iterator[str]:
    """Japanese lists hold (kanji, kana, latin) in place of a text."""
    for name in names:
        if isinstance(name, str):
            yield name
        elif isinstance(name, tuple):
            yield from (part for part in name if isinstance(part, str))
