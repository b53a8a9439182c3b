"""A function over many items in worker processes that can be ended, one item at a time.

An item that takes too long or too much memory loses its worker and gets a reason instead of a
result; the worker is replaced and the run goes on. No more items are in flight than workers, so
memory does not grow with their number.
"""

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

from archive_mem.errors import ArchiveMemError

__all__ = ["START_SECONDS", "bounded_map"]

START_SECONDS = 600.0
"""Most time that a worker may take to start: models are loaded then."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_AHEAD = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What every worker does.

    function: what it runs on an item
    seconds: most time for one item
    memory_bytes: memory that it may take on top of what it has once started
    initializer, initargs: run once a worker
    """

    function: Callable[[Any], Any]
    seconds: float
    memory_bytes: int | None
    initializer: Callable[..., None] | None
    initargs: tuple[Any, ...]


@dataclass(slots=True)
class _Worker:
    """One process, and what it is doing.

    process, pipe: how it is reached
    deadline: when it is ended, monotonic seconds
    ready: it has started
    job: index of the item that it works on
    """

    process: BaseProcess
    pipe: Connection
    deadline: float
    ready: bool = False
    job: int | None = None


@dataclass(slots=True)
class _Run(Generic[_Item, _Result]):
    """A run in progress.

    waiting: items not yet handed out
    following: the first of them, where it was looked at already
    at_work: items in workers, by index
    done: results not yet given back, by index
    """

    waiting: Iterator[tuple[int, _Item]]
    following: tuple[int, _Item] | None = None
    at_work: dict[int, _Item] = field(default_factory=dict)
    done: dict[int, tuple[_Item, _Result | str]] = field(default_factory=dict)
    exhausted: bool = False
    next_out: int = 0


def bounded_map(
    function: Callable[[_Item], _Result],
    items: Iterable[_Item],
    workers: int,
    seconds: float,
    memory_bytes: int | None,
    *,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
    ordered: bool = False,
) -> Iterator[tuple[_Item, _Result | str]]:
    """(item, result), or (item, reason) with the reason as text for an item that failed.

    function: importable by name; must not return text. Items and results are pickled.
    seconds, memory_bytes: for one item; memory is on top of what a started worker has
    ordered: give results in the order of the items, not as they come

    An exception of `initializer` is raised here. Leaving the loop ends all workers; so does Ctrl-C.
    """
    plan = _Plan(
        function=function,
        seconds=seconds,
        memory_bytes=memory_bytes,
        initializer=initializer,
        initargs=initargs,
    )
    pool = _Pool(plan, max(1, workers))
    run: _Run[_Item, _Result] = _Run(waiting=enumerate(items))
    try:
        while pool.feed(run):
            pool.gather(run)
            yield from _ripe(run, ordered)
        yield from _ripe(run, ordered)
    finally:
        pool.close()


def _ripe(run: _Run[_Item, _Result], ordered: bool) -> Iterator[tuple[_Item, _Result | str]]:
    if not ordered:
        while run.done:
            yield run.done.pop(next(iter(run.done)))
        return
    while run.next_out in run.done:
        result = run.done.pop(run.next_out)
        run.next_out += 1
        yield result


class _Pool:
    """Worker processes that are replaced when they end."""

    def __init__(self, plan: _Plan, size: int) -> None:
        self._plan = plan
        self._size = size
        self._context = _context()
        self._workers: list[_Worker] = []

    def feed(self, run: _Run[Any, Any]) -> bool:
        """Hand items to idle workers, start missing ones; False when everything is done."""
        for worker in list(self._workers):
            if worker.ready and worker.job is None:
                self._give(worker, run)
        idle = sum(worker.job is None for worker in self._workers)
        if not idle and len(self._workers) < self._size and self._peek(run):
            self._workers.append(self._start())
        return bool(run.at_work) or self._peek(run)

    def _peek(self, run: _Run[Any, Any]) -> bool:
        """Whether there is another item to hand out."""
        if run.following is None and not run.exhausted:
            run.following = next(run.waiting, None)
            run.exhausted = run.following is None
        return run.following is not None

    def _give(self, worker: _Worker, run: _Run[Any, Any]) -> None:
        # A slow item holds back an ordered run: what is done beyond it is bounded too.
        if len(run.done) >= _AHEAD or not self._peek(run) or run.following is None:
            return
        (index, item), run.following = run.following, None
        run.at_work[index] = item
        worker.job = index
        worker.deadline = time.monotonic() + self._plan.seconds
        try:
            worker.pipe.send(item)
        except (BrokenPipeError, ConnectionError):
            self._lose(worker, run, "the reader ended unexpectedly")

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process: BaseProcess = self._context.Process(  # type: ignore[attr-defined]
            target=_work, args=(theirs, self._plan), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process=process, pipe=ours, deadline=time.monotonic() + START_SECONDS)

    def gather(self, run: _Run[Any, Any]) -> None:
        """Wait for the next results; end workers that are over their time."""
        if not self._workers:
            return
        busy = [worker for worker in self._workers if worker.job is not None or not worker.ready]
        soonest = min((worker.deadline for worker in busy), default=time.monotonic())
        ready = wait([worker.pipe for worker in busy], max(0.0, soonest - time.monotonic()))
        for worker in busy:
            if worker.pipe in ready:
                self._receive(worker, run)
            elif time.monotonic() >= worker.deadline:
                self._lose(worker, run, f"stopped after {self._plan.seconds:g} s")

    def _receive(self, worker: _Worker, run: _Run[Any, Any]) -> None:
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, ConnectionError):
            self._lose(worker, run, "the reader ended unexpectedly")
            return
        if kind == "ready":
            worker.ready = True
        elif kind == "refused":
            raise value
        elif worker.job is not None:
            self._finish(worker, run, value)

    def _finish(self, worker: _Worker, run: _Run[Any, Any], value: object) -> None:
        if worker.job is not None:
            run.done[worker.job] = (run.at_work.pop(worker.job), value)
            worker.job = None

    def _lose(self, worker: _Worker, run: _Run[Any, Any], reason: str) -> None:
        self._workers.remove(worker)
        _end(worker)
        if not worker.ready:
            raise ArchiveMemError(f"a worker process did not start: {reason}")
        self._finish(worker, run, reason)

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            _end(worker)
        self._workers.clear()


def _end(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.kill()
    worker.process.join()


def _context() -> BaseContext:
    # Forking a process that has threads can lock up; a fork server has none.
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")


def _work(pipe: Connection, plan: _Plan) -> None:
    """The worker: start, then one item after the other until the pipe closes."""
    # Ctrl-C reaches the whole process group: the parent decides what to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        if plan.initializer is not None:
            plan.initializer(*plan.initargs)
    except Exception as error:  # noqa: BLE001  raised again where the run was started
        pipe.send(("refused", _portable(error)))
        return
    _bound_memory(plan.memory_bytes)
    pipe.send(("ready", None))
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            pipe.send(("done", _outcome(plan.function, pipe.recv())))


def _portable(error: Exception) -> Exception:
    """The error itself where it survives the way to another process, else its text."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes
    except Exception:  # noqa: BLE001  whatever its class does when it is built again
        return ArchiveMemError(str(error))
    return error


def _outcome(function: Callable[[Any], Any], item: object) -> object:
    try:
        return function(item)
    except MemoryError:
        return "needs more memory than allowed"
    except Exception as error:  # noqa: BLE001  any trouble with an item is that item's reason
        return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _bound_memory(extra: int | None) -> None:
    if extra is None or sys.platform != "linux":
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    bound = pages * os.sysconf("SC_PAGE_SIZE") + extra
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
