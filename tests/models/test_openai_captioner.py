"""Captions by a server: pictures go as data, several at once, a fault costs one picture."""

import base64
import io
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.responses import JSONResponse
from PIL import Image

from archive_mem.errors import InvalidReply, ModelError, UsageError
from models import registry
from models.base import RawCaption
from models.openai_captioner import OpenAiCaptioner
from models.openai_compatible import OpenAiChat, Patience
from models.openai_compatible_address import parse_address
from tests.models.chat_server import (
    ChatServer,
    completion,
    hang,
    no_choices,
    refuse_schema,
    running,
    say,
    status,
)
from tests.models.scenes import GOOD, picture, scene

QUICK = Patience(connect=2, silence=1, retries=1)


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with running() as made:
        yield made


@pytest.fixture
def captioner(server: ChatServer) -> Iterator[OpenAiCaptioner]:
    chat = OpenAiChat(parse_address(f"{server.url}#m"), QUICK)
    yield OpenAiCaptioner(chat, together=3)
    chat.close()


def test_a_blurred_picture_and_what_is_known_go_out(
    server: ChatServer, captioner: OpenAiCaptioner
) -> None:
    server.will(say(GOOD, prompt=700, done=60))
    (said,) = captioner.describe([scene([picture(900, 1800)])])
    assert isinstance(said, RawCaption)
    assert said.short == "12 May 2024, Kyoto, eating ramen"
    assert said.tokens == 760
    (body,) = server.asked
    shown, words = body["messages"][1]["content"]
    sent = Image.open(io.BytesIO(base64.b64decode(shown["image_url"]["url"].partition(",")[2])))
    assert sent.size == (1024, 512)
    assert not sent.getexif()
    assert "Taken: 2024-05-12 18:30" in words["text"]
    form = body["response_format"]["json_schema"]
    assert form["strict"]
    assert "caption" in form["schema"]["required"]


def test_a_hundred_come_back_in_order_and_at_most_three_at_once(
    server: ChatServer, captioner: OpenAiCaptioner
) -> None:
    def width(body: dict[str, Any]) -> Any:
        url = body["messages"][1]["content"][0]["image_url"]["url"]
        size = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).size
        return JSONResponse(completion(f'{{"caption": "wide {size[0]}"}}', 7, 3))

    server.will(width)
    said = captioner.describe([scene([picture(8, 8 + n)]) for n in range(100)])
    assert [each.caption for each in said if isinstance(each, RawCaption)] == [
        f"wide {8 + n}" for n in range(100)
    ]
    assert 1 < server.most_at_once <= 3


def test_faults_cost_the_picture_that_they_met(
    server: ChatServer, captioner: OpenAiCaptioner
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        url = body["messages"][1]["content"][0]["image_url"]["url"]
        width = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).width
        fault = {9: status(400), 10: no_choices(), 11: say(None), 12: say('{"caption": 1}')}
        return fault.get(width, say(GOOD))(body)

    server.will(odd)
    said = captioner.describe([scene([picture(8, width)]) for width in range(8, 16)])
    assert [isinstance(each, RawCaption) for each in said] == [True, *[False] * 4, *[True] * 3]
    assert "refused the request (400)" in str(said[1])
    assert isinstance(said[2], InvalidReply)
    assert isinstance(said[4], InvalidReply)


def test_a_server_without_schemas_is_asked_without(
    server: ChatServer, captioner: OpenAiCaptioner
) -> None:
    server.will(refuse_schema(GOOD))
    said = captioner.describe([scene(), scene()])
    assert all(isinstance(each, RawCaption) for each in said)


def test_a_server_that_hangs_is_one_line_a_picture(
    server: ChatServer, captioner: OpenAiCaptioner
) -> None:
    server.will(hang(5))
    (said,) = captioner.describe([scene()])
    assert isinstance(said, ModelError)
    assert "did not answer in time (2 tries)" in str(said)


def test_another_machine_must_be_allowed_first() -> None:
    name = "openai:http://lab.example:8000/v1#qwen"
    with pytest.raises(UsageError, match=r"lab\.example is not this machine"):
        registry.captioner(name)
    with pytest.raises(UsageError, match="allow-remote"):
        registry.check_captioner(name)
    assert registry.check_captioner(name, ["lab.example"])
    assert registry.captioner(name, allowed=["lab.example"]).name == "qwen"
