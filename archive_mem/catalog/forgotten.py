"""Taking items out of the catalog for good, and knowing that they are not wanted back."""

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, String, delete, exists, func, select, type_coerce
from sqlalchemy.dialects.sqlite import insert

from archive_mem.catalog.tables import (
    annotations,
    descriptions,
    forgotten,
    items,
    paths,
    profile_edits,
    profile_steps,
    turns,
)

__all__ = [
    "count_layers",
    "is_unwanted",
    "remember",
    "same_moments",
    "texts",
    "texts_of",
    "want_again",
]


_WORDS = (
    (items.c.id, items.c.name),
    (items.c.id, items.c.place_label),
    (items.c.id, items.c.inscription),
    (paths.c.item_id, paths.c.album),
    (descriptions.c.item_id, descriptions.c.body),
    (annotations.c.item_id, annotations.c.body),
    (turns.c.item_id, turns.c.text),
)
"""(item, column) of everything that may hold a placeholder."""


def remember(connection: Connection, mark: str) -> None:
    """Keep the keyed hash of an item that must not come back."""
    connection.execute(insert(forgotten).values(fingerprint=mark).on_conflict_do_nothing())


def is_unwanted(connection: Connection, mark: str) -> bool:
    """Whether an item was forgotten."""
    found: bool = connection.execute(
        select(exists().where(forgotten.c.fingerprint == mark))
    ).scalar_one()
    return found


def want_again(connection: Connection, mark: str) -> None:
    """An item may come back."""
    connection.execute(delete(forgotten).where(forgotten.c.fingerprint == mark))


def texts_of(connection: Connection, item_id: str) -> Iterator[str]:
    """All safe words of one item, as they are stored."""
    for owner, column in _WORDS:
        query = select(type_coerce(column, String)).where(column.is_not(None), owner == item_id)
        yield from connection.execute(query).scalars()


def texts(connection: Connection) -> Iterator[str]:
    """All safe words of the memory, as they are stored."""
    for column in (*(column for _, column in _WORDS), profile_steps.c.body, profile_edits.c.body):
        query = select(type_coerce(column, String)).where(column.is_not(None))
        yield from connection.execute(query).scalars()


def count_layers(connection: Connection, item_id: str) -> int:
    """How many versions of layers people wrote about an item."""
    query = select(func.count()).select_from(annotations).where(annotations.c.item_id == item_id)
    return connection.execute(query).scalar_one()


def same_moments(connection: Connection, item_ids: Iterable[str]) -> set[str]:
    """All items of the moments of some items, these included where they have a moment."""
    first = func.coalesce(items.c.same_moment_as, items.c.id)
    firsts = select(first).where(items.c.id.in_(list(item_ids)))
    return set(connection.execute(select(items.c.id).where(first.in_(firsts))).scalars())
