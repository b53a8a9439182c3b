"""Long work that a page starts and then looks at: one at a time, in a thread of its own."""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from archive_mem.errors import ArchiveMemError, UsageError
from archive_mem.progress import Track

__all__ = ["Job", "Jobs"]

T = TypeVar("T")
Work = Callable[[Track], dict[str, Any]]
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Job:
    """Work that was started.

    name: what it is, such as "verify"
    what: what it does now, in words
    done, total: how far that is; total is None when unknown
    state: "running", "done" or "failed"
    result: what came of it
    problem: one line when it failed
    """

    name: str
    what: str = "Starting"
    done: int = 0
    total: int | None = None
    state: str = "running"
    result: dict[str, Any] = field(default_factory=dict)
    problem: str = ""

    def body(self) -> dict[str, Any]:
        """As a page reads it."""
        return {name: getattr(self, name) for name in self.__slots__}

    def track(self, items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
        """Passes items through and counts them (archive_mem.progress.Track)."""
        self.what, self.done, self.total = what, 0, total
        for item in items:
            yield item
            self.done += 1


class Jobs:
    """Starts jobs; the last one can be looked at."""

    def __init__(self) -> None:
        self._last: Job | None = None
        self._thread: threading.Thread | None = None
        self._guard = threading.Lock()

    @property
    def last(self) -> Job | None:
        """The job that runs, or the one that ran last."""
        return self._last

    def start(self, name: str, work: Work) -> Job:
        """Start it. Raises UsageError while another one runs."""
        with self._guard:
            if self._last is not None and self._last.state == "running":
                raise UsageError("something else is being done: wait until it has ended")
            job = self._last = Job(name)
            self._thread = threading.Thread(target=_run, args=(job, work), daemon=True)
            self._thread.start()
            return job

    def wait(self, seconds: float) -> None:
        """Wait for what runs."""
        if self._thread is not None:
            self._thread.join(seconds)


def _run(job: Job, work: Work) -> None:
    try:
        job.result = work(job.track)
        job.state = "done"
    except ArchiveMemError as error:
        job.problem, job.state = str(error), "failed"
    except Exception as error:  # noqa: BLE001  a thread has nobody else to tell
        _log.error("%s ended with %s", job.name, type(error).__name__)
        _log.debug("where it came from", exc_info=error)
        job.problem, job.state = f"unexpected {type(error).__name__}", "failed"
