"""Linking items that are one moment: live pairs, bursts, near copies, edits. Nothing is deleted."""

from archive_mem.catalog import annotations, items
from archive_mem.catalog.catalog import Catalog
from archive_mem.ingest.copies import moments

__all__ = ["link_moments"]


def link_moments(catalog: Catalog) -> int:
    """Bring the links in step; returns how many items changed theirs."""
    with catalog.reading() as connection:
        known = items.moments_known(connection)
    wanted = {look.item_id: None for look in known} | moments([look.look for look in known])
    changed = {
        entry.item_id: wanted[entry.item_id]
        for entry in known
        if wanted[entry.item_id] != entry.first
    }
    if changed:
        with catalog.writing() as connection:
            items.save_moment(connection, changed)
            for item_id in changed:
                annotations.mark_stale(connection, item_id)
    return len(changed)
