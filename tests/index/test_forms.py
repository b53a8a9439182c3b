"""Words are found in their other forms."""

from pathlib import Path

import numpy as np
import pytest

from archive_mem.index.base import IndexRecord
from archive_mem.index.forms import forms
from archive_mem.index.lexical import LexicalIndex
from archive_mem.schema.minting import mint_text

TEXTS = {
    "thirtieth": "my thirtieth birthday",
    "third": "the third of March",
    "bought": "I bought a kettle",
    "mum": "lunch with mum",
    "lay": "we lay on the grass",
}


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    made = LexicalIndex(tmp_path / "words.sqlite", model="test", dimension=1)
    made.upsert([
        IndexRecord(
            id=f"{name}:0", item_id=name, session_id=name, text=mint_text(text),
            vector=np.ones(1, np.float32), at=None,
        )
        for name, text in TEXTS.items()
    ])  # fmt: skip
    return made


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("thirty", "thirtieth"),
        ("30th", "thirtieth"),
        ("buy", "bought"),
        ("buying", "bought"),
        ("lying", "lay"),
    ],
)
def test_a_word_is_found_however_it_was_written(
    index: LexicalIndex, asked: str, found: str
) -> None:
    assert [hit.id for hit in index.search(mint_text(asked), 5)] == [f"{found}:0"]
    stored = index.stored()
    assert [stored.items[row] for row in index.holding(mint_text(asked)).tolist()] == [found]
    index.close()


def test_an_item_has_a_thing_by_whatever_word(index: LexicalIndex) -> None:
    stored = index.stored()
    held = index.holding(mint_text("mother"))
    assert [stored.items[row] for row in held.tolist()] == ["mum"]
    assert index.search(mint_text("mother"), 5) == []
    index.close()


def test_three_is_not_the_third(index: LexicalIndex) -> None:
    assert index.search(mint_text("three"), 5) == []
    index.close()


def test_a_day_of_the_month_is_no_age() -> None:
    assert "30" not in forms("thirty")
    assert "60" in forms("sixty")


def test_most_words_have_one_form() -> None:
    assert forms("lighthouse") == ()
    assert forms("") == ()
