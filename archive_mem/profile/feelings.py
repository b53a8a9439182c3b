"""Whether a feeling is a good one: by stems of common words, by the embedder for the others."""

import re

import numpy as np

from anonymize.compose import word
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.wording import stem, words
from archive_mem.schema.safe import SafeText

__all__ = ["feeling"]

GOOD_TEXT = """
happy glad joyful joy delighted content relaxed calm peaceful serene cosy cozy warm excited
thrilled proud grateful thankful loved amused inspired energised energized refreshed hopeful
cheerful playful satisfied comfortable free alive curious confident relieved wonderful great good
lovely amazing fantastic fun blissful carefree euphoric elated motivated focused
"""
GOOD = frozenset(map(stem, GOOD_TEXT.split()))
BAD_TEXT = """
sad unhappy angry annoyed irritated stressed anxious nervous worried afraid scared tired exhausted
drained bored lonely homesick disappointed frustrated upset overwhelmed sick ill uncomfortable
embarrassed ashamed guilty miserable gloomy cold disgusted tense restless jealous awful terrible
bad sore hurt painful regretful grumpy uneasy depressed heartbroken
"""
BAD = frozenset(map(stem, BAD_TEXT.split()))
TURNED = re.compile(r"\b(?:not|no longer|never|hardly|barely|without|isn't|wasn't)\s+(?:\w+\s+)?$")
DECIDED = 0.05


def feeling(text: SafeText, vectors: Vectors) -> int:
    """1 for a good feeling, -1 for a bad one, 0 when mixed or unclear."""
    known = sum(_signs(text.value.lower()))
    if known:
        return 1 if known > 0 else -1
    anchors = [
        word("I feel happy, calm and content"),
        word("I feel sad, stressed and unhappy"),
    ]
    good, bad = np.asarray(vectors.similarity([text], anchors)[0], dtype=float)
    return 0 if abs(good - bad) < DECIDED else int(np.sign(good - bad))


def _signs(text: str) -> list[int]:
    found = []
    for each in re.finditer(r"[^\W_]+", text):
        root = stem(each.group())
        sign = (root in GOOD) - (root in BAD)
        found.append(-sign if TURNED.search(text[: each.start()]) else sign)
    return found if words(text) else []
