"""What every index of turns does, whichever it is."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from anonymize.compose import NOTHING
from archive_mem.errors import IndexBroken
from archive_mem.index.base import IndexRecord, MemoryIndex
from archive_mem.index.chroma import ChromaIndex
from archive_mem.index.in_memory import InMemoryIndex
from archive_mem.schema.safe import SafeText

DIMENSION = 8
MODEL = "test"


def unit(*numbers: float) -> NDArray[np.float32]:
    vector = np.zeros(DIMENSION, np.float32)
    vector[: len(numbers)] = numbers
    return vector / np.linalg.norm(vector)


def record(
    name: str, vector: NDArray[np.float32], at: float | None = None, text: SafeText = NOTHING
) -> IndexRecord:
    session = name.rsplit(":", 1)[0]
    return IndexRecord(
        id=name, item_id=f"item-{name}", session_id=session, text=text, vector=vector, at=at
    )


def chroma(folder: Path) -> ChromaIndex:
    return ChromaIndex(folder / "chroma", model=MODEL, dimension=DIMENSION)


@pytest.fixture(params=["chroma", "in memory"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryIndex]:
    made: MemoryIndex = chroma(tmp_path) if request.param == "chroma" else InMemoryIndex(DIMENSION)
    yield made
    made.close()


def names(index: MemoryIndex, vector: NDArray[np.float32], k: int = 10) -> list[str]:
    return [hit.id for hit in index.query(vector, k)]


def test_the_nearest_come_first_with_their_cosine(index: MemoryIndex) -> None:
    index.upsert([record("a:0", unit(1)), record("b:0", unit(1, 1)), record("c:0", unit(0, 1))])
    hits = index.query(unit(1), 2)
    assert [hit.id for hit in hits] == ["a:0", "b:0"]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.5**0.5], abs=1e-5)


def test_a_known_id_is_replaced_and_the_last_of_a_batch_wins(index: MemoryIndex) -> None:
    index.upsert([record("a:0", unit(1))])
    index.upsert([record("a:0", unit(0, 1)), record("a:0", unit(0, 0, 1), at=5.0)])
    assert index.count() == 1
    assert index.query(unit(0, 0, 1), 1)[0].score == pytest.approx(1.0, abs=1e-5)


def test_what_was_taken_out_is_found_no_more(index: MemoryIndex) -> None:
    index.upsert([record("a:0", unit(1)), record("b:0", unit(0, 1))])
    index.delete(["a:0", "never:0"])
    assert index.ids() == {"b:0"}
    assert names(index, unit(1)) == ["b:0"]


def test_a_filter_leaves_only_what_was_asked_for(index: MemoryIndex) -> None:
    index.upsert([record(f"{i}:0", unit(1, i)) for i in range(6)])
    hits = index.query(unit(1), 2, within={"4:0", "5:0", "2:0", "unknown:0"})
    assert [hit.id for hit in hits] == ["2:0", "4:0"]
    assert index.query(unit(1), 2, within=set()) == []


def test_an_empty_index_answers_with_nothing(index: MemoryIndex) -> None:
    assert index.query(unit(1), 5) == []
    assert index.ids() == set()
    index.upsert([])
    assert index.count() == 0


def test_a_cleared_index_takes_records_again(index: MemoryIndex) -> None:
    index.upsert([record("a:0", unit(1))])
    index.clear()
    assert index.count() == 0
    index.upsert([record("b:0", unit(1))])
    assert names(index, unit(1)) == ["b:0"]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_vector_that_is_no_number_is_refused(index: MemoryIndex, bad: float) -> None:
    vector = unit(1)
    vector[3] = bad
    with pytest.raises(IndexBroken, match="a:0"):
        index.upsert([record("a:0", vector)])
    assert index.count() == 0


def test_vectors_of_another_embedder_are_refused(index: MemoryIndex) -> None:
    with pytest.raises(IndexBroken, match="reindex"):
        index.upsert([record("a:0", np.ones(5, np.float32))])


def test_more_records_than_the_store_takes_at_once_all_arrive(tmp_path: Path) -> None:
    index = chroma(tmp_path)
    generator = np.random.default_rng(1)
    rows = generator.normal(size=(6_000, DIMENSION)).astype(np.float32)
    index.upsert([record(f"{i}:0", row) for i, row in enumerate(rows)])
    assert len(index.ids()) == index.count() == 6_000
    index.close()


@pytest.mark.parametrize(
    "open_again",
    [
        lambda folder: ChromaIndex(folder / "chroma", model="other", dimension=DIMENSION),
        lambda folder: ChromaIndex(folder / "chroma", model=MODEL, dimension=3),
    ],
    ids=["another embedder", "another dimension"],
)
def test_an_index_of_another_embedder_is_named_as_broken(
    tmp_path: Path, open_again: Callable[[Path], ChromaIndex]
) -> None:
    first = chroma(tmp_path)
    first.upsert([record("a:0", unit(1))])
    first.close()
    with pytest.raises(IndexBroken, match="made by test"):
        open_again(tmp_path)


def test_a_folder_deleted_under_an_open_index_is_named_and_can_be_made_again(
    tmp_path: Path,
) -> None:
    import shutil

    index = chroma(tmp_path)
    index.upsert([record("a:0", unit(1))])
    shutil.rmtree(tmp_path / "chroma")
    with pytest.raises(IndexBroken, match="reindex"):
        index.query(unit(1), 1)
    with pytest.raises(IndexBroken):
        index.upsert([record("a:0", unit(1))])
    index.clear()
    index.upsert([record("a:0", unit(1))])
    assert index.ids() == {"a:0"}
    index.close()


def test_a_garbage_database_is_named_and_can_be_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "chroma"
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"this is no database" * 100)
    with pytest.raises(IndexBroken, match="reindex"):
        chroma(tmp_path)


def test_records_are_still_there_after_closing(tmp_path: Path) -> None:
    index = chroma(tmp_path)
    index.upsert([record("a:0", unit(1), at=12.5), record("a:1", unit(0, 1))])
    index.close()
    again = chroma(tmp_path)
    assert again.ids() == {"a:0", "a:1"}
    assert names(again, unit(0, 1), 1) == ["a:1"]
    again.close()
