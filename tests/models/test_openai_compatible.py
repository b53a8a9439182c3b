"""A chat model on a server: right result, or one clear line."""

import base64
import io
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from anonymize.compose import word
from archive_mem.errors import InvalidReply, ModelError, UsageError
from archive_mem.schema.minting import mint_image
from models import registry
from models.base import ChatTurn
from models.openai_compatible import KEY, OpenAiChat, Patience
from models.openai_compatible_address import parse_address
from tests.models import chat_server as on
from tests.models.chat_server import ChatServer

ASKED = [ChatTurn(role="user", text=word("where was it?"))]
QUICK = Patience(connect=1.0, silence=0.4, retries=1)


@pytest.fixture(scope="module")
def running_server() -> Iterator[ChatServer]:
    with on.running() as made:
        yield made


@pytest.fixture
def server(running_server: ChatServer) -> ChatServer:
    running_server.will(on.say("hello"))
    running_server.window = None
    return running_server


def chat(server: ChatServer, patience: Patience = QUICK) -> OpenAiChat:
    return OpenAiChat(parse_address(f"{server.url}#m"), patience)


def test_a_reply_comes_with_its_usage_and_the_request_is_deterministic(server: ChatServer) -> None:
    server.will(on.say(" In Porto. ", prompt=11, done=4))
    said = chat(server).reply(ASKED, max_tokens=9)
    assert (said.text, said.prompt_tokens, said.completion_tokens) == ("In Porto.", 11, 4)
    asked = server.asked[0]
    assert asked["messages"] == [{"role": "user", "content": "where was it?"}]
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("m", 9, 0)


def test_after_too_many_requests_it_waits_as_long_as_it_is_told(server: ChatServer) -> None:
    server.will(on.status(429, retry_after="0.3"), on.say("now"))
    begun = time.perf_counter()
    assert chat(server).reply(ASKED).text == "now"
    assert time.perf_counter() - begun >= 0.3
    assert len(server.asked) == 2


@pytest.mark.parametrize("fault", [on.status(500), on.status(503), on.hang(1.5)])
def test_a_server_that_fails_or_hangs_once_is_asked_again(
    server: ChatServer, fault: Callable[..., object]
) -> None:
    server.will(fault, on.say("better"))
    assert chat(server).reply(ASKED).text == "better"


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (on.status(429, retry_after="0.01"), r"is asked too much \(429, 2 tries\)"),
        (on.status(500, retry_after="0.01"), r"failed \(500, 2 tries\)"),
        (on.hang(1.5), r"did not answer in time \(2 tries\)"),
        (on.status(401), f"refused the key .* {KEY}"),
        (on.status(404), "does not know the model m"),
        (on.status(400), r"refused the request \(400\)"),
        (on.redirect("http://127.0.0.1:9/v1/chat/completions"), "another address .* not followed"),
        (on.bare('{"choices": [{'), "no chat reply"),
        (on.bare("<html>busy</html>", "text/html"), "no chat reply"),
        (on.bare("[]"), "no chat reply"),
        (on.bare('{"choices": null}'), "no chat reply"),
        (on.no_choices(), "replied without a word"),
        (on.say(None), "replied without a word"),
        (on.say("  "), "replied without a word"),
    ],
)
def test_what_cannot_be_used_is_one_line_that_names_the_server(
    server: ChatServer, fault: Callable[..., object], line: str
) -> None:
    server.will(fault)
    with pytest.raises(ModelError, match=line) as found:
        chat(server).reply(ASKED)
    told = str(found.value)
    assert told.startswith(f"the model server at {server.url[7:-3]}")
    assert "\n" not in told
    assert "where was it" not in told


def test_nobody_listening_is_one_line() -> None:
    lonely = OpenAiChat(parse_address("http://127.0.0.1:9/v1#m"), Patience(retries=0))
    with pytest.raises(ModelError, match=r"127.0.0.1:9 cannot be reached \(1 try\)"):
        lonely.reply(ASKED)


def test_a_reply_that_ran_out_of_tokens_says_so(server: ChatServer) -> None:
    server.will(on.say("In Por", ended="length"))
    assert chat(server).reply(ASKED).cut


def test_a_reply_without_usage_is_counted_by_its_length(server: ChatServer) -> None:
    server.will(on.bare('{"choices": [{"message": {"content": "In Porto"}}]}'))
    said = chat(server).reply(ASKED)
    assert (said.prompt_tokens, said.completion_tokens) == (5, 3)


def test_a_schema_is_sent_and_left_out_for_a_server_that_has_none(server: ChatServer) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    server.will(on.say('{"a": 1}'))
    chat(server).reply(ASKED, schema=schema)
    assert server.asked[0]["response_format"]["json_schema"]["schema"] == schema
    server.will(on.refuse_schema("plain"))
    plain = chat(server)
    assert [plain.reply(ASKED, schema=schema).text for _ in range(2)] == ["plain", "plain"]
    assert ["response_format" in each for each in server.asked] == [True, False, False]


def test_a_request_that_is_wrong_for_another_reason_keeps_the_schema(server: ChatServer) -> None:
    server.will(on.status(400))
    careful = chat(server)
    with pytest.raises(ModelError, match="refused the request"):
        careful.reply(ASKED, schema={"type": "object"})
    server.will(on.say("{}"))
    careful.reply(ASKED, schema={"type": "object"})
    assert "response_format" in server.asked[0]


