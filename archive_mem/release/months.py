"""Names of months in the languages whose dates are shifted, and of days that pin the calendar."""

import re
from collections.abc import Iterable, Iterator

from anonymize.pseudonyms import strip_marks

__all__ = ["FOREIGN", "FULL", "HOLIDAY", "NAMES", "ORDINAL_WORDS", "number_of", "renamed"]

_FULL_ROWS = (
    "january february march april may june july august september october november december",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
)
_SHORT_ROWS = (
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "jan feb mär apr mai jun jul aug sep okt nov dez",
    "ene feb mar abr may jun jul ago sep oct nov dic",
    "jan fev mar abr mai jun jul ago set out nov dez",
)
_ROWS = tuple(tuple(row.split()) for row in (*_FULL_ROWS, *_SHORT_ROWS))


def _spellings(name: str) -> Iterator[str]:
    """The name, and what people type without accents; marks of other scripts are letters."""
    if "à" <= max(name) <= "ÿ":
        yield strip_marks(name)
        yield name.replace("ä", "ae")
    yield name


_PLACES = {
    spelling: (row, number)
    for row in reversed(_ROWS)
    for number, name in enumerate(row, start=1)
    for spelling in _spellings(name)
}


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, set(words)), key=len, reverse=True))


NAMES = _any(_PLACES)
"""A pattern of every name, long and short, in lower case."""

FULL = _any(
    spelling
    for row in _FULL_ROWS
    for name in row.split()
    for spelling in _spellings(name)
    if spelling != "marco"
)
"""A pattern of the long names; Marco, without a day beside it, is a person."""

FOREIGN = _any(
    word
    for row in (
        "gennaio febbraio marzo aprile maggio giugno luglio settembre ottobre dicembre",
        "januari februari maart mei augustus maj marts augusti",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
        "listopada grudnia",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    )
    for name in row.split()
    for word in (name, strip_marks(name))
)
"""A pattern of months in languages whose dates are withheld."""

ORDINAL_WORDS = (
    "(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|"
    "thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|"
    "thirtieth)"
)

HOLIDAY = re.compile(
    r"\b(?:christmas|xmas|x-mas|boxing day|new year|easter|good friday|halloween|thanksgiving|"
    r"valentine|independence day|fourth of july|4th of july|labou?r day|memorial day|may day|"
    r"st\.? patrick|(?:mother|father)[’']?s day|hanukk?ah|passover|diwali|holi|eid|ramadan|"
    r"(?:lunar|chinese) new year|spring festival|mid-autumn|dragon boat|golden week|o?bon festival|"
    r"obon|setsubun|tanabata|hanami|carnival|solstice|equinox|leap day|black friday|oktoberfest|"
    r"no[ëe]l|p[âa]ques|quatorze juillet|toussaint|weihnacht\w*|heiligabend|silvester|neujahr|"
    r"ostern|karneval|fasching|navidad|nochebuena|nochevieja|semana santa|pascua|carnaval|"
    r"natal|r[ée]veillon|p[áa]scoa|s[ãa]o jo[ãa]o|santo ant[óo]nio)\b"
    r"|圣诞|聖誕|クリスマス|크리스마스|春节|春節|元旦|国庆|國慶|正月|お盆|ゴールデンウィーク|"
    r"ハロウィン|万圣|情人节|バレンタイン|感恩节|大晦日|中秋|端午|清明|七夕|설날|추석|"
    r"दिवाली|होली|क्रिसमस",
    re.IGNORECASE,
)
"""Days that everybody can find in a calendar: beside a shifted date they would tell the shift."""


def renamed(name: str, number: int) -> str:
    """Another month in the language, length and letter case of `name`."""
    row, _ = _PLACES[name.lower()]
    other = row[number - 1]
    if name.isupper():
        return other.upper()
    return other.capitalize() if name[:1].isupper() else other


def number_of(name: str) -> int:
    """1 to 12."""
    return _PLACES[name.lower()][1]
