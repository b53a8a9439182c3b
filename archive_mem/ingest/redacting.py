"""The stage that redacts words, by the owner and in order of time: letters come in order too."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from anonymize.compose import join, place_label
from anonymize.cover import Region
from anonymize.policy import Redactor
from anonymize.pseudonyms import PLACEHOLDER, fold
from anonymize.vault import Vault
from archive_mem.catalog import annotations, items, ledger
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.codec import description_to_json
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.catalog.profile_steps import get_value, set_value
from archive_mem.errors import MediaError, PrivacyError
from archive_mem.ingest.covering import Coverer
from archive_mem.ingest.discover import printable
from archive_mem.ingest.notes import Notes
from archive_mem.progress import Track
from archive_mem.schema.annotation import Description, OcrLine, Scenario
from archive_mem.schema.safe import SafeText

__all__ = ["REDACT_VERSION", "WordRedactor"]

REDACT_VERSION = "2"
STAGE = "pseudonymise"
SEEN = "names seen"

_NEW_KEYS = {
    "short": "",
    "text": (),
    "objects": (),
    "activity": "",
    "mood": "",
    "seconds": 0.0,
    "tokens": 0,
}
"""What a caption of an earlier version does not have."""


class WordRedactor:
    """Redacts names, albums, captions and text, and fills in pictures what is hidden in words."""

    def __init__(
        self,
        catalog: Catalog,
        vault: Vault,
        redactor: Redactor,
        coverer: Coverer,
        region: str | None,
        track: Track,
    ) -> None:
        self._catalog = catalog
        self._coverer = coverer
        self._vault = vault
        self._redactor = redactor
        self._region = region
        self._track = track

    def redact_new(self) -> int:
        """Redact what is not redacted at this version; returns how many items."""
        with self._catalog.reading() as connection:
            waiting = ledger.waiting(connection, STAGE, REDACT_VERSION)
        for item_id in self._track(waiting, "Replacing personal details", len(waiting)):
            self._redact(item_id)
        return len(waiting)

    def apply_new_names(self, notes: Notes) -> None:
        """Redact anew what was redacted before a name in it was known, or was somebody else.

        What was seen is noted last: a run that is killed before is made up for by the next.
        """
        known = _owners(self._vault)
        marks = {self._mark(name): self._mark(owners) for name, owners in known.items()}
        with self._catalog.reading() as connection:
            seen = _seen(get_value(connection, SEEN))
        new = [
            name
            for name, owners in known.items()
            if seen.get(self._mark(name)) not in ("", self._mark(owners))
        ]
        if new:
            self._redact_with(notes, new)
        if marks != seen:
            with self._catalog.writing() as connection:
                set_value(connection, SEEN, marks)

    def _mark(self, text: str) -> str:
        return self._vault.fingerprint(text)

    def _redact_with(self, notes: Notes, new: list[str]) -> None:
        def concerned(text: str) -> bool:
            folded = fold(text)
            return any(name in folded for name in new)

        with self._catalog.reading() as connection:
            ids = list(items.ids_in_order(connection))
        for item_id in ids:
            with self._catalog.reading() as connection:
                raw = list(self._raw_texts(connection, item_id))
            if any(map(concerned, raw)):
                self._redact(item_id)
        notes.redact_again(concerned)

    def _raw_texts(self, connection: Connection, item_id: str) -> Iterator[str]:
        for place in items.paths_of(connection, item_id):
            yield _file_name(self._vault.unseal(place.sealed))
            if place.album_sealed is not None:
                yield self._vault.unseal(place.album_sealed)
        texts = items.texts_sealed(connection, item_id)
        latest = items.latest_description(connection, item_id)
        for sealed in (texts, None if latest is None else latest[1]):
            if sealed is not None:
                yield from _strings(json.loads(self._vault.unseal(sealed)))

    def _redact(self, item_id: str) -> None:
        """All words of one item in one transaction, then the item may be read.

        What is hidden in words is filled in its picture first: nobody sees it before.
        """
        said = self._said(item_id)
        reason = self._cover(item_id, said)
        with self._catalog.writing() as connection:
            self._keep(connection, item_id, said)
            if reason is not None:
                ledger.write(connection, self._entry(item_id, Outcome.FAILED, reason))

    def _cover(self, item_id: str, said: tuple[int, Description] | None) -> str | None:
        """Fill the picture; why it could not be done, None when all is well."""
        try:
            self._coverer.cover(item_id, () if said is None else _personal(said[1]))
        except (PrivacyError, MediaError) as error:
            return str(error)
        return None

    def _said(self, item_id: str) -> tuple[int, Description] | None:
        """Row and redacted words of the newest description."""
        with self._catalog.reading() as connection:
            latest = items.latest_description(connection, item_id)
            region = self._region_of(connection, item_id)
        if latest is None:
            return None
        return latest[0], self._description(json.loads(self._vault.unseal(latest[1])), region)

    def _keep(
        self, connection: Connection, item_id: str, said: tuple[int, Description] | None
    ) -> None:
        region = self._region_of(connection, item_id)
        items.save_texts(connection, item_id, self._words(connection, item_id, region))
        if said is not None:
            items.set_description_body(connection, said[0], description_to_json(said[1]))
        # An item without a derivative is never read, whatever its words are.
        if items.load_derived(connection, item_id) is None:
            skipped = self._entry(item_id, Outcome.SKIPPED, "an earlier stage failed")
            ledger.write(connection, skipped)
        else:
            ledger.write(connection, self._entry(item_id, Outcome.DONE))
            annotations.mark_stale(connection, item_id)

    def _region_of(self, connection: Connection, item_id: str) -> str | None:
        return items.country_code(connection, item_id) or self._region

    def _entry(self, item_id: str, outcome: Outcome, reason: str | None = None) -> Entry:
        return Entry(
            item_id=item_id, stage=STAGE, version=REDACT_VERSION, outcome=outcome, reason=reason
        )

    def _words(self, connection: Connection, item_id: str, region: str | None) -> items.Words:
        places = items.paths_of(connection, item_id)
        texts = items.texts_sealed(connection, item_id)
        with_it = json.loads(self._vault.unseal(texts)) if texts else {"texts": [], "albums": []}
        name = _file_name(self._vault.unseal(places[0].sealed)) if places else ""
        town = items.town(connection, item_id)
        return items.Words(
            name=self._safe(name, region),
            place_label=None if town is None else place_label(town),
            inscription=self._inscription(with_it["texts"], region),
            albums={place.fingerprint: self._album(place, region) for place in places},
        )

    def _album(self, place: items.KnownPath, region: str | None) -> SafeText | None:
        if place.album_sealed is None:
            return None
        return self._safe(self._vault.unseal(place.album_sealed), region)

    def _inscription(self, texts: Iterable[str], region: str | None) -> SafeText | None:
        safe = [self._safe(text, region) for text in dict.fromkeys(texts) if text.strip()]
        return join(" ", safe) if safe else None

    def _description(self, raw: dict[str, Any], region: str | None) -> Description:
        caption = _NEW_KEYS | raw["caption"]
        scenario = caption["scenario"]
        return Description(
            producer=raw["producer"],
            prompt_version=raw["prompt_version"],
            caption=self._safe(caption["caption"], region),
            ocr=tuple(self._line(line, region) for line in raw["lines"]),
            tags=tuple(dict.fromkeys((*raw["tags"], *caption["tags"]))),
            people_count=caption["people_count"],
            scenario=None if scenario is None else Scenario(scenario),
            short=self._safe_or_none(caption["short"], region),
            text=tuple(self._safe(line, region) for line in caption["text"]),
            objects=tuple(self._safe(each, region) for each in caption["objects"]),
            activity=self._safe_or_none(caption["activity"], region),
            mood=self._safe_or_none(caption["mood"], region),
            seconds=caption["seconds"],
            tokens=caption["tokens"],
        )

    def _line(self, line: dict[str, Any], region: str | None) -> OcrLine:
        return OcrLine(
            text=self._safe(line["text"], region), score=line["score"], box=tuple(line["box"])
        )

    def _safe_or_none(self, text: str, region: str | None) -> SafeText | None:
        return self._safe(text, region) if text else None

    def _safe(self, text: str, region: str | None) -> SafeText:
        return self._redactor.redact(text, region).text


def _owners(vault: Vault) -> dict[str, str]:
    """Every known name -> the placeholders that stand for it now."""
    known: dict[str, set[str]] = {}
    for entry in vault.names():
        for name in entry.names:
            known.setdefault(fold(name), set()).add(entry.placeholder)
    return {name: " ".join(sorted(owners)) for name, owners in known.items()}


def _seen(body: Any) -> dict[str, str]:  # noqa: ANN401 - any JSON
    """Mark of a name -> mark of its owners; a version before kept the names alone."""
    return dict(body) if isinstance(body, dict) else dict.fromkeys(body or (), "")


def _personal(said: Description) -> list[Region]:
    """Where lines stand that hold a placeholder now."""
    return [line.box for line in said.ocr if PLACEHOLDER.search(line.text.value)]


def _strings(body: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    """Every text in it, as it was said."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, dict):
        yield from _strings(list(body.values()))
    elif isinstance(body, list):
        for each in body:
            yield from _strings(each)


def _file_name(path: str) -> str:
    return printable(Path(Path(path).name))
