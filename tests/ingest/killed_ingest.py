"""Run by tests in a process of its own: an ingest that is killed with signal 9 at a given point.

usage: killed_ingest.py MEMORY MEDIA FUNCTION COUNT
FUNCTION is "module:name"; its COUNT-th call ends the process before it returns.
"""

import importlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

from archive_mem.wiring import open_memory


def arm(where: str, count: int) -> None:
    module_name, name = where.split(":")
    module = importlib.import_module(module_name)
    real = getattr(module, name)
    calls = 0

    def fatal(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        result = real(*arguments, **options)
        if calls == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(module, name, fatal)


def main() -> None:
    memory, media, where, count = sys.argv[1:]
    arm(where, int(count))
    with open_memory(Path(memory), create=True) as opened:
        opened.ingest([Path(media)])


if __name__ == "__main__":
    main()
