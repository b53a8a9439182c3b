"""The ledger of stages: (item, stage, stage version) -> what came of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from archive_mem.catalog.codec import now
from archive_mem.catalog.tables import items, ledger

__all__ = [
    "Entry",
    "Outcome",
    "counts",
    "entries",
    "failures",
    "forget_stage",
    "make_stale",
    "seconds",
    "waiting",
    "write",
]


class Outcome(StrEnum):
    """What came of one stage for one item."""

    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the ledger.

    item_id, stage, version: what was done to what
    outcome: done, skipped, failed, or stale (was done, must be done again)
    reason: why it was skipped or failed
    seconds: time it took
    """

    item_id: str
    stage: str
    version: str
    outcome: Outcome
    reason: str | None = None
    seconds: float = 0.0


def write(connection: Connection, entry: Entry) -> None:
    """Keep one outcome; older versions of the same stage are dropped."""
    forget_stage(connection, entry.item_id, entry.stage, keep=entry.version)
    values = {
        "item_id": entry.item_id,
        "stage": entry.stage,
        "version": entry.version,
        "outcome": entry.outcome.value,
        "reason": entry.reason,
        "at": now(),
        "seconds": entry.seconds,
    }
    statement = insert(ledger).values(values)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["item_id", "stage", "version"], set_=dict(statement.excluded)
        )
    )


def forget_stage(connection: Connection, item_id: str, stage: str, keep: str = "") -> None:
    """Drop what is known of a stage of an item, but for version `keep`."""
    connection.execute(
        delete(ledger).where(
            ledger.c.item_id == item_id, ledger.c.stage == stage, ledger.c.version != keep
        )
    )


def make_stale(connection: Connection, item_id: str, stage: str) -> None:
    """What was done of a stage must be done again."""
    connection.execute(
        update(ledger)
        .where(ledger.c.item_id == item_id, ledger.c.stage == stage)
        .values(outcome=Outcome.STALE.value)
    )


def waiting(
    connection: Connection, stage: str, version: str, *, after: str | None = None
) -> list[str]:
    """Items for which a stage was not ended at this version, in order of time.

    after: a stage that must be done before
    """
    ended = select(ledger.c.item_id).where(
        ledger.c.stage == stage,
        ledger.c.version == version,
        ledger.c.outcome != Outcome.STALE.value,
    )
    query = (
        select(items.c.id)
        .where(items.c.id.not_in(ended))
        .order_by(items.c.instant.is_(None), items.c.instant, items.c.id)
    )
    if after is not None:
        done = (ledger.c.stage == after) & (ledger.c.outcome == Outcome.DONE.value)
        query = query.where(items.c.id.in_(select(ledger.c.item_id).where(done)))
    return list(connection.execute(query).scalars())


def entries(connection: Connection, item_id: str) -> dict[str, Entry]:
    """The lines of one item, by stage."""
    rows = connection.execute(select(ledger).where(ledger.c.item_id == item_id))
    return {row.stage: _entry(row) for row in rows}


def failures(connection: Connection) -> list[Entry]:
    """All failed lines, in order of item."""
    rows = connection.execute(
        select(ledger).where(ledger.c.outcome == Outcome.FAILED).order_by(ledger.c.item_id)
    )
    return [_entry(row) for row in rows]


def counts(connection: Connection) -> dict[tuple[str, Outcome], int]:
    """How many items a (stage, outcome)."""
    rows = connection.execute(
        select(ledger.c.stage, ledger.c.outcome, func.count()).group_by(
            ledger.c.stage, ledger.c.outcome
        )
    )
    return {(stage, Outcome(outcome)): count for stage, outcome, count in rows}


def seconds(connection: Connection) -> dict[str, float]:
    """Seconds spent a stage, all items together."""
    rows = connection.execute(
        select(ledger.c.stage, func.sum(ledger.c.seconds)).group_by(ledger.c.stage)
    )
    return {row[0]: row[1] for row in rows}


def _entry(row: Row[*tuple[Any, ...]]) -> Entry:
    return Entry(
        item_id=row.item_id,
        stage=row.stage,
        version=row.version,
        outcome=Outcome(row.outcome),
        reason=row.reason,
        seconds=row.seconds,
    )
