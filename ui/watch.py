"""Whether the catalog has changed since it was last looked at."""

import sqlite3
from pathlib import Path

__all__ = ["CatalogWatch"]


class CatalogWatch:
    """A connection of its own that only asks SQLite for its change counter.

    The times of the files are no measure: two writes may fall into one tick of the clock.
    """

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False
        )

    def mark(self) -> int:
        """Another number after every change by anybody; not to be called by two threads at once."""
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
