"""Cameras are kept without the names and serial numbers of their owners."""

import json
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from anonymize.devices import public_device

revision = "0003"
down_revision = "0002"

_PAGE = 500


def upgrade() -> None:
    """Take owners out of what is kept of each camera."""
    connection = op.get_bind()
    for item_id, text in _captures(connection):
        capture = json.loads(text)
        device = public_device(capture.get("device"))
        if device != capture.get("device"):
            connection.execute(
                sa.text("UPDATE items SET capture = :capture WHERE id = :id"),
                {"id": item_id, "capture": json.dumps(capture | {"device": device})},
            )


def _captures(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """Page by page: what is being changed cannot be read through an open cursor."""
    after = ""
    query = sa.text("SELECT id, capture FROM items WHERE id > :after ORDER BY id LIMIT :page")
    while rows := connection.execute(query, {"after": after, "page": _PAGE}).all():
        yield from ((row.id, row.capture) for row in rows)
        after = rows[-1].id
