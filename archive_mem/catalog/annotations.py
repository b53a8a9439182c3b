"""Annotations: append-only layers by annotators. A save is one short transaction."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, func, insert, select, update

from archive_mem.catalog.codec import layer_from_json, layer_to_json, now, stamp
from archive_mem.catalog.ledger import Entry, Outcome, write
from archive_mem.catalog.tables import annotations, items
from archive_mem.errors import EditConflict
from archive_mem.schema.annotation import Annotation, LayerName, ObjectiveLayer, SubjectiveLayer

__all__ = [
    "Draft",
    "annotators",
    "history",
    "layer_name",
    "mark_stale",
    "newest",
    "newest_fingerprint",
    "newest_of",
    "newest_rows",
    "rename_annotator",
    "rewrite",
    "save",
    "sealed_layers",
]

Layer = ObjectiveLayer | SubjectiveLayer


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A layer to be saved.

    item_id: of what
    annotator: whose, as it is kept: covered by the vault unless it is a word of the program
    layer: redacted content
    sealed: what was typed, encrypted
    fingerprint: keyed hash of what was typed; the same words again change nothing
    base_version: version the annotator saw, None to append to whatever is newest
    instant: sort key in UTC seconds of a corrected time, None when the time is not corrected
    already_safe: what was typed has nothing to redact, as in a file that was exported
    """

    item_id: str
    annotator: str
    layer: Layer
    sealed: str
    fingerprint: str
    base_version: int | None = None
    instant: float | None = None
    already_safe: bool = False


def save(connection: Connection, draft: Draft) -> int | None:
    """Append a version and mark the item's session stale.

    Returns the new version, None when the same words are there already.
    Raises EditConflict when `base_version` is not the newest.
    """
    name = layer_name(draft.layer)
    newest_row = _newest_row(connection, draft.item_id, name, draft.annotator)
    version = 0 if newest_row is None else newest_row.version
    if newest_row is not None and _same(newest_row, draft):
        return None
    if draft.base_version is not None and draft.base_version != version:
        raise EditConflict(
            f"{draft.item_id}: the {name} layer is at version {version}, "
            f"this edit began at version {draft.base_version}"
        )
    connection.execute(insert(annotations).values(_values(draft, name, version + 1)))
    mark_stale(connection, draft.item_id)
    _correct_time(connection, draft)
    return version + 1


def mark_stale(connection: Connection, item_id: str) -> None:
    """Tell the owner of the index that this item's session must be woven again."""
    write(
        connection,
        Entry(item_id=item_id, stage="weave", version="stale", outcome=Outcome.STALE),
    )


def newest(connection: Connection, item_ids: Iterable[str] | None = None) -> list[Annotation]:
    """The newest version by (item, layer, annotator), in order of item and time of saving."""
    return [_annotation(row) for row in newest_rows(connection, item_ids)]


def newest_rows(
    connection: Connection, item_ids: Iterable[str] | None = None
) -> list[Row[*tuple[Any, ...]]]:
    """The rows behind `newest`: with what was typed, sealed."""
    grouped = select(
        annotations.c.item_id,
        annotations.c.layer,
        annotations.c.annotator,
        func.max(annotations.c.version).label("version"),
    ).group_by(annotations.c.item_id, annotations.c.layer, annotations.c.annotator)
    if item_ids is not None:
        # Inside: SQLite would otherwise group the whole table for a few items.
        grouped = grouped.where(annotations.c.item_id.in_(list(item_ids)))
    latest = grouped.subquery()
    query = select(annotations).join(
        latest,
        and_(
            annotations.c.item_id == latest.c.item_id,
            annotations.c.layer == latest.c.layer,
            annotations.c.annotator == latest.c.annotator,
            annotations.c.version == latest.c.version,
        ),
    )
    return list(connection.execute(query.order_by(annotations.c.item_id, annotations.c.id)))


