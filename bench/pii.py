"""What is hidden and what is kept, ours beside Presidio's defaults, on the same sentences.

`python -m bench.pii [--json] [--part held|tuned|all]`. The sentences are tests/golden/pii.jsonl: in
nine languages, half of them held back while tuning. No owner's list is given to either. Presidio is
its AnalyzerEngine as it comes (all default recognisers, English) with the same spaCy model.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.anonymize.golden import Find, ours, presidio, rows, score

PARTS = {"held": True, "tuned": False, "all": None}
Scores = Mapping[tuple[str, str], list[int]]


def measure(part: str, form: str | None = None) -> dict[str, Any]:
    """All figures of one part; `form` such as "natural" leaves out the templates."""
    sentences = [
        row
        for row in rows(PARTS[part])
        if form is None or (row["form"] == "template") == (form == "template")
    ]
    finders: dict[str, Callable[[], Find]] = {"ours": ours, "presidio": presidio}
    return {
        "name": "pii",
        "part": part,
        "form": form or "all",
        "n": len(sentences),
        "unscored": 0,
        "failed": 0,
        **{name: _measured(sentences, make()) for name, make in finders.items()},
    }


def _measured(sentences: list[dict[str, Any]], find: Find) -> dict[str, Any]:
    find("Dinner with Sarah Miller", None)
    started = time.perf_counter()
    scores = score(sentences, find)
    seconds = time.perf_counter() - started
    return {
        "names": _rates(_by(scores, 0, lambda what: what == "person")),
        "types": _rates(_by(scores, 1, lambda what: what != "kept")),
        "over_redaction": _over(_by(scores, 0, lambda what: what == "kept")),
        "ms_a_sentence": round(1000 * seconds / max(1, len(sentences)), 1),
    }


def _by(scores: Scores, at: int, wanted: Callable[[str], bool]) -> dict[str, list[int]]:
    """[hits, of] by language (at 0) or by type (at 1), with all of them together."""
    out: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for key, (hit, of) in scores.items():
        if wanted(key[1]):
            for name in (key[at], "all"):
                out[name] = [out[name][0] + hit, out[name][1] + of]
    return dict(sorted(out.items()))


def _rates(counts: Mapping[str, list[int]]) -> dict[str, dict[str, float]]:
    return {k: {"hit": h, "of": of, "percent": _percent(h, of)} for k, (h, of) in counts.items()}


def _over(counts: Mapping[str, list[int]]) -> dict[str, dict[str, float]]:
    return {
        k: {"hit": of - h, "of": of, "percent": _percent(of - h, of)}
        for k, (h, of) in counts.items()
    }


def _percent(hit: int, of: int) -> float:
    return round(100 * hit / of, 1) if of else 0.0


def table(body: dict[str, Any]) -> Iterable[str]:
    """Lines in Markdown."""
    yield f"{body['n']} sentences ({body['part']}, {body['form']})"
    yield ""
    yield "| what | | ours | presidio |"
    yield "|---|---|---|---|"
    for title, key in (
        ("names hidden", "names"),
        ("hidden by type", "types"),
        ("kept words lost", "over_redaction"),
    ):
        for name, own in body["ours"][key].items():
            other = body["presidio"][key][name]
            yield f"| {title} | {name} | {_cell(own)} | {_cell(other)} |"
    ours_ms, other_ms = body["ours"]["ms_a_sentence"], body["presidio"]["ms_a_sentence"]
    yield f"| ms a sentence | | {ours_ms} | {other_ms} |"


def _cell(rate: Mapping[str, float]) -> str:
    return f"{rate['percent']} % ({rate['hit']}/{rate['of']})"


def main() -> None:
    """Print the table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--part", choices=sorted(PARTS), default="held")
    parser.add_argument("--form", choices=["natural", "template"])
    given = parser.parse_args()
    body = measure(given.part, given.form)
    print(json.dumps(body) if given.json else "\n".join(table(body)))


if __name__ == "__main__":
    main()
