"""A small life as the benchmark's lab: records in memory, the deterministic embedder."""

from datetime import datetime
from pathlib import Path

from archive_mem.evals.benchmarks.realmem.context import Lab
from archive_mem.profile.chrono import build_profile, published
from archive_mem.profile.compare import EmbeddedComparer
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.profile.stability import PAPER
from archive_mem.qa.recall import RecallSettings
from archive_mem.retrieval.search import Search
from archive_mem.schema.minting import mint_text
from archive_mem.schema.record import Record
from models.fake import FakeEmbedder
from tests.doubles import FakeArchive, index_of, make_record


class _Kept:
    def load(self) -> None:
        return None

    def save(self, state: object, session_id: str) -> None:
        return None

    def clear(self) -> None:
        return None


class _NoPhotos:
    def find(self, photo: Path, asked_at: datetime) -> None:
        return None


def records() -> list[Record]:
    """Two years of lunches, runs and one trip."""
    return [
        make_record(
            f"run{n}",
            datetime(2023, n, 4, 8),
            city="Kyoto",
            country="Japan",
            event="morning run along the river",
            context="I ran along the river before breakfast.",
            preferences=["I like running in the morning"],
        )
        for n in range(1, 7)
    ] + [
        make_record(
            "ramen",
            datetime(2023, 5, 14, 12),
            city="Kyoto",
            country="Japan",
            event="lunch: pork ramen",
            preferences=["I love pork ramen"],
        ),
        make_record(
            "tofu",
            datetime(2024, 2, 2, 12),
            city="Kyoto",
            country="Japan",
            event="lunch: simmered tofu",
            preferences=["I prefer simmered tofu to pork ramen"],
        ),
        make_record(
            "lisbon",
            datetime(2024, 6, 9, 18),
            city="Lisbon",
            country="Portugal",
            event="dinner of grilled sardines",
            context="Sardines by the harbour.",
        ),
    ]


def lab_of(folder: Path) -> Lab:
    """The lab over these records."""
    embedder = FakeEmbedder()
    bare = FakeArchive(records())
    state = build_profile(bare, _Kept(), EmbeddedExtractor(embedder), EmbeddedComparer(embedder))
    archive = FakeArchive(records(), profile=published(state))
    index = index_of(archive, folder, embedder)
    known = {record.item_id for record in archive.records()}
    return Lab(
        archive=archive,
        search=Search(archive, index, embedder),
        index=index,
        embedder=embedder,
        statement_embedder=embedder,
        photos=_NoPhotos(),
        stability=PAPER,
        recall=RecallSettings(),
        redact=mint_text,
        item_of=lambda media: media if media in known else None,
        pictures=lambda item_id: (),
    )
