"""What a file says of its camera, without the owner that a person may have written into it."""

import re

from anonymize.lexicon import lexicon, word_list
from anonymize.pseudonyms import fold

__all__ = ["public_device"]

LINKS = frozenset(
    ["von", "vom", "de", "del", "della", "di", "da", "do", "dos", "of", "for", "du", "by"]
)
OWNED = re.compile(r"[^\s,;()]+?(?:['’]s?|的|の|의)(?=\s|[A-Za-z]|$)\s?")
SERIAL = re.compile(r"(?=(?:\D*\d){6})[\w-]{8,}")
WORD = re.compile(r"[^\s,;()_-]+")


def public_device(device: str | None) -> str | None:
    """Make and model; owners ("Ann's iPhone") and serial numbers are left out, None if all is."""
    if device is None:
        return None
    kept: list[str] = []
    for word in OWNED.sub("", device).split():
        if fold(word) in LINKS:
            break
        if not _tells(word):
            kept.append(word)
    return " ".join(kept) or None


def _tells(word: str) -> bool:
    """Whether a word may be somebody's name or one machine's number."""
    if SERIAL.search(word):
        return True
    known = lexicon()
    return any(
        part in known.given or part in known.surnames
        for part in map(fold, WORD.findall(word))
        if len(part) > 2 and part not in word_list("cameras")
    )
