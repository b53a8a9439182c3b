"""Ask the sample archive's questions and print a table by subtask, beside a baseline.

    python -m bench.questions [--memory DIR] [--misses]

T1: share of questions with a gold record among the first five of the evidence, and with the gold
answer's words in the answer (numbers and names must all be there); an unanswerable question counts
when the answer abstains. Baseline: BM25 alone. T2: share of key points whose words are in the
answer. Baseline: the first five turns by BM25 read out. T3: 50 (tau + 1) by Kendall's tau.
Baseline: the order as given.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

import sample_archive
from archive_mem.cli.common import bars
from archive_mem.profile.wording import stems
from archive_mem.schema.qa import Answer, Tier
from archive_mem.wiring import Memory, open_memory

SOURCE = Path(sample_archive.__file__).parent
FOUND_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Score:
    """One question: ours and the baseline's, 0 to 1, and the answer's correctness for T1."""

    ours: float
    baseline: float
    exact: float | None = None


def main() -> None:
    """Print the table."""
    arguments = _arguments()
    with TemporaryDirectory() as scratch:
        folder = arguments.memory or _memory(Path(scratch))
        with open_memory(folder) as opened:
            _table(_scores(opened, arguments.misses))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", type=Path, help="a memory with the sample archive in it")
    parser.add_argument("--misses", action="store_true", help="print what was missed")
    return parser.parse_args()


def _memory(scratch: Path) -> Path:
    from sample_archive.build import build

    build(SOURCE / "media")
    with open_memory(scratch / "memory", create=True, track=bars) as opened:
        opened.ingest([SOURCE / "media"], SOURCE / "names.txt")
        opened.import_annotations(SOURCE / "annotations.jsonl")
    return scratch / "memory"


def _scores(opened: Memory, misses: bool) -> dict[str, list[Score]]:
    ids = _ids_by_path(opened)
    scores: dict[str, list[Score]] = defaultdict(list)
    for line in (SOURCE / "qa.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        score = _score(opened, question, ids, misses)
        scores[question["subtask"]].append(score)
    return scores


def _ids_by_path(opened: Memory) -> dict[str, str]:
    media = (SOURCE / "media").resolve()
    found = {}
    for row in opened.item_rows():
        for path in row["paths"]:
            full = Path(path).resolve()
            name = full.relative_to(media) if full.is_relative_to(media) else Path(full.name)
            found[name.as_posix()] = row["id"]
    return found


def _score(opened: Memory, question: dict[str, Any], ids: dict[str, str], misses: bool) -> Score:
    photo = question.get("photo")
    answer = opened.ask(
        question["question"],
        tier=Tier(question["tier"].lower()),
        photo=SOURCE / "media" / photo if photo else None,
        options=[(each["id"], each["text"]) for each in question.get("options", ())],
        as_of=datetime.fromisoformat(question["asked_at"]),
        top_k=5,
    )
    lexical = _bm25(opened, question["question"])
    if question["tier"] == "T1":
        gold = {ids[path] for path in question["evidence"]}
        score = _recall_score(
            gold, answer, [item for item, _ in lexical], question["answer"], opened
        )
    elif question["tier"] == "T2":
        read_out = " ".join(text for _, text in lexical)
        points = [opened.redactor.redact(each).text.value for each in question["key_points"]]
        score = Score(_covered(points, answer.text.value), _covered(points, read_out))
    else:
        given = [each["id"] for each in question["options"]]
        ranked = [each.option.id for each in answer.ranking.options] if answer.ranking else given
        score = Score(_tau(ranked, question["ranking"]), _tau(given, question["ranking"]))
    if misses and (score.ours < 1 or score.exact == 0):
        _print_miss(question, answer, score)
    return score


def _recall_score(
    gold: set[str], answer: Answer, lexical: Sequence[str], want: str, opened: Memory
) -> Score:
    if not gold:
        return Score(float(answer.abstained), 0.0, float(answer.abstained))
    found = [each.item_id for each in answer.evidence[:5]]
    safe = opened.redactor.redact(want).text.value
    return Score(
        float(bool(gold & set(found))),
        float(bool(gold & set(lexical[:5]))),
        float(_says(answer.text.value, safe)),
    )


def _bm25(opened: Memory, text: str) -> list[tuple[str, str]]:
    """Items and texts of the first turns by BM25 alone, one an item."""
    index = opened.reader_index
    turns = {t.id: t for session in opened.sessions() for t in session.turns}
    hits = index.by_words(opened.redactor.redact(text).text, 50)
    first: dict[str, str] = {}
    for hit in hits:
        first.setdefault(turns[hit.id].item_id, turns[hit.id].text.value)
    return list(first.items())[:5]


def _covered(points: Iterable[str], text: str) -> float:
    said = set(stems(text))
    return mean(float(_share(set(stems(point)), said) >= FOUND_SHARE) for point in points)


def _says(text: str, want: str) -> bool:
    """Numbers must all be there, and most of the words."""
    numbers = set(re.findall(r"\d+", want))
    if not numbers <= set(re.findall(r"\d+", text)):
        return False
    words = set(stems(want)) - numbers
    return not words or _share(words, set(stems(text))) >= FOUND_SHARE


def _share(wanted: set[str], said: set[str]) -> float:
    return len(wanted & said) / max(1, len(wanted))


def _tau(ranked: Sequence[str], gold: Sequence[str]) -> float:
    place = {name: n for n, name in enumerate(ranked)}
    signs = [1 if place[a] < place[b] else -1 for a, b in combinations(gold, 2)]
    return (mean(signs) + 1) / 2


def _print_miss(question: dict[str, Any], answer: Answer, score: Score) -> None:
    want = question.get("answer") or question.get("key_points") or question.get("ranking")
    print(f"{question['subtask']} {question['id']} ours={score.ours:.2f} exact={score.exact}")
    print(f"   Q: {question['question']}\n   want: {want}\n   got:  {answer.text.value[:400]}")


def _table(scores: dict[str, list[Score]]) -> None:
    print(f"{'subtask':<8} {'n':>3} {'ours':>7} {'baseline':>9} {'exact':>7}")
    for subtask in sorted(scores):
        rows = scores[subtask]
        exact = [row.exact for row in rows if row.exact is not None]
        shown = f"{100 * mean(exact):7.1f}" if exact else ""
        print(
            f"{subtask:<8} {len(rows):>3} {100 * mean(r.ours for r in rows):7.1f} "
            f"{100 * mean(r.baseline for r in rows):9.1f} {shown}"
        )


if __name__ == "__main__":
    sys.exit(main())
