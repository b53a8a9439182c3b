"""archive-mem items."""

from pathlib import Path

import click

from archive_mem.cli.common import emit, json_option, memory_option

__all__ = ["items"]


@click.command()
@memory_option
@json_option
def items(memory: Path | None, as_json: bool) -> None:
    """List every item in order of time, failed ones with their reason."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        rows = opened.item_rows()
        if as_json:
            for row in rows:
                emit(row)
        else:
            _table(rows)


def _table(rows: object) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("item", "when", "where", "what", "faces", "status"):
        table.add_column(title, overflow="fold")
    for row in rows:  # type: ignore[attr-defined]
        table.add_row(
            row["id"],
            (row["captured_at"] or "")[:16].replace("T", " "),
            row["place"] or "",
            (row["caption"] or row["reason"] or "")[:80],
            "" if row["faces"] is None else str(row["faces"]),
            row["status"],
        )
    Console().print(table)
