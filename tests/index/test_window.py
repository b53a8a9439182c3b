"""No text that is embedded is longer than what the encoder reads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.embed import MiniLmEmbedder

texts = st.one_of(
    st.text(max_size=4_000),
    st.lists(st.sampled_from(["snow", "Kyōto", "反対", "12:30", "🍜", "antidisestablish", "a-b"]),
             max_size=1_500).map(" ".join),
)  # fmt: skip


@pytest.fixture(scope="module")
def minilm() -> MiniLmEmbedder:
    return MiniLmEmbedder()


@settings(max_examples=40, deadline=None)
@given(text=texts)
def test_every_piece_fits_the_window(minilm: MiniLmEmbedder, text: str) -> None:
    pieces, owners = minilm._windows([text])
    window = minilm._model.max_seq_length
    assert 1 <= len(pieces) <= minilm.pieces
    assert owners == [0] * len(pieces)
    for piece in pieces:
        assert len(
            minilm._model.tokenizer(piece, truncation=False, verbose=False)["input_ids"]
        ) <= (window)
