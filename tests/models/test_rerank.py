"""A reranker that a user names, on a tiny random cross-encoder made here."""

from pathlib import Path

import numpy as np
import pytest

from anonymize.compose import join, word
from archive_mem.errors import ModelError, UsageError
from models.registry import reranker
from models.rerank import HubReranker

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ramen", "snow", "dog", "where", "tea"]


def checkpoint(folder: Path, labels: int = 1) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(5)
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY))
    config = BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=32, num_labels=labels, initializer_range=1.0,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer = BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=32)
    tokenizer.save_pretrained(folder)
    return folder


def test_pairs_get_one_number_each_that_depends_on_both(tmp_path: Path) -> None:
    model = HubReranker(str(checkpoint(tmp_path / "tiny")))
    texts = [word("ramen"), word("snow dog"), word("tea")]
    scores = model.scores(word("where ramen"), texts)
    assert scores.shape == (3,)
    assert scores.dtype == np.float32
    assert len({round(float(each), 5) for each in scores}) == 3
    assert not np.allclose(scores, model.scores(word("dog"), texts))
    assert np.allclose(scores[::-1], model.scores(word("where ramen"), texts[::-1]), atol=1e-5)
    assert model.name == "tiny"


def test_no_text_gives_no_number_and_a_long_one_is_cut(tmp_path: Path) -> None:
    model = HubReranker(str(checkpoint(tmp_path / "tiny")))
    assert model.scores(word("dog"), []).shape == (0,)
    long = join(" ", [word("snow")] * 500)
    assert np.isfinite(model.scores(word("dog"), [long])).all()


def test_the_setting_takes_none_or_a_model(tmp_path: Path) -> None:
    assert reranker("none") is None
    named = reranker(f"hf:{checkpoint(tmp_path / 'tiny')}")
    assert isinstance(named, HubReranker)
    with pytest.raises(UsageError, match="no reranker 'best'; give one of none, hf:MODEL"):
        reranker("best")


def test_a_model_that_is_not_here_or_no_reranker_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="hf download nobody/nothing"):
        HubReranker("nobody/nothing")
    with pytest.raises(ModelError, match="gives 3 numbers"):
        HubReranker(str(checkpoint(tmp_path / "three", labels=3)))
