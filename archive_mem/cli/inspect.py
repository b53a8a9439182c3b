"""`archive-mem inspect`: what is known of files before anything is made of them."""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archive_mem.ingest.discover import Discovery, Found, discover
from archive_mem.ingest.inspecting import Row, inspected, remembering
from archive_mem.ingest.remembered import EXPLAINED

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from archive_mem.ingest.remembered import Remembered

__all__ = ["inspect"]


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--explain", is_flag=True, help="Every value that was found, and why it won or lost.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes that read (default: cores).")
@click.option(
    "--memory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Remember in this memory what was read, and open only files that are new or changed.",
)
def inspect(
    paths: tuple[Path, ...],
    as_json: bool,
    explain: bool,
    workers: int | None,
    memory: Path | None,
) -> None:
    """Show when, where and with what each photo and video under PATHS was captured.

    Files are only read. A file that cannot be read has an error; the exit code stays 0.
    """
    found = discover(paths)
    count = workers or os.cpu_count() or 1
    if memory is None:
        _print(inspected(found, count), as_json, explain, found)
        return
    with _remembered(memory) as remembered:
        _print(remembering(found, count, remembered, explain=explain), as_json, explain, found)


@contextlib.contextmanager
def _remembered(memory: Path) -> "Iterator[Remembered]":
    """What a memory knows of files; what was read is kept however the run ends."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        try:
            yield opened.remembered
        finally:
            opened.remembered.flush()


def _print(
    rows: Iterable[tuple[Found, Row]], as_json: bool, explain: bool, found: Discovery
) -> None:
    if as_json:
        _print_json(rows, explain)
    else:
        _print_table(rows, explain, found)


def _print_json(rows: Iterable[tuple[Found, Row]], explain: bool) -> None:
    left_out = () if explain else EXPLAINED
    for _, row in rows:
        shown = {key: value for key, value in row.items() if key not in left_out}
        click.echo(json.dumps(shown, ensure_ascii=False))


def _print_table(rows: Iterable[tuple[Found, Row]], explain: bool, found: Discovery) -> None:
    from rich.console import Console
    from rich.progress import track

    console, errors = Console(), Console(stderr=True)
    shown = track(
        rows,
        "Reading",
        total=len(found.files),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    console.print(_explained(shown) if explain else _table(shown))
    for reason, count in sorted(found.left.items()):
        errors.print(f"{count} left alone: {reason}", style="dim")


def _table(rows: Iterable[tuple[Found, Row]]) -> "Table":
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


def _cells(row: Row) -> tuple[str, ...]:
    when = (row["captured_at"] or "").replace("T", " ")[:19] + f" {row['utc_offset'] or ''}"
    size = f"{row['width']} x {row['height']}" if row["width"] and row["height"] else ""
    length = f" {row['duration']:.0f} s" if row["duration"] else ""
    return when, row["time_source"] or "", row["place"] or "", size + length, row["error"] or ""


def _explained(rows: Iterable[tuple[Found, Row]]) -> "Group":
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
