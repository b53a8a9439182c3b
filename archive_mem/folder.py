"""The memory folder: where everything lies, and who owns the pipeline."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from archive_mem.errors import InputError, MemoryBusy, MemoryMissing

__all__ = ["MemoryFolder"]

_TOML = """\
# Settings of this memory; `archive-mem doctor` shows all of them and which source won.
# home_zone = "Europe/Paris"     # for clocks whose offset and place are unknown
# region = "FR"                  # for phone numbers without a country
"""


@dataclass(frozen=True, slots=True)
class MemoryFolder:
    """Paths inside one memory.

    root: the folder, mode 0700
    """

    root: Path

    @property
    def toml(self) -> Path:
        """Settings."""
        return self.root / "archive.toml"

    @property
    def catalog(self) -> Path:
        """The source of truth."""
        return self.root / "catalog.sqlite"

    @property
    def vault(self) -> Path:
        """Real names, encrypted."""
        return self.root / "vault.sqlite"

    @property
    def vault_backup(self) -> Path:
        """The vault as it was before its last change of key."""
        return self.root / "vault.before-rekey.sqlite"

    @property
    def derived(self) -> Path:
        """Anonymised derivatives and thumbnails."""
        return self.root / "derived"

    @property
    def chroma(self) -> Path:
        """The index."""
        return self.root / "chroma"

    @property
    def reports(self) -> Path:
        """Ingest and benchmark reports."""
        return self.root / "reports"

    def require(self) -> None:
        """Raise MemoryMissing unless there is a memory here."""
        if not self.catalog.is_file():
            raise MemoryMissing(f"{self.root}: no memory here yet (make one: archive-mem ingest)")

    def make(self) -> None:
        """Make the folder and its parts, readable by the owner alone."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            for part in (self.derived, self.reports):
                part.mkdir(mode=0o700, exist_ok=True)
            self.root.chmod(0o700)
        except OSError as error:
            raise InputError(self.root, f"no memory can be made here ({error.strerror})") from error
        if not self.toml.exists():
            self.toml.write_text(_TOML, "utf-8")

    def sweep(self) -> None:
        """Remove derivatives that a killed run left half written; for the owner."""
        for draft in self.derived.glob("*/.*.part*"):
            draft.unlink(missing_ok=True)

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Own pipeline and index; raise MemoryBusy when another process does.

        The kernel lets go of the lock when the process ends, however it ends.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self.root / ".owner.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise MemoryBusy(
                f"{self.root}: another archive-mem{self._holder()} is working on this memory; "
                "annotations are still saved, run this again when it has ended"
            ) from error
        try:
            self._note.write_text(str(os.getpid()), "utf-8")
            yield
        finally:
            self._note.unlink(missing_ok=True)
            lock.release()

    @property
    def _note(self) -> Path:
        return self.root / ".owner.pid"

    def _holder(self) -> str:
        try:
            return f" (process {int(self._note.read_text('utf-8'))})"
        except (OSError, ValueError):
            return ""
