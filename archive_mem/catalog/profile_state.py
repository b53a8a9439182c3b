"""Where the profile is kept between runs: one JSON body a key."""

from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from archive_mem.catalog.tables import profile_state

__all__ = ["clear", "load", "save"]


def load(connection: Connection, key: str) -> dict[str, Any] | None:
    """The body under a key, None when there is none."""
    return connection.execute(
        select(profile_state.c.body).where(profile_state.c.key == key)
    ).scalar()


def save(connection: Connection, key: str, body: dict[str, Any]) -> None:
    """Put a body under a key."""
    statement = insert(profile_state).values(key=key, body=body)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["key"], set_={"body": statement.excluded.body}
        )
    )


def clear(connection: Connection) -> None:
    """Forget the profile; it is built again from the sessions."""
    connection.execute(delete(profile_state))
