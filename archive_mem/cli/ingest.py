"""archive-mem ingest."""

from pathlib import Path

import click

from archive_mem.cli.common import allow_remote, bars, memory_option, remote_option
from archive_mem.errors import UsageError

__all__ = ["ingest"]


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@memory_option
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True)
@click.option("--workers", type=click.IntRange(min=0), help="Processes (default: one a core).")
@click.option(
    "--captioner",
    metavar="NAME",
    help="What describes pictures: embedded (default), fake, hf:MODEL, openai:URL#MODEL.",
)
@remote_option
@click.option(
    "--names",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your own list of names and places to hide: kind TAB name TAB alias|alias a line.",
)
@click.option("--again", is_flag=True, help="Read also what was forgotten.")
def ingest(
    paths: tuple[Path, ...],
    memory: Path | None,
    engine: str,
    workers: int | None,
    captioner: str | None,
    remote: bool,
    names: Path | None,
    again: bool,
) -> int:
    """Read photos and videos into a memory. Faces are always blurred; originals are only read.

    A second run does no work; a stopped or killed run goes on where it was.
    """
    from archive_mem.wiring import open_memory

    _require_engine(engine)
    given = {"workers": workers, "captioner": captioner}
    with open_memory(memory, create=True, command_line=given, track=bars) as opened:
        allow_remote(opened, remote)
        report = opened.ingest(list(paths), names, again=again)
        for line in report.lines():
            click.echo(line)
    return 0 if report.ended_well else 3


def _require_engine(engine: str) -> None:
    if engine != "local":
        raise UsageError("--engine ray is not part of this version yet; use --engine local")
