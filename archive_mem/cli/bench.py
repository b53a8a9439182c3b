"""archive-mem bench."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from archive_mem.cli.common import bars, emit, json_option, memory_option
from archive_mem.errors import UsageError

if TYPE_CHECKING:
    from archive_mem.evals.benchmarks.realmem.context import Lab
    from archive_mem.evals.benchmarks.realmem.matrix import MatrixRun
    from archive_mem.evals.benchmarks.realmem.readers import ContextReader
    from archive_mem.evals.scorers import Scorer

__all__ = ["bench"]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def _out_option(required: bool) -> Callable[[Decorated], Decorated]:
    return click.option(
        "--out",
        required=required,
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Where the run is kept; given again, it goes on there.",
    )


@click.group()
def bench() -> None:
    """Measure on benchmarks; the data are yours to bring."""


@bench.command()
@click.option(
    "--data",
    required=True,
    type=_FOLDER,
    metavar="DIR",
    help="Folder of LoCoMo conversations, one JSON file each.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Also write it there.")
@click.option("--embedder", default="embedded", metavar="NAME", help="Model of the vectors.")
@json_option
def locomo(data: Path, out: Path | None, embedder: str, as_json: bool) -> None:
    """Find the turns of long chats that answer a question (recall at 5, 10, 20 and 50)."""
    from archive_mem.evals.benchmarks.locomo import run
    from models import registry

    report = run(data, registry.embedder(embedder))
    if out is not None:
        _write(out / "locomo.json", report)
    if as_json:
        emit(report)
    else:
        _print(report)


@bench.command()
@memory_option
@click.option("--qa", type=_FILE, metavar="FILE", help="Questions with their gold (qa.jsonl).")
@click.option(
    "--systems",
    default="full-context,oracle,rag,chrono,chrono-no-ts",
    metavar="NAMES",
    help="Also ours, bm25, dense, profile-swap, or EPISODES+PROFILE such as rag+recency.",
)
@click.option(
    "--modes", default="caption", metavar="NAMES", help="caption, caption+pixels, pixels."
)
@click.option("--k", "ks", default="10", metavar="NUMBERS", help="Such as 1,5,10,15,30,full.")
@click.option("--reader", default="embedded", metavar="NAME", help="What answers.")
@click.option("--judge", default="exact", metavar="NAME", help="exact, or a chat model.")
@click.option("--matrix", type=_FILE, metavar="FILE", help="Many runs from one TOML file.")
@_out_option(required=True)
@json_option
def realmem(
    memory: Path | None,
    qa: Path | None,
    systems: str,
    modes: str,
    ks: str,
    reader: str,
    judge: str,
    matrix: Path | None,
    out: Path,
    as_json: bool,
) -> None:
    """Answer three tiers of questions about a memory, and score the answers."""
    from archive_mem.evals.benchmarks.realmem.bench import Choices
    from archive_mem.evals.benchmarks.realmem.matrix import MatrixRun, gathered, read_matrix
    from archive_mem.wiring import open_memory

    if (qa is None) == (matrix is None):
        raise UsageError("give --qa FILE, or --matrix FILE")
    with open_memory(memory) as opened:
        lab = opened.lab()
        if qa is not None:
            choices = Choices(systems=_list(systems), modes=_list(modes), ks=_list(ks))
            one = MatrixRun(name="", qa=qa, reader=reader, judge=judge, choices=choices)
            report = _realmem_run(lab, one, out)
        elif matrix is not None:
            runs = {
                each.name: _realmem_run(lab, each, out / each.name) for each in read_matrix(matrix)
            }
            report = gathered(runs)
            _write(out / "summary.json", report)
    _show(report, as_json)


def _realmem_run(lab: "Lab", chosen: "MatrixRun", out: Path) -> dict[str, Any]:
    from archive_mem.evals.benchmarks.realmem.bench import run

    reader, judge = _reader(chosen.reader), _judge(chosen.judge, lab)
    return run(lab, chosen.qa, chosen.choices, reader, judge, out, bars)


def _reader(name: str) -> "ContextReader":
    from archive_mem.evals.benchmarks.realmem.readers import ChatReader, EmbeddedReader
    from models import registry

    model = registry.chat_model(name)
    if model is None:
        return EmbeddedReader()
    sees = bool(getattr(model, "sees_pictures", name.startswith("openai:")))
    return ChatReader(model, sees=sees)


def _judge(name: str, lab: "Lab") -> "Scorer[Any]":
    from archive_mem.evals.benchmarks.realmem.judges import ChatJudge, ExactJudge
    from models import registry

    if name == "exact":
        return ExactJudge()
    model = registry.chat_model(name)
    if model is None:
        raise UsageError("the embedded reader is no judge; give exact or a chat model")
    return ChatJudge(model, lab.redact)


@bench.command()
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folders of people, each with app_log_large.json and task_packs.json.",
)
@click.option(
    "--generate", type=click.IntRange(1, 1_000), metavar="N", help="Write N made-up people first."
)
@click.option("--seed", default=0, metavar="S", help="Of the first made-up person.")
@click.option(
    "--systems",
    default="ours,bm25,rag,oracle",
    metavar="NAMES",
    help="Also mem0, or MODULE:CLASS of your own.",
)
@click.option("--judge", default="exact", metavar="NAME", help="exact, or a chat model.")
@_out_option(required=True)
@json_option
def dynamicmem(
    data: Path | None,
    generate: int | None,
    seed: int,
    systems: str,
    judge: str,
    out: Path,
    as_json: bool,
) -> None:
    """Keep up with a person's changing state from app logs, at checkpoints."""
    from archive_mem.evals.benchmarks.dynamicmem.bench import run

    if data is None and generate is None:
        raise UsageError("give --data DIR, or --generate N")
    source = data or out / "data"
    people = None if generate is None else (generate, seed)
    _show(dict(run(source, _list(systems), out, judge, people, bars)), as_json)


