"""Linking items that are one moment: live pairs, bursts, near copies, edits. Nothing is deleted."""

from pathlib import PurePath

from anonymize.vault import Vault
from archive_mem.catalog import annotations, items
from archive_mem.catalog.catalog import Catalog
from archive_mem.ingest.copies import MomentFile, same_moment

__all__ = ["link_moments"]


def link_moments(catalog: Catalog, vault: Vault) -> int:
    """Bring the links in step; returns how many items changed theirs."""
    with catalog.reading() as connection:
        looks = items.looks(connection)
    wanted = same_moment([_file(look, vault) for look in looks])
    changed = {
        look.item_id: wanted.get(look.item_id)
        for look in looks
        if wanted.get(look.item_id) != look.first
    }
    if changed:
        with catalog.writing() as connection:
            items.save_moment(connection, changed)
            for item_id in changed:
                annotations.mark_stale(connection, item_id)
    return len(changed)


def _file(look: items.Look, vault: Vault) -> MomentFile:
    return MomentFile(
        id=look.item_id,
        kind=look.kind,
        path=PurePath(vault.unseal(look.sealed)).as_posix(),
        at=look.instant,
        device=look.device,
        content_id=look.content_mark,
        phash=look.phash,
    )
