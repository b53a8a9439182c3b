"""Words, stems and specificity of first-person statements. Pure, English first."""

import re
from collections.abc import Sequence

from archive_mem.schema.profile import Mention, ProfileItem
from archive_mem.schema.safe import SafeText

__all__ = [
    "content_spans",
    "more_specific",
    "normal",
    "statement_as_of",
    "stem",
    "stems",
    "weekdays_named",
    "words",
]

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

# Words that say how something is said, not what it is about.
FUNCTION_WORDS_TEXT = """
a about above after again against all also always am an and any anymore are as at away back be
because been before being best better both but by can can't cannot could d did didn't do does
doesn't doing don't done down during each even ever every few for from further get gets getting go
goes going got had has hasn't have haven't having he her here hers him his how i i'd i'll i'm i've
if in instead into is isn't it it's its just kind kinds let lot lots made make makes many may me
might more most mostly much must my myself never no nor not now of off often on once one ones only
or other our ours out over own perhaps quite rather really s same she should since so some
something sometimes still such t than that that's the their them then there these they thing
things this those though through time times to today too type under until up us usually very want
was wasn't way we were what when where whether which while who whom why will with without won't
would wouldn't yet you your yours prefer prefers preferred preference preferences like likes liked
love loves loved enjoy enjoys enjoyed hate hates hated dislike dislikes favourite favorite choose
chose pick picked switch switched start started stop stopped quit gave give used use moved move
longer person user owner they're user's tell describe
"""
FUNCTION_WORDS = frozenset(FUNCTION_WORDS_TEXT.split())
ENDINGS_TEXT = """
ational fulness iness ings ies ing ied ers est ed es er ly s e y
"""
ENDINGS = tuple(ENDINGS_TEXT.split())
SHORTEST_STEM = 3
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_NAME = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
WEEKEND = re.compile(r"\bweekends?\b", re.IGNORECASE)


def words(text: str) -> list[str]:
    """Lower-case words in order."""
    return [found.replace("’", "'") for found in WORD.findall(text.lower())]


def stem(word: str) -> str:
    """The word without its endings: "runs", "running", "runner" become "run"."""
    root = word
    for ending in ENDINGS:
        if ending == "s" and root.endswith("ss"):
            continue
        if root.endswith(ending) and len(root) - len(ending) >= SHORTEST_STEM:
            root = root[: -len(ending)]
            break
    doubled = len(root) > SHORTEST_STEM and root[-1] == root[-2] and root[-1] not in "sle"
    return root[:-1] if doubled else root


def stems(text: str) -> frozenset[str]:
    """Stems of the content words."""
    return frozenset(stem(word) for word in words(text) if word not in FUNCTION_WORDS)


def content_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each content word."""
    return [
        found.span()
        for found in WORD.finditer(text)
        if found.group().lower().replace("’", "'") not in FUNCTION_WORDS
    ]


def normal(text: str) -> str:
    """Words alone, for comparing two wordings."""
    return " ".join(words(text))


def weekdays_named(text: str) -> frozenset[int]:
    """Days of the week that a text names, Monday is 0; a weekend is Saturday and Sunday."""
    found = {DAYS.index(each.lower()[:3]) for each in DAY_NAME.findall(text)}
    return frozenset(found | ({5, 6} if WEEKEND.search(text) else set()))


def more_specific(old: SafeText, new: SafeText) -> bool:
    """Whether `new` says all that `old` says, and more."""
    return stems(new.value) > stems(old.value)


def statement_as_of(item: ProfileItem, kept: Sequence[Mention]) -> SafeText:
    """The wording before later mentions refined it.

    The statement stays where it is no quote at all (a fact put into words by a template), and
    where the owner put it into words.
    """
    if item.settled or any(mention.quote == item.statement for mention in kept):
        return item.statement
    if all(mention.quote != item.statement for mention in item.mentions):
        return item.statement
    wording = kept[0].quote
    for mention in kept[1:]:
        wording = mention.quote if more_specific(wording, mention.quote) else wording
    return wording
