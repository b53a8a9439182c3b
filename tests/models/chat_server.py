"""A real server on loopback that speaks the OpenAI protocol, with faults on demand."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

__all__ = [
    "ChatServer",
    "bare",
    "cut_stream",
    "hang",
    "no_choices",
    "redirect",
    "refuse_schema",
    "running",
    "say",
    "slow_stream",
    "status",
    "stream",
]

Fault = Callable[[dict[str, Any]], Any]


@dataclass
class ChatServer:
    """What was asked, and what will be answered: the answers in turn, the last one for ever."""

    answers: list[Fault] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    window: int | None = None
    url: str = ""
    at_once: int = 0
    most_at_once: int = 0

    def will(self, *answers: Fault) -> None:
        self.answers = list(answers)
        self.asked.clear()
        self.headers.clear()
        self.most_at_once = 0

    def next(self) -> Fault:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def completion(text: str | None, prompt: int, done: int, ended: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": ended}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": done, "total_tokens": 0},
    }


def say(text: str | None, prompt: int = 7, done: int = 3, ended: str = "stop") -> Fault:
    return lambda _: JSONResponse(completion(text, prompt, done, ended))


def status(code: int, **headers: str) -> Fault:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: JSONResponse({"error": {"message": "no"}}, status_code=code, headers=named)


def bare(body: str, media_type: str = "application/json") -> Fault:
    return lambda _: Response(body, media_type=media_type)


def no_choices() -> Fault:
    return lambda _: JSONResponse({**completion("x", 1, 1), "choices": []})


def hang(seconds: float) -> Fault:
    async def wait(_: dict[str, Any]) -> Any:
        await asyncio.sleep(seconds)
        return JSONResponse(completion("late", 1, 1))

    return wait


def redirect(to: str) -> Fault:
    return lambda _: Response(status_code=307, headers={"location": to})


def refuse_schema(text: str) -> Fault:
    def answer(body: dict[str, Any]) -> Any:
        code = 400 if "response_format" in body else 200
        return JSONResponse(completion(text, 7, 3), status_code=code)

    return answer


def stream(pieces: Sequence[str], prompt: int = 7, done: int = 3) -> Fault:
    return lambda _: _events(_lines(pieces, end=True, usage=(prompt, done)), 0.0)


def slow_stream(pieces: Sequence[str], first_after: float) -> Fault:
    return lambda _: _events(_lines(pieces, end=True, usage=(7, 3)), first_after)


def cut_stream(pieces: Sequence[str], *, rudely: bool) -> Fault:
    async def broken() -> AsyncIterator[str]:
        for line in _lines(pieces, end=False, usage=None):
            yield line
        if rudely:
            raise ConnectionResetError("the line was cut")

    return lambda _: StreamingResponse(broken(), media_type="text/event-stream")


def _events(lines: Sequence[str], first_after: float) -> StreamingResponse:
    async def told() -> AsyncIterator[str]:
        await asyncio.sleep(first_after)
        for line in lines:
            yield line

    return StreamingResponse(told(), media_type="text/event-stream")


def _lines(pieces: Sequence[str], *, end: bool, usage: tuple[int, int] | None) -> list[str]:
    chunks = [_chunk({"content": piece}, None) for piece in pieces]
    if end:
        chunks.append(_chunk({}, "stop"))
    if usage is not None:
        said = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": 0}
        chunks.append({**_chunk({}, None), "choices": [], "usage": said})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return [*lines, "data: [DONE]\n\n"] if end else lines


def _chunk(delta: dict[str, str], ended: str | None) -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": ended}],
    }


def _app(server: ChatServer) -> FastAPI:
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Any:
        body = await request.json()
        server.asked.append(body)
        server.headers.append(dict(request.headers))
        server.at_once += 1
        server.most_at_once = max(server.most_at_once, server.at_once)
        try:
            await asyncio.sleep(0.01)
            answer = server.next()(body)
            return await answer if asyncio.iscoroutine(answer) else answer
        finally:
            server.at_once -= 1

    @app.get("/v1/models")
    async def models() -> Any:
        one = {"id": "m", "object": "model", "created": 1, "owned_by": "me"}
        if server.window is not None:
            one["max_model_len"] = server.window
        return {"object": "list", "data": [one]}

    return app


@contextmanager
def running() -> Iterator[ChatServer]:
    """The server, on a free port, until the block ends."""
    server = ChatServer([say("hello")])
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server.url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    made = uvicorn.Server(
        uvicorn.Config(_app(server), log_level="critical", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=made.run, args=([listener],), daemon=True)
    thread.start()
    while not made.started:
        time.sleep(0.01)
    yield server
    made.should_exit = True
    thread.join(5)
    listener.close()
