"""Records: an item with its newest description and layers merged, in order of time."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, func, select

from archive_mem.catalog.annotations import newest
from archive_mem.catalog.codec import capture_from_json, description_from_json, stamp
from archive_mem.catalog.tables import descriptions, items, ledger, paths, session_items
from archive_mem.schema.annotation import (
    OWNER,
    Annotation,
    Description,
    ObjectiveLayer,
    SubjectiveLayer,
)
from archive_mem.schema.media import CaptureTime, MediaKind, corrected
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["READY", "merged_objective", "merged_subjective", "read"]

READY = "pseudonymise"
"""The stage after which an item may be read."""

_CHUNK = 500


def read(
    connection: Connection,
    item_ids: Sequence[str] | None = None,
    until: datetime | None = None,
) -> Iterator[Record]:
    """Records that are ready (their last privacy stage is done), streamed in chunks."""
    query = (
        select(items.c.id)
        .join(ledger, (ledger.c.item_id == items.c.id) & (ledger.c.stage == READY))
        .where(ledger.c.outcome == "done", items.c.derived.is_not(None))
        .order_by(items.c.instant.is_(None), items.c.instant, items.c.id)
    )
    if item_ids is not None and len(item_ids) <= _CHUNK:
        query = query.where(items.c.id.in_(list(item_ids)))
    if until is not None:
        query = query.where(items.c.local <= stamp(until))
    found = connection.execute(query).scalars().all()
    for chunk in _chunks(_wanted(found, item_ids)):
        yield from _records(connection, chunk)


def _wanted(found: Sequence[str], item_ids: Sequence[str] | None) -> Sequence[str]:
    if item_ids is None or len(item_ids) <= _CHUNK:
        return found
    wanted = set(item_ids)  # more than SQLite takes as parameters of one statement
    return [item_id for item_id in found if item_id in wanted]


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))


def _records(connection: Connection, ids: Sequence[str]) -> Iterator[Record]:
    rows = {row.id: row for row in connection.execute(select(items).where(items.c.id.in_(ids)))}
    said = _descriptions(connection, ids)
    layers = _layers(connection, ids)
    albums = _albums(connection, ids)
    sessions = _sessions(connection, ids)
    for item_id in ids:
        yield _record(
            rows[item_id],
            said.get(item_id),
            layers.get(item_id, []),
            albums.get(item_id, ()),
            sessions.get(item_id),
        )


def _record(
    row: Row[*tuple[Any, ...]],
    description: Description | None,
    layers: list[Annotation],
    albums: tuple[SafeText, ...],
    session_id: str | None,
) -> Record:
    capture = capture_from_json(row.capture)
    objective = merged_objective(layers)
    place = None if objective is None else objective.place
    return Record(
        item_id=row.id,
        session_id=session_id,
        name=row.name,
        kind=MediaKind(row.kind),
        time=_verified(capture.time, objective),
        place=capture.place,
        place_label=place or row.place_label,
        albums=albums,
        inscription=row.inscription,
        description=description,
        objective=objective,
        subjective=merged_subjective(layers),
        thumb=row.thumb,
        same_moment_as=row.same_moment_as,
        duration=row.duration,
        overruled=_overruled(layers),
    )


def _overruled(layers: Sequence[Annotation]) -> ObjectiveLayer | None:
    facts = [note for note in layers if isinstance(note.layer, ObjectiveLayer)]
    others = [note for note in facts if note.annotator != OWNER]
    return merged_objective(others) if len(others) < len(facts) else None


def _verified(time: CaptureTime | None, objective: ObjectiveLayer | None) -> CaptureTime | None:
    if objective is None or objective.captured_at is None:
        return time
    return corrected(time, objective.captured_at)


Layer = TypeVar("Layer", ObjectiveLayer, SubjectiveLayer)


def merged_objective(layers: Sequence[Annotation]) -> ObjectiveLayer | None:
    """The owner's value of every field, else the newest; None when nobody wrote the layer."""
    return _merge(ObjectiveLayer, layers)


def merged_subjective(layers: Sequence[Annotation]) -> SubjectiveLayer | None:
    """The owner's value of every field, else the newest; None when nobody wrote the layer."""
    return _merge(SubjectiveLayer, layers)


def _merge(kind: type[Layer], layers: Sequence[Annotation]) -> Layer | None:
    found = [note for note in layers if isinstance(note.layer, kind)]
    if not found:
        return None
    merged = kind()
    for note in sorted(
        found, key=lambda note: (note.annotator == OWNER, note.saved_at, note.annotator)
    ):
        given = {name: getattr(note.layer, name) for name in kind.__dataclass_fields__}
        merged = replace(merged, **{name: value for name, value in given.items() if value})
    return merged


def _descriptions(connection: Connection, ids: Sequence[str]) -> dict[str, Description]:
    last = (
        select(func.max(descriptions.c.id))
        .where(descriptions.c.item_id.in_(ids), descriptions.c.body.is_not(None))
        .group_by(descriptions.c.item_id)
    )
    rows = connection.execute(select(descriptions).where(descriptions.c.id.in_(last)))
    return {
        row.item_id: description_from_json(row.producer, row.prompt_version, row.body)
        for row in rows
    }


def _layers(connection: Connection, ids: Sequence[str]) -> dict[str, list[Annotation]]:
    notes = newest(connection, ids)
    return {
        item_id: list(group) for item_id, group in groupby(notes, key=lambda note: note.item_id)
    }


def _albums(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[SafeText, ...]]:
    rows = connection.execute(
        select(paths.c.item_id, paths.c.album)
        .where(paths.c.item_id.in_(ids), paths.c.album.is_not(None))
        .order_by(paths.c.item_id, paths.c.album)
    )
    found: dict[str, dict[SafeText, None]] = {}
    for item_id, album in rows:
        found.setdefault(item_id, {})[album] = None
    return {item_id: tuple(names) for item_id, names in found.items()}


def _sessions(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    rows = connection.execute(
        select(session_items.c.item_id, session_items.c.session_id).where(
            session_items.c.item_id.in_(ids)
        )
    )
    return {row.item_id: row.session_id for row in rows}
