"""Ingest the sample archive with one and two workers: items a second, seconds by stage, memory.

    python -m bench.ingest [--workers 1 2] [--media DIR]

Efficiency is the CPU seconds of the worker processes over wall seconds times workers: the rest
is lost to start-up, waiting and the owner's own work. Peak memory is that of the process tree,
sampled ten times a second.
"""

import argparse
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

import sample_archive
from archive_mem.catalog import ledger
from archive_mem.wiring import open_memory

SOURCE = Path(sample_archive.__file__).parent
PIXEL_STAGES = ("capture", "anonymise", "describe")


@dataclass(slots=True)
class Watch:
    """Peak resident bytes of the process tree, and CPU seconds of each child process."""

    peak: int = 0
    cpu: dict[int, float] = field(default_factory=dict)
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Sample until done."""
        me = psutil.Process()
        while not self.done.wait(0.1):
            children = _children(me)
            self.peak = max(self.peak, sum(_resident(each) for each in [me, *children]))
            self.cpu.update({each.pid: _cpu(each) for each in children})


def main() -> None:
    """Print one line a number of workers, and the seconds by stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--media", type=Path, default=SOURCE / "media")
    arguments = parser.parse_args()
    if arguments.media == SOURCE / "media":
        from sample_archive.build import build

        build(arguments.media)
    baseline = None
    for workers in arguments.workers:
        baseline = _measure(arguments.media, workers, baseline)


def _measure(media: Path, workers: int, baseline: float | None) -> float:
    with TemporaryDirectory() as scratch, _watched() as watch:
        begun = time.perf_counter()
        with open_memory(
            Path(scratch) / "memory", create=True, command_line={"workers": workers}
        ) as opened:
            report = opened.ingest([media], SOURCE / "names.txt")
            wall, used = time.perf_counter() - begun, sum(watch.cpu.values())
            with opened.catalog.reading() as connection:
                by_stage = ledger.seconds(connection)
        again = time.perf_counter()
        with open_memory(Path(scratch) / "memory") as opened:
            opened.ingest([media])
        again = time.perf_counter() - again
    rate = report.items / wall
    print(
        f"{workers} workers: {report.items} items in {wall:.1f} s, {rate:.2f} a second"
        + (f" ({rate / baseline:.2f} x of the first)" if baseline else "")
        + f"; efficiency {used / (wall * min(workers, os.cpu_count() or 1)):.2f}"
        f"; peak {watch.peak / 2**20:.0f} MiB; second run {again:.1f} s"
    )
    for stage in PIXEL_STAGES:
        print(f"    {stage:<10} {by_stage.get(stage, 0):7.1f} s in all workers")
    return baseline or rate


@contextmanager
def _watched() -> Iterator[Watch]:
    watch = Watch()
    thread = threading.Thread(target=watch.run, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.done.set()
        thread.join()


def _cpu(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


if __name__ == "__main__":
    sys.exit(main())
