"""Chat with a server that speaks the OpenAI protocol (vLLM, Ollama, llama.cpp), official client.

Which hosts may be asked at all is decided in `models.registry`; here redirects are never followed,
so that an allowed host cannot hand the words on to another one.
"""

import base64
import io
import math
import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from archive_mem.errors import InvalidReply, MissingExtra, ModelError
from archive_mem.schema.safe import SafeImage, SafeText
from models.base import ChatReply, ChatTurn
from models.messages import Conversation, Message, conversation_of
from models.openai_compatible_address import Address

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["KEY", "OpenAiChat", "Patience"]

KEY = "ARCHIVE_MEM_OPENAI_KEY"
"""Environment variable of the key; OPENAI_API_KEY is read for api.openai.com alone."""

_USUAL_WINDOW = 8192
_BYTES_A_TOKEN = 3
_LONG_SIDE = 1024
_NO_SCHEMA = (400, 404, 422, 501)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a server is waited for.

    connect: seconds until it takes the call
    silence: seconds without a byte; a whole reply may be written in one go, so be generous
    retries: more tries after 408, 409, 429, 5xx, a timeout or a lost connection; the pauses double
        from half a second to eight, or are what Retry-After says (two minutes at most)
    together: requests at the same time
    """

    connect: float = 5.0
    silence: float = 180.0
    retries: int = 4
    together: int = 4


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(default=0, ge=0)


class _Delta(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    content: str | None = None


class _Piece(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(BaseModel):
    """What is needed of a piece of a stream; the last one may have usage and no choice."""

    model_config = ConfigDict(from_attributes=True)
    choices: list[_Piece]
    usage: _Usage | None = None


class _Completion(BaseModel):
    """What is needed of a reply; anything else in it is left alone."""

    choices: list[_Choice]
    usage: _Usage | None = None


class _Heard:
    """What came of a stream so far.

    ended: why it ended, None while it goes on
    """

    def __init__(self) -> None:
        self.ended: str | None = None
        self._pieces: list[str] = []
        self._usage: _Usage | None = None

    def take(self, chunk: _Chunk) -> str:
        """The new words, "" when there are none."""
        self._usage = chunk.usage or self._usage
        first = next(iter(chunk.choices), _Piece())
        self.ended = first.finish_reason or self.ended
        words = "" if first.delta is None else first.delta.content or ""
        self._pieces.append(words)
        return words

    def completion(self) -> _Completion:
        """The whole, as if it had come in one piece."""
        message = _Message(content="".join(self._pieces))
        return _Completion(
            choices=[_Choice(message=message, finish_reason=self.ended)], usage=self._usage
        )


class OpenAiChat:
    """One model on one server (ChatModel, and `stream`). Safe to use from several threads.

    address: the server and the model
    patience: timeouts and retries
    """

    def __init__(self, address: Address, patience: Patience | None = None) -> None:
        self.name = address.model
        self.address = address
        self._patience = patience or Patience()
        self._client = _client(address, self._patience)
        self._end = weakref.finalize(self, self._client.close)
        self._gate = BoundedSemaphore(self._patience.together)
        self._takes_schema = True

    def close(self) -> None:
        """Close the connections; what forgets to is closed with the object."""
        self._end()

    @cached_property
    def window(self) -> int:
        """What the server says (vLLM: max_model_len), else 8192."""
        with self._translated():
            return self._told_window() or _USUAL_WINDOW

    def tokens(self, text: SafeText) -> int:
        """An estimate on the safe side: a token for every three bytes of UTF-8."""
        return _estimate(text.value)

    def reply(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """One reply. Raises InvalidReply for what is no reply, ModelError for all else."""
        return self.answer(conversation_of(turns), max_tokens, schema)

    def answer(
        self,
        said: Conversation,
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """The same for messages in which words and pictures alternate."""
        with self._gate, self._translated():
            body = self._asked(said, max_tokens, schema)
        try:
            return self._reply_of(_Completion.model_validate_json(body), said)
        except ValidationError as error:
            raise InvalidReply(f"{self._who} sent something that is no chat reply") from error

    def stream(
        self,
        turns: Sequence[ChatTurn],
        told: Callable[[str], None],
        max_tokens: int = 512,
    ) -> ChatReply:
        """The same, each piece handed to `told` as it comes. A stream that breaks off raises."""
        heard, said = _Heard(), conversation_of(turns)
        with self._gate, self._translated():
            for chunk in self._chunks(said, max_tokens):
                piece = heard.take(_Chunk.model_validate(chunk))
                if piece:
                    told(piece)
        if heard.ended is None:
            raise self._broken()
        return self._reply_of(heard.completion(), said)

    @property
    def _who(self) -> str:
        return f"the model server at {self.address.place}"

    def _asked(
        self, said: Conversation, max_tokens: int, schema: Mapping[str, Any] | None
    ) -> bytes:
        """The body of the reply; without the schema where the server refuses one."""
        import openai

        form = _form(schema) if schema is not None and self._takes_schema else {}
        try:
            return self._body(said, max_tokens, form)
        except openai.APIStatusError as error:
            if not form or error.status_code not in _NO_SCHEMA:
                raise
        body = self._body(said, max_tokens, {})
        self._takes_schema = False
        return body

    def _body(self, said: Conversation, max_tokens: int, form: Mapping[str, Any]) -> bytes:
        raw = self._client.chat.completions.with_raw_response.create(
            model=self.address.model,
            messages=_messages(said),
            max_tokens=max_tokens,
            temperature=0,
            **form,
        )
        return bytes(raw.content)

    def _chunks(self, said: Conversation, max_tokens: int) -> Iterator[Any]:
        import openai

        stream: Any = self._client.chat.completions.create(
            model=self.address.model,
            messages=_messages(said),
            max_tokens=max_tokens,
            temperature=0,
            stream=True,
            stream_options={"include_usage": True},
        )
        try:
            yield from stream
        except openai.APITimeoutError:
            raise
        except openai.APIConnectionError as error:
            raise self._broken() from error

    def _broken(self) -> ModelError:
        return ModelError(f"{self._who} broke off in the middle of its reply")

    def _reply_of(self, completion: _Completion, said: Conversation) -> ChatReply:
        first = next(iter(completion.choices), None)
        text = "" if first is None else (first.message.content or "").strip()
        if first is None or not text:
            raise InvalidReply(f"{self._who} replied without a word")
        usage = completion.usage or _Usage(
            prompt_tokens=sum(_estimate(each.text) for each in said),
            completion_tokens=_estimate(text),
        )
        return ChatReply(
            text=text,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cut=first.finish_reason == "length",
        )

    def _told_window(self) -> int | None:
        """None where the server does not list its models, or not how long they read."""
        import openai

        quick = self._client.with_options(
            timeout=min(self._patience.silence, 3.0), max_retries=0
        ).models
        try:
            listed: Any = quick.list()
            mine = [each for each in listed.data if each.id == self.address.model]
            said = getattr(mine[0], "max_model_len", None) if mine else None
        except (openai.OpenAIError, AttributeError, TypeError, ValueError):
            return None
        return said if isinstance(said, int) and said > 0 else None

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Errors of the client as one line each; words of the conversation are in none."""
        import httpx2
        import openai

        try:
            yield
        except openai.APITimeoutError as error:
            raise ModelError(f"{self._who} did not answer in time ({self._tries})") from error
        except openai.APIConnectionError as error:
            raise ModelError(f"{self._who} cannot be reached ({self._tries})") from error
        except openai.APIStatusError as error:
            raise ModelError(f"{self._who} {self._refusal(error.status_code)}") from error
        except httpx2.HTTPError as error:
            raise self._broken() from error
        except (openai.OpenAIError, ValueError) as error:
            raise InvalidReply(f"{self._who} sent something that is no chat reply") from error

    @property
    def _tries(self) -> str:
        count = self._patience.retries + 1
        return "1 try" if count == 1 else f"{count} tries"

    def _refusal(self, status: int) -> str:
        if status in (401, 403):
            return f"refused the key ({status}); give it in {KEY}"
        if status == 404:
            return f"does not know the model {self.address.model} (404)"
        if status == 429:
            return f"is asked too much (429, {self._tries})"
        if 300 <= status < 400:
            return f"points to another address ({status}), which is not followed"
        if status >= 500:
            return f"failed ({status}, {self._tries})"
        return f"refused the request ({status})"


