"""Which files are one moment: near copies, live pairs, edits and bursts. Pure; nothing is deleted.

Exact copies are one item already (same id). Near copies are pictures whose perceptual hashes differ
in few bits: unrelated pictures differ in 18 and more of 64.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from archive_mem.schema.media import MediaKind

__all__ = [
    "BURST_SECONDS",
    "NEAR_BITS",
    "MomentFile",
    "bursts",
    "edits",
    "live_pairs",
    "near_copies",
    "same_moment",
]

NEAR_BITS = 8
"""Most bits of 64 in which the hashes of near copies differ."""

BURST_SECONDS = 1.0
"""Most seconds between two pictures of a burst."""

_BURST_BITS = 16
_LIVE_SECONDS = 15.0
_CHUNK = 2048
_APPLE_EDIT = re.compile(r"IMG_E(\d+)")
_EDITED = re.compile(r"(?P<base>.+)-[^\W\d_]+(?: [^\W\d_]+)?(?P<copy>\(\d+\))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentFile:
    """What is needed to tell whether files are one moment.

    id: the item
    kind: photo or video
    path: relative to the ingested root, with "/"
    at: seconds of its time line (instant where known), None when unknown
    device: camera or phone model
    content_id: Apple's ContentIdentifier
    phash: perceptual hash of the upright picture, 16 hex digits
    """

    id: str
    kind: MediaKind
    path: str
    at: float | None = None
    device: str | None = None
    content_id: str | None = None
    phash: str | None = None


Pair = tuple[str, str]


def same_moment(files: Sequence[MomentFile]) -> dict[str, str]:
    """Item -> first item (by time, then path) of its moment, for items that do not stand alone."""
    pairs = (*live_pairs(files), *edits(files), *near_copies(files), *bursts(files))
    rank = {
        file.id: (file.at is None, file.at or 0.0, file.kind is MediaKind.VIDEO, file.path)
        for file in sorted(files, key=lambda file: file.path, reverse=True)
    }
    groups = _groups(pairs)
    return {member: min(group, key=lambda one: rank[one]) for group in groups for member in group}


def _groups(pairs: Iterable[Pair]) -> list[set[str]]:
    """Connected items, by union-find."""
    parent: dict[str, str] = {}

    def root(one: str) -> str:
        parent.setdefault(one, one)
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for one, other in pairs:
        parent[root(one)] = root(other)
    groups: dict[str, set[str]] = defaultdict(set)
    for one in list(parent):
        groups[root(one)].add(one)
    return [group for group in groups.values() if len(group) > 1]


def near_copies(files: Iterable[MomentFile], bits: int = NEAR_BITS) -> Iterator[Pair]:
    """Pairs of items whose hashes differ in at most `bits` bits."""
    hashed = [file for file in files if file.phash is not None]
    hashes = np.array([int(file.phash or "0", 16) for file in hashed], dtype=np.uint64)
    for start in range(0, len(hashes), _CHUNK):
        for row, column in _close(hashes, start, bits):
            if hashed[row].id != hashed[column].id:
                yield hashed[row].id, hashed[column].id


def _close(hashes: NDArray[np.uint64], start: int, bits: int) -> Iterator[tuple[int, int]]:
    """Index pairs (row, later column) within `bits`, for the rows of one chunk."""
    rows = hashes[start : start + _CHUNK]
    distances = np.bitwise_count(rows[:, None] ^ hashes[None, start:])
    for row, column in np.argwhere(distances <= bits):
        if column > row:
            yield start + int(row), start + int(column)


def live_pairs(files: Iterable[MomentFile]) -> Iterator[Pair]:
    """(still, video) pairs of live and motion photos.

    By Apple's ContentIdentifier; without one, by the same name in the same folder at about the same
    time. A name is paired once: "(1)" copies do not cross, nor do equal names in two folders.
    """
    files = list(files)
    by_content, rest = _by_content(files)
    yield from by_content
    yield from _by_name(rest)


def _by_content(files: Sequence[MomentFile]) -> tuple[list[Pair], list[MomentFile]]:
    named: dict[str, list[MomentFile]] = defaultdict(list)
    for file in files:
        if file.content_id:
            named[file.content_id].append(file)
    pairs = [
        (still.id, movie.id)
        for group in named.values()
        for still, movie in _stills_and_movies(group)
    ]
    paired = {one for pair in pairs for one in pair}
    return pairs, [file for file in files if file.id not in paired]


def _by_name(files: Sequence[MomentFile]) -> Iterator[Pair]:
    named: dict[str, list[MomentFile]] = defaultdict(list)
    for file in files:
        named[_stem(file)].append(file)
    for group in named.values():
        yield from ((a.id, b.id) for a, b in _stills_and_movies(group) if _may_be_live(a, b))


def _stem(file: MomentFile) -> str:
    path = PurePosixPath(unicodedata.normalize("NFC", file.path))
    # A Pixel's motion photo is "PXL_1.MP.jpg" beside "PXL_1.MP".
    name = path.name[: -len(path.suffix)] if path.suffix else path.name
    return str(path.parent / name.removesuffix(".MP").removesuffix(".mp"))


def _stills_and_movies(group: Sequence[MomentFile]) -> Iterator[tuple[MomentFile, MomentFile]]:
    stills = [file for file in group if file.kind is MediaKind.PHOTO]
    movies = [file for file in group if file.kind is MediaKind.VIDEO]
    yield from ((still, movie) for still in stills for movie in movies)


def _may_be_live(still: MomentFile, movie: MomentFile) -> bool:
    if still.content_id and movie.content_id:
        return False
    if still.at is None or movie.at is None:
        return True
    # The two may disagree by whole quarters of an hour where one has no offset.
    apart = abs(still.at - movie.at) % 900
    return min(apart, 900 - apart) <= _LIVE_SECONDS


def edits(files: Iterable[MomentFile]) -> Iterator[Pair]:
    """(original, edited) pairs: Apple's IMG_E1234, Google's "-edited" in any language."""
    photos = [file for file in files if file.kind is MediaKind.PHOTO]
    originals = {_stem(file): file for file in photos}
    for file in photos:
        original = originals.get(_original_stem(_stem(file)) or "")
        if original is not None and original.id != file.id:
            yield original.id, file.id


def _original_stem(stem: str) -> str | None:
    path = PurePosixPath(stem)
    apple = _APPLE_EDIT.fullmatch(path.name)
    if apple is not None:
        return str(path.parent / f"IMG_{apple[1]}")
    google = _EDITED.fullmatch(path.name)
    return str(path.parent / f"{google['base']}{google['copy'] or ''}") if google else None


def bursts(files: Iterable[MomentFile]) -> Iterator[Pair]:
    """Neighbours of a burst: one device, a second apart at most, and alike to look at."""
    by_device: dict[str, list[MomentFile]] = defaultdict(list)
    for file in files:
        if file.kind is MediaKind.PHOTO and file.at is not None and file.device:
            by_device[file.device].append(file)
    for group in by_device.values():
        group.sort(key=lambda file: (file.at or 0.0, file.path))
        pairs = pairwise(group)
        yield from ((one.id, other.id) for one, other in pairs if _is_burst(one, other))


def _is_burst(one: MomentFile, other: MomentFile) -> bool:
    if one.at is None or other.at is None or other.at - one.at > BURST_SECONDS:
        return False
    if one.id == other.id or one.phash is None or other.phash is None:
        return False
    return (int(one.phash, 16) ^ int(other.phash, 16)).bit_count() <= _BURST_BITS