def test_a_stream_is_told_piece_by_piece_with_usage_at_its_end(server: ChatServer) -> None:
    server.will(on.stream(["In ", "Por", "to"], prompt=5, done=2))
    heard: list[str] = []
    said = chat(server).stream(ASKED, heard.append)
    assert heard == ["In ", "Por", "to"]
    assert (said.text, said.prompt_tokens, said.completion_tokens) == ("In Porto", 5, 2)


def test_a_slow_first_word_is_waited_for(server: ChatServer) -> None:
    server.will(on.slow_stream(["late"], first_after=0.6))
    patient = chat(server, Patience(silence=5.0, retries=0))
    assert patient.stream(ASKED, lambda _: None).text == "late"


def test_a_first_word_that_never_comes_is_one_line(server: ChatServer) -> None:
    server.will(on.slow_stream(["never"], first_after=1.5))
    with pytest.raises(ModelError, match="did not answer in time"):
        chat(server, Patience(silence=0.3, retries=0)).stream(ASKED, lambda _: None)


@pytest.mark.parametrize("rudely", [True, False])
def test_a_stream_that_is_cut_is_no_answer(server: ChatServer, rudely: bool) -> None:
    server.will(on.cut_stream(["In ", "Por"], rudely=rudely))
    heard: list[str] = []
    with pytest.raises(ModelError, match="broke off in the middle"):
        chat(server).stream(ASKED, heard.append)
    assert heard == ["In ", "Por"]


def test_a_stream_of_nonsense_is_one_line(server: ChatServer) -> None:
    server.will(on.bare("data: {nonsense\n\n", "text/event-stream"))
    with pytest.raises(InvalidReply, match="no chat reply"):
        chat(server).stream(ASKED, lambda _: None)


def test_a_picture_goes_as_a_small_jpeg_without_metadata(server: ChatServer) -> None:
    image = mint_image(np.full((1500, 3000, 3), 90, np.uint8), 0)
    chat(server).reply([ChatTurn(role="user", text=word("what is it?"), images=(image,))])
    picture, text = server.asked[0]["messages"][0]["content"]
    assert text == {"type": "text", "text": "what is it?"}
    head, _, data = picture["image_url"]["url"].partition(",")
    sent = Image.open(io.BytesIO(base64.b64decode(data)))
    assert (head, sent.size, dict(sent.getexif())) == ("data:image/jpeg;base64", (1024, 512), {})


def test_no_more_than_the_limit_are_asked_at_once(server: ChatServer) -> None:
    limited = chat(server, Patience(silence=5.0, together=2))
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: limited.reply(ASKED).text, range(12)))
    assert texts == ["hello"] * 12
    assert server.most_at_once <= 2


def test_the_window_is_what_the_server_says_else_a_modest_one(server: ChatServer) -> None:
    assert chat(server).window == 8192
    server.window = 2048
    assert chat(server).window == 2048
    lonely = OpenAiChat(parse_address("http://127.0.0.1:9/v1#m"), Patience(retries=0))
    assert lonely.window == 8192


def test_a_key_is_sent_only_where_it_was_meant_for(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-another-service")
    chat(server).reply(ASKED)
    assert server.headers[-1]["authorization"] == "Bearer none"
    monkeypatch.setenv(KEY, "my-own-key")
    chat(server).reply(ASKED)
    assert server.headers[-1]["authorization"] == "Bearer my-own-key"


def test_what_stays_here_goes_through_no_proxy(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert chat(server).reply(ASKED).text == "hello"


@pytest.mark.parametrize(
    "url",
    ["http://localhost:8000/v1", "http://127.0.0.1/v1", "http://[::1]:1/v1", "http://127.8.9.1"],
)
def test_loopback_is_this_machine(url: str) -> None:
    assert registry.remote_host(f"openai:{url}#m") is None


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://192.168.1.4:8000/v1", "192.168.1.4"),
        ("https://Models.Example.org/v1", "models.example.org"),
        ("http://localhost.example.org/v1", "localhost.example.org"),
        ("http://127.0.0.1.example.org/v1", "127.0.0.1.example.org"),
        ("http://0.0.0.0:8000/v1", "0.0.0.0"),
        ("http://[fe80::1]:8000/v1", "fe80::1"),
        ("http://2130706433/v1", "2130706433"),
    ],
)
def test_any_other_host_must_be_allowed_by_name(url: str, host: str) -> None:
    name = f"openai:{url}#m"
    assert registry.remote_host(name) == host
    with pytest.raises(UsageError, match=r"is not this machine: .*--allow-remote"):
        registry.chat_model(name, allowed=["127.0.0.1", "other.example.org"])
    made = registry.chat_model(name, allowed=[host])
    assert isinstance(made, OpenAiChat)
    assert made.address.host == host


@pytest.mark.parametrize(
    "text",
    [
        "http://127.0.0.1@example.org/v1#m",
        "http://example.org\\@127.0.0.1/v1#m",
        "http://127.0.0.1%2eexample.org/v1#m",
        "http://127.0.0.1/v1?x=//example.org#m",
        "http://127.0.0.1 .example.org/v1#m",
        "http://127.0.0.1:70000/v1#m",
        "ftp://127.0.0.1/v1#m",
        "http://127.0.0.1/v1",
        "http://127.0.0.1/v1#",
        "http:///v1#m",
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_address(text)