@bench.command()
@click.option("--captioner", metavar="NAME", help="hf:MODEL, downloaded before.")
@click.option(
    "--random-weights",
    metavar="NAME",
    help="Without a download: qwen3-vl-2b, qwen3-vl-8b, or a folder with a config.json.",
)
@click.option("--batch", default="1,4,8", metavar="NUMBERS", help="Pictures at once.")
@click.option("--pixels", default="1003520", metavar="NUMBERS", help="Most pixels of each.")
@click.option("--pictures", type=click.IntRange(1), default=16, show_default=True)
@click.option("--tokens", type=click.IntRange(1), default=128, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Also write it there.")
@json_option
def caption(
    captioner: str | None,
    random_weights: str | None,
    batch: str,
    pixels: str,
    pictures: int,
    tokens: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Describe drawn pictures: pictures and tokens a second, seconds to load, peak memory."""
    from archive_mem.evals.benchmarks.captioning import Sweep, open_model, run

    sweep = Sweep(
        batches=_numbers(batch),
        pixels=_numbers(pixels),
        pictures=pictures,
        tokens=tokens,
        to_the_end=random_weights is not None,
    )
    report = run(*open_model(captioner, random_weights), sweep, bars)
    if out is not None:
        _write(out / "caption.json", report)
    if as_json:
        emit(report)
    else:
        _print_speeds(report)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        found = tuple(int(each) for each in _list(text))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise UsageError(f"{text!r}: give whole numbers from 1 on, with commas between them")
    return found


def _print_speeds(report: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    title = f"{report['model']} on {report['device']}, loaded in {report['load_seconds']} s"
    heads = ("batch", "pixels", "pictures/s", "new tokens/s", "peak MiB", "failed")
    table = Table(*heads, title=title)
    keys = ("batch", "pixels", "pictures_per_second", "new_tokens_per_second", "peak_mebibytes")
    for each in report["runs"]:
        table.add_row(*(str(each[key]) for key in (*keys, "failed")))
    Console().print(table)


@bench.command()
@click.argument("first", type=_FOLDER, metavar="A")
@click.argument("second", type=_FOLDER, metavar="B")
@json_option
def compare(first: Path, second: Path, as_json: bool) -> None:
    """Compare two runs on the same data, question by question (B minus A)."""
    from archive_mem.evals.compare import compare_runs

    report = compare_runs(first, second)
    if as_json:
        emit(report)
    else:
        _print_comparison(report)


def _list(text: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    if not found:
        raise UsageError(f"{text!r} names nothing; give names with commas between them")
    return found


def _write(path: Path, report: Mapping[str, Any]) -> None:
    from archive_mem.evals.log import write_whole

    write_whole(path, json.dumps(report, indent=2, ensure_ascii=False) + "\n")


def _print(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", "R@5", "R@10", "R@20", "R@50", title=f"LoCoMo, {report['n']} questions")
    for name, row in _rows(report).items():
        table.add_row(name, *(f"{value:.1f}" for value in row.values() if value is not None))
    Console().print(table)


def _rows(report: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    groups = {name: group["recall"] for name, group in report["by_category"].items()}
    return {**report["baselines"], "search": report["recall"], **groups}


def _show(report: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(report)
        return
    from rich.console import Console
    from rich.table import Table

    title = f"{report['name']}: {report['n']} answers, {report['unscored']} unscored"
    table = Table("", "n", "unscored", "failed", "score", "95 %", "groups", title=title)
    for name, body in report["systems"].items():
        table.add_row(name, *_cells(body))
    Console().print(table)


def _cells(body: Mapping[str, Any]) -> list[str]:
    score = body["score"]
    tops = body.get("tiers") or {
        name: group["score"] and group["score"]["mean"] for name, group in body["groups"].items()
    }
    groups = ", ".join(f"{name} {value:.1f}" for name, value in tops.items() if value is not None)
    shown = (
        ["none", ""]
        if score is None
        else [f"{score['mean']:.1f}", f"{score['low']:.1f} to {score['high']:.1f}"]
    )
    return [*(str(body[each]) for each in ("n", "unscored", "failed")), *shown, groups]


def _print_comparison(report: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", "n", "B - A", "95 %", "better", "worse", "same", "p")
    for name, body in report["systems"].items():
        table.add_row(name, *_compared_cells(body))
    Console().print(table)


def _compared_cells(body: Mapping[str, Any]) -> list[str]:
    if not body["n"]:
        return ["0", "none in common"]
    gap = body["difference"]
    return [
        str(body["n"]),
        f"{gap['mean']:+.1f}",
        f"{gap['low']:+.1f} to {gap['high']:+.1f}",
        *(str(body[each]) for each in ("better", "worse", "same", "p")),
    ]
