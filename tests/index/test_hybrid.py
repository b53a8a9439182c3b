"""Words and vectors kept together, by one writer and many readers."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.compose import join, word
from archive_mem.errors import IndexBroken
from archive_mem.index.base import IndexRecord
from archive_mem.index.hybrid import HybridIndex, open_for_owner, open_for_reader
from archive_mem.index.lexical import LexicalIndex
from archive_mem.index.words import indexed_words, query_words
from archive_mem.schema.minting import mint_text
from models.fake import FakeEmbedder

MODEL = FakeEmbedder()
TEXTS = {
    "s1:0": "Lunch at [Restaurant B] with Friend A in Kyoto, Japan",
    "s1:1": "The ramen was rich and salty",
    "s2:0": "Lunch with Friend B, 昨天我们在京都吃了拉面",
    "s3:0": "Running along the river, 10 km",
    "s3:1": "大阪城の前で写真を撮った",
}


def records(texts: dict[str, str]) -> list[IndexRecord]:
    safe = [mint_text(text) for text in texts.values()]
    rows = MODEL.embed(safe)
    return [
        IndexRecord(
            id=name,
            item_id=name.replace(":", "-"),
            session_id=name.split(":")[0],
            text=text,
            vector=row,
            at=None if name == "s3:1" else float(position),
        )
        for position, (name, text, row) in enumerate(zip(texts, safe, rows, strict=True))
    ]


def owner(folder: Path, *, fresh: bool = False) -> HybridIndex:
    return open_for_owner(
        folder / "chroma", model=MODEL.name, dimension=MODEL.dimension, fresh=fresh
    )


def reader(folder: Path) -> HybridIndex:
    return open_for_reader(folder / "chroma", model=MODEL.name, dimension=MODEL.dimension)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[HybridIndex]:
    made = owner(tmp_path)
    made.upsert(records(TEXTS))
    yield made
    made.close()


def found(index: HybridIndex, question: str, k: int = 10) -> list[str]:
    return [hit.id for hit in index.by_words(mint_text(question), k)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("when did I run", "s3:0"),
        ("RAMEN", "s1:1"),
        ("拉面", "s2:0"),
        ("我什么时候吃了拉面？", "s2:0"),
        ("大阪城はいつ？", "s3:1"),
        ("京都", "s2:0"),
        ("lunch with Friend B", "s2:0"),
        ("lunch with Friend A", "s1:0"),
        ('quote " AND ( NEAR ) * kyoto', "s1:0"),
    ],
)
def test_words_find_their_turn_in_every_script(
    index: HybridIndex, question: str, first: str
) -> None:
    assert found(index, question)[0] == first


@pytest.mark.parametrize("question", ["", "???", "zebra", "  \n", '"'])
def test_a_question_without_known_words_finds_nothing(index: HybridIndex, question: str) -> None:
    assert found(index, question) == []


def test_a_filter_is_exact_for_words_and_vectors(index: HybridIndex) -> None:
    within = {"s1:1", "s3:0"}
    assert [hit.id for hit in index.by_words(word("lunch ramen"), 5, within)] == ["s1:1"]
    vector = MODEL.embed([word("lunch ramen")])[0]
    assert {hit.id for hit in index.by_vector(vector, 5, within)} == within


def test_a_reader_finds_what_the_owner_finds_and_does_not_write(
    index: HybridIndex, tmp_path: Path
) -> None:
    other = reader(tmp_path)
    vector = MODEL.embed([word("river run")])[0]
    ours, theirs = index.by_vector(vector, 5), other.by_vector(vector, 5)
    assert [hit.id for hit in ours] == [hit.id for hit in theirs]
    assert np.allclose([h.score for h in ours], [h.score for h in theirs], atol=2e-3)
    assert found(other, "ramen") == ["s1:1"]
    with pytest.raises(IndexBroken, match="readonly"):
        other.upsert(records(TEXTS))
    other.close()


def test_an_open_reader_sees_what_the_owner_adds_later(index: HybridIndex, tmp_path: Path) -> None:
    other = reader(tmp_path)
    assert len(other.stored().ids) == len(TEXTS)
    index.upsert(records({"s4:0": "A ferry to the island"}))
    assert "s4:0" in other.stored().row_of
    assert found(other, "ferry") == ["s4:0"]
    other.close()


def test_readers_read_during_a_long_write_of_another_process(tmp_path: Path) -> None:
    index = owner(tmp_path)
    index.upsert(records(TEXTS))
    index.close()
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path / "chroma" / "lexical.sqlite")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "writing\n"
    other = reader(tmp_path)
    assert found(other, "ramen") == ["s1:1"]
    other.close()
    writer.kill()
    writer.communicate()


_WRITER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
connection.execute("DELETE FROM vectors")
print("writing", flush=True)
time.sleep(60)
"""


