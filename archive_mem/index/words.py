"""Text to searchable words, and a question to a query of SQLite's FTS5."""

import re

__all__ = ["STOP_WORDS", "indexed_words", "phrase_words", "query_words", "stem"]

_FUNCTION_WORDS = """
    a about after again all also am an and any are as at be because been before being but by
    can could did do does doing during each for from had has have having he her here hers
    herself him himself his how i if in into is it its itself just me more most my myself no
    nor not of off on once only or other our ours ourselves out over own same she should so
    some such than that the their theirs them themselves then there these they this those
    through to too under until up very was we were what when where which while who whom
    whose why will with would you your yours yourself yourselves s t d ll m re ve don didn
    doesn isn wasn weren won photo photos picture pictures image images video videos show
    find
"""

STOP_WORDS = frozenset(_FUNCTION_WORDS.split())

# Han, kana and Hangul have no spaces: overlapping pairs are what can be looked for. FTS5's own
# trigram tokenizer finds nothing for words of two letters, which most Chinese words are.
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af々"
_RUN = re.compile(f"[{_UNSPACED}]+")
_LETTERS = rf"(?:(?![{_UNSPACED}])\w)+"
_WORD = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
"""FTS5 reads "Tō-ji" as two words next to each other, which is what it should match."""
_PLACEHOLDER = re.compile(r"\b([A-Z][a-z]+) ([A-Z]{1,3})\b(?!')")
_GRAMMAR = re.compile(r"[\u3041-\u309f]{1,2}|.*[的了吗呢吧什么哪几是在我你他她它们].*")


def indexed_words(text: str) -> str:
    """The text as FTS5 is to store it: unspaced scripts as pairs, "Friend A" also as one word."""
    spaced = _RUN.sub(lambda run: f" {' '.join(_pairs(run.group(), single=True))} ", text)
    return " ".join([spaced, *_placeholders(text)])


def query_words(text: str, limit: int = 32) -> list[str]:
    """Distinct words worth looking for, in order; stop words only when there is nothing else."""
    words = [word for word in _WORD.findall(text.casefold()) if word]
    pairs = [pair for run in _RUN.findall(text) for pair in _pairs(run, single=len(run) == 1)]
    telling = [word for word in words if word not in STOP_WORDS]
    telling += [pair for pair in pairs if not _GRAMMAR.fullmatch(pair)]
    found = [*_placeholders(text), *(telling or words + pairs)]
    return list(dict.fromkeys(found))[:limit]


def phrase_words(text: str) -> str:
    """The words of a phrase in order, for FTS5 to find next to each other."""
    placeholders = _placeholders(text)
    if placeholders:
        return placeholders[0]
    runs = (
        _pairs(part, single=len(part) == 1) if _RUN.fullmatch(part) else [part.casefold()]
        for part in re.findall(f"{_RUN.pattern}|{_WORD.pattern}", text)
    )
    return " ".join(word for run in runs for word in run)


def stem(word: str) -> str:
    """A light English stem, for comparing words outside of SQLite: dishes, dish; running, run."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + instead
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return _undoubled(word.removesuffix(ending))
    return word[:-1] if word.endswith("s") and len(word) > 3 and word[-2] not in "su" else word


def _undoubled(word: str) -> str:
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word


def _pairs(run: str, *, single: bool) -> list[str]:
    pairs = [run[start : start + 2] for start in range(len(run) - 1)]
    return [*pairs, *run] if single else pairs


def _placeholders(text: str) -> list[str]:
    """A word for each placeholder: "Friend A" as friend0a, since "friend" alone finds them all."""
    found = [(kind.lower(), letters.lower()) for kind, letters in _PLACEHOLDER.findall(text)]
    return [f"{kind}0{letters}" for kind, letters in found if kind not in STOP_WORDS]
