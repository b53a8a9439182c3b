"""What `inspect` read of files, so that an unchanged file is not read again."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert

from archive_mem.catalog.tables import readings

__all__ = ["MOST", "drop", "keep", "marks", "sealed"]

MOST = 500
"""Most fingerprints in one call; SQLite's own bound was 999 for long."""


def marks(connection: Connection, fingerprints: Sequence[str]) -> dict[str, str]:
    """Path fingerprint -> the mark of the file when it was read."""
    return _column(connection, "mark", fingerprints)


def sealed(connection: Connection, fingerprints: Sequence[str]) -> dict[str, str]:
    """Path fingerprint -> what was read, encrypted."""
    return _column(connection, "sealed", fingerprints)


def _column(connection: Connection, name: str, fingerprints: Sequence[str]) -> dict[str, str]:
    query = select(readings.c.fingerprint, readings.c[name]).where(
        readings.c.fingerprint.in_(fingerprints)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def keep(connection: Connection, read: Iterable[Mapping[str, str]]) -> None:
    """Remember {fingerprint, mark, sealed} of files; what was known of them is replaced."""
    statement = insert(readings)
    renewed = {name: statement.excluded[name] for name in ("mark", "sealed")}
    rows = [dict(row) for row in read]
    if rows:
        connection.execute(
            statement.on_conflict_do_update(index_elements=["fingerprint"], set_=renewed), rows
        )


def drop(connection: Connection, fingerprints: Iterable[str]) -> None:
    """Remember nothing of these paths."""
    rows = [{"gone": fingerprint} for fingerprint in fingerprints]
    if rows:
        connection.execute(
            delete(readings).where(readings.c.fingerprint == bindparam("gone")), rows
        )
