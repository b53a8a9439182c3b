"""How long a question takes at 1,000, 10,000 and 100,000 records.

    python -m bench.query [--sizes 1000 10000] [--queries 60] [--embedder fake] [--reader-only]

Records and questions are made up from a fixed seed, one turn a record, vectors random (their
values decide nothing about speed). Prints one JSON object a size: p50 and p95 in milliseconds, by
the clock and by the processor, of plan, embed, search by a reader's process, search inside a
window, and the vector query of the owner (Chroma) and of a reader (NumPy); peak memory in MiB.
Only "embed" asks the model: elsewhere questions are embedded by hashes of as many numbers, which
takes no time, so that all else can be told from it.
"""

import argparse
import json
import random
import resource
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from anonymize.compose import public
from archive_mem.index.base import IndexRecord
from archive_mem.index.hybrid import HybridIndex, open_for_owner, open_for_reader
from archive_mem.index.lexical import LexicalIndex
from archive_mem.qa.recall import Recall
from archive_mem.retrieval.plan import Known, plan
from archive_mem.retrieval.search import Search
from archive_mem.schema.media import CaptureTime, MediaKind, Precision
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.qa import Query, Tier
from archive_mem.schema.record import Record
from archive_mem.schema.session import Session, Speaker, Turn
from models.base import TextEmbedder
from models.embed import embed_question
from models.fake import FakeEmbedder
from models.registry import embedder

CITIES = ("Kyoto, Japan", "Lisbon, Portugal", "Porto, Portugal", "Osaka, Japan", "Lima, Peru")
START = datetime(2010, 1, 1, 8)
ASKED = datetime(2026, 1, 1)
BATCH = 2_000


@dataclass(frozen=True)
class Made:
    """One made-up record's words."""

    number: int
    at: datetime
    city: str
    text: str


class MadeArchive:
    """Records by number, made when asked for."""

    def __init__(self, made: Sequence[Made]) -> None:
        self._made = {f"{each.number:016x}": each for each in made}

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        for name in self._made if item_ids is None else item_ids:
            yield self._record(name, self._made[name])

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        for name in self._made if session_ids is None else session_ids:
            yield self._session(name, self._made[name])

    def profile_items(self) -> tuple[ProfileItem, ...]:
        return ()

    def _record(self, name: str, made: Made) -> Record:
        return Record(
            item_id=name,
            session_id=name,
            name=public(f"{name}.jpg"),
            kind=MediaKind.PHOTO,
            time=CaptureTime(
                local=made.at,
                utc_offset=None,
                precision=Precision.SECOND,
                source="made",
                confidence=1.0,
            ),
            place=None,
            place_label=public(made.city),
        )

    def _session(self, name: str, made: Made) -> Session:
        turn = Turn(
            id=f"{name}:0",
            session_id=name,
            item_id=name,
            speaker=Speaker.ARCHIVE,
            at=made.at,
            text=public(made.text),
        )
        return Session(
            id=name,
            started=made.at,
            ended=made.at,
            place_label=None,
            item_ids=(name,),
            turns=(turn,),
        )


def vocabulary(size: int = 20_000) -> list[str]:
    """Made-up words of two to four syllables."""
    generator = random.Random(7)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    return ["".join(generator.choices(syllables, k=2 + i % 3)) for i in range(size)]


def make(count: int) -> list[Made]:
    """Records with words of a Zipf-like distribution, as language has."""
    generator = np.random.default_rng(3)
    words = np.array(vocabulary())
    weights = 1 / np.arange(1, len(words) + 1)
    chosen = generator.choice(words, size=(count, 18), p=weights / weights.sum())
    step = (ASKED - START) / count
    return [
        Made(
            number=number,
            at=START + number * step,
            city=CITIES[number % len(CITIES)],
            text=_text(START + number * step, CITIES[number % len(CITIES)], chosen[number]),
        )
        for number in range(count)
    ]


def _text(at: datetime, city: str, words: Sequence[str]) -> str:
    return f"[{at:%A} {at.day} {at:%B %Y}, {city}] {' '.join(words)}"


