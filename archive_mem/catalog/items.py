"""Items, their paths, their derivatives and their descriptions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, exists, func, select, update
from sqlalchemy.dialects.sqlite import insert

from archive_mem.catalog.codec import capture_from_json, capture_to_json, moment, now, stamp
from archive_mem.catalog.tables import annotations, descriptions, items, ledger, paths
from archive_mem.schema.media import MediaItem, MediaKind, PlaceName
from archive_mem.schema.safe import SafeText

__all__ = [
    "HAND",
    "Derived",
    "KnownPath",
    "Look",
    "Point",
    "Words",
    "count",
    "country_code",
    "drop",
    "face_counts",
    "ids_in_order",
    "items_at",
    "keep_path",
    "known_path",
    "latest_description",
    "load_derived",
    "load_item",
    "looks",
    "path_of_relative",
    "paths_of",
    "points",
    "replace_item",
    "save_derived",
    "save_description",
    "save_item",
    "save_moment",
    "save_texts",
    "set_description_body",
    "texts_sealed",
    "town",
]

HAND = 2.0
"""The score of a box that a person drew: more than any detector gives."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """An item in time and space, for grouping.

    instant: sort key in UTC seconds, None when unknown
    local: wall clock, None when unknown
    latitude, longitude: degrees, None when unknown
    moment: first item of its moment, itself when it stands alone
    """

    item_id: str
    instant: float | None
    local: datetime | None
    latitude: float | None
    longitude: float | None
    moment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What tells whether items are one moment.

    kind: photo or video
    sealed: one path, encrypted
    instant: UTC seconds, None when unknown
    device: camera or phone model
    content_mark: keyed hash of what a still and its live video share
    phash: perceptual hash, None for none
    first: first item of its moment as it was linked last, None when it stood alone
    """

    item_id: str
    kind: MediaKind
    sealed: str
    instant: float | None
    device: str | None
    content_mark: str | None
    phash: str | None
    first: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The redacted words of an item.

    name: file name
    place_label: nearest town, None when there is no place
    inscription: words that came with the file, None when there are none
    albums: path fingerprint -> album, None when there is none
    """

    name: SafeText
    place_label: SafeText | None
    inscription: SafeText | None
    albums: dict[str, SafeText | None]


def save_item(
    connection: Connection,
    item: MediaItem,
    instant: float | None,
    texts_sealed: str | None,
    content_mark: str | None = None,
) -> None:
    """Make or renew an item's own facts.

    instant: sort key, seconds in UTC; texts_sealed: encrypted raw descriptions that came with it;
    content_mark: keyed hash of what a still and its live video share.
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
        "content_mark": content_mark,
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


def items_at(connection: Connection, fingerprints: Iterable[str]) -> set[str]:
    """The items at the given paths."""
    wanted = set(fingerprints)
    rows = connection.execute(select(paths.c.fingerprint, paths.c.item_id))
    return {row.item_id for row in rows if row.fingerprint in wanted}


def texts_sealed(connection: Connection, item_id: str) -> str | None:
    """Encrypted words that came with an item."""
    return connection.execute(select(items.c.texts_sealed).where(items.c.id == item_id)).scalar()


def town(connection: Connection, item_id: str) -> PlaceName | None:
    """The nearest town of an item, None when it has no place."""
    item = load_item(connection, item_id)
    place = None if item is None else item.capture.place
    return None if place is None else place.place


def country_code(connection: Connection, item_id: str) -> str | None:
    """ISO code of the country an item was captured in."""
    found = town(connection, item_id)
    return None if found is None else found.country_code


def save_derived(connection: Connection, item_id: str, derived: Derived) -> None:
    """Keep what anonymisation made, and every box that a person drew before."""
    derived = _with_hand_boxes(connection, item_id, derived)
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


