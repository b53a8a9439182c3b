"""What was read of files before: an unchanged file, with unchanged sidecars, is not opened again.

It is kept encrypted in the catalog, by keyed hash of the path: dates and places of files that were
only looked at are nobody else's.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from anonymize.vault import Vault
from archive_mem.catalog import readings
from archive_mem.catalog.catalog import Catalog
from archive_mem.ingest.discover import Found
from archive_mem.ingest.metadata import Sidecars

__all__ = ["EXPLAINED", "READER_VERSION", "Remembered", "in_parts"]

READER_VERSION = "3"
"""A new one reads every file again: raise it when a file would be read otherwise."""

EXPLAINED = ("albums", "note", "candidates")
"""Keys of a row that say why."""

Json = dict[str, Any]
T = TypeVar("T")


class Remembered:
    """Readings of files in one memory."""

    def __init__(self, catalog: Catalog, vault: Vault) -> None:
        self._catalog = catalog
        self._vault = vault
        self._waiting: list[dict[str, str]] = []

    def news(self, tasks: Iterable[tuple[Found, Sidecars]]) -> Iterator[str | None]:
        """The mark of each file, in order; None for one that is as it was when it was read."""
        for part in in_parts(tasks, readings.MOST):
            fingerprints = [self._fingerprint(found) for found, _ in part]
            with self._catalog.reading() as connection:
                known = readings.marks(connection, fingerprints)
            for (found, sidecars), fingerprint in zip(part, fingerprints, strict=True):
                now = self._mark(found, sidecars)
                yield now if now != known.get(fingerprint) else None

    def rows(self, files: Sequence[Found], *, explain: bool = True) -> list[Json | None]:
        """What was read of at most `readings.MOST` files; None for one that was dropped since.

        explain: with the keys of `EXPLAINED`, too
        """
        fingerprints = [self._fingerprint(found) for found in files]
        with self._catalog.reading() as connection:
            known = readings.sealed(connection, fingerprints)
        return [self._opened(known.get(fingerprint), explain) for fingerprint in fingerprints]

    def keep(self, found: Found, mark: str, row: Json) -> None:
        """Remember what was read of a file with this mark; `flush` writes what waits."""
        parts = ({k: v for k, v in row.items() if (k in EXPLAINED) == told} for told in (0, 1))
        # Two lines, so that what is mostly not asked for is not parsed.
        sealed = self._vault.cover("\n".join(json.dumps(part) for part in parts))
        fingerprint = self._fingerprint(found)
        self._waiting.append({"fingerprint": fingerprint, "mark": mark, "sealed": sealed})
        if len(self._waiting) >= readings.MOST:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        with self._catalog.writing() as connection:
            readings.keep(connection, self._waiting)
        self._waiting.clear()

    def _fingerprint(self, found: Found) -> str:
        return self._vault.fingerprint(os.fspath(found.path.absolute()))

    def _mark(self, found: Found, sidecars: Sidecars) -> str:
        """What must be the same for a reading to hold, as a keyed hash: albums are named in it."""
        beside = (sidecars.takeout, sidecars.xmp, sidecars.album)
        parts = [_stat(path) if path else "" for path in (found.path, *beside)]
        return self._vault.fingerprint(":".join([READER_VERSION, *parts, found.album or ""]))

    def _opened(self, sealed: str | None, explain: bool) -> Json | None:
        if sealed is None:
            return None
        plain, explained = self._vault.uncover(sealed).split("\n")
        row: Json = json.loads(plain)
        return row | json.loads(explained) if explain else row


def _stat(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return "gone"
    return f"{status.st_size}.{status.st_mtime_ns}"


def in_parts(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in lists of `size`, the last one shorter."""
    part: list[T] = []
    for value in values:
        part.append(value)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
