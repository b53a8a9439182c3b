"""archive-mem sessions."""

from pathlib import Path
from typing import Any

import click

from archive_mem.cli.common import as_of_option, emit, json_option, memory_option, parse_time
from archive_mem.schema.session import Session

__all__ = ["sessions"]


@click.command()
@memory_option
@json_option
@as_of_option
def sessions(memory: Path | None, as_json: bool, as_of: str | None) -> None:
    """List sessions in order of time, each with its turns."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        for session in opened.catalog.sessions(until=parse_time(as_of)):
            if as_json:
                emit(_row(session))
            else:
                _print(session)


def _row(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "started": None if session.started is None else session.started.isoformat(),
        "ended": None if session.ended is None else session.ended.isoformat(),
        "place": None if session.place_label is None else session.place_label.value,
        "items": list(session.item_ids),
        "turns": [
            {
                "id": turn.id,
                "item": turn.item_id,
                "speaker": turn.speaker.value,
                "at": None if turn.at is None else turn.at.isoformat(),
                "text": turn.text.value,
            }
            for turn in session.turns
        ],
    }


def _print(session: Session) -> None:
    when = "undated" if session.started is None else f"{session.started:%Y-%m-%d %H:%M}"
    where = "" if session.place_label is None else f"  {session.place_label}"
    click.echo(click.style(f"{when}{where}  ({session.id})", bold=True))
    for turn in session.turns:
        click.echo(f"  {turn.speaker.value:<8}{turn.text}")
