"""What the owner decided about statements of the profile by hand."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table of `archive-mem profile merge`, `split`, `hide`, `show` and `correct`."""
    op.create_table(
        "profile_edits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=True),
        sa.Column("saved_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_profile_edits")),
    )
