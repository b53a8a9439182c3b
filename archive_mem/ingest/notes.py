"""annotations.jsonl in and out: what people say of items (DESIGN section 6).

A save is one short transaction and never waits for an ingest. What was typed is kept encrypted;
the catalog holds it with placeholders.
"""

import json
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from sqlalchemy import Connection

from anonymize.policy import Redactor
from anonymize.vault import Vault
from archive_mem.catalog import annotations, items
from archive_mem.catalog.annotations import Draft
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.codec import layer_to_json
from archive_mem.errors import InputError
from archive_mem.progress import Track
from archive_mem.schema.annotation import (
    OWNER,
    Annotation,
    LayerName,
    ObjectiveLayer,
    Scenario,
    SubjectiveLayer,
)
from archive_mem.schema.media import CaptureTime, corrected
from archive_mem.schema.safe import SafeText

__all__ = ["ImportReport", "Notes", "TypedObjective", "TypedSubjective"]


# Photography began in 1826; the calendar's own ends have no instant in every zone.
_FIRST_YEAR, _LAST_YEAR = 1800, 2999
_SHOWN = 300
"""So many characters of a path that no item is known for are told."""


class TypedObjective(BaseModel):
    """The objective layer as it was typed."""

    model_config = ConfigDict(extra="forbid")
    captured_at: datetime | None = None
    place: str | None = None
    people: list[str] = Field(default_factory=list)
    scenario: Scenario | None = None
    event: str | None = None

    @field_validator("captured_at", mode="before")
    @classmethod
    def _a_number_is_no_time(cls, value: object) -> object:
        if value is None or isinstance(value, str | datetime):
            return value
        raise ValueError("not a time such as 2024-06-01T18:00:00+02:00")

    @field_validator("captured_at")
    @classmethod
    def _within_the_calendar(cls, value: datetime | None) -> datetime | None:
        if value is not None and not _FIRST_YEAR <= value.year <= _LAST_YEAR:
            raise ValueError(f"its year is not from {_FIRST_YEAR} to {_LAST_YEAR}")
        return value

    @field_validator("people", mode="before")
    @classmethod
    def _none_is_nobody(cls, value: object) -> object:
        return [] if value is None else value


class TypedSubjective(BaseModel):
    """The subjective layer as it was typed."""

    model_config = ConfigDict(extra="forbid")
    context: str | None = None
    feelings: str | None = None
    preferences: list[str] = Field(default_factory=list)

    @field_validator("preferences", mode="before")
    @classmethod
    def _none_is_nothing(cls, value: object) -> object:
        return [] if value is None else value


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    media: str
    annotator: str = OWNER
    objective: TypedObjective | None = None
    subjective: TypedSubjective | None = None

    @property
    def layers(self) -> "list[Typed]":
        """The layers that say something."""
        both = (self.objective, self.subjective)
        return [layer for layer in both if layer is not None and layer.model_fields_set]


Typed = TypedObjective | TypedSubjective
_Key = tuple[str, str, type[Typed]]
# By item, annotator and layer: the last line of a file that speaks of it, the one that counts.
_Latest = dict[_Key, int]


@dataclass(slots=True)
class ImportReport:
    """What came of an import.

    lines: lines read
    saved: layers that were new or changed
    same: layers that were there already
    replaced: layers that a later line of the file says again, which is the one that counts
    unknown: media that no item is known for
    bad: line number and reason of lines that could not be read
    """

    lines: int = 0
    saved: int = 0
    same: int = 0
    replaced: int = 0
    unknown: list[str] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)


