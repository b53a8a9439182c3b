"""archive-mem annotate import | export."""

import json
from pathlib import Path

import click

from archive_mem.cli.common import bars, memory_option, note
from archive_mem.errors import InputError

__all__ = ["annotate"]

_SHOWN = 20


@click.group()
def annotate() -> None:
    """Import or export the layers that people write (annotations.jsonl)."""


@annotate.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@memory_option
def import_(file: Path, memory: Path | None) -> int:
    """Import FILE. The same file twice changes nothing; unknown media are listed."""
    from archive_mem.wiring import open_memory

    with open_memory(memory, track=bars) as opened:
        report = opened.import_annotations(file)
    click.echo(f"{report.saved} layers saved, {report.same} were there already")
    if report.replaced:
        note(f"{report.replaced} said again by a later line of the file, which counts")
    for media in report.unknown[:_SHOWN]:
        note(f"{file}: no item for {media}")
    for number, reason in report.bad[:_SHOWN]:
        note(f"{file}:{number}: {reason}")
    hidden = len(report.unknown) + len(report.bad) - 2 * _SHOWN
    if hidden > 0:
        note(f"and more: {len(report.unknown)} unknown media, {len(report.bad)} bad lines in all")
    return 3 if report.unknown or report.bad else 0


@annotate.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@memory_option
@click.option(
    "--reveal",
    is_flag=True,
    help="What was typed, with real names: for your own backup, never to share.",
)
def export(file: Path, memory: Path | None, reveal: bool) -> None:
    """Export the newest version of every layer to FILE (- for stdout), placeholders for names."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        lines = [json.dumps(line, ensure_ascii=False) for line in opened.notes.export(reveal)]
    if str(file) == "-":
        click.echo("\n".join(lines))
        return
    try:
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    except OSError as error:
        raise InputError(file, f"cannot be written ({error.strerror})") from error
    note(f"{len(lines)} lines written to {file}")
