"""archive-mem redact."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archive_mem.cli.common import WORDS, json_option, memory_option

if TYPE_CHECKING:
    from anonymize.policy import Redaction, Redactor

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
    """Print TEXT (- for lines from stdin) with placeholders for personal details.

    Every line is answered before the next one is read. With --json a line is an object with
    `text` and `spans`, whose start and end count characters of the line as it came in.
    """
    from archive_mem.wiring import open_memory

    country = None if region is None else _country(region)
    with open_memory(memory, create=True) as opened:
        if names is not None:
            opened.learn_names(names)
        country = country or opened.settings.region
        for line in _lines(text):
            _say(_answer(opened.redactor, line, country, as_json))


def _country(text: str) -> str:
    """The region as ISO 3166 writes it. Raises UsageError for one that no phone number has."""
    from phonenumbers import SUPPORTED_REGIONS

    from archive_mem.errors import UsageError

    if text.upper() not in SUPPORTED_REGIONS:
        raise UsageError(f"--region: no country {text!r} (two letters of ISO 3166, such as FR)")
    return text.upper()


def _lines(text: str) -> Iterator[str]:
    """Bytes that are no UTF-8 stay, as lone surrogates (PEP 383)."""
    if text != "-":
        yield text
        return
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "surrogateescape").removesuffix("\n")


def _answer(redactor: "Redactor", line: str, region: str | None, as_json: bool) -> str:
    done = redactor.redact(line, region)
    return _json(line, done) if as_json else done.text.value


def _json(line: str, done: "Redaction") -> str:
    spans = [
        {
            "start": span.start,
            "end": span.end,
            "kind": str(span.kind),
            "placeholder": span.placeholder,
        }
        for span in done.spans
    ]
    # A lone surrogate has no UTF-8; JSON can write it as \udc80 to \udcff.
    return json.dumps({"text": done.text.value, "spans": spans}, ensure_ascii=not _is_text(line))


def _is_text(line: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in line)


def _say(line: str) -> None:
    """One line out, at once: whoever pipes lines in waits for it."""
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
