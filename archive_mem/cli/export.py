"""archive-mem export."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from archive_mem.cli.common import bars, emit, json_option, memory_option, note

if TYPE_CHECKING:
    from archive_mem.release.export import Released

__all__ = ["export"]

_SHOWN = 20


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@memory_option
@json_option
@click.option(
    "--shift-times",
    is_flag=True,
    help="Shift all times by one secret number of weeks, the same in every release.",
)
@click.option(
    "--qa",
    "questions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Questions about this memory (qa.jsonl) that go with it.",
)
@click.option("--profile", is_flag=True, help="Let the persona go with it.")
def export(
    folder: Path,
    memory: Path | None,
    as_json: bool,
    shift_times: bool,
    questions: Path | None,
    profile: bool,
) -> int:
    """Write an anonymised release of the memory to DIR, for others to read.

    DIR is a new or empty folder, or an earlier release of this memory, which is replaced. Nothing
    is written when the memory does not verify, or when something personal would be left.
    """
    from archive_mem.release.export import Choices
    from archive_mem.wiring import open_memory

    choices = Choices(shift_times=shift_times, questions=questions, profile=profile)
    with open_memory(memory, track=bars) as opened:
        released = opened.export(folder, choices)
    if as_json:
        emit(_body(released))
    else:
        _print(released)
    return 0 if released.whole else 3


def _body(released: "Released") -> dict[str, Any]:
    return {
        "folder": str(released.folder),
        **released.counts.as_json(),
        "not_ready": released.not_ready,
        "withheld": [
            {"item": each.item, "field": each.field, "why": each.why} for each in released.withheld
        ],
        "left_out": [{"question": each.question, "why": each.why} for each in released.left_out],
    }


def _print(released: "Released") -> None:
    counts = released.counts
    click.echo(
        f"{counts.items} items, {counts.sessions} sessions, {counts.layers.total()} annotations, "
        f"{counts.questions.total()} questions written to {released.folder}"
    )
    if released.not_ready:
        click.echo(f"{released.not_ready} items are not in it: they failed, or are not read yet")
    for each in released.withheld[:_SHOWN]:
        note(f"{each.item}: {each.field} withheld for {each.why}")
    if len(released.withheld) > _SHOWN:
        note(f"and more: {len(released.withheld)} texts withheld in all (--json lists them)")
    for left in released.left_out[:_SHOWN]:
        note(f"question {left.question} left out: {left.why}")
    if len(released.left_out) > _SHOWN:
        note(f"and more: {len(released.left_out)} questions left out in all (--json lists them)")
    click.echo("read README.md, fill in LICENSE and sign it before you publish")
