"""The stages that embed and index: turns that the index lacks are given, those gone are taken."""

from collections.abc import Sequence
from datetime import UTC

from archive_mem.catalog import sessions
from archive_mem.catalog.catalog import Catalog
from archive_mem.errors import IndexBroken
from archive_mem.index.base import IndexRecord
from archive_mem.index.hybrid import HybridIndex
from archive_mem.progress import Track
from archive_mem.schema.session import Turn
from models.base import TextEmbedder

__all__ = ["index_changed", "is_whole", "reindex"]

_BATCH = 256


def index_changed(
    catalog: Catalog, index: HybridIndex, embedder: TextEmbedder, track: Track
) -> int:
    """Bring the index in step with the turns; returns how many turns were given to it.

    Each batch is in the index before it is marked so: a killed run gives it again.
    """
    with catalog.reading() as connection:
        waiting = sessions.stale_turns(connection)
        gone = sessions.surplus_indexed(connection)
    if gone:
        index.delete(gone)
        with catalog.writing() as connection:
            sessions.mark_indexed(connection, {}, gone)
    batches = [waiting[start : start + _BATCH] for start in range(0, len(waiting), _BATCH)]
    for batch in track(batches, "Indexing", len(batches)):
        _give(catalog, index, embedder, batch)
    if gone or waiting:
        index.purge()
    return len(waiting)


def is_whole(catalog: Catalog, index: HybridIndex) -> bool:
    """Whether the index has every turn of the catalog with a vector that can be read."""
    return index.check(_turn_ids(catalog)).ok


def reindex(catalog: Catalog, index: HybridIndex, embedder: TextEmbedder, track: Track) -> int:
    """Build the whole index again from the catalog; returns how many turns are in it."""
    with catalog.writing() as connection:
        sessions.clear_indexed(connection)
    index.clear()
    count = index_changed(catalog, index, embedder, track)
    missing = index.check(_turn_ids(catalog)).missing
    if missing:
        raise IndexBroken(f"{len(missing)} turns are missing from the rebuilt index")
    return count


def _turn_ids(catalog: Catalog) -> list[str]:
    with catalog.reading() as connection:
        return sessions.turn_ids(connection)


def _give(
    catalog: Catalog,
    index: HybridIndex,
    embedder: TextEmbedder,
    batch: Sequence[tuple[Turn, str]],
) -> None:
    vectors = embedder.embed([turn.text for turn, _ in batch])
    index.upsert(
        [
            IndexRecord(
                id=turn.id,
                item_id=turn.item_id,
                session_id=turn.session_id,
                text=turn.text,
                vector=vector,
                at=None if turn.at is None else turn.at.replace(tzinfo=UTC).timestamp(),
            )
            for (turn, _), vector in zip(batch, vectors, strict=True)
        ]
    )
    with catalog.writing() as connection:
        sessions.mark_indexed(connection, {turn.id: mark for turn, mark in batch})
