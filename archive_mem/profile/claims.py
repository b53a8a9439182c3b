# ruff: noqa: E501 - a pattern cut into pieces is harder to read than a long line
"""What a first-person sentence claims: for what, against what, and whether that changed.

Pure patterns over closed classes (verbs of liking, of stopping and starting, comparison words);
what the sentence is about stays open. A claim holds spans of the sentence, never new words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Change", "Claim", "Facet", "Span", "claims", "polarity", "reason"]


class Change(StrEnum):
    """What a claim says about before and after."""

    NONE = "none"
    START = "start"
    STOP = "stop"
    SWITCH = "switch"


class Span(NamedTuple):
    """Characters start to end of the sentence."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """One thing that a claim is for or against.

    span: its words
    sign: 1 for, -1 against, 0 neither
    """

    span: Span
    sign: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One clause.

    span: the clause
    facets: what it is about, the thing favoured first
    strength: 0 to 1
    change: start, stop or switch
    condition: "when it rains", None when it always holds
    passing: said of this one time only
    loose: the wording only suggests it; not to be read out of a story
    """

    span: Span
    facets: tuple[Facet, ...]
    strength: float
    change: Change = Change.NONE
    condition: Span | None = None
    passing: bool = False
    loose: bool = False


class _Form(NamedTuple):
    pattern: re.Pattern[str]
    strength: float
    change: Change
    loose: bool


CLAUSE_END = re.compile(
    r"(?<!\b[A-Za-z])[.!?;\n]+(?=\s|$)"
    r"|,?\s+\b(?:but|although|though|whereas|yet)\b\s+"
    r"|,\s+(?:and\s+|so\s+)?(?=(?:i|we|i'm|i've|my|now|these days|nowadays|no longer)\b)"
    r"|\s+and\s+(?=(?:i|i'm|i've|i'd|my|now|no longer|hate|love|dislike|avoid|prefer)\b)"
    r"|\s+(?:-|–|—)\s+",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"[,\s]+((?:when|whenever|if|while|unless|after|before|during|until|as soon as|once)\s+.+"
    r"|(?:on|in|at|over|for)\s+(?:a\s+|an\s+|the\s+|my\s+|most\s+|cold\s+|hot\s+|warm\s+|rainy\s+|sunny\s+|long\s+|busy\s+|lazy\s+|early\s+|late\s+|every\s+)*"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)?(?:days?|weekdays?|weekends?|mornings?|afternoons?|evenings?|nights?|noon|summers?|winters?|springs?|autumns?|falls?|breakfast|lunch|dinner|holidays?|vacations?|trips?|journeys?|rain|snow|heat|weather|season|office|work|home|birthdays?|parties|party|celebrations?|flights?|trains?)\b.*"
    r"|with\s+(?:my\s+|a\s+|the\s+|some\s+|close\s+|old\s+)*(?:friends?|family|colleagues?|parents?|kids|children|company|others|guests|partner|wife|husband|group|team|crowd)\b.*"
    r"|(?:every|each)\s+\w+.*)$",
    re.IGNORECASE | re.DOTALL,
)
REASON = re.compile(
    r"\b(?:because(?: of)?|since|due to|thanks to|owing to|so that|that's why|which is why"
    r"|as a result of|on account of|ever since|in order to|(?:made|makes|led|pushed|convinced|"
    r"persuaded|inspired|helped|forced|got|told|advised|asked|encouraged) me\b)",
    re.IGNORECASE,
)
PASSING = re.compile(
    r"\b(?:this time|for once|just (?:today|this once|for (?:today|now|tonight|fun))|one[- ]off"
    r"|only (?:today|this once)|exception|had to|no choice|out of politeness|for a change|by chance"
    r"|by accident|gave in|was (?:given|offered|served|handed)|everyone else|ended up|today i tried"
    r"|sold out|ran out)\b",
    re.IGNORECASE,
)
TRIM_LEFT = re.compile(
    r"^(?:[\s,:'\"“]+|(?:these days|nowadays|lately)\s+|(?:i|we)\s+(?:am|'m|really|always)?\s*(?:into|like|love|prefer|go for)?\s*(?=\w)|(?:the|a|an|my|our|some|any|to|just|really|only|more|that|it when"
    r"|going (?:for|to)|being|(?:drink|eat|hav|tak|do|us|buy|wear|visit|order|mak|consum|go|get|own)(?:ing|e)?(?: to)?)\s+)+",
    re.IGNORECASE,
)
TRIM_RIGHT = re.compile(
    r"(?:[\s,.!?:;'\"”]+|\s+(?:any ?more|any day|any longer|now|nowadays|these days|lately|again"
    r"|instead|altogether|completely|entirely|so much|a lot|very much|the most|most|best|more|better"
    r"|for good|at all|right now|today|at the moment|too|by far))+$",
    re.IGNORECASE,
)

