"""People's names by cues and name lists, for text in Latin letters."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anonymize.lexicon import Lexicon, large_cities, word_list
from anonymize.pseudonyms import Kind, fold
from anonymize.spans import Span

__all__ = ["NameWord", "confirmed", "find_latin_names", "looks_english", "name_words"]

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+|-[^\W\d_]+|\.(?=[A-Z]))*")
TITLE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Herrn?|Frau|Fräulein|Mme|Mlle|Monsieur|Madame|Señora?|"
    r"Señorita|Sra?|Srta|Don|Doña|Dona|Senhora?|Aunt|Auntie|Uncle|Tante|Onkel|Tonton|"
    r"Tata|T[ií][oa]|"
    r"Oma|Opa|Grandma|Grandpa|Cousine?|Coach)\.?\s(?=[A-ZÀ-Þ])"
)
LABEL = re.compile(
    r"(?:\b(?:passengers?|passenger name|name of passenger|guests?|guest name|"
    r"(?:full |last |first |sur)?name|"
    r"attn|attention|issued to|billed to|bill to|ship to|deliver to|sold to|patient|"
    r"cardholder|holder|signed|"
    r"server|cashier|served by|your host|host|passagiere?|fahrgast|gast|vorname|"
    r"nachname|kunde|kundin|kassierer(?:in)?|"
    r"es bediente sie|patientin|voyageur|passager|nom|prénom|pr[ée]nom|client|cliente|"
    r"pasajero|nombre|apellidos?|"
    r"paciente|titular|passageiro|nome|hóspede|huésped|atendido por|"
    r"le atendió)\s?[:：]|\bM/s)\s{0,4}",
    re.IGNORECASE,
)
AIRLINE = re.compile(
    r"(?<![\w/])([A-ZÀ-Þ]{2,20})/([A-ZÀ-Þ]{2,20}(?:\s(?!(?:MRS?|MS|MSTR|MISS|DR)\b)[A-ZÀ-Þ]{2,20})?)"
    r"(?P<title>\s?(?:MRS|MR|MS|MSTR|MISS|DR))?(?![\w/])"
)
PASSENGER = re.compile(
    r"(?:passenger|passenger name|name|passagiere?|fahrgast|passager|voyageur|pasajero|passageiro)"
    r"s?\s?[:：]?\s{0,4}$",
    re.IGNORECASE,
)
# "Wedding Saoirse & Mateusz", "Hochzeit Henrike & Matthis 2019": names of albums and files.
EVENT = re.compile(
    r"\b(?:wedding|birthday|baptism|christening|engagement|graduation|farewell|hochzeit|"
    r"geburtstag|taufe|verlobung|einschulung|abschied|mariage|anniversaire|baptême|fiançailles|"
    r"boda|cumpleaños|cumple|bautizo|casamento|aniversário|batizado|noivado)"
    r"[\s_-](?:(?:of|von|vom|de|des|da|do|di|with|mit|avec|con|com)[\s_])?(?=(?-i:[A-ZÀ-Þ]))",
    re.IGNORECASE,
)
AND = re.compile(r"[\s_]?(?:&|\+|and|und|et|y|e)[\s_](?=[A-ZÀ-Þ])")
# After a lower-case word that only people follow, in languages that write other nouns small.
BESIDE = re.compile(
    r"(?<![\w'’-])(?:with|avec|con|com|chez|et moi,|without|sans|sin|sem)\s(?=[A-ZÀ-Þ][a-zà-ÿ])"
)
# Portuguese says "a Jussara fez", "com o Vasco": an article before a person who does something.
ARTICLE = re.compile(
    r"(?<![\w'’-])(?:com\s[oa]\s(?=[A-ZÀ-Þ][a-zà-ÿ])|[oOaA]\s(?=[A-ZÀ-Þ][a-zà-ÿ]{1,20}\s(?:fez|deu|foi|"
    r"disse|trouxe|veio|está|tem|vai|quer|mora|\w{2,12}(?:ou|eu|iu|ava|ia))\b))"
)
# How a message is signed: "bises, Aurore", "- Femi".
SIGNED = re.compile(
    r"(?:\b(?:kisses|hugs|cheers|regards|love|xx|thanks|bises|bisous|merci|à bientôt|un beso|besos|"
    r"un abrazo|abrazos|gracias|abraço|abraços|beijo|beijos|beijinhos|obrigad[oa]|gruß|grüße|"
    r"lg|vg|danke|ciao)\s?,?\s|\s[-–—]\s|\d\s?,\s)"
    r"(?=(?-i:[A-ZÀ-Þ])[\w'’-]{1,20}(?:\s(?-i:[A-ZÀ-Þ])[\w'’-]{1,20})?[.!]?\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
GREETING = re.compile(
    r"\b(?:Dear|Dearest|Hi|Hey|Hello|Thanks|Thank you|Love|Yours|xoxo|Cher|Chère|"
    r"Chers|Salut|Coucou|Bises|Hola|"
    r"Querid[oa]|Estimad[oa]|Liebe[rs]?|Hallo|Servus|Lieben Gruß|Olá|Oi|Car[oa]|"
    r"Prezad[oa]|Ciao)\s?,?\s"
    r"(?=[A-ZÀ-Þ])"
)
CHAT = re.compile(
    r"^(?P<before>\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s)?\d{1,2}[:.]\d{2}"
    r"(?::\d{2})?(?:\s?[APap][Mm])?\]?\s?[-–]?\s?)?"
    r"(?P<name>[A-ZÀ-Þ][\w'’.-]{1,20}(?:\s[A-ZÀ-Þ][\w'’.-]{0,20}){0,2})"
    r"(?:\s?[:：]\s(?=\S)|(?:,?\s\[?\d{1,2}[:.]\d{2}\]?)(?!\d))",
    re.MULTILINE,
)
KIN = re.compile(
    r"\b(?:my|our|his|her|best|old)\s(?:\w+\s)?(?:friend|sister|brother|cousin|"
    r"colleague|boss|neighbou?r|wife|"
    r"husband|partner|daughter|son|niece|nephew|roommate|flatmate|coach|teacher|"
    r"dentist|girlfriend|boyfriend)\s"
    r"(?=[A-Z])|\b(?:mon|ma|mes|notre)\s(?:\w+\s)?(?:amie?|sœur|soeur|frère|cousine?|"
    r"collègue|voisine?|mari|femme|"
    r"fille|fils|copine|copain|copains)\s(?=[A-ZÀ-Þ])|\b(?:mi|mis|nuestr[oa])\s"
    r"(?:\w+\s)?(?:amig[oa]|herman[oa]|prim[oa]|"
    r"novi[oa]|espos[oa]|marido|mujer|hij[oa]|vecin[oa]|compañer[oa]|"
    r"sobrin[oa])\s(?=[A-ZÀ-Þ])|\b(?:[Mm]eine?[mnr]?|"
    r"[Uu]nsere?[mnr]?)\s(?:\w+\s)?(?:Freund(?:in)?|Schwester|Bruder|Kolleg(?:e|en|"
    r"in)|Nachbar(?:in|n)?|Tochter|Sohn|"
    r"Cousine?|Mann|Frau|Chef(?:in)?|Nichte|Neffe)\s(?=[A-ZÄÖÜ])|\b(?:[oa]\s)?(?:meu|"
    r"minha|nossa|nosso)\s(?:\w+\s)?(?:amig[oa]|irmã|irmão|"
    r"prim[oa]|namorad[oa]|espos[oa]|marido|mulher|filh[oa]|vizinh[oa]|coleg[ao]|"
    r"sobrinh[oa])\s(?=[A-ZÀ-Þ])",
    re.IGNORECASE,
)


FAMILY = re.compile(
    r"\b(?:sister|brother|cousine?|wife|husband|daughter|son|niece|nephew|sœur|soeur|frère|mari|"
    r"femme|fille|fils|herman[oa]|prim[oa]|espos[oa]|marido|mujer|mulher|hij[oa]|sobrin[oa]|"
    r"sobrinh[oa]|irmã|irmão|filh[oa]|schwester|bruder|tochter|sohn|mann|frau|nichte|neffe)\s$",
    re.IGNORECASE,
)
FRIEND = re.compile(r"\b(?:friend|amie?|copine?|copains|amig[oa]|freund(?:in)?)\s$", re.IGNORECASE)
COLLEAGUE = re.compile(
    r"\b(?:colleague|collègue|compañer[oa]|kolleg(?:e|en|in)|coleg[ao])\s$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word that is written as names are.

    start, end: characters
    text: as written
    plain: as compared
    opens: whether it begins a sentence or line
    """

    start: int
    end: int
    text: str
    plain: str
    opens: bool

    @property
    def capital(self) -> bool:
        """Begins with a capital letter."""
        return self.text[0].isupper()

    @property
    def shouted(self) -> bool:
        """All in capitals."""
        return len(self.text) > 1 and self.text.isupper()


