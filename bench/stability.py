"""Temporal stability of a million statements, and how fast a profile grows.

    python bench/stability.py [--items 1000000] [--sessions 2000]

The bare expressions are the formulas of Algorithm 2 written straight down in NumPy.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np

from archive_mem.evals.persona_streams import StreamArchive, StreamSettings, persona_stream
from archive_mem.profile.chrono import ProfileState, build_profile
from archive_mem.profile.compare import EmbeddedComparer
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.profile.stability import Spans, score_spans
from archive_mem.schema.record import Record
from models.fake import FakeEmbedder


def bare(spans: Spans, t_ref: float) -> np.ndarray:
    sup = 1 - np.exp(-spans.count / 3)
    dur = 1 - np.exp(-(spans.last - spans.first) / 150)
    rec = np.exp(-(t_ref - spans.last) / 60)
    x = np.stack([sup, dur, rec], axis=1)
    p = x / x.sum(axis=0)
    e = -np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(axis=0) / np.log(len(x))
    z = x @ ((1 - e) / (1 - e).sum())
    return (z - z.min()) / (z.max() - z.min())


def best_of(work: Callable[[], object], tries: int = 5) -> float:
    seconds = []
    for _ in range(tries):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


class Clock:
    """Notes when each session was saved."""

    def __init__(self) -> None:
        self.at = [time.perf_counter()]

    def load(self) -> ProfileState | None:
        return None

    def save(self, state: ProfileState, session_id: str) -> None:
        self.at.append(time.perf_counter())


def long_life(sessions: int) -> StreamArchive:
    """Many lives one after the other, as one archive in order of time."""
    records: list[Record] = []
    settings = StreamSettings(statements=200)
    for seed in range(-(-sessions // 200)):
        records += _moved(persona_stream(seed, settings).archive.all_records, seed)
    records.sort(key=lambda record: str(record.at))
    return StreamArchive(tuple(records[:sessions]))


def _moved(records: Sequence[Record], seed: int) -> Iterator[Record]:
    for record in records:
        assert record.time is not None
        local = record.time.local + timedelta(days=1830 * seed)
        name = f"{seed}-{record.item_id}"
        moved = replace(record.time, local=local)
        yield replace(record, item_id=name, session_id=f"session-{name}", time=moved)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--sessions", type=int, default=2000)
    options = parser.parse_args()
    random = np.random.default_rng(0)
    first = random.uniform(0, 1500, options.items)
    last = first + random.uniform(0, 400, options.items)
    count = random.integers(1, 30, options.items).astype(float)
    spans = Spans(count=count, first=first, last=last)
    plain, ours = best_of(lambda: bare(spans, 2000)), best_of(lambda: score_spans(spans, 2000))
    agree = float(np.abs(score_spans(spans, 2000).ts - bare(spans, 2000)).max())
    print(f"{options.items} items: bare {plain * 1e3:.0f} ms, stability {ours * 1e3:.0f} ms")
    print(f"ratio {ours / plain:.2f}, largest difference {agree:.1e}")
    clock, embedder = Clock(), FakeEmbedder()
    extractor, comparer = EmbeddedExtractor(embedder), EmbeddedComparer(embedder)
    state = build_profile(long_life(options.sessions), clock, extractor, comparer)
    for part in np.array_split(np.arange(1, len(clock.at)), 4):
        seconds = clock.at[part[-1]] - clock.at[part[0] - 1]
        print(f"sessions {part[0]}-{part[-1]}: {len(part) / seconds:.0f} a second")
    print(f"{len(state.items)} statements, embedder {embedder.name}")


if __name__ == "__main__":
    main()
