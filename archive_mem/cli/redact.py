"""archive-mem redact."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from archive_mem.cli.common import WORDS, emit, json_option, memory_option

__all__ = ["redact"]


@click.command()
@click.argument("text", type=WORDS)
@memory_option
@click.option("--names", type=click.Path(path_type=Path), metavar="FILE", help="Names to hide.")
@click.option("--region", metavar="CC", help="ISO country for phone numbers, such as FR.")
@json_option
def redact(
    text: str, memory: Path | None, names: Path | None, region: str | None, as_json: bool
) -> None:
    """Print TEXT (- for lines from stdin) with placeholders for personal details."""
    from archive_mem.wiring import open_memory

    with open_memory(memory, create=True) as opened:
        if names is not None:
            opened.learn_names(names)
        for line in _lines(text):
            done = opened.redactor.redact(line, region or opened.settings.region)
            if as_json:
                spans = [
                    {
                        "start": span.start,
                        "end": span.end,
                        "kind": str(span.kind),
                        "placeholder": span.placeholder,
                    }
                    for span in done.spans
                ]
                emit({"text": done.text.value, "spans": spans})
            else:
                click.echo(done.text.value)


def _lines(text: str) -> Iterable[str]:
    if text != "-":
        return [text]
    return (line.rstrip("\r\n") for line in sys.stdin)