STRONG = re.compile(
    r"\b(?:lov\w+|ador\w+|obsess\w+|nothing (?:beats|compares|tops)|favou?rite|get enough|crazy|mad about|passion\w*|crav\w+|best|perfect|do without|live without|live for|swear by|addict\w*|hooked|hat(?:e|es|ed)|detest\w*|loath\w*|despis\w*|(?:can't|cannot|couldn't) (?:stand|bear|abide|stomach|tolerate)|never again|disgust\w*|dread\w*|worst|done with|through with|fed up|sick of|allergic|absolutely|totally|really|truly|deeply|completely|so much|very much|more than anything|thrive\w*|look(?:s|ing|ed)? forward)\b",
    re.IGNORECASE,
)
MILD = re.compile(
    r"\b(?:a (?:bit|little)|somewhat|quite|rather (?!than)|kind of|sort of|fairly|sometimes|occasionally|not (?:very|that|too|really|so|particularly|especially|keen|into|a fan)|don't mind|okay|ok|fine with|don't care|tend to|tired of|taken to|fond|enjoy\w*|lik(?:e|es|ed))\b",
    re.IGNORECASE,
)

ADVERB = r"(?:\s+(?:really|also|still|just|actually|usually|generally|mostly|always|often|much|so|now|truly|absolutely|definitely|simply|particularly|especially|totally|quite|rather|strongly|clearly|honestly|genuinely|completely))*"
NOT = r"(?:do not|don't|dont|does not|doesn't|did not|didn't|can not|cannot|can't|could not|couldn't|will not|won't|would not|wouldn't|am not|i'm not|is not|isn't|are not|aren't|was not|wasn't|were not|weren't|have not|haven't|never|not|hardly|barely|rarely|seldom)"
LIKING = r"(?:lov(?:e|es|ed|ing)|ador(?:e|es|ed|ing)|enjoy(?:s|ed|ing)?|lik(?:e|es|ed|ing)|relish(?:es|ed)?|appreciat(?:e|es|ed)|fanc(?:y|ies|ied)|crav(?:e|es|ed|ing)|treasur(?:e|es|ed)|cherish(?:es|ed)?|favou?r(?:s|ed|ing)?|prefer(?:s|red|ring)?|savou?r(?:s|ed)?|delight in|care for|miss(?:es|ed)?|welcom(?:e|es|ed)|value(?:s|d)?|want(?:s|ed)?|need(?:s|ed)?|live for|choos(?:e|es)|chose|pick(?:s|ed)?|opt(?:s|ed)? for|g(?:o|oes|ravitate|ravitates) (?:for|to|towards)|went for|reach(?:es|ed)? for|lean(?:s|ed)? towards|stick(?:s)? (?:to|with)|swear(?:s)? by|look(?:s|ing|ed)? forward to|warmed (?:up )?to|thriv(?:e|es|ed) on|unwind with|relax with|rel(?:y|ies) on|order(?:s|ed)?)"
FONDNESS = r"(?:fan of|fond of|keen on|into|crazy about|mad about|nuts about|obsessed with|hooked on|addicted to|partial to|passionate about|devoted to|happy with|happiest (?:with|when|at|in|on)|at my best (?:with|when|at|in|on)|comfortable with|drawn to|sold on|big on|in love with|excited (?:about|by|for)|interested in|all about|loyal to|enthusiastic about|proud of|a sucker for|taken with)"
LOATHING = r"(?:hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|detest(?:s|ed)?|loath(?:e|es|ed)|despis(?:e|es|ed)|dread(?:s|ed|ing)?|avoid(?:s|ed|ing)?|skip(?:s|ped|ping)?|refus(?:e|es|ed)|reject(?:s|ed)?|resent(?:s|ed)?|can(?:'?t|not| not) (?:stand|bear|abide|stomach|tolerate|face|take|deal with|handle)|couldn't (?:stand|bear)|stay(?:s|ed|ing)? away from|steer(?:s|ed)? clear of|keep(?:s)? away from|shy away from|turn(?:s|ed)? down|find no joy in|regret(?:s|ted)?|suffer(?:s|ed)? through|struggle with)"
WEARY = r"(?:tired of|sick of|fed up with|bored (?:of|with|by)|weary of|done with|over|through with|allergic to|intolerant (?:of|to)|afraid of|scared of|wary of|averse to|against|annoyed (?:by|with)|uncomfortable (?:with|in|at)|put off by|disappointed (?:by|with|in)|miserable (?:with|when|at|in)|drained by|off)"
STOPPING = r"(?:stop(?:ped|s|ping)?|quit(?:s|ting)?|g(?:a|i)ve(?:n|s)? up(?: on)?|giving up(?: on)?|cut(?:ting)? (?:out|down on|back on)|drop(?:ped|ping)|ditch(?:ed|ing)?|swore off|sworn off|abandon(?:ed|ing)?|lost (?:all )?(?:interest in|my taste for|patience with)|losing interest in|went off|gone off|out(?:grew|grown)|retired from|walked away from|turned my back on|ceased|dropped out of|finished with|broke (?:up )?with|sold|moved on from|said goodbye to|kicked|weaned (?:myself )?off|unsubscribed from|cancelled|canceled|left behind|put away|have had enough of|had enough of)"
STARTING = r"(?:start(?:ed|ing|s)?|beg(?:an|un|in|inning)|t(?:ook|aken|ake|aking) up|pick(?:ed|ing) up|g(?:ot|otten|et|etting) (?:really )?into|discover(?:ed|ing)?|f(?:ell|allen|alling) (?:in love with|for)|sign(?:ed|ing) up (?:for|to)|join(?:ed|ing)?|learn(?:ed|t|ing)|tak(?:en|ing) to|took to|adopt(?:ed|ing)?|g(?:iving|ave) \S+ a (?:go|try)|convert(?:ed)? to|switch(?:ed|ing)? (?:over )?to|chang(?:ed|ing) to|mov(?:ed|ing) (?:over )?(?:on )?to|(?:go|went|gone|going|am|came) back to|return(?:ed|ing) to|turn(?:ed|ing) to|grew to love|come to love|came to love|enrol(?:l)?ed in|bought my first|became|becoming|turned)"
END = r"(?P<{}>.+)$"


