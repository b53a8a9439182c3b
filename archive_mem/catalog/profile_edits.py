"""What the owner decided about statements of the profile by hand, in order."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from archive_mem.catalog.codec import now
from archive_mem.catalog.tables import profile_edits

__all__ = ["EditRow", "add", "drop", "read", "rewrite"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRow:
    """A decision as it is kept.

    id: grows with every decision
    body: JSON with safe text only
    sealed: the words that were typed, encrypted; None where none were
    saved_at: UTC
    """

    id: int
    body: dict[str, Any]
    sealed: str | None
    saved_at: str


def read(connection: Connection) -> list[EditRow]:
    """All decisions, the first one first."""
    rows = connection.execute(select(profile_edits).order_by(profile_edits.c.id))
    return [
        EditRow(id=row.id, body=row.body, sealed=row.sealed, saved_at=row.saved_at) for row in rows
    ]


def add(connection: Connection, body: dict[str, Any], sealed: str | None = None) -> int:
    """Keep a decision; returns its id."""
    statement = insert(profile_edits).values(body=body, sealed=sealed, saved_at=now())
    return int(connection.execute(statement.returning(profile_edits.c.id)).scalar_one())


def rewrite(connection: Connection, edit_id: int, body: dict[str, Any]) -> None:
    """Keep a decision in other words."""
    connection.execute(update(profile_edits).where(profile_edits.c.id == edit_id).values(body=body))


def drop(connection: Connection, edit_id: int) -> bool:
    """Take a decision back; whether it was there."""
    done = connection.execute(delete(profile_edits).where(profile_edits.c.id == edit_id))
    return bool(done.rowcount)
