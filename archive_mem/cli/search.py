"""archive-mem search."""

from pathlib import Path

import click

from archive_mem.cli.common import WORDS, as_of_option, emit, json_option, memory_option, parse_time

__all__ = ["search"]


@click.command()
@click.argument("text", type=WORDS)
@memory_option
@json_option
@as_of_option
@click.option("--top-k", type=click.IntRange(min=1), default=10, show_default=True, metavar="N")
def search(text: str, memory: Path | None, as_json: bool, as_of: str | None, top_k: int) -> None:
    """Find the moments that TEXT speaks of, best first."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        found = opened.search(text, top_k, parse_time(as_of))
        paths = opened.paths_of([each.record.item_id for each in found])
    for each in found:
        when = None if each.record.at is None else each.record.at.isoformat()
        if as_json:
            emit(
                {
                    "item": each.record.item_id,
                    "path": paths.get(each.record.item_id),
                    "session": each.session_id,
                    "captured_at": when,
                    "quote": each.turn.text.value,
                    "score": each.score,
                    "why": dict(each.parts),
                }
            )
        else:
            click.echo(f"{each.score:5.2f}  {each.record.item_id}  {when or 'undated'}")
            click.echo(f'       "{each.turn.text}"')
