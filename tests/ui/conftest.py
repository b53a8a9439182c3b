"""One memory and one app for all tests of the page: making them takes seconds."""

import asyncio
import gc
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from archive_mem.wiring import Memory
from tests.ui.sample import make_memory


@dataclass(frozen=True)
class Told:
    """What an event of a page gave: the notice, the values of its outputs, and all as text."""

    notice: str
    data: list[Any]
    text: str

    @classmethod
    def of(cls, reply: Any) -> "Told":
        notice, *data = reply.json().get("data") or [""]
        return cls(notice=notice, data=data, text=reply.text)


BASE = "http://127.0.0.1:7863"


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARCHIVE_MEM_PASSPHRASE", "a passphrase of the tests")
        with make_memory(tmp_path_factory.mktemp("memory")) as made:
            yield made


@pytest.fixture(scope="session")
def app(memory: Memory) -> Iterator[Any]:
    from ui.server import LOOPBACK, make_app

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those that Gradio gives while it is imported
        made = make_app(memory, allowed_hosts=LOOPBACK)
        _close_loop()
    yield made
    made.state.desk.close()


def _close_loop() -> None:
    """Gradio makes an event loop for this thread when there is none, and leaves it open."""
    asyncio.get_event_loop().close()
    asyncio.set_event_loop(None)
    gc.collect()


@pytest.fixture
def desk(app: Any) -> Any:
    return app.state.desk


@pytest.fixture
def client(app: Any) -> Any:
    from starlette.testclient import TestClient

    return TestClient(app, base_url=BASE, raise_server_exceptions=True)


@pytest.fixture
def call(client: Any) -> Callable[..., Any]:
    """Runs an event of a page as the browser does: by its number."""
    config = client.get("/config").json()
    numbers = {each["api_name"]: each["id"] for each in config["dependencies"]}

    def run(name: str, *data: Any) -> Any:
        body = {"fn_index": numbers[name], "data": list(data), "session_hash": "tests"}
        return Told.of(client.post("/gradio_api/run/predict", json=body))

    return run


@pytest.fixture
def serve(client: Any) -> Callable[..., Any]:
    """Calls a server function of the grid."""
    config = client.get("/config").json()
    grid = next(
        each["id"] for each in config["components"] if each["props"].get("elem_id") == "am-grid"
    )

    def run(name: str, data: Any) -> Any:
        body = {"component_id": grid, "fn_name": name, "session_hash": "tests", "data": data}
        return client.post(
            "/gradio_api/component_server/",
            content=json.dumps(body),
            headers={"Content-Type": "application/json"},
        )

    return run


def raw_get(app: Any, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """GET without a client that tidies the path up first."""
    import anyio

    given = {"host": "127.0.0.1:7863", **(headers or {})}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("utf-8", "surrogateescape"),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 7863),
        "state": {},
    }
    sent: list[dict[str, Any]] = []

    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked:
            await anyio.sleep_forever()
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    anyio.run(app, scope, receive, send)
    body = b"".join(m.get("body", b"") for m in sent if m["type"] == "http.response.body")
    return sent[0]["status"], body


def files_under(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}
