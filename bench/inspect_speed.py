"""Files a second of `archive-mem inspect` beside ExifTool, on the same files in one run.

PYTHONPATH=. python bench/inspect_speed.py --corpus DIR [--files 2000] [--rounds 3]

Needs exiftool (Debian: libimage-exiftool-perl) for the comparison. Every file is a copy of one of
the corpus with a few bytes of its own behind it, so that no id repeats. The two take turns; the
best round of each counts. Peak memory is that of the whole process tree, at a quarter of the files
and at all of them. Prints one JSON object.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

LARGEST = 2**20
NAMES = 10
AGAIN_ROUNDS = 3
INSPECT = (
    sys.executable,
    "-c",
    "from archive_mem.cli.inspect import inspect; inspect()",
    "--json",
)
EXIFTOOL = ("exiftool", "-fast2", "-json", "-r")


def fill(folder: Path, corpus: Path, count: int) -> None:
    """Copies of the corpus, each with an id of its own."""
    originals = [
        path
        for path in sorted(corpus.rglob("*"))
        if path.is_file() and path.stat().st_size <= LARGEST and path.suffix != ".json"
    ]
    for number in range(count):
        source = originals[number % len(originals)]
        target = folder / f"{number % 20:02}" / f"{number:05}{source.suffix}"
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, target)
        with target.open("ab") as file:
            file.write(number.to_bytes(8, "big"))


class Peak(threading.Thread):
    """Most memory that a process and all under it held at once, in bytes."""

    def __init__(self, process: psutil.Process) -> None:
        super().__init__(daemon=True)
        self.process, self.bytes = process, 0

    def run(self) -> None:
        """Look ten times a second until the process is gone."""
        while True:
            try:
                tree = [self.process, *self.process.children(recursive=True)]
                held = sum(part.memory_info().rss for part in tree)
            except psutil.NoSuchProcess:
                return
            self.bytes = max(self.bytes, held)
            time.sleep(0.1)


def timed(command: Sequence[str], folder: Path) -> tuple[float, int, int]:
    """Seconds, peak bytes, and bytes printed."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*command, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    peak = Peak(psutil.Process(process.pid))
    peak.start()
    printed, _ = process.communicate()
    return time.perf_counter() - begun, peak.bytes, len(printed)


def read_again(folder: Path, names: int) -> tuple[float, int]:
    """Seconds and peak bytes of a run over files that the memory has read already."""
    from archive_mem.wiring import open_memory

    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        memory, linked = Path(place) / "memory", Path(place) / "linked"
        open_memory(memory, create=True).close()
        for number in range(names):
            shutil.copytree(folder, linked / f"{number}", copy_function=os.link)
        command = (*INSPECT, "--memory", str(memory))
        runs = [timed(command, linked) for _ in range(1 + AGAIN_ROUNDS)]
        assert len({printed for _, _, printed in runs}) == 1, "it must say the same again"
    return min(seconds for seconds, _, _ in runs[1:]), max(peak for _, peak, _ in runs[1:])


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        few, all_files = Path(name) / "few", Path(name) / "all"
        for folder, count in ((few, options.files // 4), (all_files, options.files)):
            folder.mkdir()
            fill(folder, options.corpus, count)
        few_peak = timed(INSPECT, few)[1]
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(timed(INSPECT, all_files))
            if shutil.which(EXIFTOOL[0]):
                theirs.append(timed(EXIFTOOL, all_files))
        again = {names: read_again(all_files, names) for names in (1, NAMES)}
    best = min(seconds for seconds, _, _ in ours)
    report: dict[str, object] = {
        "files": options.files,
        "inspect_files_per_second": round(options.files / best),
        "inspect_seconds": [round(seconds, 2) for seconds, _, _ in ours],
        "again_files_per_second": {
            names * options.files: round(names * options.files / seconds)
            for names, (seconds, _) in again.items()
        },
        "again_peak_mib": [peak // 2**20 for _, peak in again.values()],
        "peak_mib_quarter": few_peak // 2**20,
        "peak_mib_all": max(peak for _, peak, _ in ours) // 2**20,
    }
    if theirs:
        slow = min(seconds for seconds, _, _ in theirs)
        report |= {
            "exiftool_files_per_second": round(options.files / slow),
            "exiftool_seconds": [round(seconds, 2) for seconds, _, _ in theirs],
            "times_faster": round(slow / best, 2),
            "again_times_faster": {
                names * options.files: round(names * slow / seconds, 1)
                for names, (seconds, _) in again.items()
            },
        }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