def newest_of(connection: Connection, item_id: str) -> list[Annotation]:
    """The newest layers of one item."""
    return newest(connection, [item_id])


def newest_fingerprint(
    connection: Connection, item_id: str, layer: str, annotator: str
) -> str | None:
    """Keyed hash of what was typed last, None when nothing was."""
    row = _newest_row(connection, item_id, layer, annotator)
    return None if row is None else row.fingerprint


def history(connection: Connection, item_id: str) -> list[Annotation]:
    """Every version of every layer of an item, oldest first."""
    rows = connection.execute(
        select(annotations).where(annotations.c.item_id == item_id).order_by(annotations.c.id)
    )
    return [_annotation(row) for row in rows]


def annotators(connection: Connection) -> list[str]:
    """Everybody who wrote a layer, as kept."""
    query = select(annotations.c.annotator).distinct().order_by(annotations.c.annotator)
    return list(connection.execute(query).scalars())


def rename_annotator(connection: Connection, old: str, new: str) -> None:
    """Keep an annotator under another word."""
    connection.execute(
        update(annotations).where(annotations.c.annotator == old).values(annotator=new)
    )


def sealed_layers(connection: Connection) -> list[tuple[int, str, str]]:
    """Row id, layer name and sealed words of every version."""
    rows = connection.execute(
        select(annotations.c.id, annotations.c.layer, annotations.c.sealed).order_by(
            annotations.c.id
        )
    )
    return [(row.id, row.layer, row.sealed) for row in rows]


def rewrite(connection: Connection, row_id: int, layer: Layer) -> bool:
    """Redact a version anew, now that more names are known; True if it changed."""
    body = layer_to_json(layer)
    row = connection.execute(
        select(annotations.c.item_id, annotations.c.body).where(annotations.c.id == row_id)
    ).one()
    if row.body == body:
        return False
    connection.execute(update(annotations).where(annotations.c.id == row_id).values(body=body))
    mark_stale(connection, row.item_id)
    return True


def _same(row: Row[*tuple[Any, ...]], draft: Draft) -> bool:
    """The same words again, or the placeholders of the same words."""
    return bool(
        row.fingerprint == draft.fingerprint
        or (draft.already_safe and row.body == layer_to_json(draft.layer))
    )


def layer_name(layer: Layer) -> LayerName:
    """Which of the two layers it is."""
    return LayerName.OBJECTIVE if isinstance(layer, ObjectiveLayer) else LayerName.SUBJECTIVE


def _values(draft: Draft, name: str, version: int) -> dict[str, Any]:
    return {
        "item_id": draft.item_id,
        "layer": name,
        "annotator": draft.annotator,
        "version": version,
        "body": layer_to_json(draft.layer),
        "sealed": draft.sealed,
        "fingerprint": draft.fingerprint,
        "saved_at": now(),
    }


def _newest_row(
    connection: Connection, item_id: str, layer: str, annotator: str
) -> Row[*tuple[Any, ...]] | None:
    return connection.execute(
        select(annotations.c.version, annotations.c.fingerprint, annotations.c.body)
        .where(
            annotations.c.item_id == item_id,
            annotations.c.layer == layer,
            annotations.c.annotator == annotator,
        )
        .order_by(annotations.c.version.desc())
        .limit(1)
    ).one_or_none()


def _correct_time(connection: Connection, draft: Draft) -> None:
    if not isinstance(draft.layer, ObjectiveLayer) or draft.layer.captured_at is None:
        return
    local = draft.layer.captured_at.replace(tzinfo=None)
    connection.execute(
        update(items)
        .where(items.c.id == draft.item_id)
        .values(local=stamp(local), instant=draft.instant)
    )


def _annotation(row: Row[*tuple[Any, ...]]) -> Annotation:
    return Annotation(
        item_id=row.item_id,
        annotator=row.annotator,
        version=row.version,
        saved_at=datetime.fromisoformat(row.saved_at),
        layer=layer_from_json(row.layer, row.body),
    )
