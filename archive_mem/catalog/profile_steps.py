"""The checkpoints of the profile: one step a session, and small values by key."""

from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from archive_mem.catalog.tables import profile_steps, values

__all__ = ["get_value", "keep_steps", "set_value", "steps"]


def steps(connection: Connection) -> list[dict[str, Any]]:
    """Bodies of all steps in order."""
    query = select(profile_steps.c.body).order_by(profile_steps.c.position)
    return list(connection.execute(query).scalars())


def keep_steps(connection: Connection, position: int, bodies: list[dict[str, Any]]) -> None:
    """Replace every step from `position` on by `bodies`."""
    connection.execute(delete(profile_steps).where(profile_steps.c.position >= position))
    if bodies:
        connection.execute(
            insert(profile_steps),
            [{"position": position + n, "body": body} for n, body in enumerate(bodies)],
        )


def get_value(connection: Connection, key: str) -> Any | None:  # noqa: ANN401
    """A small JSON value, None when there is none."""
    return connection.execute(select(values.c.body).where(values.c.key == key)).scalar()


def set_value(connection: Connection, key: str, body: Any) -> None:  # noqa: ANN401
    """Keep a small JSON value."""
    statement = insert(values).values(key=key, body=body)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["key"], set_={"body": statement.excluded.body}
        )
    )
