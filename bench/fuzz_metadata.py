"""Read thousands of broken files: none may crash, hang, or grow beyond the bound.

PYTHONPATH=. python bench/fuzz_metadata.py [--files 10000] [--seed 0] [--corpus DIR ...]

Starts from the gnarly files of the tests, and from every file under --corpus up to 1 MB. Prints one
JSON object; the exit code is 1 when anything crashed, hung or raised.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from archive_mem.ingest.bounded import bounded_map
from archive_mem.ingest.metadata import read
from archive_mem.ingest.place import zone
from tests.gnarly_media import GNARLY

SECONDS = 5.0
MEMORY_BYTES = 512 * 2**20
LARGEST = 2**20
INTERESTING = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
HEAD = 16_384

Mutation = Callable[[bytearray, random.Random], None]


def flip(data: bytearray, chance: random.Random) -> None:
    """Change single bytes, mostly where the metadata are."""
    for _ in range(chance.randint(1, 24)):
        data[place(data, chance)] = chance.randrange(256)


def number(data: bytearray, chance: random.Random) -> None:
    """Write a number that breaks counts and offsets."""
    for _ in range(chance.randint(1, 4)):
        size, order = chance.choice((1, 2, 4)), chance.choice(("big", "little"))
        value = chance.choice(INTERESTING) % 256**size
        at = place(data, chance)
        data[at : at + size] = value.to_bytes(size, order)  # type: ignore[arg-type]


def cut(data: bytearray, chance: random.Random) -> None:
    """End early."""
    del data[place(data, chance) :]


def drop(data: bytearray, chance: random.Random) -> None:
    """Lose a part in the middle."""
    at = place(data, chance)
    del data[at : at + chance.randint(1, 2048)]


def repeat(data: bytearray, chance: random.Random) -> None:
    """Say something twice."""
    at = place(data, chance)
    part = bytes(data[at : at + chance.randint(1, 512)])
    data[at:at] = part * chance.randint(1, 64)


def shuffle(data: bytearray, chance: random.Random) -> None:
    """Copy a part over another one: pointers into the wrong place."""
    source, target, size = place(data, chance), place(data, chance), chance.randint(4, 256)
    data[target : target + size] = data[source : source + size]


MUTATIONS: tuple[Mutation, ...] = (flip, number, cut, drop, repeat, shuffle)


def place(data: bytearray, chance: random.Random) -> int:
    """An index; three times of four near the beginning."""
    end = len(data) if chance.random() < 0.25 else min(len(data), HEAD)
    return chance.randrange(max(1, end)) if data else 0


def mutated(seed: bytes, chance: random.Random) -> bytes:
    """A broken copy."""
    data = bytearray(seed or b"\0")
    for _ in range(chance.randint(1, 3)):
        if data:
            chance.choice(MUTATIONS)(data, chance)
    return bytes(data)


def seeds(corpora: list[Path]) -> list[tuple[str, bytes]]:
    """Name and bytes of every file to start from."""
    found = [(name, build()) for name, build in GNARLY.items()]
    for corpus in corpora:
        for path in sorted(corpus.rglob("*")):
            if path.is_file() and path.stat().st_size <= LARGEST:
                found.append((path.name, path.read_bytes()))
    return found


def broken_files(folder: Path, count: int, seed: int, corpora: list[Path]) -> Iterator[Path]:
    """Written one at a time: the disk holds only what is being read."""
    chance = random.Random(seed)
    originals = seeds(corpora)
    for number_of in range(count):
        name, data = chance.choice(originals)
        path = folder / f"{number_of:06}{Path(name).suffix[-8:]}"
        path.write_bytes(mutated(data, chance))
        yield path


def measure(path: Path) -> tuple[float, int, bool]:
    """Seconds, peak memory of this process in KiB, and whether the file has an error."""
    start = time.perf_counter()
    reading = read(path, name_places=False)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return seconds, peak, reading.error is not None


def warm() -> None:
    """Load what is loaded once, so that the bound is for files alone."""
    zone(0.0, 0.0)


def main() -> int:
    """Run, print, and say by the exit code whether all went well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=Path, action="append", default=[])
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    reasons: dict[str, int] = {}
    slowest, peak, errors = (0.0, ""), 0, 0
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        paths = broken_files(Path(folder), options.files, options.seed, options.corpus)
        run = bounded_map(measure, paths, options.workers, SECONDS, MEMORY_BYTES, initializer=warm)
        for path, result in run:
            if isinstance(result, str):
                reasons[result] = reasons.get(result, 0) + 1
                print(f"{path.name}: {result}", file=sys.stderr)
            else:
                slowest = max(slowest, (round(result[0], 3), path.name))
                peak = max(peak, result[1])
                errors += result[2]
                path.unlink()
    report = {
        "files": options.files,
        "seed": options.seed,
        "seconds": round(time.perf_counter() - begun, 1),
        "with_error": errors,
        "slowest": slowest,
        "peak_mib": peak // 1024,
        "failures": reasons,
    }
    print(json.dumps(report))
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main())
