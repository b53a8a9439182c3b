"""Lines of JSON between the bench and its two children, and what travels in them."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Self

from archive_mem.errors import ArchiveMemError, ModelError
from archive_mem.evals.benchmarks.dynamicmem.protocol import (
    Answered,
    AppLog,
    Checkpoint,
    Json,
    QuerySpec,
)

__all__ = [
    "Child",
    "answer_of",
    "checkpoint_of",
    "log_of",
    "packed",
    "query_of",
    "serve",
]

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "OMP_NUM_THREADS", "HF_HOME")
PATIENCE = 900.0
"""Seconds that one answer of a child may take."""


def packed(thing: Any) -> dict[str, Json]:  # noqa: ANN401 - any of the dataclasses
    """A dataclass as JSON; times as ISO 8601."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(thing).items()
    }


def log_of(row: Mapping[str, Json]) -> AppLog:
    """A packed log."""
    return AppLog(**{**row, "at": datetime.fromisoformat(row["at"])})


def checkpoint_of(row: Mapping[str, Json]) -> Checkpoint:
    """A packed checkpoint."""
    return Checkpoint(**{**row, "at": datetime.fromisoformat(row["at"])})


def query_of(row: Mapping[str, Json]) -> QuerySpec:
    """A packed question."""
    return QuerySpec(**{**row, "oracle": tuple(row["oracle"])})


def answer_of(row: Mapping[str, Json]) -> Answered:
    """A packed answer."""
    return Answered(**{**row, "evidence": tuple(map(str, row["evidence"]))})


class Child:
    """A process that answers one line with one line.

    It gets a working folder, a bare environment (no passphrase, no path of the data) and no open
    file but its three pipes.
    """

    def __init__(self, module: str, work: Path, extra_path: Path | None = None) -> None:
        self._name = module.rpartition(".")[2]
        roots = [
            str(Path(__file__).resolve().parents[4]),
            *([str(extra_path)] if extra_path else []),
        ]
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=work,
            env={
                **{name: os.environ[name] for name in _KEPT if name in os.environ},
                "PYTHONPATH": os.pathsep.join(roots),
                "TMPDIR": str(work),
                "PYTHONHASHSEED": "0",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def ask(self, do: str, **said: Json) -> dict[str, Json]:
        """Its answer. Raises ModelError when it says that it failed, died or took too long."""
        try:
            self._pipe(self._process.stdin).write(json.dumps({"do": do, **said}).encode() + b"\n")
            self._pipe(self._process.stdin).flush()
            line = self._lines.get(timeout=PATIENCE)
        except (OSError, queue.Empty) as error:
            raise ModelError(f"the {self._name} gave no answer to {do}") from error
        if not line:
            raise ModelError(f"the {self._name} ended at {do}")
        answer: dict[str, Json] = json.loads(line)
        if "error" in answer:
            raise ModelError(str(answer["error"]))
        return answer

    def close(self) -> None:
        """End it."""
        self._pipe(self._process.stdin).close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._pipe(self._process.stdout).close()

    def _read(self) -> None:
        for line in self._pipe(self._process.stdout):
            self._lines.put(line)
        self._lines.put(b"")

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        if pipe is None:
            raise OSError("no pipe")
        return pipe


def serve(handle: Callable[[str, dict[str, Json]], Mapping[str, Json]]) -> None:
    """The child's side: answer until the pipe ends. What libraries print goes to stderr."""
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        said = json.loads(line)
        try:
            answer = handle(said.pop("do"), said)
        except ArchiveMemError as error:
            answer = {"error": str(error)}
        except Exception as error:  # noqa: BLE001 - foreign code; its failure is told
            answer = {"error": f"{type(error).__name__}: {error}"}
        told.write(json.dumps(answer, default=str).encode() + b"\n")
        told.flush()
