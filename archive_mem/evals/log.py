"""A run on disk: settings, one record a question as it is answered, summary.

<run>/settings.json   what was run, on which data, with which versions
<run>/records.jsonl   appended and synced record by record; a torn last line is left out
<run>/summary.json    written anew from the records
<run>/report.html     the same for people
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from archive_mem.errors import InputError, StoreError, UsageError

__all__ = ["Record", "RunFolder", "versions", "write_whole"]

_WATCHED = ("archive-mem", "numpy", "torch", "transformers", "sentence-transformers", "chromadb")
_NO_MATTER = ("versions",)
"""What may differ between two runs of one folder: noted, not refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One question asked of one system.

    system, sample, group: which
    status: "scored", "unscored" or "failed"
    value: 0 to 100 where scored, None otherwise
    parts: what the value is made of
    why: the scorer's words, or the reason that there is no value
    prompt, context, reply, parsed, cited: what was asked, shown, said, read out and cited
    judge_prompt, judge_reply: of a chat judge
    tokens: prompt, completion, context, cut and judge
    seconds: wall time of the answer
    """

    system: str
    sample: str
    group: str
    status: str
    value: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    why: str = ""
    prompt: str | None = None
    context: tuple[str, ...] = ()
    reply: str = ""
    parsed: Mapping[str, Any] = field(default_factory=dict)
    cited: tuple[str, ...] = ()
    judge_prompt: str | None = None
    judge_reply: str | None = None
    tokens: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0


class RunFolder:
    """One run; opened again, it goes on after its last whole record."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def settings_file(self) -> Path:
        """What was run."""
        return self.root / "settings.json"

    @property
    def records_file(self) -> Path:
        """One record a line."""
        return self.root / "records.jsonl"

    @property
    def summary_file(self) -> Path:
        """Figures."""
        return self.root / "summary.json"

    def begin(self, settings: Mapping[str, Any]) -> None:
        """Note the settings, or check that they are those the folder was begun with.

        Raises UsageError when another run lies here, StoreError when nothing can be written.
        """
        wanted = json.loads(json.dumps(settings, default=str))
        if self.settings_file.exists():
            known = _read_json(self.settings_file)
            changed = [
                name
                for name in sorted(known.keys() | wanted.keys())
                if name not in _NO_MATTER and known.get(name) != wanted.get(name)
            ]
            if changed:
                raise UsageError(
                    f"{self.root}: holds a run with other {', '.join(changed)}; "
                    "give another --out folder"
                )
            return
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self._trim()
        except OSError as error:
            raise StoreError(f"{self.root}: no run can be kept here ({error.strerror})") from error
        write_whole(self.settings_file, _pretty(wanted))

    def settings(self) -> dict[str, Any]:
        """As they were noted. Raises InputError when there is no run here."""
        if not self.settings_file.is_file():
            raise InputError(self.root, "no run lies here (settings.json is missing)")
        return _read_json(self.settings_file)

    def append(self, record: Record) -> None:
        """Write a record and wait until it is on disk."""
        line = json.dumps(asdict(record), ensure_ascii=False, sort_keys=True) + "\n"
        try:
            self._trim()
            with self.records_file.open("ab") as file:
                file.write(line.encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StoreError(
                f"{self.records_file}: cannot be written ({error.strerror})"
            ) from error

    def records(self) -> dict[tuple[str, str], Record]:
        """The last record of each system and sample, in order of first appearance."""
        found: dict[tuple[str, str], Record] = {}
        for record in self._lines():
            found[record.system, record.sample] = record
        return found

    def _lines(self) -> Iterator[Record]:
        if not self.records_file.exists():
            return
        lines = self.records_file.read_bytes().split(b"\n")
        for number, line in enumerate(lines[:-1], 1):
            try:
                yield _record(json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                raise InputError(self.records_file, f"line {number} is no record") from error

    def _trim(self) -> None:
        """Cut off a last line that a killed run left without its end."""
        if not self.records_file.exists():
            return
        with self.records_file.open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            if size == 0:
                return
            file.seek(size - 1)
            if file.read(1) == b"\n":
                return
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Replace summary.json whole."""
        write_whole(self.summary_file, _pretty(summary))


def versions() -> dict[str, str]:
    """Of this program and of the libraries that have a say in figures."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for name in _WATCHED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def write_whole(path: Path, text: str) -> None:
    """The file is there whole or as it was. Raises StoreError."""
    draft = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, "utf-8")
        draft.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror})") from error


def _pretty(body: Any) -> str:  # noqa: ANN401
    return json.dumps(body, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(path, "is no JSON of a run") from error
    return found


def _record(row: dict[str, Any]) -> Record:
    return Record(**{**row, "context": tuple(row["context"]), "cited": tuple(row["cited"])})
