"""archive-mem profile, and what its owner may do with it."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from archive_mem.cli.common import (
    WORDS,
    as_of_option,
    emit,
    json_option,
    memory_option,
    note,
    parse_time,
)
from archive_mem.errors import InputError
from archive_mem.schema.profile import Category, Profile, ProfileItem, Stability

if TYPE_CHECKING:
    from archive_mem.profile.history import Line

__all__ = ["profile", "profile_row"]

CATEGORY = click.Choice([each.value for each in Category])
FILE = click.Path(dir_okay=False, path_type=Path)


@click.group(invoke_without_command=True)
@memory_option
@json_option
@as_of_option
@click.option("--category", type=CATEGORY)
@click.option("--csv", "table", type=FILE, metavar="FILE", help="TS over time as a table.")
@click.option(
    "--plot", "picture", type=FILE, metavar="FILE", help="TS over time as .svg or .png ([evals])."
)
@click.option("--fitted", is_flag=True, help="Constants drawn to this person's own rhythm.")
@click.pass_context
def profile(
    ctx: click.Context,
    memory: Path | None,
    as_json: bool,
    as_of: str | None,
    category: str | None,
    table: Path | None,
    picture: Path | None,
    fitted: bool,
) -> None:
    """Who this person is: statements by temporal stability, with dated mentions.

    merge, split, hide, show and correct change it by hand; what you decide is kept for good, or
    until you take it back with undo. A statement is named by its id or the beginning of it.
    """
    ctx.obj = memory
    if ctx.invoked_subcommand is not None:
        return
    from archive_mem.wiring import open_memory

    if picture is not None:
        from archive_mem.profile.plot import check_plot

        check_plot(picture)
    constants = {"stability_constants": "fitted" if fitted else None}
    with open_memory(memory, command_line=constants) as opened:
        profiles = list(opened.profiles(parse_time(as_of), over_time=bool(table or picture)))
    found = profiles[-1]
    kept = [pair for pair in found.items if category in (None, pair[0].category)]
    _files(profiles, {item.id for item, _ in kept}, table, picture)
    if as_json:
        emit(_body(found, kept))
    elif table is None and picture is None:
        _print(kept)


def _files(
    profiles: Sequence[Profile], kept: set[str], table: Path | None, picture: Path | None
) -> None:
    if table is None and picture is None:
        return
    from archive_mem.profile.history import lines
    from archive_mem.profile.plot import plot

    shown = [line for line in lines(profiles) if line.item.id in kept]
    if table is not None:
        _write_table(table, shown)
        note(f"{table}: {len(shown)} statements over {len(profiles)} days")
    if picture is not None:
        note(f"{picture}: the {plot(shown, picture)} most stable of {len(shown)} statements")


def _write_table(path: Path, shown: Sequence["Line"]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as opened:
            rows = csv.writer(opened)
            rows.writerow(["as_of", "id", "category", "statement", "sup", "dur", "rec", "z", "ts"])
            rows.writerows(row for line in shown for row in _table_rows(line))
    except OSError as error:
        raise InputError(path, f"cannot be written ({error.strerror})") from error


def _table_rows(line: "Line") -> Iterator[list[str | float]]:
    item = line.item
    for day, each in zip(line.days, line.stability, strict=True):
        numbers = (each.sup, each.dur, each.rec, each.z, each.ts)
        yield [
            day.isoformat(timespec="seconds"),
            item.id,
            item.category.value,
            _as_text(item.statement.value),
            *(round(number, 6) for number in numbers),
        ]


def _as_text(words: str) -> str:
    """A spreadsheet would run a cell that begins so as a formula."""
    return f"'{words}" if words[:1] in ("=", "+", "-", "@", "\t", "\r") else words


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
            named = click.style(item.id[:8], dim=True)
            click.echo(f"  {'':<10}       {_count(item)}, {span}  {named}")


def _count(item: ProfileItem) -> str:
    number = len(item.mentions)
    return f"{number} mention{'' if number == 1 else 's'}{', your words' * item.settled}"


# ------------------------------------------------------------------------- by hand


@profile.command()
@click.argument("into")
@click.argument("other")
@memory_option
@click.pass_obj
def merge(parent: Path | None, into: str, other: str, memory: Path | None) -> None:
    """Let statement INTO take up the mentions of OTHER; the wording of INTO stays."""
    from archive_mem.wiring import open_memory

    with open_memory(memory or parent) as opened:
        _say(opened.profile_editor.merge(into, other))


@profile.command()
@click.argument("item")
@click.option(
    "--mention", "mentions", type=int, multiple=True, metavar="N", help="Which one leaves; repeat."
)
@memory_option
@click.pass_obj
def split(parent: Path | None, item: str, mentions: tuple[int, ...], memory: Path | None) -> None:
    """Take what does not belong there out of statement ITEM.

    Without --mention each wording becomes a statement of its own. Mentions count from 1, in the
    order in which `archive-mem profile --json` has them.
    """
    from archive_mem.wiring import open_memory

    with open_memory(memory or parent) as opened:
        _say(opened.profile_editor.split(item, mentions))


@profile.command()
@click.argument("item")
@memory_option
@click.pass_obj
def hide(parent: Path | None, item: str, memory: Path | None) -> None:
    """Leave statement ITEM out of the persona, of answers and of exports."""
    from archive_mem.wiring import open_memory

    with open_memory(memory or parent) as opened:
        _say(opened.profile_editor.hide(item))


@profile.command()
@click.argument("item", required=False)
@memory_option
@click.pass_obj
def show(parent: Path | None, item: str | None, memory: Path | None) -> None:
    """Show hidden statement ITEM again; without ITEM, list what is hidden."""
    from archive_mem.wiring import open_memory

    with open_memory(memory or parent) as opened:
        if item is not None:
            _say(opened.profile_editor.show(item))
            return
        for each in opened.profile_editor.hidden():
            _say(each)


@profile.command()
@click.argument("item")
@click.argument("text", type=WORDS, required=False)
@click.option("--category", type=CATEGORY, help="Where it belongs.")
@memory_option
@click.pass_obj
def correct(
    parent: Path | None, item: str, text: str | None, category: str | None, memory: Path | None
) -> None:
    """Put statement ITEM into your own words, TEXT; its mentions stay."""
    from archive_mem.wiring import open_memory

    with open_memory(memory or parent) as opened:
        where = None if category is None else Category(category)
        _say(opened.profile_editor.correct(item, text, where))


@profile.command()
@memory_option
@json_option
@click.pass_obj
def decisions(parent: Path | None, memory: Path | None, as_json: bool) -> None:
    """List what you decided by hand."""
    from archive_mem.wiring import open_memory

    with open_memory(memory or parent) as opened:
        written = opened.profile_editor.decisions()
    for each in written:
        about = None if each.statement is None else each.statement.value
        if as_json:
            row = {"id": each.id, "kind": each.kind.value, "statement": about}
            emit(row | {"saved_at": each.saved_at})
        else:
            click.echo(f"{each.id:>4}  {each.kind.value:<8} {about or '(nothing now)'}")


@profile.command()
@click.argument("decision", type=int)
@memory_option
@click.pass_obj
def undo(parent: Path | None, decision: int, memory: Path | None) -> None:
    """Take a DECISION back, by the number that `archive-mem profile decisions` shows."""
    from archive_mem.wiring import open_memory

    with open_memory(memory or parent) as opened:
        opened.profile_editor.undo(decision)


def _say(item: ProfileItem) -> None:
    click.echo(f"{item.id[:8]}  {item.statement}  ({_count(item)})")
