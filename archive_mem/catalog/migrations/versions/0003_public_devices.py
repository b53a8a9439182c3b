"""Cameras are kept without the names and serial numbers of their owners."""

import json

import sqlalchemy as sa
from alembic import op

from anonymize.devices import public_device

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Take owners out of what is kept of each camera."""
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT id, capture FROM items")).all()
    for item_id, text in rows:
        capture = json.loads(text)
        device = public_device(capture.get("device"))
        if device != capture.get("device"):
            connection.execute(
                sa.text("UPDATE items SET capture = :capture WHERE id = :id"),
                {"id": item_id, "capture": json.dumps(capture | {"device": device})},
            )