def _with_hand_boxes(connection: Connection, item_id: str, derived: Derived) -> Derived:
    known = load_derived(connection, item_id)
    drawn = () if known is None else (box for box in known.boxes if box[4] >= HAND)
    more = tuple(box for box in drawn if box not in derived.boxes)
    return replace(derived, faces=derived.faces + len(more), boxes=(*derived.boxes, *more))


def face_counts(connection: Connection) -> dict[str, int]:
    """Item id -> how many faces were destroyed, for what has a derivative."""
    rows = connection.execute(select(items.c.id, items.c.faces).where(items.c.derived.is_not(None)))
    return {row.id: row.faces or 0 for row in rows}


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
    words: Words,
) -> None:
    """Keep the redacted words of an item."""
    values = {
        "name": words.name,
        "place_label": words.place_label,
        "inscription": words.inscription,
    }
    connection.execute(update(items).where(items.c.id == item_id).values(values))
    for fingerprint, album in words.albums.items():
        connection.execute(
            update(paths).where(paths.c.fingerprint == fingerprint).values(album=album)
        )


def save_moment(connection: Connection, firsts: dict[str, str | None]) -> None:
    """Which items are one moment: item id -> first item of its moment."""
    for item_id, first in firsts.items():
        connection.execute(update(items).where(items.c.id == item_id).values(same_moment_as=first))


def load_item(connection: Connection, item_id: str) -> MediaItem | None:
    """An item's own facts, None when unknown."""
    row = connection.execute(select(items).where(items.c.id == item_id)).one_or_none()
    if row is None:
        return None
    return MediaItem(
        id=row.id,
        kind=MediaKind(row.kind),
        mime=row.mime,
        width=row.width,
        height=row.height,
        duration=row.duration,
        capture=capture_from_json(row.capture),
        note=row.note,
    )


def load_derived(connection: Connection, item_id: str) -> Derived | None:
    """What anonymisation made of an item, None when nothing."""
    row = connection.execute(select(items).where(items.c.id == item_id)).one_or_none()
    if row is None or row.derived is None:
        return None
    return Derived(
        path=row.derived,
        thumb=row.thumb,
        faces=row.faces,
        boxes=tuple(tuple(box) for box in row.face_boxes),
        phash=row.phash or "",
    )


def points(connection: Connection) -> list[Point]:
    """Every ready item's place in time and space, in no order."""
    rows = connection.execute(
        select(items)
        .join(ledger, (ledger.c.item_id == items.c.id) & (ledger.c.stage == "pseudonymise"))
        .where(ledger.c.outcome == "done", items.c.derived.is_not(None))
    )
    return [
        Point(
            item_id=row.id,
            instant=row.instant,
            local=moment(row.local),
            latitude=row.latitude,
            longitude=row.longitude,
            moment=row.same_moment_as or row.id,
        )
        for row in rows
    ]


def looks(connection: Connection) -> list[Look]:
    """What tells which items are one moment, one row a path."""
    rows = connection.execute(
        select(items, paths.c.sealed)
        .join(paths, paths.c.item_id == items.c.id)
        .where(items.c.derived.is_not(None))
        .order_by(items.c.id, paths.c.fingerprint)
    )
    return [
        Look(
            item_id=row.id,
            kind=MediaKind(row.kind),
            sealed=row.sealed,
            instant=row.instant,
            device=row.capture["device"],
            content_mark=row.content_mark,
            phash=row.phash,
            first=row.same_moment_as,
        )
        for row in rows
    ]


def replace_item(connection: Connection, old: str, new: str) -> None:
    """A file's bytes changed: what people said of the old bytes goes to the new ones."""
    taken = exists().where(annotations.c.item_id == new)
    connection.execute(
        update(annotations).where(annotations.c.item_id == old, ~taken).values(item_id=new)
    )
    kept = connection.execute(
        select(func.count()).select_from(annotations).where(annotations.c.item_id == old)
    ).scalar_one()
    if not kept:
        drop(connection, old)


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