def _client(address: Address, patience: Patience) -> "OpenAI":
    try:
        import httpx2
        import openai
    except ImportError as error:
        raise MissingExtra("openai", "a model on an OpenAI-compatible server") from error
    timeout = httpx2.Timeout(patience.silence, connect=patience.connect)
    # What stays on this machine does not go through a proxy that the environment names.
    transport = httpx2.Client(
        timeout=timeout, follow_redirects=False, trust_env=not address.on_this_machine
    )
    return openai.OpenAI(
        api_key=_key(address),
        base_url=address.url,
        timeout=timeout,
        max_retries=patience.retries,
        http_client=transport,
    )


def _key(address: Address) -> str:
    """A key meant for one service is not shown to another."""
    own = os.environ.get(KEY)
    if own is None and address.host == "api.openai.com":
        own = os.environ.get("OPENAI_API_KEY")
    return own or "none"


def _messages(said: Conversation) -> Any:  # noqa: ANN401
    return [{"role": each.role, "content": _content(each)} for each in said]


def _content(message: Message) -> str | list[dict[str, Any]]:
    return [_part(part) for part in message.parts] if message.images else message.text


def _part(part: str | SafeImage) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": _data_url(part)}}


def _data_url(image: SafeImage) -> str:
    """A JPEG of at most 1024 pixels a side; made of pixels, so that nothing else is in it."""
    from PIL import Image

    picture = Image.fromarray(image.pixels)
    picture.thumbnail((_LONG_SIDE, _LONG_SIDE))
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(written.getvalue()).decode('ascii')}"


def _form(schema: Mapping[str, Any]) -> dict[str, Any]:
    named = {"name": "reply", "schema": dict(schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _estimate(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_A_TOKEN)
