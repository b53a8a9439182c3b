"""archive-mem ask."""

from pathlib import Path
from typing import Any

import click

from archive_mem.cli.common import (
    WORDS,
    allow_remote,
    as_of_option,
    emit,
    explain_option,
    json_option,
    memory_option,
    parse_time,
    remote_option,
)
from archive_mem.cli.search import why_line
from archive_mem.errors import InputError, UsageError
from archive_mem.profile.weighting import ProfileSettings, Weighting
from archive_mem.qa.explain import plan_lines
from archive_mem.schema.qa import Answer, Evidence, Tier

__all__ = ["answer_body", "ask", "print_answer"]


@click.command()
@click.argument("text", type=WORDS)
@memory_option
@json_option
@as_of_option
@click.option("--tier", type=click.Choice(["t1", "t2", "t3", "auto"]), default="auto")
@click.option("--photo", type=click.Path(path_type=Path), metavar="FILE", help="Ask about it.")
@click.option(
    "--option", "options", type=WORDS, multiple=True, metavar="TEXT", help="One choice; repeat it."
)
@click.option(
    "--reader",
    metavar="NAME",
    help="Model that answers: embedded (default), fake, hf:MODEL, openai:URL#MODEL.",
)
@remote_option
@click.option("--top-k", type=click.IntRange(min=1), metavar="N", help="How much evidence.")
@click.option(
    "--profile-mode",
    "mode",
    type=click.Choice([each.value for each in Weighting]),
    help="How T2 and T3 use the profile (default: full); the others are for comparison.",
)
@click.option(
    "--profile-k",
    "per_category",
    type=click.IntRange(min=1),
    metavar="K",
    help="Statements taken from each category (default: 15).",
)
@explain_option
@click.option("--reveal", is_flag=True, help="Show real names, on your own screen only.")
def ask(
    text: str,
    memory: Path | None,
    as_json: bool,
    as_of: str | None,
    tier: str,
    photo: Path | None,
    options: tuple[str, ...],
    reader: str | None,
    remote: bool,
    top_k: int | None,
    mode: str | None,
    per_category: int | None,
    explain: bool,
    reveal: bool,
) -> None:
    """Ask TEXT: facts with cited photos, what a person is like, or which option they would take."""
    from archive_mem.wiring import open_memory

    _check(text, tier, photo, options)
    at = parse_time(as_of)
    with open_memory(memory, command_line={"reader": reader}) as opened:
        allow_remote(opened, remote)
        if mode is not None or per_category is not None:
            usual = ProfileSettings()
            how = usual.weighting if mode is None else Weighting(mode)
            opened.use_profile(
                ProfileSettings(weighting=how, per_category=per_category or usual.per_category)
            )
        answer = opened.ask(
            text,
            tier=None if tier == "auto" else Tier(tier),
            photo=photo,
            options=options,
            as_of=at,
            top_k=top_k,
        )
        ids = [each.item_id for each in answer.evidence]
        paths = opened.paths_of(ids)
        why = opened.explain(text, ids, tier=answer.tier, as_of=at) if explain else None
        if as_json:
            emit(_explained(answer_body(answer, paths), answer, why))
            return
        if why is not None:
            click.echo("\n".join(plan_lines(why[0])))
        show = opened.vault.reveal if reveal else str
        print_answer(answer, paths, show, None if why is None else why[1])


_Why = tuple[dict[str, Any], dict[str, dict[str, bool]]]


def _explained(body: dict[str, Any], answer: Answer, why: _Why | None) -> dict[str, Any]:
    """The body with "plan", "read", and with "why" and "fits" for each piece of evidence."""
    if why is None:
        return body
    plan, fits = why
    rows = [
        {**row, "why": dict(each.why), "fits": fits.get(each.item_id, {})}
        for row, each in zip(body["evidence"], answer.evidence, strict=True)
    ]
    return {**body, "evidence": rows, "plan": plan, "read": _read(answer)}


def _read(answer: Answer) -> dict[str, Any]:
    """What read the question; how often a model was asked, repaired, and made up labels."""
    usage = answer.usage
    return {
        "reader": answer.reader,
        "calls": usage.calls,
        "repairs": usage.repairs,
        "invented": usage.invented,
    }


def _check(text: str, tier: str, photo: Path | None, options: tuple[str, ...]) -> None:
    if not text.strip():
        raise UsageError("the question is empty")
    if not all(option.strip() for option in options):
        raise UsageError("an option is empty")
    if photo is not None and not photo.is_file():
        raise InputError(photo, "there is no such photo")
    if tier == "t3" and len(options) < 2:
        raise UsageError("--tier t3 ranks options: give at least two with --option")


def answer_body(answer: Answer, paths: dict[str, str]) -> dict[str, Any]:
    """The object of `ask --json` (DESIGN section 5)."""
    return {
        "answer": answer.text.value,
        "abstained": answer.abstained,
        "evidence": [_evidence(each, paths) for each in answer.evidence],
        "ranking": [
            {
                "option": each.option.id,
                "text": each.option.text.value,
                "score": each.score,
                "reasons": [reason.value for reason in each.reasons],
            }
            for each in (answer.ranking.options if answer.ranking else ())
        ],
        "tier": answer.tier.value,
        "usage": {
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
            "seconds": answer.usage.seconds,
        },
    }


def _evidence(each: Evidence, paths: dict[str, str]) -> dict[str, Any]:
    return {
        "item": each.item_id,
        "path": paths.get(each.item_id),
        "session": each.session_id,
        "captured_at": None if each.at is None else each.at.isoformat(),
        "quote": each.quote.value,
        "score": each.score,
    }


def print_answer(
    answer: Answer,
    paths: dict[str, str],
    show: Any = str,  # noqa: ANN401
    fits: dict[str, dict[str, bool]] | None = None,
) -> None:
    """For the terminal: the answer, the ranking with reasons, the evidence.

    fits: by item, to show also what each score is made of
    """
    click.echo(click.style(show(answer.text.value), bold=True))
    for place, ranked in enumerate(answer.ranking.options if answer.ranking else (), 1):
        click.echo(f"  {place}. {show(ranked.option.text.value)}  ({ranked.score:+.2f})")
        for reason in ranked.reasons:
            click.echo(f"       {show(reason.value)}")
    for number, each in enumerate(answer.evidence, 1):
        when = "undated" if each.at is None else f"{each.at:%Y-%m-%d %H:%M}"
        path = paths.get(each.item_id, "")
        click.echo(click.style(f"  [{number}] {each.item_id}  {when}  {path}", dim=True))
        click.echo(f'      "{show(each.quote.value)}"')
        if fits is not None:
            line = why_line(dict(each.why), fits.get(each.item_id, {}))
            click.echo(click.style(f"      {line}", dim=True))
