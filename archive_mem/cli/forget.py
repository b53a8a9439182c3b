"""archive-mem forget."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archive_mem.cli.common import WORDS, bars, emit, json_option, memory_option

if TYPE_CHECKING:
    from archive_mem.ingest.forgetting import Forgotten

__all__ = ["forget"]


@click.command()
@click.argument("items", nargs=-1, required=True, metavar="ITEM...", type=WORDS)
@memory_option
@json_option
@click.option("--yes", is_flag=True, help="Do not ask first.")
def forget(items: tuple[str, ...], memory: Path | None, as_json: bool, yes: bool) -> int:
    """Remove ITEMs (ids or paths) and all that was made of them, annotations included.

    Nothing of them is left in any file of the memory. The originals are not touched, and a later
    ingest leaves them alone (ingest --again reads them). Asks first when run in a terminal.
    """
    from archive_mem.wiring import open_memory

    if not yes and sys.stdin.isatty():
        click.confirm(f"Forget {len(items)} for good, with what people wrote about it?", abort=True)
    with open_memory(memory, track=bars) as opened:
        done = opened.forget(items)
    if as_json:
        emit(asdict(done))
    else:
        for line in _lines(done):
            click.echo(line)
    return 3 if done.unknown else 0


def _lines(done: "Forgotten") -> Iterator[str]:
    yield (
        f"{len(done.item_ids)} items forgotten: {done.files} files, {done.annotations} versions "
        f"of annotations, {done.mentions} mentions in the profile"
    )
    yield f"{done.sessions_changed} sessions woven anew"
    if done.placeholders:
        yield "placeholders that nothing used any more: " + ", ".join(done.placeholders)
    if done.siblings:
        yield "of the same moment, still here: " + ", ".join(done.siblings)
    for name in done.unknown:
        yield f"not in this memory: {name}"
