"""Recognisers on tests/golden/pii.jsonl; `python -m bench.pii` prints the table.

A detail is hidden when every letter of it lies in a span; a word to keep is lost when any does.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from anonymize.names import KnownName, NameList
from anonymize.pii import Recognisers
from anonymize.pseudonyms import Kind

GOLDEN = Path(__file__).parents[1] / "golden" / "pii.jsonl"
Find = Callable[[str, str | None], Iterable[tuple[int, int]]]


def rows(held_back: bool | None = None) -> list[dict[str, Any]]:
    """Sentences; those never looked at while tuning, the others, or all."""
    read = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    return [row for row in read if held_back is None or row["held_back"] == held_back]


def score(sentences: Iterable[dict[str, Any]], find: Find) -> dict[tuple[str, str], list[int]]:
    """(language, what) -> [hits, of]; what is a kind to hide, or "kept"."""
    hits: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for row in sentences:
        covered = {
            at for start, end in find(row["text"], row["region"]) for at in range(start, end)
        }
        for start, end, kind in row["hide"]:
            letters = {at for at in range(start, end) if row["text"][at].isalnum()}
            total[row["lang"], kind] += 1
            hits[row["lang"], kind] += letters <= covered
        for start, end in row["keep"]:
            total[row["lang"], "kept"] += 1
            hits[row["lang"], "kept"] += not covered & set(range(start, end))
    return {key: [hits[key], total[key]] for key in sorted(total)}


def ours(tagger: bool = True) -> Find:
    """The project's recognisers without an owner's list."""
    recognisers = Recognisers(tagger=tagger)
    return lambda text, region: [
        (span.start, span.end) for span in recognisers.find(text, NameList(), region)
    ]


def listed() -> Callable[[str, list[tuple[int, int, str]]], list[tuple[int, int]]]:
    """The recognisers with the people of a sentence on the owner's list: (text, what to hide)."""
    recognisers = Recognisers(tagger=False)

    def find(text: str, hide: list[tuple[int, int, str]]) -> list[tuple[int, int]]:
        own = NameList(
            entries=tuple(
                KnownName(kind=Kind.PERSON, name=text[start:end])
                for start, end, kind in hide
                if kind == "person"
            )
        )
        return [(span.start, span.end) for span in recognisers.find(text, own)]

    return find


def presidio() -> Find:
    """Presidio as it comes, with the same English model."""
    import warnings

    from anonymize.pii import _nlp_engine

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import tldextract
        from presidio_analyzer import AnalyzerEngine

        # Its e-mail recogniser asks the network for a list of domains otherwise.
        tldextract.extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
        tldextract.tldextract.extract = tldextract.extract
        engine = AnalyzerEngine(nlp_engine=_nlp_engine(), supported_languages=["en"])
    return lambda text, region: [
        (found.start, found.end) for found in engine.analyze(text, "en", score_threshold=0.35)
    ]