def fill(index: HybridIndex, made: Sequence[Made], dimension: int) -> float:
    """Put all in; seconds."""
    generator = np.random.default_rng(5)
    started = perf_counter()
    for start in range(0, len(made), BATCH):
        batch = made[start : start + BATCH]
        rows = generator.normal(size=(len(batch), dimension)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        index.upsert([_record(each, row) for each, row in zip(batch, rows, strict=True)])
    return perf_counter() - started


def _record(made: Made, row: np.ndarray) -> IndexRecord:
    name = f"{made.number:016x}"
    return IndexRecord(
        id=f"{name}:0",
        item_id=name,
        session_id=name,
        text=public(made.text),
        vector=row,
        at=made.at.replace(tzinfo=UTC).timestamp(),
    )


def questions(made: Sequence[Made], count: int) -> list[str]:
    """Six to eight words of a record each."""
    generator = random.Random(11)
    picked = [generator.choice(made) for _ in range(count)]
    return [f"when did I see {' '.join(each.text.split('] ')[1].split()[:6])}" for each in picked]


def timed(action: Callable[[str], object], asked: Sequence[str]) -> dict[str, float]:
    """p50 and p95 in milliseconds, by the clock and by the processor (all threads).

    The first call, which loads, is not counted. A busy machine stretches the clock, hardly the
    processor's time.
    """
    action(asked[0])
    clock, processor = [], []
    for text in asked:
        started, used = perf_counter(), process_time()
        action(text)
        clock.append(1000 * (perf_counter() - started))
        processor.append(1000 * (process_time() - used))
    return {
        f"{name}p{share}": round(float(np.percentile(taken, share)), 2)
        for name, taken in (("", clock), ("cpu_", processor))
        for share in (50, 95)
    }


def measure(count: int, queries: int, model: TextEmbedder, reader_only: bool) -> dict[str, object]:
    """All figures at one size; without Chroma's when only a reader is asked for."""
    made, hashed = make(count), FakeEmbedder(model.dimension)
    with TemporaryDirectory() as folder:
        place = Path(folder) / "chroma"
        owner = _opened(place, hashed, reader_only)
        adding = fill(owner, made, model.dimension)
        reader = open_for_reader(place, model=hashed.name, dimension=model.dimension)
        archive = MadeArchive(made)
        search = Search(archive, reader, hashed)
        owned = Search(archive, owner, hashed)
        known = Known(places=CITIES)
        asked = questions(made, queries)
        recall = Recall(archive, search)
        vector = embed_question(hashed, public(asked[0]))

        def find(text: str, which: Search = search) -> object:
            read = plan(public(text), ASKED, known)  # "search" therefore has the plan in it
            return which.search(read.sought, read, 10)

        report: dict[str, object] = {
            "records": count,
            "adds_per_second": round(count / adding),
            "plan": timed(lambda text: plan(public(text), ASKED, known), asked),
            "embed": timed(lambda text: embed_question(model, public(text)), asked),
            "search": timed(find, asked),
            "search_in_a_month": timed(lambda text: find(f"{text} in May 2018"), asked),
            "answer": timed(lambda text: recall.answer(_query(text)), asked),
            "vectors_numpy": timed(lambda _: reader.by_vector(vector, 10), asked),
            "words": timed(lambda text: reader.by_words(public(text), 300), asked),
            "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        if not reader_only:
            report["search_by_owner"] = timed(lambda text: find(text, owned), asked)
            report["vectors_chroma"] = timed(lambda _: owner.by_vector(vector, 10), asked)
        reader.close()
        owner.close()
        return report


def _opened(place: Path, model: TextEmbedder, reader_only: bool) -> HybridIndex:
    if not reader_only:
        return open_for_owner(place, model=model.name, dimension=model.dimension)
    words = LexicalIndex(place / "lexical.sqlite", model=model.name, dimension=model.dimension)
    return HybridIndex(None, words)


def _query(text: str) -> Query:
    return Query(text=public(text), tier=Tier.T1, asked_at=ASKED + timedelta(days=1))


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--embedder", default="embedded")
    parser.add_argument("--reader-only", action="store_true", help="leave Chroma out")
    given = parser.parse_args()
    model = embedder(given.embedder)
    for size in given.sizes:
        print(json.dumps(measure(size, given.queries, model, given.reader_only)), flush=True)


if __name__ == "__main__":
    main()
