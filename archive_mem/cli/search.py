"""archive-mem search."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from archive_mem.cli.common import (
    WORDS,
    as_of_option,
    emit,
    explain_option,
    json_option,
    memory_option,
    parse_time,
)
from archive_mem.qa.explain import plan_lines

if TYPE_CHECKING:
    from archive_mem.retrieval.search import Found

__all__ = ["search", "search_row", "why_line"]


@click.command()
@click.argument("text", type=WORDS)
@memory_option
@json_option
@as_of_option
@explain_option
@click.option("--top-k", type=click.IntRange(min=1), default=10, show_default=True, metavar="N")
def search(
    text: str, memory: Path | None, as_json: bool, as_of: str | None, explain: bool, top_k: int
) -> None:
    """Find the moments that TEXT speaks of, best first."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        at = parse_time(as_of)
        found = opened.search(text, top_k, at)
        ids = [each.record.item_id for each in found]
        paths = opened.paths_of(ids)
        plan, fits = opened.explain(text, ids, as_of=at) if explain else (None, {})
    if plan is not None and not as_json:
        click.echo("\n".join(plan_lines(plan)))
    for each in found:
        item_id = each.record.item_id
        if as_json:
            more = {} if plan is None else {"fits": fits.get(item_id, {}), "plan": plan}
            emit({**search_row(each), "path": paths.get(item_id), **more})
        else:
            _print(each, fits.get(item_id, {}), explain)


def search_row(found: "Found") -> dict[str, Any]:
    """One hit as `search --json` prints it, without the path of the original."""
    at = found.record.at
    return {
        "item": found.record.item_id,
        "session": found.session_id,
        "captured_at": None if at is None else at.isoformat(),
        "quote": found.turn.text.value,
        "score": found.score,
        "why": dict(found.parts),
    }


def _print(each: "Found", fits: dict[str, bool], explain: bool) -> None:
    when = "undated" if each.record.at is None else each.record.at.isoformat()
    click.echo(f"{each.score:5.2f}  {each.record.item_id}  {when}")
    click.echo(f'       "{each.turn.text}"')
    if explain:
        click.echo(click.style(f"       {why_line(dict(each.parts), fits)}", dim=True))


def why_line(parts: Mapping[str, float], fits: Mapping[str, bool]) -> str:
    """Such as "dense 0.61, lexical 3.20, boosts 0.30; fits time, not place"."""
    scores = ", ".join(f"{name} {value:.2f}" for name, value in parts.items())
    said = ", ".join(name if fit else f"not {name}" for name, fit in fits.items())
    return f"{scores}; fits {said}" if said else scores
