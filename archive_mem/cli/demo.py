"""archive-mem demo."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from archive_mem.cli.ask import print_answer
from archive_mem.cli.common import bars
from archive_mem.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from archive_mem.wiring import Memory

__all__ = ["demo"]

# One a tier that shows most of what an answer holds: a count with its records, a change, a ranking.
_SHOWN = ("sa-1.3-07", "sa-2.2-07", "sa-3.1-01")
_TIERS = {"T1": "what happened", "T2": "what this person is like", "T3": "what they would choose"}


@click.command()
@click.option(
    "--memory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo_memory"),
    show_default=True,
    metavar="DIR",
)
def demo(memory: Path) -> None:
    """Build the sample archive, ingest it, import its annotations, ask one question of each tier.

    A second run does no work and asks again.
    """
    from archive_mem.wiring import open_memory

    source = _sample()
    media = _build(source / "media")
    with open_memory(memory, create=True, track=bars) as opened:
        report = opened.ingest([media], source / "names.txt")
        notes = opened.import_annotations(source / "annotations.jsonl")
        for line in report.lines():
            click.echo(line)
        click.echo(f"annotations: {notes.saved} layers saved, {notes.same} were there already")
        for question in _shown(source / "qa.jsonl"):
            _ask(opened, question)
    click.echo("")
    click.echo("Next:")
    click.echo(f'  archive-mem ask "..." --memory {memory}')
    click.echo(f"  archive-mem ui --memory {memory}")


def _sample() -> Path:
    try:
        import sample_archive
    except ImportError as error:
        raise InputError("sample_archive", "it comes with the source, not here") from error
    return Path(sample_archive.__file__).parent


def _build(target: Path) -> Path:
    try:
        from sample_archive.build import build
    except ImportError as error:
        raise MissingExtra("sample", "the sample archive") from error
    bar = _Bar("Building the sample archive")
    build(target, bar)
    bar.close()
    return target


class _Bar:
    """A bar for work that reports (done, total)."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._steps: Iterator[int] | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._steps is None:
            self._steps = bars(range(total), self._what, total)
        next(self._steps, None)

    def close(self) -> None:
        """Let the bar end."""
        for _ in self._steps or ():
            pass


def _shown(path: Path) -> list[dict[str, Any]]:
    questions = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return [each for each in questions if each["id"] in _SHOWN]


def _ask(opened: "Memory", question: dict[str, Any]) -> None:
    from archive_mem.schema.qa import Tier

    click.echo("")
    click.echo(f"{question['tier']}, {_TIERS[question['tier']]}: {question['question']}")
    answer = opened.ask(
        question["question"],
        tier=Tier(question["tier"].lower()),
        options=[(each["id"], each["text"]) for each in question.get("options", ())],
        as_of=datetime.fromisoformat(question["asked_at"]),
        top_k=5,
    )
    print_answer(answer, opened.paths_of([each.item_id for each in answer.evidence]))
