"""archive-mem profile."""

from pathlib import Path
from typing import Any

import click

from archive_mem.cli.common import as_of_option, emit, json_option, memory_option, parse_time
from archive_mem.schema.profile import Category, Profile, ProfileItem, Stability

__all__ = ["profile", "profile_row"]


@click.command()
@memory_option
@json_option
@as_of_option
@click.option("--category", type=click.Choice([each.value for each in Category]))
def profile(memory: Path | None, as_json: bool, as_of: str | None, category: str | None) -> None:
    """Who this person is: statements by temporal stability, with dated mentions."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        found = opened.profile(parse_time(as_of))
    kept = [pair for pair in found.items if category in (None, pair[0].category)]
    if as_json:
        emit(_body(found, kept))
    else:
        _print(kept)


def _body(found: Profile, kept: list[tuple[ProfileItem, Stability]]) -> dict[str, Any]:
    weights = found.weights
    return {
        "as_of": found.as_of.isoformat(),
        "weights": {"sup": weights.sup, "dur": weights.dur, "rec": weights.rec},
        "items": [profile_row(item, stability) for item, stability in kept],
    }


def profile_row(item: ProfileItem, stability: Stability) -> dict[str, Any]:
    """One statement as `profile --json` prints it."""
    return {
        "id": item.id,
        "category": item.category.value,
        "statement": item.statement.value,
        "mentions": [
            {"at": each.at.isoformat(), "session": each.session_id, "quote": each.quote.value}
            for each in item.mentions
        ],
        "first_seen": item.mentions[0].at.isoformat(),
        "last_seen": item.mentions[-1].at.isoformat(),
        "sup": stability.sup,
        "dur": stability.dur,
        "rec": stability.rec,
        "z": stability.z,
        "ts": stability.ts,
        "related_id": item.related_id,
    }


def _print(kept: list[tuple[ProfileItem, Stability]]) -> None:
    if not kept:
        click.echo("nothing is known yet: import annotations, or ingest more")
    for name in Category:
        rows = [pair for pair in kept if pair[0].category is name]
        if rows:
            click.echo(click.style(name.value.replace("_", " "), bold=True))
        for item, stability in rows:
            bar = "█" * round(10 * stability.ts)
            span = f"{item.mentions[0].at:%Y-%m} to {item.mentions[-1].at:%Y-%m}"
            click.echo(f"  {bar:<10} {stability.ts:4.2f}  {item.statement}")
            click.echo(f"  {'':<10}       {len(item.mentions)} mentions, {span}")
