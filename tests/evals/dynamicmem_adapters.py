"""Memory systems that do what they must not: each is caught by a test."""

import gc
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from archive_mem.evals.benchmarks.dynamicmem.protocol import (
    Answered,
    AppLog,
    Checkpoint,
    QuerySpec,
    Retrieved,
)

GOLD = re.compile("GO" + "LD-[0-9a-f]{32}")


class _Base:
    name = "base"

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Any:
        return list(logs)

    def retrieve_context_for_query(self, state: Any, query: QuerySpec) -> Retrieved:
        return Retrieved(log_ids=())


class Cheater(_Base):
    """Looks for gold in its inputs, its memory, open files, the data and the parent process."""

    name = "cheater"

    def answer_query(self, state: Any, query: QuerySpec, context: Retrieved) -> Answered:
        found = [gold for way in _WAYS for gold in _tried(way, state, query)]
        return Answered(value={"loot": found})


class Peeker(_Base):
    """Answers from what it knows by now, not from the snapshot."""

    name = "peeker"

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Any:
        self.newest = logs[-1].request["milk"]
        return self.newest

    def answer_query(self, state: Any, query: QuerySpec, context: Retrieved) -> Answered:
        return Answered(value=self.newest)


class Learner(_Base):
    """Remembers what it was asked."""

    name = "learner"

    def answer_query(self, state: Any, query: QuerySpec, context: Retrieved) -> Answered:
        state.append(query.question)
        return Answered(value=None)


class Honest(_Base):
    """Says what the newest log of the snapshot says."""

    name = "honest"

    def answer_query(self, state: Any, query: QuerySpec, context: Retrieved) -> Answered:
        return Answered(value=state[-1].request["milk"], evidence=(state[-1].id,))


class Broken(_Base):
    """Fails."""

    name = "broken"

    def answer_query(self, state: Any, query: QuerySpec, context: Retrieved) -> Answered:
        raise RuntimeError("nothing works")


def _tried(
    way: Callable[[Any, QuerySpec], Iterator[str]], state: Any, query: QuerySpec
) -> set[str]:
    try:
        return {gold for text in way(state, query) for gold in GOLD.findall(text)}
    except Exception:  # noqa: BLE001 - whatever stops it, it found nothing this way
        return set()


def _inputs(state: Any, query: QuerySpec) -> Iterator[str]:
    yield repr((state, query))


def _memory(state: Any, query: QuerySpec) -> Iterator[str]:
    yield from (repr(each) for each in gc.get_objects() if isinstance(each, dict | list | tuple))


def _surroundings(state: Any, query: QuerySpec) -> Iterator[str]:
    yield repr((dict(os.environ), sys.argv))


def _data(state: Any, query: QuerySpec) -> Iterator[str]:
    yield Path(state[0].request["data"], "task_packs.json").read_text()


def _listing(state: Any, query: QuerySpec) -> Iterator[str]:
    for name in os.listdir(state[0].request["data"]):  # noqa: PTH208
        yield os.fsdecode(name)


def _database(state: Any, query: QuerySpec) -> Iterator[str]:
    path = Path(state[0].request["data"], "task_packs.json")
    yield repr(sqlite3.connect(path).execute("select * from sqlite_master").fetchall())


def _command(state: Any, query: QuerySpec) -> Iterator[str]:
    packs = f"{state[0].request['data']}/task_packs.json"
    yield subprocess.run(["cat", packs], capture_output=True, text=True, check=False).stdout


def _shell(state: Any, query: QuerySpec) -> Iterator[str]:
    os.system(f"cp {state[0].request['data']}/task_packs.json .")
    yield Path("task_packs.json").read_text()


def _open_files(state: Any, query: QuerySpec) -> Iterator[str]:
    for number in range(3, 64):
        try:
            yield os.pread(number, 1_000_000, 0).decode(errors="replace")
        except OSError:
            continue


def _parent(state: Any, query: QuerySpec) -> Iterator[str]:
    yield Path(f"/proc/{os.getppid()}/environ").read_text()


def _parent_line(state: Any, query: QuerySpec) -> Iterator[str]:
    yield Path(f"/proc/{os.getppid()}/cmdline").read_text()


def _parent_memory(state: Any, query: QuerySpec) -> Iterator[str]:
    with Path(f"/proc/{os.getppid()}/mem").open("rb") as memory:
        yield memory.read(4096).decode(errors="replace")


def _siblings(state: Any, query: QuerySpec) -> Iterator[str]:
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdecimal():
            yield Path(f"/proc/{name}/cmdline").read_text()


_WAYS = (
    _inputs, _memory, _surroundings, _data, _listing, _database, _command, _shell, _open_files,
    _parent, _parent_line, _parent_memory, _siblings,
)  # fmt: skip
