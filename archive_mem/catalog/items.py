"""Items, their paths, their derivatives and their descriptions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from archive_mem.catalog.codec import capture_to_json, now, stamp
from archive_mem.catalog.tables import descriptions, items, paths
from archive_mem.schema.media import MediaItem
from archive_mem.schema.safe import SafeText

__all__ = [
    "Derived",
    "KnownPath",
    "count",
    "ids_in_order",
    "keep_path",
    "known_path",
    "latest_description",
    "path_of_relative",
    "paths_of",
    "save_derived",
    "save_description",
    "save_item",
    "save_moment",
    "save_texts",
    "set_description_body",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPath:
    """Where a file lies. Paths may hold names, so they are sealed by the vault.

    fingerprint: keyed hash of the absolute path
    item_id: the item found there
    sealed: the absolute path, encrypted
    relative_fingerprint: keyed hash of the path under the ingested root
    album_sealed: the album's name, encrypted; None when there is none
    size, mtime_ns: of the file when it was read; a change means it must be read again
    """

    fingerprint: str
    item_id: str
    sealed: str
    relative_fingerprint: str
    album_sealed: str | None
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What anonymisation made of an item.

    path, thumb: relative to the memory folder
    faces: how many were destroyed
    boxes: left, top, width, height, score in pixels of the upright original
    phash: perceptual hash of the derivative, hex, "" for none
    """

    path: str
    thumb: str
    faces: int
    boxes: tuple[tuple[float, float, float, float, float], ...]
    phash: str


def save_item(
    connection: Connection, item: MediaItem, instant: float | None, texts_sealed: str | None
) -> None:
    """Make or renew an item's own facts.

    instant: sort key, seconds in UTC; texts_sealed: encrypted raw descriptions that came with it.
    """
    place = item.capture.place
    name = None if place is None else place.place
    values: dict[str, Any] = {
        "id": item.id,
        "kind": item.kind.value,
        "mime": item.mime,
        "width": item.width,
        "height": item.height,
        "duration": item.duration,
        "note": item.note,
        "capture": capture_to_json(item.capture),
        "local": stamp(None if item.capture.time is None else item.capture.time.local),
        "instant": instant,
        "latitude": None if place is None else place.latitude,
        "longitude": None if place is None else place.longitude,
        "city": None if name is None else name.city,
        "country": None if name is None else name.country,
        "texts_sealed": texts_sealed,
    }
    statement = insert(items).values(values)
    renewed = {key: statement.excluded[key] for key in values if key != "id"}
    connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_=renewed))


def keep_path(connection: Connection, path: KnownPath) -> None:
    """Remember where an item lies; a path that holds other bytes now moves to the new item."""
    values = {name: getattr(path, name) for name in KnownPath.__dataclass_fields__}
    statement = insert(paths).values(values)
    renewed = {key: statement.excluded[key] for key in values if key != "fingerprint"}
    connection.execute(
        statement.on_conflict_do_update(index_elements=["fingerprint"], set_=renewed)
    )


def known_path(connection: Connection, fingerprint: str) -> KnownPath | None:
    """What lies at a path, None when it was never read."""
    row = connection.execute(select(paths).where(paths.c.fingerprint == fingerprint)).one_or_none()
    if row is None:
        return None
    return KnownPath(**{name: getattr(row, name) for name in KnownPath.__dataclass_fields__})


def paths_of(connection: Connection, item_id: str) -> list[KnownPath]:
    """Every place where an item lies."""
    rows = connection.execute(
        select(paths).where(paths.c.item_id == item_id).order_by(paths.c.fingerprint)
    )
    return [
        KnownPath(**{name: getattr(row, name) for name in KnownPath.__dataclass_fields__})
        for row in rows
    ]


def path_of_relative(connection: Connection, relative_fingerprint: str) -> str | None:
    """The item at a path under the ingested root, None when unknown."""
    return connection.execute(
        select(paths.c.item_id).where(paths.c.relative_fingerprint == relative_fingerprint).limit(1)
    ).scalar()


def save_derived(connection: Connection, item_id: str, derived: Derived) -> None:
    """Keep what anonymisation made."""
    connection.execute(
        update(items)
        .where(items.c.id == item_id)
        .values(
            derived=derived.path,
            thumb=derived.thumb,
            faces=derived.faces,
            face_boxes=[list(box) for box in derived.boxes],
            phash=derived.phash or None,
        )
    )


def save_description(
    connection: Connection, item_id: str, producer: str, prompt_version: str, sealed: str
) -> None:
    """Append what a machine said, encrypted until it is redacted."""
    connection.execute(
        insert(descriptions).values(
            item_id=item_id,
            producer=producer,
            prompt_version=prompt_version,
            sealed=sealed,
            saved_at=now(),
        )
    )


def latest_description(connection: Connection, item_id: str) -> tuple[int, str] | None:
    """Row id and sealed words of the newest description."""
    row = connection.execute(
        select(descriptions.c.id, descriptions.c.sealed)
        .where(descriptions.c.item_id == item_id)
        .order_by(descriptions.c.id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else (row.id, row.sealed)


def set_description_body(connection: Connection, row_id: int, body: dict[str, Any]) -> None:
    """Put the redacted words beside the sealed ones."""
    connection.execute(update(descriptions).where(descriptions.c.id == row_id).values(body=body))


def save_texts(
    connection: Connection,
    item_id: str,
    name: SafeText,
    place_label: SafeText | None,
    albums: dict[str, SafeText | None],
) -> None:
    """Redacted file name and place, and the redacted album by path fingerprint."""
    connection.execute(
        update(items).where(items.c.id == item_id).values(name=name, place_label=place_label)
    )
    for fingerprint, album in albums.items():
        connection.execute(
            update(paths).where(paths.c.fingerprint == fingerprint).values(album=album)
        )


def save_moment(connection: Connection, firsts: dict[str, str | None]) -> None:
    """Which items are one moment: item id -> first item of its moment."""
    for item_id, first in firsts.items():
        connection.execute(update(items).where(items.c.id == item_id).values(same_moment_as=first))


def ids_in_order(connection: Connection) -> Iterator[str]:
    """All item ids in order of time; items without any time come last."""
    rows = connection.execute(
        select(items.c.id).order_by(items.c.instant.is_(None), items.c.instant, items.c.id)
    )
    return (row.id for row in rows)


def count(connection: Connection) -> int:
    """How many items there are."""
    return connection.execute(select(func.count()).select_from(items)).scalar_one()


def drop(connection: Connection, item_id: str) -> None:
    """Remove an item and all that hangs on it."""
    connection.execute(delete(items).where(items.c.id == item_id))