class Notes:
    """Saves and gives layers."""

    def __init__(self, catalog: Catalog, vault: Vault, redactor: Redactor, home: tzinfo) -> None:
        self._catalog = catalog
        self._vault = vault
        self._redactor = redactor
        self._home = home
        self._covered = False

    def import_file(self, path: Path, track: Track) -> ImportReport:
        """Import annotations.jsonl; what cannot be used is reported and the rest is imported."""
        report = ImportReport()
        latest: _Latest = {}
        for number, line in _lines(path, lambda at, reason: report.bad.append((at, reason))):
            self._learn_people(line)
            latest |= dict.fromkeys(self._keys(line), number)
        for number, line in track(_lines(path, lambda *_: None), "Importing annotations"):
            report.lines += 1
            self._import_line(number, line, latest, report)
        return report

    def _keys(self, line: _Line) -> list[_Key]:
        found = self._found(line.media)
        if found is None:
            return []
        return [(found, line.annotator, type(typed)) for typed in line.layers]

    def save(
        self, item_id: str, annotator: str, typed: Typed, base_version: int | None = None
    ) -> int | None:
        """Save a layer; returns its version, None when nothing changed.

        Raises EditConflict when the newest version is not `base_version`.
        """
        self.cover_annotators()
        annotator = self._cover(annotator)
        if self._is_newest(item_id, annotator, typed):
            return None
        draft = self._draft(item_id, annotator, typed, base_version)
        with self._catalog.writing() as connection:
            return annotations.save(connection, draft)

    def export(self, reveal: bool = False) -> Iterator[dict[str, Any]]:
        """Lines of annotations.jsonl, newest version of each layer, placeholders for names.

        reveal: what was typed instead, for the owner's own backup.
        """
        with self._catalog.reading() as connection:
            rows = annotations.newest_rows(connection)
        merged: dict[tuple[str, str], dict[str, Any]] = {}
        for row in rows:
            line = merged.setdefault(
                (row.item_id, row.annotator),
                {"media": row.item_id, "annotator": self._vault.uncover(row.annotator)},
            )
            line[row.layer] = json.loads(self._vault.unseal(row.sealed)) if reveal else row.body
        yield from merged.values()

    def item_of(self, media: str) -> str | None:
        """The item of a path under the ingested root, or of an item id; None when unknown."""
        return self._found(media)

    def named(self, layers: Iterable[Annotation]) -> list[Annotation]:
        """Layers with their annotators' real names, for the owner's own screen."""
        return [replace(layer, annotator=self._vault.uncover(layer.annotator)) for layer in layers]

    def cover_annotators(self) -> None:
        """Cover names that an earlier version kept in clear; looked for once."""
        if self._covered:
            return
        with self._catalog.reading() as connection:
            clear = [name for name in annotations.annotators(connection) if self._is_clear(name)]
        if clear:
            with self._catalog.writing() as connection:
                for name in clear:
                    annotations.rename_annotator(connection, name, self._vault.cover(name))
        self._covered = True

    def _is_clear(self, annotator: str) -> bool:
        return annotator != OWNER and self._vault.uncover(annotator) == annotator

    def _cover(self, annotator: str) -> str:
        return annotator if annotator == OWNER else self._vault.cover(annotator)

    def redact_again(self, concerned: Callable[[str], bool]) -> int:
        """Redact layers anew whose typed words `concerned` picks; returns how many changed."""
        changed = 0
        with self._catalog.reading() as connection:
            rows = annotations.sealed_layers(connection)
        for row_id, layer, sealed in rows:
            typed = self._vault.unseal(sealed)
            if concerned(typed):
                changed += self._rewrite(row_id, layer, typed)
        return changed

    def _rewrite(self, row_id: int, layer: str, typed: str) -> bool:
        model = TypedObjective if layer == "objective" else TypedSubjective
        safe = self._safe_layer(model.model_validate_json(typed), None)
        with self._catalog.writing() as connection:
            return annotations.rewrite(connection, row_id, safe)

    def _learn_people(self, line: _Line) -> None:
        """Names become known before any text is redacted, wherever in the file they stand."""
        for name in line.objective.people if line.objective else ():
            if name.strip():
                self._redactor.person(name)

    def _found(self, media: str) -> str | None:
        with self._catalog.reading() as connection:
            return self._item_at(connection, media)

    def _import_line(self, number: int, line: _Line, latest: _Latest, report: ImportReport) -> None:
        found = self._found(line.media)
        if found is None:
            report.unknown.append(_short(line.media))
            return
        for typed in line.layers:
            if latest.get((found, line.annotator, type(typed)), number) != number:
                report.replaced += 1
                continue
            saved = self.save(found, line.annotator, typed)
            report.saved += saved is not None
            report.same += saved is None

    def _item_at(self, connection: Connection, media: str) -> str | None:
        if items.load_item(connection, media) is not None:
            return media
        for form in dict.fromkeys((media, _nfc(media), _nfd(media))):
            for spelling in (form, form.removeprefix("./").replace("\\", "/")):
                found = items.path_of_relative(connection, self._vault.fingerprint(spelling))
                if found is not None:
                    return found
        known = items.known_path(connection, self._vault.fingerprint(os.path.abspath(media)))  # noqa: PTH100  it may not exist
        return None if known is None else known.item_id

    def _is_newest(self, item_id: str, annotator: str, typed: Typed) -> bool:
        """The same words as last time need not be redacted to be known."""
        name = LayerName.OBJECTIVE if isinstance(typed, TypedObjective) else LayerName.SUBJECTIVE
        with self._catalog.reading() as connection:
            newest = annotations.newest_fingerprint(connection, item_id, name, annotator)
        return newest == self._vault.fingerprint(_given(typed))

    def _draft(self, item_id: str, annotator: str, typed: Typed, base_version: int | None) -> Draft:
        with self._catalog.reading() as connection:
            item = items.load_item(connection, item_id)
            region = items.country_code(connection, item_id)
        layer = self._safe_layer(typed, region)
        body = typed.model_dump(mode="json")
        given = _given(typed)
        time = None if item is None else item.capture.time
        return Draft(
            item_id=item_id,
            annotator=annotator,
            layer=layer,
            sealed=self._vault.seal(given),
            fingerprint=self._vault.fingerprint(given),
            base_version=base_version,
            instant=self._instant(layer, time),
            already_safe=body == layer_to_json(layer),
        )

    def _instant(
        self, layer: ObjectiveLayer | SubjectiveLayer, time: CaptureTime | None
    ) -> float | None:
        if not isinstance(layer, ObjectiveLayer) or layer.captured_at is None:
            return None
        return corrected(time, layer.captured_at).instant(self._home).timestamp()

    def _safe_layer(self, typed: Typed, region: str | None) -> ObjectiveLayer | SubjectiveLayer:
        def safe(text: str | None) -> SafeText | None:
            return None if text is None else self._redactor.redact(text, region).text

        if isinstance(typed, TypedSubjective):
            return SubjectiveLayer(
                context=safe(typed.context),
                feelings=safe(typed.feelings),
                preferences=tuple(self._all(typed.preferences, region)),
            )
        return ObjectiveLayer(
            captured_at=typed.captured_at,
            people=tuple(self._redactor.person(name) for name in typed.people if name.strip()),
            place=safe(typed.place),
            scenario=typed.scenario,
            event=safe(typed.event),
        )

    def _all(self, texts: Sequence[str], region: str | None) -> Iterator[SafeText]:
        return (self._redactor.redact(text, region).text for text in texts)


def _lines(path: Path, refuse: Callable[[int, str], None]) -> Iterator[tuple[int, _Line]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    yield from _parsed(number, text, refuse)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(path, f"cannot be read ({reason})") from error


def _parsed(
    number: int, text: str, refuse: Callable[[int, str], None]
) -> Iterator[tuple[int, _Line]]:
    try:
        yield number, _Line.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        refuse(number, f"{place}: {first['msg']}" if place else str(first["msg"]))


def _given(typed: Typed) -> str:
    return json.dumps(typed.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)


def _short(media: str) -> str:
    return media if len(media) <= _SHOWN else f"{media[:_SHOWN]}..."


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)
