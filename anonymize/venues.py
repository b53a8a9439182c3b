"""Restaurants, cafés and hotels that are named as such."""

import re
from collections.abc import Iterator

from anonymize.lexicon import lexicon, word_list
from anonymize.pseudonyms import Kind, fold
from anonymize.spans import Span

__all__ = ["find_venues"]

_NAME = r"(?:[A-ZÀ-Þ][\w'’-]{1,20})"
_LINK = (
    r"(?:(?:de|du|des|da|do|das|del|della|di|la|le|les|el|los|of|the|zum|zur|am|e|y|et|"
    r"&)\s|l['’]|d['’])"
)
BEFORE = {
    Kind.RESTAURANT: (
        "Restaurante?|Ristorante|Trattoria|Osteria|Pizzeria|Bistrot?|Brasserie|Taverna|"
        "Taquer[ií]a|Gasthaus|Gasthof|Wirtshaus|Bodega|Tasca|Churrascaria|Izakaya|Auberge"
    ),
    Kind.CAFE: "Café|Cafe|Caffè|Caffé|Konditorei|Pâtisserie|Cafeter[ií]a|Pastelaria",
    Kind.HOTEL: (
        "Hôtel|Hotel|Hostel|Hostal|Pension|Pensão|Pousada|Ryokan|Riad|Albergue|Ferienwohnung"
    ),
}
AFTER = {
    Kind.RESTAURANT: (
        "Restaurant|Bistro|Diner|Trattoria|Pizzeria|Steakhouse|Grill|Tavern|Eatery|"
        "Izakaya|Noodle House"
    ),
    Kind.CAFE: "Café|Cafe|Coffee House|Coffee Roasters|Tea House|Bakery|Patisserie",
    Kind.HOTEL: "Hotel|Hostel|Inn|Guesthouse|Ryokan|B&B",
}


def find_venues(text: str) -> Iterator[Span]:
    """Spans such as "Osteria Bella" and "Golden Lotus Restaurant"; a bare kind word stays."""
    for kind in BEFORE:
        for pattern in _patterns(kind):
            for match in pattern.finditer(text):
                if _is_own_name(match):
                    yield Span(*match.span(), kind, 0.62)


def _patterns(kind: Kind) -> tuple[re.Pattern[str], re.Pattern[str]]:
    before = (
        rf"(?<!\w)(?:{BEFORE[kind]})\s(?:{_LINK}){{0,2}}{_NAME}(?:\s"
        rf"(?:{_LINK}){{0,2}}{_NAME}){{0,2}}"
    )
    after = rf"(?<!\w)(?:{_NAME}\s){{1,3}}(?:{AFTER[kind]})(?!\w)"
    return re.compile(before), re.compile(after)


def _is_own_name(match: re.Match[str]) -> bool:
    """Not a heading in capitals, not a brand or city alone, not "Hotel Lobby"."""
    words = [fold(word) for word in re.findall(r"[^\W\d_]{2,}", match.group())]
    kinds = {
        fold(word)
        for table in (BEFORE, AFTER)
        for text in table.values()
        for word in re.split(r"[|\s]", text)
    }
    own = [word for word in words if word not in kinds and word not in word_list("venue_plain")]
    strange = [word for word in own if word not in lexicon().never]
    return bool(strange) and not match.group().isupper()
