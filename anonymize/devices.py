"""What a file says of its camera, without the owner that a person may have written into it."""

import re

from anonymize.lexicon import lexicon, word_list
from anonymize.pseudonyms import fold

__all__ = ["public_device"]

LINKS = frozenset(
    "von vom de del della di da do dos of for du by la el".split()  # noqa: SIM905  one line
)
    [
        "von",
        "vom",
        "de",
        "del",
        "della",
        "di",
        "da",
        "do",
        "dos",
        "of",
        "for",
        "du",
        "by",
        "la",
        "el",
    ]
)
OWNED = re.compile(r"[^\s,;()]+?(?:['’]s?|的|の|의)(?=\s|[A-Za-z]|$)\s?")
SERIAL = re.compile(r"(?=(?:\D*\d){6})[\w-]{8,}")
WORD = re.compile(r"[^\s,;()_-]+")


def public_device(device: str | None) -> str | None:
    """Make and model; owners ("Ann's iPhone") and serial numbers are left out, None if all is."""
    if device is None:
        return None
    kept: list[str] = []
    linked = False
    for word in OWNED.sub("", device).split():
        linked = linked or fold(word) in LINKS
        if not linked and not _tells(word):
            kept.append(word)
    return " ".join(kept) or None


def _tells(word: str) -> bool:
    """Whether a word may be somebody's name or one machine's number."""
    if SERIAL.search(word):
        return True
    parts = [fold(part) for part in WORD.findall(word)]
    names = lexicon()
    return any(
        part not in word_list("cameras") and len(part) > 2 and (part in names.given or part in names.surnames)
        for part in parts
    )
