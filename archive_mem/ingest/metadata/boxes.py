"""Boxes of the ISO base media format (ISO 14496-12), which HEIF, AVIF, CR3, MP4 and MOV share."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from archive_mem.ingest.metadata.blocks import MAX_BLOCK, file_size, steps

__all__ = ["Box", "boxes", "child", "content", "top"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One box.

    kind: four characters
    start, end: where its content begins and ends in the file
    whole: its content is all in the file
    """

    kind: bytes
    start: int
    end: int
    whole: bool = True


def top(file: BinaryIO) -> Box:
    """The file itself, as a box of its boxes."""
    return Box(kind=b"file", start=0, end=file_size(file))


def boxes(file: BinaryIO, parent: Box, skip: int = 0) -> Iterator[Box]:
    """The boxes inside `parent` after its first `skip` bytes; stops at the first impossible one."""
    at = parent.start + skip
    for _ in steps():
        if at + 8 > parent.end:
            return
        box = _box_at(file, at, parent)
        if box is None:
            return
        yield box
        if not box.whole:
            return
        at = box.end


def _box_at(file: BinaryIO, at: int, parent: Box) -> Box | None:
    file.seek(at)
    header = file.read(16)
    size, kind, start = int.from_bytes(header[:4], "big"), header[4:8], at + 8
    if size == 1:
        size, start = int.from_bytes(header[8:16], "big"), at + 16
    elif size == 0:
        size = parent.end - at
    if at + size < start:
        return None
    return Box(
        kind=kind, start=start, end=min(at + size, parent.end), whole=at + size <= parent.end
    )


def child(file: BinaryIO, parent: Box | None, kind: bytes, skip: int = 0) -> Box | None:
    """The first box of a kind inside `parent`, None without one."""
    if parent is None:
        return None
    return next((box for box in boxes(file, parent, skip) if box.kind == kind), None)


def content(file: BinaryIO, box: Box | None, limit: int = MAX_BLOCK) -> bytes:
    """The bytes of a box, at most `limit`; empty for no box."""
    if box is None:
        return b""
    file.seek(box.start)
    return file.read(min(box.end - box.start, limit))
