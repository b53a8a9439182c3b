"""What was read of files, and what was forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of `archive-mem inspect --memory` and `archive-mem forget`."""
    op.create_table(
        "readings",
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_readings")),
    )
    op.create_table(
        "forgotten",
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_forgotten")),
    )
