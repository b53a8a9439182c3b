"""What the commands share: options, output, progress bars."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from archive_mem.errors import UsageError

if TYPE_CHECKING:
    from archive_mem.wiring import Memory

__all__ = [
    "WORDS",
    "allow_remote",
    "as_of_option",
    "bars",
    "emit",
    "explain_option",
    "json_option",
    "memory_option",
    "note",
    "parse_time",
    "remote_option",
]

T = TypeVar("T")
Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class _Words(click.ParamType[str]):
    """Text that a person typed; bytes that are no UTF-8 reach Python as lone surrogates."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            self.fail("it is not UTF-8 text", param, ctx)
        return value


WORDS = _Words()


def memory_option(command: Decorated) -> Decorated:
    """--memory DIR."""
    return click.option(
        "--memory",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="The memory folder (default: $ARCHIVE_MEM_HOME, else your data folder).",
    )(command)


def json_option(command: Decorated) -> Decorated:
    """--json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def as_of_option(command: Decorated) -> Decorated:
    """--as-of ISO."""
    return click.option(
        "--as-of", metavar="ISO", help="As it was known then, such as 2024-06-01 (default: now)."
    )(command)


def explain_option(command: Decorated) -> Decorated:
    """--explain."""
    return click.option(
        "--explain", is_flag=True, help="Show what was understood, and what each score is made of."
    )(command)


def remote_option(command: Decorated) -> Decorated:
    """--allow-remote."""
    return click.option(
        "--allow-remote",
        "remote",
        is_flag=True,
        help="Let redacted words and blurred pictures go to the host of the model; kept.",
    )(command)


def allow_remote(opened: "Memory", given: bool) -> None:
    """Take the owner's yes, and say what it means."""
    for host in opened.allow_remote() if given else ():
        note(f"from now on redacted words and blurred pictures of this memory may go to {host}")


def parse_time(text: str | None) -> datetime | None:
    """A wall clock; a day alone means its end. Raises UsageError."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no ISO time (2024-06-01 or 2024-06-01T18:00)") from error
    if len(text) <= len("2024-06-01"):
        return at.replace(hour=23, minute=59, second=59)
    return at.replace(tzinfo=None)


def emit(body: Any) -> None:  # noqa: ANN401
    """One JSON object on a line of its own."""
    click.echo(json.dumps(body, ensure_ascii=False))


def note(line: str) -> None:
    """A line for the person who waits, on stderr."""
    click.echo(line, err=True)


def bars(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The Track of the command line: a bar on stderr, nothing when that is no terminal."""
    if not sys.stderr.isatty():
        return iter(items)
    return _bars(items, what, total)


def _bars(items: Iterable[T], what: str, total: int | None) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import track

    yield from track(
        items, description=f"{what:<30}", total=total, console=Console(stderr=True), transient=False
    )