def _forms() -> Iterator[_Form]:
    def form(
        pattern: str, strength: float, change: Change = Change.NONE, loose: bool = False
    ) -> _Form:
        return _Form(re.compile(pattern, re.IGNORECASE | re.DOTALL), strength, change, loose)

    x, y = r"(?P<pro>.+?)", r"(?P<con>.+)$"
    lost = r"(?P<con>.+?)"
    than = r"(?:over|rather than|instead of|more than|better than|above|than|and not|not)"
    yield form(
        rf"\b(?:switch|mov|chang|shift|convert|migrat|transition|graduat|turn)\w* (?:over )?from {lost} (?:over )?to (?P<pro>.+)$",
        0.9,
        Change.SWITCH,
    )
    yield form(rf"\bwent from {lost} to (?P<pro>.+)$", 0.9, Change.SWITCH)
    yield form(
        rf"\b(?:swap|trad|exchang|replac|substitut|ditch|dropp|gave up|given up|abandon|left)\w* {lost} (?:for|with|by|in favou?r of) (?!good\b|now\b|ever\b)(?P<pro>.+)$",
        0.9,
        Change.SWITCH,
    )
    yield form(
        rf"^{x} (?:has |have |had )?(?:replaced|took over from|took the place of) {y}",
        0.9,
        Change.SWITCH,
    )
    yield form(
        rf"\b(?:used to|once) (?:really )?(?:{LIKING}|{LOATHING}|be|do|have|eat|drink|go|play|take|wear|read|watch|listen to)?\s*{lost},? (?:now|these days|nowadays),? (?:i |it's |i'm )?(?:{LIKING}|{FONDNESS})?\s*(?P<pro>.+)$",
        0.9,
        Change.SWITCH,
    )
    yield form(rf"\bprefer(?:s|red|ring)?\b(?: to)? {x} (?:to|{than}) {y}", 0.8)
    yield form(rf"\b(?:would|'d|will|'ll) (?:much |far )?(?:rather|sooner) {x} than {y}", 0.8)
    yield form(
        rf"\b(?:{LIKING}|would take|'d take|take) {x},? (?:better than|more than|{than}) {y}", 0.8
    )
    yield form(
        rf"^(?!nothing\b){x},? (?:beats|beat|trumps|wins over|is (?:much |far |so much )?\w+er than|are (?:much |far |so much )?\w+er than|suits me (?:better|more) than|(?:always )?(?:over|rather than|instead of)) {y}",
        0.8,
    )
    yield form(
        rf"\b(?:used to|once)\b (?:really )?(?:{LIKING}|be|do|have|go to|go|play)?\s*(?P<con>.+)$",
        0.6,
        Change.STOP,
    )
    yield form(rf"\bno longer{ADVERB}\s+(?:{LOATHING})\s+(?P<pro>.+)$", 0.6, Change.START)
    yield form(
        rf"\bno longer{ADVERB}\s+(?:(?:{LIKING}|{FONDNESS}|eat|drink|do|go|have|play|take|wear|use|care about|see|touch)\s+)?(?P<con>.+)$",
        0.8,
        Change.STOP,
    )
    yield form(
        rf"\b{NOT}{ADVERB}\s+(?:be\s+)?(?P<con>.+?)\s+(?:any ?more|any longer|these days)\b.*$",
        0.8,
        Change.STOP,
    )
    yield form(
        rf"\b{NOT}{ADVERB}\s+(?:a (?:big |huge )?)?(?:mind|object to|stop|quit|give up|{LOATHING}|miss out on)\s+(?P<pro>.+)$",
        0.2,
        loose=True,
    )
    yield form(rf"\b(?:{STOPPING})\b\s+(?P<con>.+)$", 0.9, Change.STOP)
    yield form(
        r"\b(?:never|can(?:'?t|not| not)|couldn't) (?:get enough of|wait for|wait to|do without|live without|say no to|go without|get tired of|tire of|skip|miss)\s+(?P<pro>.+)$",
        1.0,
    )
    yield form(
        rf"\b{NOT}{ADVERB}\s+(?:a |much of a |the )?(?:big |great |huge )?(?:{LIKING}|{FONDNESS})\b\s*(?P<con>.+)$",
        0.8,
    )
    yield form(
        r"\b(?:no (?:interest in|time for|desire for|appetite for)|nothing worse than)\s+(?P<con>.+)$",
        0.8,
    )
    yield form(
        r"^(?P<con>.+?)\s+(?:is|are|was|were|just )?\s*(?:not|isn't|aren't|wasn't|weren't)\s+(?:really )?(?:for me|my (?:thing|cup of tea|style|taste)|worth it)\b.*$",
        0.8,
    )
    yield form(
        r"^(?P<con>.+?)\s+(?:makes?|made|leaves?|left|gives?|gave|drains?|bores?|annoys?|exhausts?|disgusts?|scares?|stresses|irritates?|upsets?)\s+me\s*(?:feel(?:ing)?\s+)?(?:sick|ill|tired|anxious|stressed|sad|miserable|bored|angry|exhausted|nervous|uneasy|cold|a headache|headaches|heartburn|drained|out)?\s*$",
        0.8,
    )
    yield form(rf"\b(?:{LOATHING})\b\s+(?P<con>.+)$", 0.9)
    yield form(
        rf"\b(?:i'?m|i am|am|was|got|grew|getting|been|feel|felt)\b{ADVERB}\s+(?:so |very )?(?:{WEARY})\s+(?P<con>.+)$",
        0.8,
    )
    yield form(rf"\b{NOT}{ADVERB}\s+(?:\w+\s+)?(?P<con>.+)$", 0.6)
    yield form(rf"\b(?:{STARTING})\b\s+(?P<pro>.+)$", 0.8, Change.START)
    yield form(
        r"\b(?:my|our) (?:\w+ )?(?:favou?rite|go-to|ideal|perfect|dream|preferred)\b(?: \w+){0,3}? (?:is|are|was|has to be|remains?|will always be)\s+(?P<pro>.+)$",
        0.9,
    )
    yield form(
        r"^(?P<pro>.+?)\s+(?:is|are|was|remains?|has become|have become|became)\s+(?:still |now |always |by far )?(?:my|our|the) (?:\w+ )?(?:favou?rite|go-to|best|ideal|comfort|thing|weakness|passion|cup of tea|first choice|top choice|pick)\b.*$",
        0.9,
    )
    yield form(
        r"\bnothing (?:beats|compares to|is better than|better than|tops)\s+(?P<pro>.+)$", 1.0
    )
    yield form(rf"\b(?:{FONDNESS})\b\s+(?P<pro>.+)$", 0.8)
    yield form(
        r"^(?P<pro>.+?)\s+(?:makes?|made|keeps?|kept|helps?|helped|calms?|relaxes|energi[sz]es|lifts?|cheers?|soothes?|excites?|inspires?|clears?|recharges?)\s+(?:me|my)\b.*$",
        0.7,
    )
    yield form(rf"\b(?:{LIKING})\b\s+(?P<pro>.+)$", 0.8)