def name_words(text: str) -> list[NameWord]:
    """All words of a text."""
    return [
        NameWord(
            match.start(), match.end(), match.group(), _plain(match.group()), _opens(text, match)
        )
        for match in WORD.finditer(text)
    ]


def _plain(word: str) -> str:
    """Folded, without a possessive s."""
    return fold(re.sub(r"['’]s$", "", word).rstrip("."))


def _opens(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 3) : match.start()].rstrip(" \"'“«¿¡(")
    return match.start() < 2 or not before or before[-1] in ".!?\n:;•|"


def looks_english(text: str) -> bool:
    """Whether English function words outweigh those of its neighbours; a short text may be."""
    words = [match.group().casefold() for match in WORD.finditer(text[:2000])]
    english = sum(word in word_list("english") for word in words)
    return english >= sum(word in word_list("not_english") for word in words)


def find_latin_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Names after titles, labels, greetings and kin words, in chats, and by the name lists."""
    words = name_words(text)
    yield from _after_cues(text, words, names)
    yield from _airline_names(text, names)
    at = 0
    while at < len(words):
        length = _full_name(text, words, at, names)
        if length:
            yield _span(words[at : at + length], 0.7)
        at += length or 1


def _span(words: Sequence[NameWord], score: float) -> Span:
    last = words[-1]
    cut = 2 if re.search(r"['’]s$", last.text) else 0
    return Span(words[0].start, last.end - cut, Kind.PERSON, score)


def _after_cues(text: str, words: list[NameWord], names: Lexicon) -> Iterator[Span]:
    starts = {word.start: at for at, word in enumerate(words)}
    for pattern in (TITLE, LABEL, GREETING, KIN):
        for match in pattern.finditer(text):
            at = starts.get(match.end())
            run = _run(text, words, at, names) if at is not None else []
            if run:
                kind = _relation(match.group()) if pattern is KIN else Kind.PERSON
                yield replace(_span(run, 0.75), kind=kind)
    for pattern, score in ((BESIDE, 0.6), (ARTICLE, 0.6), (SIGNED, 0.6)):
        for match in pattern.finditer(text):
            run = _run(text, words, starts.get(match.end(), len(words)), names)[:2]
            told = pattern is SIGNED and match.group()[0].isalpha()
            if run and (told or not _doubtful(run[0], names)):
                yield _span(run, score)
    yield from _of_events(text, words, starts, names)
    yield from _of_chats(text, words, starts, names)


def _relation(cue: str) -> Kind:
    """What a person is to the writer, by the word before the name."""
    for kind, pattern in (
        (Kind.FAMILY, FAMILY),
        (Kind.FRIEND, FRIEND),
        (Kind.COLLEAGUE, COLLEAGUE),
    ):
        if pattern.search(cue):
            return kind
    return Kind.PERSON


def _doubtful(word: NameWord, names: Lexicon) -> bool:
    """In capitals all over, or a word that is as often a place, a brand or a thing."""
    return word.shouted or word.plain in word_list("place_words") or word.plain in names.ambiguous


def _of_events(
    text: str, words: list[NameWord], starts: Mapping[int, int], names: Lexicon
) -> Iterator[Span]:
    """Those that an album is about: one after the word of the feast, and who is joined by "&"."""
    for match in EVENT.finditer(text):
        end: int | None = match.end()
        while end is not None:
            run = _run(text, words, starts.get(end, len(words)), names)[:2]
            run = run if run and not _doubtful(run[0], names) else []
            run = run if len(run) < 2 or _is_surname(run[1], names) else run[:1]
            if run:
                yield _span(run, 0.66)
            joined = AND.match(text, run[-1].end) if run else None
            end = joined.end() if joined else None


def _of_chats(
    text: str, words: list[NameWord], starts: Mapping[int, int], names: Lexicon
) -> Iterator[Span]:
    """Who says a line of a chat: somebody known by the lists, or whoever stands by a time."""
    for match in CHAT.finditer(text):
        run = _run(text, words, starts.get(match.start("name"), len(words)), names)
        timed = match["before"] is not None
        if run and run[-1].end == match.end("name") and (timed or _any_known(run, names)):
            yield _span(run, 0.72)


def _any_known(run: Iterable[NameWord], names: Lexicon) -> bool:
    return any(word.plain in names.given or word.plain in names.surnames for word in run)


def _run(text: str, words: list[NameWord], at: int, names: Lexicon) -> list[NameWord]:
    """Up to four words from `at` that may be one name."""
    run: list[NameWord] = []
    for word in words[at : at + 5]:
        if run and not _joined(text, run[-1], word):
            break
        if (word.capital and word.plain not in names.never) or (
            run and word.plain in word_list("particles")
        ):
            run.append(word)
        else:
            break
    while run and not run[-1].capital:
        run.pop()
    return run[:4]


def _joined(text: str, first: NameWord, second: NameWord) -> bool:
    near = text[first.end : second.start] in (" ", ". ", "  ", "\u00a0")
    return near and not first.text.endswith(("'s", "’s"))


def _airline_names(text: str, names: Lexicon) -> Iterator[Span]:
    for match in AIRLINE.finditer(text):
        parts = (fold(match.group(1)), *fold(match.group(2)).split())
        known = any(part in names.given or part in names.surnames for part in parts)
        if known or match["title"] or PASSENGER.search(text[: match.start()][-24:]):
            yield Span(match.start(), match.end(), Kind.PERSON, 0.8)


def _is_phrase(run: Sequence[NameWord]) -> bool:
    """A dish or the like that begins with a first name."""
    return " ".join(word.plain for word in run[:2]) in word_list("phrases")


def _in_place_name(words: Sequence[NameWord], at: int) -> bool:
    """A name inside the name of a place: "San Francisco", "Mont Saint-Michel"."""
    near = at > 0 and words[at].start - words[at - 1].end == 1
    before = words[at - 1].plain if near else ""
    first = words[at].plain.split("-")[0]
    return before in word_list("place_words") or first in word_list("place_words")


def _full_name(text: str, words: list[NameWord], at: int, names: Lexicon) -> int:
    """How many words from `at` are a name by the lists, 0 for none."""
    word = words[at]
    if not word.capital or not _is_given(word, names) or word.plain in names.never:
        return _initial_name(text, words, at, names)
    run = _run(text, words, at, names)
    if _in_place_name(words, at) or _is_phrase(run):
        return 0
    more = _surname_length(run, names)
    if word.shouted and not (more > 1 and all(each.shouted for each in run[:more])):
        return 0
    if word.plain in names.ambiguous and more == 1 and not _in_company(words, at):
        return 0
    return more


def _in_company(words: Sequence[NameWord], at: int) -> bool:
    return at > 0 and not words[at].opens and words[at - 1].plain in word_list("meeting")


def _surname_length(run: Sequence[NameWord], names: Lexicon) -> int:
    """The first name, and what follows it as long as the lists know it.

    The word right after a first name that is nothing else is taken for a surname unseen.
    """
    length = 2 if _unseen_surname(run, names) else 1
    for at, word in enumerate(run[1:], 1):
        if word.plain in word_list("particles") and not word.capital:
            continue
        if not _is_surname(word, names):
            break
        length = at + 1
    return length


def _is_given(word: NameWord, names: Lexicon) -> bool:
    """A first name of the lists, or two of them with a hyphen."""
    parts = word.plain.split("-")
    return word.plain in names.given or all(part in names.given for part in parts)


def _unseen_surname(run: Sequence[NameWord], names: Lexicon) -> bool:
    if len(run) < 2 or run[0].plain in names.ambiguous or _is_surname(run[1], names):
        return False
    second = run[1]
    plain = second.plain in word_list("place_words") or second.plain in word_list("venue_plain")
    named = second.capital and len(second.text) > 2 and not plain and not second.shouted
    return named and second.plain not in large_cities()


def _is_surname(word: NameWord, names: Lexicon) -> bool:
    listed = word.plain in names.surnames or word.plain in names.given
    parts = word.plain.replace("’", "'").split("-")
    built = re.match(r"(?:O['’]|Mc|Mac)[A-Z]", word.text) is not None
    return listed or built or (len(parts) > 1 and any(part in names.surnames for part in parts))


def _initial_name(text: str, words: list[NameWord], at: int, names: Lexicon) -> int:
    """An initial before a surname of the lists: "J. Miller"."""
    if at + 1 >= len(words) or len(words[at].text) != 1 or not words[at].capital:
        return 0
    second = words[at + 1]
    near = text[words[at].end : second.start] == ". "
    return 2 if near and second.capital and second.plain in names.surnames else 0


def confirmed(text: str, start: int, end: int, names: Lexicon) -> Iterator[Span]:
    """What is left of a tagger's guess at a person after words that are no names are taken out."""
    words = name_words(text)
    inside = [at for at, word in enumerate(words) if start <= word.start and word.end <= end]
    at = 0
    while at < len(inside):
        run = _run(text, words, inside[at], names)
        run = [word for word in run if word.end <= end]
        if run and _plausible(text, words, inside[at], run, names):
            yield _span(run, 0.6)
        at += max(1, len(run))


def _plausible(
    text: str, words: Sequence[NameWord], at: int, run: Sequence[NameWord], names: Lexicon
) -> bool:
    before, after = text[: run[0].start][-1:], text[run[-1].end :][:1]
    if any(word.shouted for word in run) or (before in "#@/&" and before) or after.isdigit():
        return False
    if _in_place_name(words, at) or _is_phrase(run):
        return False
    if _any_known(run, names):
        return len(run) > 1 or run[0].plain not in names.ambiguous or not run[0].opens
    if len(run) > 1:
        return not run[0].opens or len(words) > len(run)
    return at > 0 and not run[0].opens and words[at - 1].plain in word_list("company")
