"""What the pages share: the memory, the shelf as it is now, who may see names, dropped photos."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from anonymize.vault import COVERED
from archive_mem.catalog import annotations, items, ledger, sessions
from archive_mem.errors import ArchiveMemError, VaultError
from archive_mem.progress import Track
from archive_mem.schema.annotation import Annotation
from archive_mem.schema.qa import Answer, Tier
from archive_mem.schema.record import Record
from archive_mem.schema.session import Session
from ui.intake import Intake
from ui.jobs import Jobs
from ui.names import NameLock
from ui.photos import Photos
from ui.shelf import Shelf, shelve
from ui.sift import Choice, Sieve, View
from ui.watch import CatalogWatch

if TYPE_CHECKING:
    from archive_mem.catalog.items import Derived
    from archive_mem.schema.profile import Profile
    from archive_mem.wiring import Memory

__all__ = ["Desk", "Show"]

Show = Callable[[object], str]
"""Says a safe text to one browser: with placeholders, or with names while they are shown."""

_CATCH_UP_SECONDS = 2.0
_LAST_SECONDS = 10.0
_KEPT_VIEWS = 12
_MOST_FOUND = 150
_LEAST_SHARE = 0.5
_log = logging.getLogger(__name__)


class Desk:
    """One memory that is looked at. Safe to use from several threads."""

    def __init__(self, memory: "Memory") -> None:
        self.memory = memory
        self.names = NameLock()
        self.photos = Photos()
        self.jobs = Jobs()
        self.intake = Intake(memory.folder.root, memory.catalog)
        self._watch = CatalogWatch(memory.folder.catalog)
        self._reading = threading.RLock()
        self._thinking = threading.Lock()
        self._sieve: tuple[int, Sieve] | None = None
        self._views: dict[Choice, tuple[View, dict[str, Any]]] = {}
        self._later: threading.Timer | None = None

    def close(self) -> None:
        """Delete dropped photos, wait for what runs, let go of the files."""
        later = self._later
        if later is not None:
            later.cancel()
            later.join()
        self.intake.close()
        self.jobs.wait(_LAST_SECONDS)
        self.photos.close()
        self._watch.close()

    def another(self, track: Track) -> "Memory":
        """The same memory opened once more, for work that tells how far it is."""
        from archive_mem.wiring import open_memory

        return open_memory(self.memory.folder.root, track=track)

    # ------------------------------------------------------------------------------ reading

    def shelf(self) -> Shelf:
        """The time line; made again when the catalog has changed."""
        return self._sieve_now().shelf

    def _sieve_now(self) -> Sieve:
        with self._reading:
            mark = self._watch.mark()
            if self._sieve is None or self._sieve[0] != mark:
                self._sieve = (mark, Sieve(shelve(self.memory.records())))
                self._views.clear()
            return self._sieve[1]

    def sifted(self, choice: Choice) -> tuple[View, dict[str, Any]]:
        """What is left of the time line, and the figures beside every further choice."""
        sieve = self._sieve_now()
        known = self._views.get(choice)
        if known is None:
            found = self._found(choice.words) if choice.words else None
            known = sieve.view(choice, found), sieve.figures(choice, found)
            with self._reading:
                if len(self._views) >= _KEPT_VIEWS:
                    self._views.pop(next(iter(self._views)))
                if self._sieve is not None and self._sieve[1] is sieve:
                    self._views[choice] = known
        return known

    def _found(self, words: str) -> list[str]:
        """Items that words speak of, best first; those far behind the best are left out."""
        with self._thinking:
            hits = self.memory.search(words, _MOST_FOUND)
        best = max((hit.score for hit in hits), default=0.0)
        return [hit.record.item_id for hit in hits if hit.score >= _LEAST_SHARE * best]

    def is_ready(self, item_id: str) -> bool:
        """True when it is anonymised and redacted, so that it may be shown."""
        return item_id in self.shelf().places

    def record(self, item_id: str) -> Record | None:
        """An item that may be shown."""
        return next(iter(self.memory.records([item_id])), None)

    def derived(self, item_id: str) -> "Derived | None":
        """What anonymisation made of an item."""
        with self.memory.catalog.reading() as connection:
            return items.load_derived(connection, item_id)

    def session_of(self, record: Record) -> Session | None:
        """The session of a record, None before weaving."""
        if record.session_id is None:
            return None
        with self.memory.catalog.reading() as connection:
            return next(sessions.read(connection, [record.session_id]), None)

    def layers(self, item_id: str) -> list[Annotation]:
        """The newest version of each layer by each annotator."""
        with self.memory.catalog.reading() as connection:
            found = annotations.newest_of(connection, item_id)
        return self._named(found)

    def history(self, item_id: str) -> list[Annotation]:
        """Every version, newest first."""
        with self.memory.catalog.reading() as connection:
            found = annotations.history(connection, item_id)
        return self._named(found[::-1])

    def _named(self, found: list[Annotation]) -> list[Annotation]:
        """With the annotators' names, as far as the vault opens."""
        if not any(layer.annotator.startswith(COVERED) for layer in found):
            return found
        try:
            return self.memory.notes.named(found)
        except VaultError:
            return [
                replace(layer, annotator="another annotator")
                if layer.annotator.startswith(COVERED)
                else layer
                for layer in found
            ]

    def failures(self) -> list[tuple[str, str]]:
        """Item id and reason of what could not be read."""
        with self.memory.catalog.reading() as connection:
            return [
                (each.item_id, f"{each.stage}: {each.reason}")
                for each in ledger.failures(connection)
            ]

    def now(self) -> datetime:
        """The wall clock at home."""
        return datetime.now(self.memory.home).replace(tzinfo=None)

    # --------------------------------------------------------------------------------- names

    def show(self, seat: str) -> Show:
        """How safe texts are said to a browser. Raises VaultError when names are to be shown."""
        if not self.names.is_open(seat):
            return str
        reveal = self.memory.vault.reveal
        return lambda text: reveal(str(text))

    def open_names(self, seat: str) -> None:
        """Show names to a browser. Raises VaultError when the vault does not open."""
        self.memory.vault.names()
        self.names.open(seat)

    # -------------------------------------------------------------------------------- thinking

    def ask(
        self,
        text: str,
        *,
        tier: Tier | None,
        photo: str,
        options: Sequence[str],
        as_of: datetime | None,
    ) -> Answer:
        """Answer a question, one at a time; `photo` is a token, its file is deleted afterwards."""
        try:
            with self._thinking:
                return self.memory.ask(
                    text,
                    tier=tier,
                    photo=self.photos.path(photo),
                    options=options,
                    as_of=as_of,
                )
        finally:
            self.photos.drop(photo)

    def profile(self, as_of: datetime | None) -> "Profile":
        """The persona."""
        with self._thinking:
            return self.memory.profile(as_of)

    def catch_up_soon(self) -> None:
        """Let questions know what was saved, once the typing has paused."""
        with self._reading:
            if self._later is not None:
                self._later.cancel()
            self._later = threading.Timer(_CATCH_UP_SECONDS, self._catch_up)
            self._later.daemon = True
            self._later.start()

    def _catch_up(self) -> None:
        try:
            with self._thinking:
                self.memory.catch_up_if_free()
        except ArchiveMemError as error:
            _log.warning("what was saved is not in the index yet: %s", type(error).__name__)
        except Exception as error:  # noqa: BLE001  a timer's thread has nobody to tell
            _log.warning("catching up ended early: %s", type(error).__name__)
