"""Files that lie under their name whole or not at all, readable by their owner alone."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

__all__ = ["atomic", "clear_drafts"]


@contextmanager
def atomic(target: Path) -> Iterator[Path]:
    """A path beside `target` to write to; it takes the target's name at the end, or vanishes.

    The file is readable by its owner alone.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = target.with_name(f".{target.stem}.{secrets.token_hex(4)}.part{target.suffix}")
    try:
        draft.touch(mode=0o600, exist_ok=False)
        yield draft
        _flush(draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def clear_drafts(target: Path) -> None:
    """Remove what a killed process left of `target`; nobody else may be writing it."""
    for left in target.parent.glob(f".{escape(target.stem)}.*.part{target.suffix}"):
        left.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
