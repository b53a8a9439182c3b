"""archive-mem reindex."""

from pathlib import Path

import click

from archive_mem.cli.common import bars, memory_option

__all__ = ["reindex"]


@click.command()
@memory_option
def reindex(memory: Path | None) -> None:
    """Build the index again from the catalog; nothing else is touched."""
    from archive_mem.wiring import open_memory

    with open_memory(memory, track=bars) as opened:
        count = opened.reindex()
        model = opened.embedder.name
    click.echo(f"{count} turns indexed with {model}")
