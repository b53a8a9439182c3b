"""The catalog: catalog.sqlite opened, and the readers' view of it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from archive_mem.catalog import records, sessions
from archive_mem.catalog.engine import open_engine
from archive_mem.errors import StoreError
from archive_mem.schema.record import Record
from archive_mem.schema.session import Session

__all__ = ["Catalog"]


class Catalog:
    """SQLite is the truth. Readers never wait; writers queue for short transactions."""

    def __init__(self, path: Path) -> None:
        self._engine = open_engine(path)
        self._writer = self._engine.execution_options(writes=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent view."""
        with self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: all of it or nothing. Raises StoreError, as on a full disk."""
        try:
            with self._writer.begin() as connection:
                yield connection
        except OperationalError as error:
            raise StoreError(f"the catalog cannot be written: {error.orig}") from error

    def compact(self) -> None:
        """Write the file anew, without what was deleted; `checkpoint` brings it to its place.

        Raises StoreError while another process keeps it from being written.
        """
        self._run("VACUUM")

    def checkpoint(self) -> None:
        """Empty the log into the file. Raises StoreError while another process reads it."""
        if self._run("PRAGMA wal_checkpoint(TRUNCATE)"):
            raise StoreError("the catalog cannot be compacted now: another process is reading it")

    def _run(self, statement: str) -> int:
        """The first number that a statement outside of transactions answers, else 0."""
        connection = self._engine.raw_connection()
        try:
            row = connection.cursor().execute(statement).fetchone()
        except sqlite3.OperationalError as error:
            raise StoreError(f"the catalog cannot be compacted now: {error}") from error
        finally:
            connection.close()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        """Records in order of time."""
        with self.reading() as connection:
            yield from records.read(connection, item_ids, until)

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        """Sessions with their turns, in order of time."""
        with self.reading() as connection:
            yield from sessions.read(connection, session_ids, until)
