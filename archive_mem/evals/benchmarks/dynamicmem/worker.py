"""The process of one system under test: it gets logs and questions, and gives answers."""

import hashlib
import importlib
import inspect
import pickle
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from archive_mem.errors import UsageError
from archive_mem.evals.benchmarks.dynamicmem.guard import allowed_roots, install
from archive_mem.evals.benchmarks.dynamicmem.protocol import AppLog, Json, MemorySystem
from archive_mem.evals.benchmarks.dynamicmem.wire import (
    checkpoint_of,
    log_of,
    packed,
    query_of,
    serve,
)

__all__ = ["SYSTEMS", "Worker", "made_by", "main"]

_HOME = "archive_mem.evals.benchmarks.dynamicmem.systems"
SYSTEMS = {
    "ours": f"{_HOME}.ours:Ours",
    "bm25": f"{_HOME}.retrieving:Bm25",
    "oracle": f"{_HOME}.retrieving:Oracle",
    "rag": f"{_HOME}.vectors:ChromaRag",
    "mem0": f"{_HOME}.mem0:Mem0",
}
"""Others are given as MODULE:CLASS."""


class Worker:
    """Holds one system and its snapshots."""

    def __init__(self, refused: list[str]) -> None:
        self._refused = refused
        self._make: Callable[[], MemorySystem] | None = None
        self._system: MemorySystem | None = None
        self._logs: list[AppLog] = []
        self._states: dict[str, Any] = {}
        self._digests: dict[str, str | None] = {}

    def handle(self, do: str, said: dict[str, Json]) -> Mapping[str, Json]:
        """One request."""
        handlers: dict[str, Callable[..., Mapping[str, Json]]] = {
            "load": self.load,
            "begin": self.begin,
            "prepare": self.prepare,
            "ask": self.ask,
            "end": self.end,
        }
        return handlers[do](**said)

    def load(self, system: str, work: str) -> Mapping[str, Json]:
        """Import the system, then close the door. Raises UsageError."""
        make = made_by(system)
        own = Path(inspect.getfile(make)).resolve()
        self._make = make
        self._refused = install(allowed_roots(Path(work), [own]))
        return {"name": make().name}

    def begin(self) -> Mapping[str, Json]:
        """Another person: nothing of the one before is left."""
        if self._make is None:
            raise UsageError("no system was loaded")
        self._logs, self._states, self._digests = [], {}, {}
        self._system = self._make()
        return {}

    def prepare(self, checkpoint: dict[str, Json], logs: list[dict[str, Json]]) -> dict[str, Json]:
        """Build phase. logs: those since the checkpoint before."""
        at = checkpoint_of(checkpoint)
        self._logs.extend(log_of(row) for row in logs)
        started, busy = perf_counter(), process_time()
        self._states[at.id] = self._ready().prepare_checkpoint_state(at, tuple(self._logs))
        took, used = perf_counter() - started, process_time() - busy
        self._digests[at.id] = _digest(self._states[at.id])
        return {"seconds": took, "cpu_seconds": used, "peak_mib": _peak_mib()}

    def ask(self, checkpoint: str, query: dict[str, Json]) -> dict[str, Json]:
        """Test phase: one question of one snapshot."""
        spec, state = query_of(query), self._states[checkpoint]
        started = perf_counter()
        context = self._ready().retrieve_context_for_query(state, spec)
        answer = self._ready().answer_query(state, spec, context)
        return {
            **packed(answer),
            "context": list(context.log_ids),
            "seconds": perf_counter() - started,
        }

    def end(self) -> dict[str, Json]:
        """Which snapshots asking has changed, and what was refused."""
        checked = {cut: old for cut, old in self._digests.items() if old is not None}
        changed = [cut for cut, old in checked.items() if _digest(self._states[cut]) != old]
        refused, self._refused[:] = list(dict.fromkeys(self._refused)), []
        return {"checked": len(checked), "changed": changed, "refused": refused}

    def _ready(self) -> MemorySystem:
        if self._system is None:
            raise UsageError("no person was begun")
        return self._system


def made_by(name: str) -> Callable[[], MemorySystem]:
    """The class of a system. Raises UsageError."""
    module, mark, made = SYSTEMS.get(name, name).partition(":")
    if not mark:
        raise UsageError(f"no system {name!r}; give {', '.join(SYSTEMS)} or MODULE:CLASS")
    try:
        found: Callable[[], MemorySystem] = getattr(importlib.import_module(module), made)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the system {name!r} cannot be loaded: {error}") from error
    return found


def _digest(state: object) -> str | None:
    """Of a snapshot's content; None where it holds what cannot be written down."""
    try:
        return hashlib.sha256(pickle.dumps(state)).hexdigest()
    except Exception:  # noqa: BLE001 - foreign objects refuse in many ways
        return None


def _peak_mib() -> float:
    try:
        import resource
    except ImportError:
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most / (1024 if sys.platform == "linux" else 1024 * 1024))


def main() -> None:
    """Serve until the bench ends."""
    serve(Worker([]).handle)


if __name__ == "__main__":
    main()
