"""Work on many items goes on whatever one of them does: row F3."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from archive_mem.errors import ArchiveMemError, InputError, ModelError
from archive_mem.ingest.bounded import bounded_map

_started: list[str] = []


def behave(item: str) -> tuple[str, int]:
    """Do what the item says."""
    kind, _, value = item.partition(" ")
    if kind == "sleep":
        time.sleep(float(value))
    elif kind == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif kind == "exit":
        os._exit(3)
    elif kind == "grow":
        bytearray(int(value) * 2**20)
    elif kind == "raise":
        raise ValueError("two\nlines")
    elif kind == "started":
        return _started[0], os.getpid()
    return item, os.getpid()


def start(word: str) -> None:
    _started.append(word)


def refuse(kind: str) -> None:
    raise ModelError("no weights") if kind == "model" else InputError("a/b", "is not there")


def results(*items: str, **more: object) -> dict[str, object]:
    options: dict[str, object] = {"workers": 2, "seconds": 20.0, "memory_bytes": None} | more
    return dict(bounded_map(behave, items, **options))  # type: ignore[arg-type]


def test_every_item_has_a_result_from_another_process() -> None:
    found = results(*(f"do {number}" for number in range(20)))
    assert len(found) == 20
    assert all(isinstance(value, tuple) and value[1] != os.getpid() for value in found.values())


def test_results_come_in_order_when_asked_for() -> None:
    items = ["sleep 0.5", *(f"do {number}" for number in range(9))]
    found = bounded_map(behave, items, 2, 20.0, None, ordered=True)
    assert [item for item, _ in found] == items


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ("sleep 60", "stopped after 0.5 s"),
        ("crash", "the reader ended unexpectedly"),
        ("exit", "the reader ended unexpectedly"),
        ("raise", "ValueError: two lines"),
    ],
)
def test_a_bad_item_has_a_reason_and_the_others_go_on(item: str, reason: str) -> None:
    found = results("do 1", item, "do 2", "do 3", seconds=0.5)
    assert found.pop(item) == reason
    assert all(isinstance(value, tuple) for value in found.values())
    assert len(found) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="address space is bounded on Linux")
def test_an_item_that_takes_too_much_memory_has_a_reason() -> None:
    found = results("grow 64", "grow 4096", "do 1", memory_bytes=256 * 2**20)
    assert found["grow 4096"] == "needs more memory than allowed"
    assert isinstance(found["grow 64"], tuple)
    assert isinstance(found["do 1"], tuple)


def test_each_worker_is_started_once() -> None:
    found = results("started 1", "started 2", initializer=start, initargs=("ready",))
    assert [value[0] for value in found.values()] == ["ready", "ready"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [("model", ModelError, "no weights"), ("input", ArchiveMemError, "a/b: is not there")],
)
def test_a_start_that_fails_is_raised_here(kind: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        results("do 1", initializer=refuse, initargs=(kind,))


def test_items_are_taken_only_as_workers_are_free() -> None:
    """Memory does not grow with the number of items."""
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield f"do {taken}"

    run = bounded_map(behave, endless(), 2, 20.0, None)
    for _ in range(50):
        next(run)
    run.close()  # type: ignore[attr-defined]
    assert taken <= 60


def test_a_slow_item_bounds_what_waits_behind_it() -> None:
    taken = 0

    def many() -> Iterator[str]:
        nonlocal taken
        yield "sleep 1.5"
        while True:
            taken += 1
            yield f"do {taken}"

    run = bounded_map(behave, many(), 2, 20.0, None, ordered=True)
    next(run)
    run.close()  # type: ignore[attr-defined]
    assert taken <= 70


def test_no_items_start_no_worker() -> None:
    assert results() == {}


def test_ctrl_c_ends_every_worker(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from tests.ingest.test_bounded import behave\n"
        "from archive_mem.ingest.bounded import bounded_map\n"
        "run = bounded_map(behave, ['do 1', 'sleep 60', 'sleep 60'], 2, 90.0, None)\n"
        "print(next(run)[1][1], flush=True)\n"
        "list(run)\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    worker = int(run.stdout.readline())
    time.sleep(0.2)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors
    assert _gone(worker)


def _gone(pid: int) -> bool:
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.05)
    return False
