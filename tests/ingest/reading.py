"""A gnarly file written and read, with a file time of its own."""

import os
from datetime import UTC, datetime
from pathlib import Path

from archive_mem.ingest.metadata import Reading, read
from archive_mem.schema.media import CaptureTime, MediaItem
from tests.gnarly_media import write

FILE_TIME = datetime(2021, 2, 3, 4, 5, 6, tzinfo=UTC)


def reading_of(name: str, folder: Path) -> Reading:
    path = write(name, folder)
    os.utime(path, (FILE_TIME.timestamp(), FILE_TIME.timestamp()))
    return read(path, name_places=False)


def item_of(name: str, folder: Path) -> MediaItem:
    item = reading_of(name, folder).item
    assert item is not None
    return item


def time_of(name: str, folder: Path) -> CaptureTime:
    time = item_of(name, folder).capture.time
    assert time is not None
    return time
