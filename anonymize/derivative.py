"""Anonymised pictures on disk, built from pixels alone: nothing else of a file comes along."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archive_mem.schema.safe import SafeImage

__all__ = ["THUMBNAIL_SIDE", "atomic", "write_picture", "write_thumbnail"]

THUMBNAIL_SIDE = 320


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


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_picture(image: SafeImage, target: Path, long_side: int = 2048, quality: int = 85) -> None:
    """Write a JPEG (4:2:0, no metadata) whose longer side is at most `long_side` pixels."""
    from PIL import Image

    picture = Image.fromarray(image.pixels)
    picture.thumbnail((long_side, long_side), Image.Resampling.LANCZOS)
    with atomic(target) as draft:
        picture.save(draft, "JPEG", quality=quality, subsampling="4:2:0", optimize=True)


def write_thumbnail(image: SafeImage, target: Path) -> None:
    """Write a small JPEG of at most THUMBNAIL_SIDE pixels."""
    write_picture(image, target, THUMBNAIL_SIDE, 80)
