"""The tables of catalog.sqlite. A change here needs a migration (catalog/migrations)."""

from sqlalchemy import (
    JSON,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

from archive_mem.catalog.columns import SafeTextColumn

__all__ = [
    "annotations",
    "descriptions",
    "forgotten",
    "indexed",
    "items",
    "ledger",
    "metadata",
    "paths",
    "profile_edits",
    "profile_steps",
    "readings",
    "session_items",
    "sessions",
    "turns",
    "values",
]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _item(*, primary_key: bool = False, index: bool = False) -> Column[str]:
    return Column(
        "item_id",
        String,
        ForeignKey("items.id", ondelete="CASCADE"),
        nullable=False,
        primary_key=primary_key,
        index=index,
    )


items = Table(
    "items",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("mime", String, nullable=False),
    Column("width", Integer),
    Column("height", Integer),
    Column("duration", Float),
    Column("note", String),
    Column("capture", JSON, nullable=False),
    # Effective time: an annotator's correction, else the file's: wall clock, sort key in UTC.
    Column("local", String, index=True),
    Column("instant", Float, index=True),
    Column("latitude", Float),
    Column("longitude", Float),
    Column("city", String, index=True),
    Column("country", String, index=True),
    Column("name", SafeTextColumn),
    Column("place_label", SafeTextColumn),
    Column("texts_sealed", String),
    Column("inscription", SafeTextColumn),
    Column("derived", String),
    Column("thumb", String),
    Column("faces", Integer),
    Column("face_boxes", JSON),
    Column("phash", String),
    Column("content_mark", String),
    Column("same_moment_as", String, index=True),
)

paths = Table(
    "paths",
    metadata,
    Column("fingerprint", String, primary_key=True),
    _item(index=True),
    Column("sealed", String, nullable=False),
    Column("relative_fingerprint", String, nullable=False, index=True),
    Column("album_sealed", String),
    Column("album", SafeTextColumn),
    Column("size", Integer, nullable=False),
    Column("mtime_ns", Integer, nullable=False),
)

ledger = Table(
    "ledger",
    metadata,
    _item(primary_key=True),
    Column("stage", String, primary_key=True),
    Column("version", String, primary_key=True),
    Column("outcome", String, nullable=False),
    Column("reason", String),
    Column("at", String, nullable=False),
    Column("seconds", Float, nullable=False),
)

descriptions = Table(
    "descriptions",
    metadata,
    Column("id", Integer, primary_key=True),
    _item(index=True),
    Column("producer", String, nullable=False),
    Column("prompt_version", String, nullable=False),
    Column("sealed", String, nullable=False),
    Column("body", JSON),
    Column("saved_at", String, nullable=False),
)

annotations = Table(
    "annotations",
    metadata,
    Column("id", Integer, primary_key=True),
    _item(),
    Column("layer", String, nullable=False),
    Column("annotator", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", JSON, nullable=False),
    Column("sealed", String, nullable=False),
    Column("fingerprint", String, nullable=False),
    Column("saved_at", String, nullable=False),
    UniqueConstraint("item_id", "layer", "annotator", "version"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("started", String, index=True),
    Column("ended", String),
    Column("instant", Float, index=True),
    Column("place_label", SafeTextColumn),
    Column("fingerprint", String, nullable=False),
)

session_items = Table(
    "session_items",
    metadata,
    _item(primary_key=True),
    Column(
        "session_id",
        String,
        ForeignKey("sessions.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("position", Integer, nullable=False),
)

turns = Table(
    "turns",
    metadata,
    Column("id", String, primary_key=True),
    Column(
        "session_id",
        String,
        ForeignKey("sessions.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    _item(index=True),
    Column("position", Integer, nullable=False),
    Column("speaker", String, nullable=False),
    Column("at", String),
    Column("text", SafeTextColumn, nullable=False),
    Column("fingerprint", String, nullable=False),
)

# What the index was last given: the owner compares it with `turns` and brings the index up to date.
indexed = Table(
    "indexed",
    metadata,
    Column("turn_id", String, primary_key=True),
    Column("fingerprint", String, nullable=False),
)

profile_steps = Table(
    "profile_steps",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("body", JSON, nullable=False),
)

# What the owner decided by hand: placeholders only; what was typed is sealed.
profile_edits = Table(
    "profile_edits",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("body", JSON, nullable=False),
    Column("sealed", String),
    Column("saved_at", String, nullable=False),
)

# What `inspect --memory` read, by keyed hash of the path: sealed, good while `mark` holds.
readings = Table(
    "readings",
    metadata,
    Column("fingerprint", String, primary_key=True),
    Column("mark", String, nullable=False),
    Column("sealed", String, nullable=False),
)

# Keyed hashes of items that the owner had removed: an ingest does not bring them back.
forgotten = Table(
    "forgotten",
    metadata,
    Column("fingerprint", String, primary_key=True),
)

values = Table(
    "values",
    metadata,
    Column("key", String, primary_key=True),
    Column("body", JSON),
)

Index("ix_descriptions_newest", descriptions.c.item_id, descriptions.c.id)
Index("ix_annotations_newest", annotations.c.item_id, annotations.c.layer, annotations.c.version)
