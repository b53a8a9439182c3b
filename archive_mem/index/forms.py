"""Other ways to write a word, which no stemmer joins: ate and eat, mum and mother, thirty, 30th."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from archive_mem.index.words import stem

__all__ = ["alike", "forms"]

_IRREGULAR = """
    begin began begun; bend bent; bite bit bitten; blow blew blown; break broke broken
    bring brought; build built; buy bought; catch caught; choose chose chosen; dig dug
    draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten
    fall fell fallen; feed fed; feel felt; fight fought; fly flew flown; forget forgot forgotten
    freeze froze frozen; grow grew grown; hang hung; hide hid hidden; hold held; keep kept
    lead led; learn learnt; lend lent; lie lay lain lying; lose lost; meet met; pay paid
    ride rode ridden; run ran; sell sold; send sent; shake shook shaken; shine shone
    sing sang sung; sink sank sunk; sit sat; sleep slept; smell smelt; speak spoke spoken
    spend spent; stand stood; steal stole stolen; swim swam swum; swing swung; teach taught
    tear tore torn; think thought; throw threw thrown; wake woke woken; wear wore worn
    win won; write wrote written
    child children; foot feet; goose geese; knife knives; man men; mouse mice; tooth teeth
    wolf wolves; woman women
"""
_SPELLINGS = """
    centre center; colour color; favourite favorite; grey gray; jewellery jewelry
    neighbour neighbor; pyjamas pajamas; theatre theater; tyre tire; mould mold; yoghurt yogurt
    doughnut donut; ageing aging; licence license; programme program; catalogue catalog
"""
_SAME_THING = """
    mother mum mom mama mommy; father dad papa daddy; grandmother grandma granny
    grandfather grandpa grandad granddad; kid child children; kitten cat; puppy dog; newborn baby
    bike bicycle cycling biking; jog run ran; climb boulder; hike trek trekking; gig concert
    film movie; flat apartment; fridge refrigerator; tv television telly; phone telephone cellphone
    plane airplane aeroplane aircraft; subway metro underground; cab taxi; lift elevator
    luggage suitcase baggage; holiday vacation; shop store; pharmacy drugstore; couch sofa
    medicine medication; doctor physician; surgery operation; ill sick; present gift; exam test
    supper dinner; football soccer; sweater jumper pullover; sneakers trainers; trousers pants
    biscuit cookie; takeaway takeout; wifi wireless; colleague coworker; boss manager
    certificate diploma; univ uni university; xmas christmas; bday birthday; veggies vegetables
    rucksack backpack; wallet purse; hairdresser barber; lesson class; rent rental; fair market
"""

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_MORE = "sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_LEAST = 13
"""Below, "three" and "third" are seldom the same thing, and "3" is a day of a date."""
_LAST_DAY = 31


def forms(word: str) -> tuple[str, ...]:
    """The other ways to write a casefolded word, without itself; empty for most words."""
    return _others(word, _forms())


def alike(word: str) -> tuple[str, ...]:
    """Its forms, and other words for the same thing: good to say who has it, not to rank by."""
    return _others(word, _alike())


def _others(word: str, groups: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(each for each in groups.get(stem(word), ()) if stem(each) != stem(word))


@cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    return _grouped([*_rows(_IRREGULAR), *_rows(_SPELLINGS), *_numbers()])


@cache
def _alike() -> Mapping[str, tuple[str, ...]]:
    return _grouped([*_rows(_IRREGULAR), *_rows(_SPELLINGS), *_numbers(), *_rows(_SAME_THING)])


def _grouped(rows: Iterable[list[str]]) -> Mapping[str, tuple[str, ...]]:
    """Stem -> every word of its groups."""
    groups: dict[str, dict[str, None]] = {}
    for words in rows:
        for word in words:
            groups.setdefault(stem(word), {}).update(dict.fromkeys(words))
    return {key: tuple(words) for key, words in groups.items()}


def _rows(table: str) -> Iterator[list[str]]:
    for line in table.split("\n"):
        yield from (row.split() for row in line.split(";") if row.strip())


def _numbers() -> Iterator[list[str]]:
    """From thirteen on: cardinal, ordinal, "30th"; the digits alone where no day has them."""
    small = f"{_ONES} {_MORE}".split()
    named = {number: name for number, name in enumerate(small, 1) if number >= _LEAST}
    named |= {10 * number: name for number, name in enumerate(_TENS.split(), 2)}
    for number, name in named.items():
        ordinal = f"{name[:-1]}ieth" if name.endswith("y") else f"{name}th"
        digits = [str(number)] if number > _LAST_DAY else []
        yield [name, ordinal, f"{number}th", *digits]
