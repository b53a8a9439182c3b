"""archive-mem bench."""

import json
from pathlib import Path
from typing import Any

import click

from archive_mem.cli.common import emit, json_option

__all__ = ["bench"]


@click.group()
def bench() -> None:
    """Measure on published benchmarks; the data are yours to bring."""


@bench.command()
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
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


def _write(path: Path, report: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


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
