"""`archive-mem inspect`: what is known of files before anything is made of them."""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from archive_mem.ingest.bounded import bounded_map
from archive_mem.ingest.discover import Discovery, Found, discover, printable
from archive_mem.ingest.metadata import Reading, SidecarIndex, Sidecars, named, read
from archive_mem.ingest.metadata.clock import offset_text
from archive_mem.schema.media import CapturePlace, CaptureTime, MediaItem

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

__all__ = ["inspect", "row_of"]

SECONDS = 20.0
SLOWEST_DISK = 20_000_000
"""Bytes a second: a long video may take its time to be read."""
MEMORY_BYTES = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """One file to read.

    found: the file
    sidecars: what lies beside it
    """

    found: Found
    sidecars: Sidecars


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--explain", is_flag=True, help="Every value that was found, and why it won or lost.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes that read (default: cores).")
def inspect(paths: tuple[Path, ...], as_json: bool, explain: bool, workers: int | None) -> None:
    """Show when, where and with what each photo and video under PATHS was captured.

    Nothing is changed or kept. A file that cannot be read has an error; the exit code stays 0.
    """
    found = discover(paths)
    readings = _readings(found, workers or os.cpu_count() or 1)
    if as_json:
        _print_json(readings, explain)
    else:
        _print_table(readings, explain, found)


def _readings(found: Discovery, workers: int) -> Iterator[tuple[Found, Reading]]:
    index = SidecarIndex.build([*(file.path for file in found.files), *found.sidecars])
    tasks = (_Task(found=file, sidecars=index.for_media(file.path)) for file in found.files)
    results = bounded_map(
        _read,
        tasks,
        workers=min(workers, len(found.files)),
        seconds=SECONDS + _largest(found) / SLOWEST_DISK,
        memory_bytes=MEMORY_BYTES,
        ordered=True,
    )
    for task, result in results:
        reading = Reading(item=None, error=result) if isinstance(result, str) else result
        # Towns are looked up here, once, not in every worker.
        yield task.found, named(reading)


def _largest(found: Discovery) -> int:
    sizes = (file.path.stat().st_size for file in found.files)
    with contextlib.suppress(OSError):
        return max(sizes, default=0)
    return 0


def _read(task: _Task) -> Reading:
    album = task.found.album
    albums = (album,) if album is not None else ()
    return read(task.found.path, task.sidecars, albums=albums, name_places=False)


def row_of(path: Path, reading: Reading, explain: bool = False) -> dict[str, Any]:
    """The JSON object of one file, its keys as documented."""
    row = {"path": printable(path), **_item_keys(reading.item), "error": reading.error}
    if explain:
        row["albums"] = list(reading.albums)
        row["note"] = None if reading.item is None else reading.item.note
        row["candidates"] = [
            {
                "field": candidate.field,
                "source": str(candidate.source),
                "value": candidate.value,
                "won": candidate.won,
                "reason": candidate.reason,
            }
            for candidate in reading.candidates
        ]
    return row


def _item_keys(item: MediaItem | None) -> dict[str, Any]:
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


def _time_keys(time: CaptureTime | None) -> dict[str, Any]:
    return {
        "captured_at": None if time is None else time.local.isoformat(),
        "utc_offset": offset_text(None if time is None else time.utc_offset),
        "time_source": None if time is None else str(time.source),
        "time_confidence": None if time is None else time.confidence,
    }


def _place_keys(place: CapturePlace | None) -> dict[str, Any]:
    town = None if place is None else place.place
    return {
        "latitude": None if place is None else place.latitude,
        "longitude": None if place is None else place.longitude,
        "altitude": None if place is None else place.altitude,
        "place": None if town is None else town.label(),
        "place_source": None if place is None else str(place.source),
    }


def _print_json(readings: Iterable[tuple[Found, Reading]], explain: bool) -> None:
    for found, reading in readings:
        click.echo(json.dumps(row_of(found.path, reading, explain), ensure_ascii=False))


def _print_table(
    readings: Iterable[tuple[Found, Reading]], explain: bool, found: Discovery
) -> None:
    from rich.console import Console
    from rich.progress import track

    console, errors = Console(), Console(stderr=True)
    shown = track(
        readings,
        "Reading",
        total=len(found.files),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    rows = [(file, row_of(file.path, reading, explain)) for file, reading in shown]
    console.print(_explained(rows) if explain else _table(rows))
    for reason, count in sorted(found.left.items()):
        errors.print(f"{count} left alone: {reason}", style="dim")


def _table(rows: Iterable[tuple[Found, dict[str, Any]]]) -> "Table":
    from rich.markup import escape
    from rich.table import Column, Table

    table = Table(
        Column("file", overflow="fold"),
        "captured",
        "from",
        "place",
        "size",
        "note",
        header_style="bold",
    )
    for found, row in rows:
        cells = (found.relative, *_cells(row))
        table.add_row(*map(escape, cells), style="red" if row["error"] else "")
    return table


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    when = (row["captured_at"] or "").replace("T", " ")[:19] + f" {row['utc_offset'] or ''}"
    size = f"{row['width']} x {row['height']}" if row["width"] and row["height"] else ""
    length = f" {row['duration']:.0f} s" if row["duration"] else ""
    return when, row["time_source"] or "", row["place"] or "", size + length, row["error"] or ""


def _explained(rows: Iterable[tuple[Found, dict[str, Any]]]) -> "Group":
    from rich.console import Group
    from rich.markup import escape
    from rich.table import Table

    tables = []
    for found, row in rows:
        title = escape(f"{found.relative}  {row['error'] or row['note'] or ''}".strip())
        table = Table("", "field", "value", "source", "why", title=title, title_justify="left")
        for candidate in row["candidates"]:
            mark = "✓" if candidate["won"] else ""
            cells = [mark, *(candidate[key] for key in ("field", "value", "source", "reason"))]
            table.add_row(*map(escape, cells), style="bold" if candidate["won"] else "dim")
        tables.append(table)
    return Group(*tables)
