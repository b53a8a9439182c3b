"""Reading a folder into the memory from the page, and following it.

It is a process of its own: a closed tab stops nothing, a pause ends it cleanly, and it goes on
where it was.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archive_mem.catalog import items, ledger
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.ledger import Outcome
from archive_mem.errors import UsageError
from archive_mem.ingest.discover import discover

__all__ = ["STAGES", "Intake", "completions", "folder_of", "survey"]

STAGES = (
    ("capture", "When, where, with what"),
    ("anonymise", "Faces hidden"),
    ("describe", "Described"),
    ("pseudonymise", "Names replaced"),
    ("weave", "Woven into moments"),
)
_MOST_NAMES = 12
_PHOTO_SECONDS = 4.0
"""One photo of some megapixels on one core; used until this machine has been measured."""
_VIDEO_FACTOR = 30
_MOST_LISTED = 200_000
_CODE = "import sys; from archive_mem.cli.main import main; sys.exit(main())"
_END_SECONDS = 20.0
_STOPPED = 130
_SOME_FAILED = 3
_VIDEOS = frozenset({".mp4", ".mov", ".m4v", ".3gp", ".avi", ".mkv", ".webm", ".mts", ".mpg"})


def completions(typed: str) -> list[str]:
    """Folders that begin as typed; hidden ones only when the dot is typed. Never a file."""
    path = _expanded(typed or "~/")
    if not path.is_absolute():
        return []
    folder, begin = (
        (path, "") if typed.endswith(("/", "~")) or not typed else (path.parent, path.name)
    )
    try:
        names = sorted(e.name for e in os.scandir(folder) if e.is_dir(follow_symlinks=False))
    except (OSError, ValueError):
        return []
    fitting = [
        name
        for name in names
        if name.lower().startswith(begin.lower()) and (begin.startswith(".") or name[0] != ".")
    ]
    return [f"{folder / name}/" for name in fitting[:_MOST_NAMES]]


def _expanded(typed: str) -> Path:
    try:
        return Path(typed).expanduser()
    except RuntimeError:  # somebody else's home that is not known
        return Path(typed)


def folder_of(typed: str) -> Path:
    """The folder that was typed. Raises UsageError."""
    path = _expanded(typed.strip())
    if not typed.strip() or not path.is_absolute():
        raise UsageError("write the whole path of a folder on this machine")
    if not path.is_dir():
        raise UsageError("there is no such folder on this machine")
    return path


def survey(folder: Path, catalog: Catalog, workers: int) -> dict[str, Any]:
    """What lies in a folder, and about how long it will take; nothing is read but names and sizes.

    Raises UsageError, InputError.
    """
    found = discover([folder])
    videos = sum(each.path.suffix.lower() in _VIDEOS for each in found.files)
    photos = len(found.files) - videos
    size = sum(_size(each.path) for each in found.files[:_MOST_LISTED])
    each_seconds = _measured(catalog) or _PHOTO_SECONDS
    cores = workers or os.cpu_count() or 1
    return {
        "folder": str(folder),
        "photos": photos,
        "videos": videos,
        "bytes": size,
        "seconds": (photos + videos * _VIDEO_FACTOR) * each_seconds / cores,
        "left": dict(found.left),
    }


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _measured(catalog: Catalog) -> float | None:
    """Seconds an item took in this memory, None when it is too new to say."""
    with catalog.reading() as connection:
        spent = sum(ledger.seconds(connection).values())
        total = items.count(connection)
    return spent / total if total >= _MOST_NAMES else None


@dataclass(slots=True)
class _Run:
    """A process that reads.

    folder, total: what, and how many files
    process: it; out: what it says, a private file
    names: a private file with names to hide, gone when it has ended
    """

    folder: Path
    total: int
    process: subprocess.Popen[bytes]
    out: Path
    names: Path | None


class Intake:
    """Starts, pauses and follows the reading of one folder into one memory."""

    def __init__(self, root: Path, catalog: Catalog) -> None:
        self._root = root
        self._catalog = catalog
        self._run: _Run | None = None
        self._guard = threading.Lock()
        self._private = Path(tempfile.mkdtemp(prefix="archive-mem-intake-"))

    def start(self, folder: Path, names: str = "") -> None:
        """Begin, or go on. Raises UsageError while it runs."""
        with self._guard:
            if self._run is not None and self._run.process.poll() is None:
                raise UsageError("a folder is being read already")
            total = len(discover([folder]).files)
            if not total:
                raise UsageError("no photos or videos are in this folder")
            listed = self._keep_names(names)
            out = self._private / "out"
            command = [sys.executable, "-c", _CODE, "ingest", str(folder)]
            command += ["--memory", str(self._root)]
            command += [] if listed is None else ["--names", str(listed)]
            with out.open("wb") as file:
                process = subprocess.Popen(  # noqa: S603  our own program
                    command,
                    stdout=file,
                    stderr=file,
                    stdin=subprocess.DEVNULL,
                    start_new_session=True,
                )
            self._run = _Run(folder, total, process, out, listed)

    def _keep_names(self, names: str) -> Path | None:
        if not names.strip():
            return None
        path = self._private / "names.txt"
        path.touch(mode=0o600)
        path.write_text(names, "utf-8")
        return path

    def pause(self) -> None:
        """End the process cleanly; what is done is kept."""
        if self._run is not None and self._run.process.poll() is None:
            self._run.process.send_signal(signal.SIGINT)

    def resume(self) -> None:
        """Go on with the folder that was paused. Raises UsageError when there is none."""
        if self._run is None:
            raise UsageError("nothing was paused: choose a folder")
        self.start(self._run.folder)

    def close(self) -> None:
        """Pause, wait, and delete the private files."""
        self.pause()
        if self._run is not None:
            try:
                self._run.process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._run.process.kill()
                self._run.process.wait()
        for path in self._private.glob("*"):
            path.unlink(missing_ok=True)
        if self._private.is_dir():
            self._private.rmdir()

    # ------------------------------------------------------------------------------ looking

    def state(self) -> dict[str, Any]:
        """How far it is: counts by stage, and what came of it."""
        with self._catalog.reading() as connection:
            counts = ledger.counts(connection)
            known = items.count(connection)
        run = self._run
        return {
            "state": self._word(),
            "folder": "" if run is None else str(run.folder),
            "total": known if run is None else max(run.total, 0),
            "items": known,
            "stages": [
                {"name": name, "says": says, **_figures(counts, name)} for name, says in STAGES
            ],
            "said": "" if run is None or run.process.poll() is None else _last_words(run.out),
        }

    def _word(self) -> str:
        """none, running, paused, done (also with failed items) or failed."""
        run = self._run
        if run is None:
            return "none"
        code = run.process.poll()
        if code is None:
            return "running"
        if run.names is not None:
            run.names.unlink(missing_ok=True)
        if code in {_STOPPED, -signal.SIGINT}:
            return "paused"
        return "done" if code in {0, _SOME_FAILED} else "failed"


def _figures(counts: dict[tuple[str, Outcome], int], stage: str) -> dict[str, int]:
    return {
        each.value: counts.get((stage, each), 0)
        for each in (Outcome.DONE, Outcome.SKIPPED, Outcome.FAILED)
    }


def _last_words(path: Path) -> str:
    try:
        lines = path.read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    return " ".join(lines[-1].split())[:400] if lines else ""
