"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "indexed",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_indexed")),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("mime", sa.String(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("duration", sa.Float(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("capture", sa.JSON(), nullable=False),
        sa.Column("local", sa.String(), nullable=True),
        sa.Column("instant", sa.Float(), nullable=True),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("city", sa.String(), nullable=True),
        sa.Column("country", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("place_label", sa.String(), nullable=True),
        sa.Column("texts_sealed", sa.String(), nullable=True),
        sa.Column("inscription", sa.String(), nullable=True),
        sa.Column("derived", sa.String(), nullable=True),
        sa.Column("thumb", sa.String(), nullable=True),
        sa.Column("faces", sa.Integer(), nullable=True),
        sa.Column("face_boxes", sa.JSON(), nullable=True),
        sa.Column("phash", sa.String(), nullable=True),
        sa.Column("content_mark", sa.String(), nullable=True),
        sa.Column("same_moment_as", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
    )
    op.create_index(op.f("ix_items_city"), "items", ["city"], unique=False)
    op.create_index(op.f("ix_items_country"), "items", ["country"], unique=False)
    op.create_index(op.f("ix_items_instant"), "items", ["instant"], unique=False)
    op.create_index(op.f("ix_items_local"), "items", ["local"], unique=False)
    op.create_index(op.f("ix_items_same_moment_as"), "items", ["same_moment_as"], unique=False)
    op.create_table(
        "profile_steps",
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_profile_steps")),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("started", sa.String(), nullable=True),
        sa.Column("ended", sa.String(), nullable=True),
        sa.Column("instant", sa.Float(), nullable=True),
        sa.Column("place_label", sa.String(), nullable=True),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_instant"), "sessions", ["instant"], unique=False)
    op.create_index(op.f("ix_sessions_started"), "sessions", ["started"], unique=False)
    op.create_table(
        "values",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_values")),
    )
    op.create_table(
        "annotations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("layer", sa.String(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("saved_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["items.id"], name=op.f("fk_annotations_item_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotations")),
        sa.UniqueConstraint(
            "item_id", "layer", "annotator", "version", name=op.f("uq_annotations_item_id")
        ),
    )
    op.create_index(
        "ix_annotations_newest", "annotations", ["item_id", "layer", "version"], unique=False
    )
    op.create_table(
        "descriptions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("producer", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=True),
        sa.Column("saved_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["items.id"], name=op.f("fk_descriptions_item_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_descriptions")),
    )
    op.create_index(op.f("ix_descriptions_item_id"), "descriptions", ["item_id"], unique=False)
    op.create_index("ix_descriptions_newest", "descriptions", ["item_id", "id"], unique=False)
    op.create_table(
        "ledger",
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["items.id"], name=op.f("fk_ledger_item_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("item_id", "stage", "version", name=op.f("pk_ledger")),
    )
    op.create_table(
        "paths",
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.Column("relative_fingerprint", sa.String(), nullable=False),
        sa.Column("album_sealed", sa.String(), nullable=True),
        sa.Column("album", sa.String(), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("mtime_ns", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["items.id"], name=op.f("fk_paths_item_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_paths")),
    )
    op.create_index(op.f("ix_paths_item_id"), "paths", ["item_id"], unique=False)
    op.create_index(
        op.f("ix_paths_relative_fingerprint"), "paths", ["relative_fingerprint"], unique=False
    )
    op.create_table(
        "session_items",
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["items.id"], name=op.f("fk_session_items_item_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_session_items_session_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("item_id", name=op.f("pk_session_items")),
    )
    op.create_index(
        op.f("ix_session_items_session_id"), "session_items", ["session_id"], unique=False
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("speaker", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["items.id"], name=op.f("fk_turns_item_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_turns_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
    )
    op.create_index(op.f("ix_turns_item_id"), "turns", ["item_id"], unique=False)
    op.create_index(op.f("ix_turns_session_id"), "turns", ["session_id"], unique=False)
