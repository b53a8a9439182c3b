"""What is hidden, and under which placeholder: text in, safe text out."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from anonymize.names import KnownName, NameList
from anonymize.pii import Recognisers, Span
from anonymize.pseudonyms import PEOPLE, PLACEHOLDER, VENUES, Entry, Kind
from anonymize.vault import Vault
from archive_mem.schema.minting import mint_text
from archive_mem.schema.safe import SafeText

__all__ = ["RedactedSpan", "Redaction", "Redactor"]

CITY_AFTER = re.compile(r" [^\W\d_]{2}")
LISTED = PEOPLE | VENUES | {Kind.PLACE, Kind.HANDLE}


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedSpan:
    """A detail that was hidden.

    start, end: characters of the original text
    kind: what it was
    placeholder: what stands there now
    """

    start: int
    end: int
    kind: Kind
    placeholder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """A text with placeholders, and what was hidden.

    text: safe to show, index and send
    spans: in order
    """

    text: SafeText
    spans: tuple[RedactedSpan, ...]


class Redactor:
    """Hides personal details by one vault. Cheap to build; recognisers load when needed."""

    def __init__(
        self, vault: Vault, names: NameList | None = None, recognisers: Recognisers | None = None
    ) -> None:
        """names: the owner's list; what the vault knows as a person or venue is added to it."""
        self._vault = vault
        self._own = names or NameList()
        self._recognisers = recognisers or Recognisers()
        self._known: tuple[tuple[KnownName, ...], NameList] | None = None

    @classmethod
    def open(cls, vault: Path, names: NameList | None = None) -> "Redactor":
        """A redactor for another process: it opens the vault again."""
        return cls(Vault.open(vault), names)

    @property
    def vault(self) -> Vault:
        """The vault it writes to."""
        return self._vault

    def learn(self, names: NameList) -> None:
        """Keep a list in the vault: its names are found from now on, without the list, too.

        Placeholders are given in the order of the list. Raises VaultError.
        """
        self._own = self._own + names
        self._known = None
        for known in names.entries:
            self._of_known(known)

    def redact(self, text: str, region: str | None = None) -> Redaction:
        """Put placeholders in place of personal details.

        region: ISO 3166 country where the text is from, for national phone numbers. Redacting a
        result again changes nothing. Raises VaultError.
        """
        found = self._recognisers.find(text, self._names(), region)
        spans = tuple(self._placed(text, span) for span in found)
        return Redaction(text=mint_text("".join(_replaced(text, spans))), spans=spans)

    def person(self, name: str, kind: Kind = Kind.PERSON) -> SafeText:
        """The placeholder of somebody named by the owner; found in every later text, too."""
        clean = " ".join(name.split())
        if PLACEHOLDER.fullmatch(clean):
            return mint_text(clean)
        listed = self._listed(clean)
        if listed is not None:
            return mint_text(self._of_known(listed))
        return mint_text(self._vault.placeholder_for(kind, clean, guess=True, given=True))

    def _listed(self, name: str) -> KnownName | None:
        hits = self._own.find(name)
        return (
            hits[0].known if len(hits) == 1 and hits[0].end - hits[0].start == len(name) else None
        )

    def _names(self) -> NameList:
        """The owner's list, then who is in the vault; made again when the vault has grown."""
        known = tuple(_from_vault(self._vault.map().entries.values()))
        if self._known is None or self._known[0] != known:
            self._known = (known, self._own + NameList(entries=known))
        return self._known[1]

    def _placed(self, text: str, span: Span) -> RedactedSpan:
        name = span.name or text[span.start : span.end]
        return RedactedSpan(
            start=span.start,
            end=span.end,
            kind=span.kind,
            placeholder=self._placeholder(span, name, text[span.start : span.end]),
        )

    def _placeholder(self, span: Span, name: str, written: str) -> str:
        known = next((each for each in self._own.entries if each.name == name), None)
        if known is not None and span.name is not None:
            return self._as_written(span, written) or self._of_known(known)
        return self._vault.placeholder_for(span.kind, name, guess=span.name is None)

    def _as_written(self, span: Span, written: str) -> str | None:
        """The placeholder of the very spelling: an alias that was split off is somebody else."""
        return self._vault.map().find(span.kind, written)

    def _of_known(self, known: KnownName) -> str:
        """One placeholder for a listed name and all its aliases."""
        now = self._vault.map()
        placeholder = next(
            (found for name in known.names if (found := now.find(known.kind, name))), None
        )
        if placeholder is None:
            placeholder = self._vault.placeholder_for(known.kind, known.name, given=True)
        for name in known.names:
            if now.find(known.kind, name) is None:
                self._vault.add_alias(placeholder, name)
        return placeholder


def _from_vault(entries: Iterable[Entry]) -> Iterator[KnownName]:
    """People and venues; a venue that was only recognised needs two words to be known again."""
    for entry in entries:
        if entry.kind in LISTED and (entry.given or entry.kind in PEOPLE or " " in entry.name):
            yield KnownName(
                kind=entry.kind, name=entry.name, aliases=entry.aliases, given=entry.given
            )


def _replaced(text: str, spans: Iterable[RedactedSpan]) -> Iterator[str]:
    at = 0
    for span in spans:
        yield text[at : span.start]
        yield span.placeholder
        at = span.end
        if span.kind is Kind.PLACE and CITY_AFTER.match(text, at):
            yield ","  # "[Place C], Kyoto": the postal code between them is gone
    yield text[at:]
