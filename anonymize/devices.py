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
LETTERS = re.compile(r"[^\W\d_]+")
LONGEST_CODE = 4
"""Letters in a row in the number of a model: PENTAX K-3, DMC-TZ101, ILCE-7M4."""


def public_device(device: str | None) -> str | None:
    """Make and model; owners ("Ann's iPhone") and serial numbers are left out, None if all is.

    Only known words of cameras stay, and numbers of models: a name that no list knew is still one.
    """
    if device is None:
        return None
    kept: list[str] = []
    for word in OWNED.sub("", device).split():
        if fold(word) in LINKS:
            break
        if _is_of_cameras(word):
            kept.append(word)
    return " ".join(kept) or None


def _is_of_cameras(word: str) -> bool:
    """Whether a word is known of cameras, or has a digit and nothing like a name or a serial."""
    if SERIAL.search(word):
        return False
    if fold(word.strip(",;()")) in word_list("cameras"):
        return True
    return any(map(str.isdigit, word)) and all(map(_is_code, LETTERS.findall(word)))


def _is_code(letters: str) -> bool:
    """Whether letters beside digits are a word of cameras or a few capitals, and nobody's name."""
    if fold(letters) in word_list("cameras") or len(letters) == 1:
        return True
    names = lexicon()
    named = fold(letters) in names.given or fold(letters) in names.surnames
    return letters.isupper() and len(letters) <= LONGEST_CODE and not (named and len(letters) > 2)
