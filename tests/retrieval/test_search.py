"""Finding records."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from archive_mem.retrieval import search as search_module
from archive_mem.retrieval.plan import plan
from archive_mem.retrieval.search import Found, Search
from archive_mem.schema.media import MediaKind
from archive_mem.schema.minting import mint_text
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from models.fake import FakeEmbedder
from tests.doubles import FakeArchive, index_of, make_record

ASKED = datetime(2026, 1, 12)
RECORDS = [
    make_record("a", datetime(2021, 5, 1, 12), city="Kyoto", country="Japan", event="ramen lunch"),
    make_record("b", datetime(2022, 5, 1, 12), city="Osaka", country="Japan", event="ramen lunch"),
    make_record(
        "c", datetime(2023, 5, 1, 12), city="Kyoto", country="Japan", event="temple walk",
        people=["Friend A"],
    ),
    make_record("d", datetime(2024, 5, 1, 12), event="temple walk", people=["Friend B"]),
    make_record("e", datetime(2024, 6, 1), event="dog in snow", kind=MediaKind.VIDEO),
    make_record("f", datetime(2024, 6, 1), event="dog in snow"),
    make_record("g", None, event="an undated piano"),
]  # fmt: skip


def searching(folder: Path, records: Sequence[Record] = RECORDS) -> Search:
    archive = FakeArchive(records)
    embedder = FakeEmbedder(256)
    return Search(archive, index_of(archive, folder, embedder), embedder)


def find(search: Search, text: str, k: int = 5, asked: datetime = ASKED) -> list[Found]:
    read = plan(mint_text(text), asked, search.known())
    return search.search(read.sought, read, k)


def names(found: Sequence[Found]) -> list[str]:
    return [each.record.item_id for each in found]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("the piano", "g"),
        ("ramen in Osaka", "b"),
        ("ramen in 2021", "a"),
        ("ramen in May 2022", "b"),
        ("temple walk with Friend B", "d"),
        ("temple with Friend A", "c"),
        ("a video of the dog", "e"),
        ("a photo of the dog", "f"),
    ],
)
def test_words_time_place_people_and_kind_decide(tmp_path: Path, question: str, first: str) -> None:
    assert names(find(searching(tmp_path), question))[0] == first


def test_a_wrong_reading_never_empties_the_result(tmp_path: Path) -> None:
    assert "a" in names(find(searching(tmp_path), "ramen in 1999"))


def test_nothing_of_a_later_day_is_found(tmp_path: Path) -> None:
    search = searching(tmp_path)
    found = names(find(search, "temple walk", 10, asked=datetime(2023, 6, 1)))
    assert found[0] == "c"
    assert "d" not in found
    assert "e" not in found


def test_scores_fall_and_say_what_they_are_made_of(tmp_path: Path) -> None:
    found = find(searching(tmp_path), "ramen in Osaka")
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    parts = dict(found[0].parts)
    assert parts["dense"] > 0
    assert parts["lexical"] > 0
    assert parts["boosts"] > 0


def test_the_same_question_has_the_same_answer(tmp_path: Path) -> None:
    search = searching(tmp_path)
    assert find(search, "ramen") == find(search, "ramen")


def test_an_irrelevant_record_takes_no_hit_away(tmp_path: Path) -> None:
    before = names(find(searching(tmp_path / "1"), "ramen", 2))
    more = [*RECORDS, make_record("z", datetime(2020, 1, 1), event="quantum tax zebra")]
    after = names(find(searching(tmp_path / "2", more), "ramen", 2))
    assert before == after == ["a", "b"]


def test_an_empty_archive_finds_nothing(tmp_path: Path) -> None:
    assert find(searching(tmp_path, []), "ramen") == []


def test_a_large_archive_finds_the_same_first_hits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [
        make_record(f"m{i}", datetime(2015, 1, 1) + timedelta(days=i), event=f"filler number {i}")
        for i in range(900)
    ]
    search = searching(tmp_path, [*RECORDS, *many])
    whole = [names(find(search, q, 2)) for q in ("ramen in Osaka", "temple", "ramen in 2021")]
    monkeypatch.setattr(search_module, "_WHOLE", 100)
    parts = [names(find(search, q, 2)) for q in ("ramen in Osaka", "temple", "ramen in 2021")]
    assert whole == parts


class _Backwards:
    name = "backwards"

    def scores(self, question: SafeText, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        return np.arange(len(texts), dtype=np.float32)


def test_a_reranker_has_the_last_word(tmp_path: Path) -> None:
    archive = FakeArchive(RECORDS)
    embedder = FakeEmbedder(256)
    index = index_of(archive, tmp_path, embedder)
    plain = find(Search(archive, index, embedder), "ramen", 100)
    turned = find(Search(archive, index, embedder, reranker=_Backwards()), "ramen", 100)
    assert names(turned) == names(plain)[::-1]


def test_what_the_archive_knows_is_read_from_its_records(tmp_path: Path) -> None:
    known = searching(tmp_path).known()
    assert known.home == "Kyoto"
    assert known.home_country == "Japan"
    assert set(known.people) == {"Friend A", "Friend B"}
    assert {"Kyoto", "Osaka", "Japan", "Kyoto, Japan"} <= set(known.places)


def test_boosts_are_told_one_by_one(tmp_path: Path) -> None:
    found = find(searching(tmp_path), "ramen in Osaka in May 2023")
    parts = dict(found[0].parts)
    split = {name: value for name, value in parts.items() if name.startswith("boost: ")}
    assert "boost: place" in split
    assert sum(split.values()) == pytest.approx(parts["boosts"], abs=0.001)
