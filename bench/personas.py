"""Persona and choice on invented lives: every ablation beside the full reader, with intervals.

    python bench/personas.py [--personas 24] [--json FILE]

State: the best-liked alternative is named first. Change: days between the real turn and the nearest
date given. Choice: 50 (tau + 1), Kendall's tau over pairs whose gold differs.
"""

import argparse
import json
import re
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from archive_mem.evals.persona_streams import PersonaStream, persona_stream
from archive_mem.profile.chrono import ProfileState, build_profile, published
from archive_mem.profile.compare import EmbeddedComparer
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.profile.vectors import Vectors
from archive_mem.qa.choice import Choice, ChoiceSettings, Weighting
from archive_mem.qa.persona import Persona
from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder
from models.embed import MiniLmEmbedder

DATE = re.compile(r"\b(\d{1,2} [A-Z][a-z]+ \d{4})\b")
TURN = re.compile(r"Around (\d{1,2} [A-Z][a-z]+ \d{4})")
SYSTEMS = {
    "similarity only": ChoiceSettings(weighting=Weighting.NO_PROFILE),
    "frequency": ChoiceSettings(weighting=Weighting.FREQUENCY),
    "recency": ChoiceSettings(weighting=Weighting.RECENCY),
    "no TS": ChoiceSettings(weighting=Weighting.UNIFORM),
    "full": ChoiceSettings(),
    "full, k = 5": ChoiceSettings(per_category=5),
    "full, k = all": ChoiceSettings(per_category=None),
}


class NoCheckpoints:
    """For a run that starts from nothing and ends at once."""

    def load(self) -> ProfileState | None:
        return None

    def save(self, state: ProfileState, session_id: str) -> None:
        pass


class Remembering:
    """An embedder that embeds each text once over all systems and personas."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self.name, self.dimension = embedder.name, embedder.dimension
        self._vectors = Vectors(embedder)

    def embed(self, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        return self._vectors.of(texts)


def tau_score(order: Sequence[str], utilities: dict[str, float]) -> float:
    """50 (tau + 1) over the pairs that the gold tells apart."""
    place = {option: position for position, option in enumerate(order)}
    signs = [
        1 if (place[a] < place[b]) == (utilities[a] > utilities[b]) else -1
        for a, b in combinations(utilities, 2)
        if utilities[a] != utilities[b]
    ]
    return 50 * (sum(signs) / len(signs) + 1)


def interval(values: Sequence[float], draws: int = 2000) -> tuple[float, float, float]:
    """Mean and 95 % bootstrap interval over personas."""
    array = np.asarray(values, dtype=float)
    picks = np.random.default_rng(0).integers(0, len(array), (draws, len(array)))
    means = array[picks].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(array.mean()), float(low), float(high)


def choice_scores(stream: PersonaStream, embedder: TextEmbedder) -> dict[str, float]:
    asked = [question for question in stream.choices if len(set(question.utilities.values())) > 1]

    def mean(order: Callable[..., list[str]]) -> float:
        return float(np.mean([tau_score(order(q), q.utilities) for q in asked]))

    scores = {"order as given": mean(lambda q: [option.id for option in q.query.options])}
    for name, settings in SYSTEMS.items():
        reader = Choice(stream.archive, embedder, settings)

        def ranked(question: object, by: Choice = reader) -> list[str]:
            ranking = by.answer(question.query).ranking  # type: ignore[attr-defined]
            return [each.option.id for each in ranking.options]

        scores[name] = mean(ranked)
    return scores


def state_accuracy(stream: PersonaStream, reader: Persona) -> float:
    right = []
    for question in stream.states:
        text = reader.answer(question.query).text.value.lower()
        gold, former = question.gold.value.lower(), question.former
        rival = -1 if former is None else text.find(former.value.lower())
        place = text.find(gold)
        right.append(place >= 0 and (rival < 0 or place <= rival or "swapped" in text[:place]))
    return float(np.mean(right))


def change_errors(stream: PersonaStream, reader: Persona) -> list[float]:
    """Days from the real turn to the first turn named; 365 where none is."""
    errors = []
    for question in stream.changes:
        text = reader.answer(question.query).text.value
        found = [datetime.strptime(day, "%d %B %Y") for day in TURN.findall(text)]  # noqa: DTZ007 - a wall clock
        gaps = [abs((day - question.changed_at).total_seconds()) / 86400 for day in found[:1]]
        errors.append(min([*gaps, 365.0]))
    return errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--personas", type=int, default=24)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    embedder = Remembering(MiniLmEmbedder(options.threads))
    extractor, comparer = EmbeddedExtractor(embedder), EmbeddedComparer(embedder)
    rows: list[dict[str, float]] = []
    errors: list[float] = []
    questions, begun = 0, time.perf_counter()
    for seed in range(options.first_seed, options.first_seed + options.personas):
        stream = persona_stream(seed)
        state = build_profile(stream.archive, NoCheckpoints(), extractor, comparer)
        stream.archive.items = published(state)
        reader = Persona(stream.archive, embedder)
        row = choice_scores(stream, embedder)
        row["state accuracy"] = 100 * state_accuracy(stream, reader)
        errors += change_errors(stream, reader)
        questions += len(stream.states) + len(stream.changes) + len(stream.choices)
        rows.append(row)
    report(rows, errors, questions, time.perf_counter() - begun, options.json)


def report(
    rows: Sequence[dict[str, float]],
    errors: Sequence[float],
    questions: int,
    seconds: float,
    out: Path | None,
) -> None:
    print(f"{len(rows)} personas, {questions / len(rows):.0f} questions each, {seconds:.0f} s")
    table = {name: interval([row[name] for row in rows]) for name in rows[0]}
    for name, (mean, low, high) in table.items():
        print(f"{name:18} {mean:6.1f}  [{low:.1f}, {high:.1f}]")
    for name in table:
        if name not in ("full", "state accuracy"):
            gain = interval([row["full"] - row[name] for row in rows])
            print(f"full - {name:18} {gain[0]:+6.1f}  [{gain[1]:+.1f}, {gain[2]:+.1f}]")
    spread = np.percentile(errors, [50, 90])
    print(f"change date: median {spread[0]:.0f} days off, 90 % within {spread[1]:.0f}")
    if out is not None:
        out.write_text(json.dumps({"table": table, "change_days": list(errors)}, indent=2))


if __name__ == "__main__":
    main()
