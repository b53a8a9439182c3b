"""What is known of files before anything is made of them, one row a file.

Files are read in workers that can be ended; what a memory remembers of an unchanged file is taken
from there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archive_mem.catalog.readings import MOST
from archive_mem.ingest.bounded import bounded_map
from archive_mem.ingest.discover import Discovery, Found, printable
from archive_mem.ingest.metadata import Reading, SidecarIndex, Sidecars, named, read
from archive_mem.ingest.metadata.clock import offset_text
from archive_mem.ingest.metadata.resolve import Candidate
from archive_mem.ingest.remembered import Remembered, in_parts
from archive_mem.schema.media import CapturePlace, CaptureTime, MediaItem

__all__ = ["Row", "inspected", "remembering", "row_of"]

SECONDS = 20.0
SLOWEST_DISK = 20_000_000
"""Bytes a second: a long video may take its time to be read."""
MEMORY_BYTES = 2**30

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """One file to read.

    found: the file
    sidecars: what lies beside it
    """

    found: Found
    sidecars: Sidecars


def inspected(found: Discovery, workers: int) -> Iterator[tuple[Found, Row]]:
    """Every file with its row, read now, in order."""
    return _read_all(found.files, _sidecars(found), workers)


def remembering(
    found: Discovery, workers: int, remembered: Remembered, *, explain: bool
) -> Iterator[tuple[Found, Row]]:
    """As `inspected`, but a file that did not change since it was read is not opened.

    explain: what is remembered has the keys that say why, too
    """
    index = _sidecars(found)
    marks = list(remembered.news((file, index.for_media(file.path)) for file in found.files))
    new = [file for file, mark in zip(found.files, marks, strict=True) if mark is not None]
    fresh = _read_all(new, index, workers)
    for part in in_parts(zip(found.files, marks, strict=True), MOST):
        unchanged = [file for file, mark in part if mark is None]
        known = iter(remembered.rows(unchanged, explain=explain))
        for file, mark in part:
            if mark is None:
                row = next(known) or _alone(file, index)
                yield file, row | {"path": printable(file.path)}
                continue
            row = next(fresh)[1]
            if row["id"] is not None:
                remembered.keep(file, mark, row)
            yield file, row


def _alone(file: Found, index: SidecarIndex) -> Row:
    """For the rare file that was dropped from the memory while it was asked."""
    return next(_read_all([file], index, 1))[1]


def _sidecars(found: Discovery) -> SidecarIndex:
    return SidecarIndex.build([*(file.path for file in found.files), *found.sidecars])


def _read_all(
    files: Sequence[Found], index: SidecarIndex, workers: int
) -> Iterator[tuple[Found, Row]]:
    tasks = (_Task(found=file, sidecars=index.for_media(file.path)) for file in files)
    results = bounded_map(
        _read,
        tasks,
        workers=min(workers, len(files)),
        seconds=SECONDS + _largest(files) / SLOWEST_DISK,
        memory_bytes=MEMORY_BYTES,
        ordered=True,
    )
    for task, result in results:
        reading = Reading(item=None, error=result) if isinstance(result, str) else result
        # Towns are looked up here, once, not in every worker.
        yield task.found, row_of(task.found.path, named(reading))


def _largest(files: Sequence[Found]) -> int:
    return max(map(_size, files), default=0)


def _size(file: Found) -> int:
    try:
        return file.path.stat().st_size
    except OSError:
        return 0


def _read(task: _Task) -> Reading:
    album = task.found.album
    albums = (album,) if album is not None else ()
    return read(task.found.path, task.sidecars, albums=albums, name_places=False)


def row_of(path: Path, reading: Reading) -> Row:
    """The row of one file: the keys of `inspect --json`, then those of --explain."""
    return {
        "path": printable(path),
        **_item_keys(reading.item),
        "error": reading.error,
        "albums": list(reading.albums),
        "note": None if reading.item is None else reading.item.note,
        "candidates": [_candidate_keys(candidate) for candidate in reading.candidates],
    }


def _candidate_keys(candidate: Candidate) -> Row:
    return {
        "field": candidate.field,
        "source": str(candidate.source),
        "value": candidate.value,
        "won": candidate.won,
        "reason": candidate.reason,
    }


def _item_keys(item: MediaItem | None) -> Row:
    time = None if item is None else item.capture.time
    place = None if item is None else item.capture.place
    return {
        "id": None if item is None else item.id,
        "kind": None if item is None else str(item.kind),
        "mime": None if item is None else item.mime,
        "width": None if item is None else item.width,
        "height": None if item is None else item.height,
        "duration": None if item is None else item.duration,
        **_time_keys(time),
        **_place_keys(place),
    }


def _time_keys(time: CaptureTime | None) -> Row:
    return {
        "captured_at": None if time is None else time.local.isoformat(),
        "utc_offset": offset_text(None if time is None else time.utc_offset),
        "time_source": None if time is None else str(time.source),
        "time_confidence": None if time is None else time.confidence,
    }


def _place_keys(place: CapturePlace | None) -> Row:
    town = None if place is None else place.place
    return {
        "latitude": None if place is None else place.latitude,
        "longitude": None if place is None else place.longitude,
        "altitude": None if place is None else place.altitude,
        "place": None if town is None else town.label(),
        "place_source": None if place is None else str(place.source),
    }
