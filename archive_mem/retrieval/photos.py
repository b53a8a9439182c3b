"""Finding the item that a given photo is, or is most like."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import InputError, MediaError
from archive_mem.schema.record import Archive, Record

__all__ = ["Likeness", "PhotoFinder", "PhotoMatch", "ThumbFinder", "appearance"]

_NEAR_BITS = 10
"""Two upright pictures within so many of 64 bits of a perceptual hash are copies of one."""

_SIDE = 8


class Likeness(StrEnum):
    """How a photo was found."""

    SAME = "same file"
    COPY = "near copy"
    ALIKE = "most alike"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoMatch:
    """The item that a given photo is, or is most like.

    record: the item
    likeness: how it was found
    score: 1 for the same file, less for less alike
    """

    record: Record
    likeness: Likeness
    score: float


class PhotoFinder(Protocol):
    """Finds a given photo in the archive."""

    def find(self, photo: Path, asked_at: datetime) -> PhotoMatch | None:
        """The match, None when nothing is alike. Raises InputError for an unreadable file."""
        ...


class ThumbFinder:
    """By content hash, then by perceptual hash of the thumbnails, then by their look.

    archive: records with `thumb`
    folder: the memory folder that `thumb` is relative to
    least: what is less alike than this (0 to 1) is no match
    """

    def __init__(self, archive: Archive, folder: Path, least: float = 0.5) -> None:
        self._archive, self._folder, self._least = archive, folder, least
        self._seen: dict[str, tuple[int, NDArray[np.float32]]] = {}

    def find(self, photo: Path, asked_at: datetime) -> PhotoMatch | None:
        """The match, None when nothing is alike. Raises InputError for an unreadable file."""
        same = self._same(photo, asked_at)
        if same is not None:
            return PhotoMatch(record=same, likeness=Likeness.SAME, score=1.0)
        bits, look = self._look_of(photo)
        found = max(
            self._scores(bits, look, asked_at),
            key=lambda match: (match.likeness is Likeness.COPY, match.score, match.record.item_id),
            default=None,
        )
        return None if found is None or found.score < self._least else found

    def _same(self, photo: Path, asked_at: datetime) -> Record | None:
        from archive_mem.ingest.fingerprint import item_id

        known = str(photo) if not photo.exists() else item_id(photo)
        found = next(self._archive.records([known]), None)
        if found is None and not photo.exists():
            raise InputError(photo, "there is no such photo, and no item of that id")
        return found if found is not None and found.exists_at(asked_at) else None

    def _scores(
        self, bits: int, look: NDArray[np.float32], asked_at: datetime
    ) -> Iterator[PhotoMatch]:
        for record in self._archive.records():
            if record.thumb is None or not record.exists_at(asked_at):
                continue
            other_bits, other_look = self._thumb(record.thumb)
            apart = (bits ^ other_bits).bit_count()
            if apart <= _NEAR_BITS:
                yield PhotoMatch(record=record, likeness=Likeness.COPY, score=1 - apart / 64)
            else:
                score = float(look @ other_look)
                yield PhotoMatch(record=record, likeness=Likeness.ALIKE, score=score)

    def _thumb(self, thumb: str) -> tuple[int, NDArray[np.float32]]:
        if thumb not in self._seen:
            self._seen[thumb] = self._look_of(self._folder / thumb)
        return self._seen[thumb]

    def _look_of(self, path: Path) -> tuple[int, NDArray[np.float32]]:
        from archive_mem.ingest.decode import upright
        from archive_mem.ingest.sniff import sniff_file

        try:
            known = sniff_file(path)
            pixels = upright(path, "" if known is None else known.mime, max_side=512)
        except (MediaError, OSError) as error:
            raise InputError(path.name, str(error)) from error
        return _perceptual_hash(pixels), appearance(pixels)


def appearance(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Unit vector of how a picture looks: an 8 x 8 colour layout and a colour histogram.

    pixels: RGB of shape (height, width, 3)
    """
    from PIL import Image

    small = Image.fromarray(pixels).resize((_SIDE, _SIDE), Image.Resampling.BOX)
    layout = np.asarray(small, np.float32).reshape(-1) / 255
    layout = layout - layout.mean()
    cells = (pixels[::4, ::4] // 64).reshape(-1, 3).astype(np.int64) @ np.array([16, 4, 1])
    histogram = np.sqrt(np.bincount(cells, minlength=64).astype(np.float32) / len(cells))
    return _unit(np.concatenate([_unit(layout), _unit(histogram)]))


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = max(float(np.linalg.norm(vector)), 1e-9)
    unit: NDArray[np.float32] = (vector / length).astype(np.float32)
    return unit


def _perceptual_hash(pixels: NDArray[np.uint8]) -> int:
    import imagehash
    from PIL import Image

    return int(str(imagehash.phash(Image.fromarray(pixels))), 16)
