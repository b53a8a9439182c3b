"""What the process of a system under test may open: libraries, its own folder, nothing else.

Python's audit hook sees every open, listing, database and new process of Python code, and cannot
be taken off again. It stops reading of gold by mistake and by Python code that wants to; it is no
wall against native code written to get around it: for that, run the bench in a container.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["Refused", "allowed_roots", "install", "is_within"]

_SYSTEM = ("/dev", "/etc", "/usr", "/lib", "/lib64", "/bin", "/sys", "/opt/cuda")
_PROC = ("cpuinfo", "meminfo", "stat", "sys", "version", "mounts", "filesystems", "loadavg")
_NEW_PROCESS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"})
_LISTING = frozenset({"os.listdir", "os.scandir"})


class Refused(PermissionError):
    """Something that a system under test may not do."""


def allowed_roots(work: Path, own: Sequence[Path] = ()) -> tuple[str, ...]:
    """Folders and files that a worker may read: Python, this program, models, its own folder."""
    import anonymize
    import archive_mem
    import models

    packages = [package.__path__[0] for package in (anonymize, archive_mem, models)]
    hub = os.environ.get("HF_HOME", str(Path.home() / ".cache" / "huggingface"))
    roots = [sys.prefix, sys.base_prefix, *packages, hub, str(work), *map(str, own)]
    return tuple(dict.fromkeys(os.path.realpath(each) for each in roots))


def is_within(path: str, roots: Sequence[str]) -> bool:
    """Whether a real path is one of the roots or lies below one."""
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def install(roots: Sequence[str]) -> list[str]:
    """From here on everything else is refused; the list grows by what was."""
    refused: list[str] = []
    allowed = (*roots, *_SYSTEM)
    listed = {os.path.realpath(each) for each in sys.path}
    own = f"/proc/{os.getpid()}"

    def refuse(what: str) -> None:
        refused.append(what)
        raise Refused(f"a system under test may not {what}")

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in _NEW_PROCESS:
            refuse("start a process")
        elif event in ("open", "sqlite3.connect", *_LISTING):
            path = _path(args)
            if path is None or (event in _LISTING and path in listed):
                return
            if not (_is_proc(path, own) or is_within(path, allowed)):
                refuse(f"read {path}")

    sys.addaudithook(hook)
    return refused


def _path(args: tuple[Any, ...]) -> str | None:
    named = args[0] if args else None
    if named is None:
        return os.path.realpath(".")
    if not isinstance(named, str | bytes | os.PathLike):
        return None
    text = os.fsdecode(named)
    return None if text.startswith((":memory:", "file::memory:")) else os.path.realpath(text)


def _is_proc(path: str, own: str) -> bool:
    """The process's own entries, and those about the machine."""
    if is_within(path, [own]):
        return True
    return any(is_within(path, [f"/proc/{name}"]) for name in _PROC)