def test_a_deleted_text_leaves_no_word_in_the_file(index: HybridIndex, tmp_path: Path) -> None:
    index.upsert(records({"s9:0": "xylophonist quarrelled"}))
    index.delete(["s9:0"])
    index.close()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "chroma").glob("lexical*"))
    assert b"ramen" in kept
    assert b"xylophonist" not in kept.lower()


def test_a_replaced_text_leaves_no_word_after_a_purge(index: HybridIndex, tmp_path: Path) -> None:
    index.upsert(records({"s9:0": "xylophonist quarrelled"}))
    index.upsert(records({"s9:0": "someone quarrelled"}))
    index.purge()
    index.close()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "chroma").glob("lexical*"))
    assert b"xylophonist" not in kept.lower()


def test_a_check_names_what_is_missing_and_what_is_extra(index: HybridIndex) -> None:
    assert index.check(TEXTS).ok
    seen = index.check({*TEXTS, "s7:0"} - {"s1:0"})
    assert (seen.missing, seen.extra) == (("s7:0",), ("s1:0",))


def test_a_vector_lost_by_chroma_alone_is_noticed(index: HybridIndex) -> None:
    assert index._memory is not None
    index._memory.delete(["s1:0"])
    assert index.check(TEXTS).missing == ("s1:0",)
    index.upsert(records(TEXTS))
    assert index.check(TEXTS).ok


def test_a_broken_index_is_made_again_from_nothing(tmp_path: Path) -> None:
    index = owner(tmp_path)
    index.upsert(records(TEXTS))
    index.close()
    (tmp_path / "chroma" / "lexical.sqlite").write_bytes(b"garbage" * 1000)
    with pytest.raises(IndexBroken):
        owner(tmp_path)
    again = owner(tmp_path, fresh=True)
    assert again.count() == 0
    again.upsert(records(TEXTS))
    assert again.check(TEXTS).ok
    again.clear()
    assert again.count() == 0
    again.upsert(records(TEXTS))
    assert again.check(TEXTS).ok
    again.close()


def test_a_reader_without_an_index_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(IndexBroken, match="no index yet"):
        reader(tmp_path)


def test_another_embedder_is_named_by_the_word_index_too(tmp_path: Path) -> None:
    path = tmp_path / "lexical.sqlite"
    LexicalIndex(path, model="one", dimension=3).close()
    with pytest.raises(IndexBroken, match="made by one, not two"):
        LexicalIndex(path, model="two", dimension=3)


def test_a_write_that_fails_half_way_changes_nothing(index: HybridIndex) -> None:
    lexical = index._lexical
    lexical._connection.execute(
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON vectors BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with pytest.raises(IndexBroken):
        lexical.upsert(records({"s1:0": "changed", "s8:0": "new"}))
    assert lexical.ids() == set(TEXTS)
    assert found(index, "kyoto") == ["s1:0"]


def test_the_word_index_survives_an_integrity_check(index: HybridIndex, tmp_path: Path) -> None:
    index.upsert(records({"s1:0": "other words", "s2:0": "and others"}))
    index.delete(["s3:0"])
    connection = sqlite3.connect(tmp_path / "chroma" / "lexical.sqlite")
    connection.execute("INSERT INTO terms(terms) VALUES ('integrity-check')")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@given(st.text(max_size=40))
def test_any_question_makes_words_that_the_index_would_store(text: str) -> None:
    for each in query_words(text):
        assert '"' not in each
        assert each.strip() == each != ""


@given(st.text(alphabet="京都拉面大阪城", min_size=2, max_size=8))
def test_each_pair_of_an_unspaced_word_is_indexed(text: str) -> None:
    assert set(query_words(text)) <= set(indexed_words(text).split())


def test_long_questions_are_bounded() -> None:
    text = join(" ", [word("alpha"), *[mint_text(f"word{i}") for i in range(500)]])
    assert len(query_words(text.value)) == 32
