"""The words of a question that say what it is about, and which items have them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from anonymize.compose import excerpt
from archive_mem.index.words import STOP_WORDS, query_words
from archive_mem.retrieval.plan import Plan
from archive_mem.retrieval.search import Search
from archive_mem.schema.safe import SafeText

__all__ = ["Coverage", "coverage", "telling_words"]

_GENERIC_WORDS = """
    many much time times often frequently first last latest most least recent recently earliest
    oldest newest longest shortest count number list total ever never always usually year years
    month months week weeks weekend day days date today city cities country countries place places
    town location people person persons anyone someone something anything thing things kind sort
    type go goes going gone went visit visits visited visiting take takes took taken taking make
    makes made get gets got see sees saw seen have been do done happen happened occur name named
    names tell remember give trip trips occasion occasions compare compared different difference
    total spend spent long ago use used using look looked come came back start started per across
    whole entire archive memory record records moment moments item items also even still abroad
    overseas filmed film photograph photographed foreign holiday holidays vacation vacations two
    three evening evenings
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())

# An owner who "had ramen" is asked when they "ate ramen": such a verb says little by itself.
_LIGHT_VERBS = """
    eat eats ate eaten eating drink drinks drank drinking cook cooks cooked cooking bake baked buy
    buys bought buying order ordered try tried trying wear wears wore wearing watch watched watching
    attend attended join joined meet meets met meeting play played playing celebrate celebrated
    pay pays paid cost costs costed price feel feels felt enjoy enjoyed stay stayed staying travel
    travelled traveled live lived living hold held receive received give gave given learn learned
    practice practise practiced finish finished work worked hang hung taste tasted know like liked
"""
_LIGHT = frozenset(_LIGHT_VERBS.split())
_LIGHT_SHARE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the topic each item has.

    words: the telling words
    share: item -> share of the words in it, rare words weighing more, 0 to 1; none at 0
    """

    words: tuple[str, ...]
    share: Mapping[str, float]


def telling_words(text: str) -> list[str]:
    """Words that are about something: no function words, no words about time and counting."""
    dull = STOP_WORDS | _GENERIC
    return [word for word in query_words(text) if word not in dull and not word.isdigit()]


def coverage(search: Search, plan: Plan) -> Coverage:
    """Look each telling word of the topic up in the whole archive."""
    words = telling_words(plan.topic.value)
    total = max(search.item_count(), 1)
    weights = {_as_text(plan.topic, word): partial(_weight, word, total) for word in words}
    return Coverage(words=tuple(words), share=search.shares(weights))


def _weight(word: str, total: int, holders: int) -> float:
    rarity = math.log(1 + total / max(holders, 0.5))
    return rarity * (_LIGHT_SHARE if word in _LIGHT else 1.0)


def _as_text(topic: SafeText, word: str) -> SafeText:
    """The word as it stands in the topic; a placeholder's own word stands for the whole topic."""
    start = topic.value.casefold().find(word)
    return excerpt(topic, start, start + len(word)) if start >= 0 else topic
