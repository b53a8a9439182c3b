"""The stage that weaves: sessions that changed are written again, the others are left alone."""

from collections.abc import Sequence

from sqlalchemy import Connection

from archive_mem.catalog import items, ledger, records, sessions
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.ingest.sessions import Group, GroupingRule, group
from archive_mem.ingest.weave import WEAVE_VERSION, weave
from archive_mem.progress import Track

__all__ = ["weave_changed"]

STAGE = "weave"


def weave_changed(catalog: Catalog, rule: GroupingRule, track: Track) -> int:
    """Bring sessions and turns in step with the records; returns how many sessions changed."""
    with catalog.reading() as connection:
        groups = group(items.points(connection), rule)
        known = sessions.fingerprints(connection)
        stale = set(ledger.waiting(connection, STAGE, WEAVE_VERSION))
    changed = [each for each in groups if _changed(each, known, stale)]
    for each in track(changed, "Weaving sessions", len(changed)):
        with catalog.writing() as connection:
            _weave_one(connection, each)
    _drop_gone(catalog, groups, known)
    return len(changed)


def _changed(each: Group, known: dict[str, str], stale: set[str]) -> bool:
    return each.session_id not in known or any(p.item_id in stale for p in each.points)


def _weave_one(connection: Connection, each: Group) -> None:
    ids = [point.item_id for point in each.points]
    members = {record.item_id: record for record in records.read(connection, ids)}
    if len(members) < len(ids):
        return  # an item was made stale meanwhile: the next run weaves it
    sessions.replace(connection, weave(each, members))
    for item_id in ids:
        ledger.write(
            connection,
            Entry(item_id=item_id, stage=STAGE, version=WEAVE_VERSION, outcome=Outcome.DONE),
        )


def _drop_gone(catalog: Catalog, groups: Sequence[Group], known: dict[str, str]) -> None:
    gone = set(known) - {each.session_id for each in groups}
    if gone:
        with catalog.writing() as connection:
            sessions.drop(connection, gone)
