"""ask --reader: which models are taken, where words may go, and what is said of it."""

from pathlib import Path

import pytest

from archive_mem.wiring import open_memory
from models.base import ChatReply
from models.openai_compatible import OpenAiChat
from tests.cli.test_cli import Run, run
from tests.models import chat_server as on
from tests.ui.sample import make_memory

__all__ = ["run"]

ASKED = "Where was the walk by the river?"
FAR = "openai:http://models.example.org:9/v1#m"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader") / "memory"
    with make_memory(folder, 6) as made:
        made.reindex()
    return folder


def test_the_fake_reader_answers_with_evidence(run: Run, memory: Path) -> None:
    (body,) = run("ask", ASKED, "--memory", memory, "--json", "--explain", "--reader", "fake").rows
    assert body["read"] == {"reader": "fake, recall@1", "calls": 1, "repairs": 0, "invented": 0}
    assert body["evidence"]
    assert body["usage"]["prompt_tokens"] > 100


def test_a_server_on_this_machine_needs_no_leave(run: Run, memory: Path) -> None:
    with on.running() as server:
        server.will(on.say("By the river [1].", prompt=50, done=5))
        name = f"openai:{server.url}#m"
        (body,) = run("ask", ASKED, "--memory", memory, "--json", "--reader", name).rows
    assert body["answer"] == "By the river [1]."
    assert (body["usage"]["prompt_tokens"], body["usage"]["completion_tokens"]) == (50, 5)


@pytest.mark.parametrize("name", ["gpt", "hf:", "openai:localhost"])
def test_an_unknown_reader_is_a_usage_error(run: Run, memory: Path, name: str) -> None:
    done = run("ask", ASKED, "--memory", memory, "--reader", name)
    assert done.code == 2
    assert done.err.count("\n") == 1


def test_leave_for_nobody_in_particular_allows_nothing(run: Run, memory: Path) -> None:
    assert run("ask", ASKED, "--memory", memory, "--allow-remote").code == 0
    with open_memory(memory) as opened:
        assert opened.allowed_hosts() == ()


def test_another_host_is_asked_only_after_a_yes_which_the_memory_keeps(
    run: Run, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ChatReply(text="By the river [1].", prompt_tokens=1, completion_tokens=1)
    monkeypatch.setattr(OpenAiChat, "reply", lambda *_: said)
    monkeypatch.setattr(OpenAiChat, "window", 4096)
    asked = ("ask", ASKED, "--memory", memory, "--reader", FAR)
    refused = run(*asked)
    assert refused.code == 2
    assert "models.example.org is not this machine" in refused.err
    first = run(*asked, "--allow-remote")
    assert "of this memory may go to models.example.org" in first.err
    again = run(*asked)
    assert (first.code, again.code, again.err) == (0, 0, "")
    with open_memory(memory) as opened:
        assert opened.allowed_hosts() == ("models.example.org",)
        assert opened.remote_hosts() == ()
    (told,) = run("doctor", "--memory", memory, "--json").rows
    assert told["memory"]["sends_to"] == {"models.example.org": "allowed, not used"}
