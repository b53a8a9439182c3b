"""Run by tests in a process of its own: an export that is killed with signal 9 at a given point.

usage: killed_export.py MEMORY DIR MODULE:NAME COUNT
"""

import sys
from pathlib import Path

from archive_mem.wiring import open_memory
from tests.ingest.killed_ingest import arm
from tests.release.small import release


def main() -> None:
    memory, folder, where, count = sys.argv[1:]
    arm(where, int(count))
    with open_memory(Path(memory)) as opened:
        release(opened, Path(folder))


if __name__ == "__main__":
    main()