@lru_cache(maxsize=1)
def _all_forms() -> tuple[_Form, ...]:
    return tuple(_forms())


@lru_cache(maxsize=65_536)
def claims(text: str) -> tuple[Claim, ...]:
    """The claims of a text, one a clause; facets of sign 0 where nothing is for or against."""
    plain = text.replace("’", "'")
    return tuple(_claim(plain, clause) for clause in _clauses(plain))


def polarity(text: str) -> int:
    """1 when the text is for the first thing it speaks of, -1 against, 0 neither."""
    return next(
        (claim.facets[0].sign for claim in claims(text) if claim.facets and claim.facets[0].sign), 0
    )


def reason(text: str) -> Span | None:
    """From the first word that gives a reason ("because", "made me") to the end of its sentence."""
    found = REASON.search(text)
    if found is None:
        return None
    stop = re.search(r"[.!?](?:\s|$)", text[found.start() :])
    return Span(found.start(), len(text) if stop is None else found.start() + stop.start())


def _clauses(text: str) -> Iterator[Span]:
    start = 0
    for found in CLAUSE_END.finditer(text):
        yield from _whole(text, start, found.start())
        start = found.end()
    yield from _whole(text, start, len(text))


def _whole(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if piece.strip():
        yield Span(start + left, start + len(piece.rstrip()))


def _claim(text: str, clause: Span) -> Claim:
    said = text[clause.start : clause.end]
    main, condition = _without_condition(said)
    for form in _all_forms():
        found = form.pattern.search(main)
        facets = () if found is None else tuple(_facets(found, clause.start))
        if facets:
            return Claim(
                span=clause,
                facets=facets,
                strength=_strength(form.strength, main),
                change=form.change,
                loose=form.loose,
                condition=_moved(condition, clause.start),
                passing=PASSING.search(said) is not None,
            )
    whole = _trimmed(main, Span(0, len(main)))
    return Claim(
        span=clause,
        facets=() if whole is None else (Facet(span=_at(whole, clause.start), sign=0),),
        strength=0.5,
        condition=_moved(condition, clause.start),
        passing=PASSING.search(said) is not None,
        loose=True,
    )


def _strength(usual: float, said: str) -> float:
    """1 for strong words, 0.75 of the usual for mild ones."""
    if STRONG.search(said):
        return 1.0
    return usual * 0.75 if MILD.search(said) else usual


def _facets(found: re.Match[str], offset: int) -> Iterator[Facet]:
    for name, sign in (("pro", 1), ("con", -1)):
        if name in found.re.groupindex and found.group(name) is not None:
            span = _trimmed(found.string, Span(*found.span(name)))
            if span is not None:
                yield Facet(span=_at(span, offset), sign=sign)


def _without_condition(said: str) -> tuple[str, Span | None]:
    reasoned = REASON.search(said)
    main = said if reasoned is None or reasoned.start() == 0 else said[: reasoned.start()]
    found = CONDITION.search(main)
    if found is None or found.start(1) < 8:
        return main, None
    return main[: found.start()], Span(found.start(1), len(main.rstrip()))


def _trimmed(text: str, span: Span) -> Span | None:
    piece = text[span.start : span.end]
    left = TRIM_LEFT.match(piece)
    start = 0 if left is None else left.end()
    right = TRIM_RIGHT.search(piece, start)
    end = len(piece) if right is None else right.start()
    return Span(span.start + start, span.start + end) if end > start else None


def _at(span: Span, offset: int) -> Span:
    return Span(span.start + offset, span.end + offset)


def _moved(span: Span | None, offset: int) -> Span | None:
    return None if span is None else _at(span, offset)
