"""A large archive finds by rare words, and common ones still count."""

from pathlib import Path

import numpy as np
import pytest

from archive_mem.index import lexical as lexical_module
from archive_mem.index import recent as recent_module
from archive_mem.index.base import IndexRecord
from archive_mem.index.lexical import LexicalIndex
from archive_mem.index.recent import Recent
from archive_mem.schema.minting import mint_text

TEXTS = [
    *(f"day number w{i} in town" for i in range(36)),
    *("the parrot in town", "a parrot", "one parrot in town by night", "old piano"),
]


def record(number: int, text: str) -> IndexRecord:
    name = f"s{number:03}"
    return IndexRecord(
        id=f"{name}:0", item_id=name, session_id=name, text=mint_text(text),
        vector=np.ones(1, np.float32), at=None,
    )  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    made = LexicalIndex(tmp_path / "words.sqlite", model="test", dimension=1)
    made.upsert([record(number, text) for number, text in enumerate(TEXTS)])
    return made


def ids(index: LexicalIndex, text: str, k: int = 10) -> list[str]:
    return [hit.id for hit in index.search(mint_text(text), k)]


def test_a_word_that_most_turns_have_orders_what_the_rare_one_found(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(ids(index, "parrot town", 100)) == 39
    monkeypatch.setattr(lexical_module, "_LARGE", 10)
    monkeypatch.setattr(lexical_module, "_COMMON", 4)
    assert set(ids(index, "parrot town", 100)) == {"s036:0", "s037:0", "s038:0"}
    assert ids(index, "night town") == ["s038:0"]
    index.close()


def test_a_fairly_common_word_still_decides_between_hits(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.upsert([record(50 + i, f"harbour boat q{i}") for i in range(6)])
    index.upsert([record(90, "parrot harbour")])
    monkeypatch.setattr(lexical_module, "_LARGE", 10)
    monkeypatch.setattr(lexical_module, "_COMMON", 8)
    assert ids(index, "parrot")[0] == "s037:0"
    assert ids(index, "parrot harbour")[0] == "s090:0"
    assert "s050:0" not in ids(index, "parrot harbour")
    index.close()


def test_only_common_words_are_looked_for_when_there_are_no_others(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical_module, "_LARGE", 10)
    assert len(ids(index, "town", 100)) == 38
    index.close()


def test_what_was_counted_is_forgotten_when_somebody_writes(
    index: LexicalIndex, tmp_path: Path
) -> None:
    reader = LexicalIndex(tmp_path / "words.sqlite", model="test", dimension=1, read_only=True)
    assert len(reader.holding(mint_text("parrot"))) == 3
    index.upsert([record(60, "a parrot again")])
    assert len(reader.holding(mint_text("parrot"))) == 4
    index.delete(["s060:0"])
    assert len(reader.holding(mint_text("parrot"))) == 3
    reader.close()
    index.close()


def test_rows_are_read_once_and_the_least_recent_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent_module, "_MOST_NUMBERS", 10)
    asked: list[str] = []

    def read(phrase: str) -> np.ndarray:
        asked.append(phrase)
        return np.arange(3)

    recent = Recent(5)
    for phrase in ("a", "b", "a", "c", "a", "b"):
        assert recent.rows(phrase, read).tolist() == [0, 1, 2]
    assert asked == ["a", "b", "c", "b"]
    assert [recent.common(word, lambda each: each == "x") for word in "xyx"] == [True, False, True]
