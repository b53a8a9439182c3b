"""The whole app behind its guards."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from archive_mem.wiring import Memory
from tests.ui.conftest import BASE, raw_get
from tests.ui.sample import item_id

SECRETS = ("Jane", "Roe", "/secret", "IMG_1", "Friend A", "Kyoto", "Lisbon")


@pytest.mark.parametrize(
    "path", ["/", "/item", "/ask", "/persona", "/privacy", "/start", "/config"]
)
def test_no_page_carries_anything_of_the_archive_by_itself(client: Any, path: str) -> None:
    reply = client.get(path)
    assert reply.status_code == 200
    for secret in SECRETS:
        assert secret not in reply.text.replace("Kyoto, Japan", "")  # a placeholder of a box


@pytest.mark.parametrize("path", ["/", "/config", "/thumb/x", "/nothing", f"/thumb/{item_id(1)}"])
def test_every_reply_is_guarded_by_headers(client: Any, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self' data: blob:" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "", "[::2]:1"],
)
@pytest.mark.parametrize("path", ["/", "/config", f"/thumb/{item_id(1)}"])
def test_a_foreign_host_is_refused(app: Any, host: str, path: str) -> None:
    status, body = raw_get(app, path, {"host": host})
    assert (status, body) == (400, b"Invalid host header")


@pytest.mark.parametrize("host", ["127.0.0.1:7863", "localhost", "localhost:1", "[::1]:7863"])
def test_this_machine_is_let_in_by_all_its_names(app: Any, host: str) -> None:
    assert raw_get(app, f"/thumb/{item_id(1)}", {"host": host})[0] == 200


def test_an_event_from_another_site_runs_nothing(client: Any) -> None:
    body = json.dumps({"component_id": 1, "fn_name": "plan", "session_hash": "x", "data": {}})
    for headers in (
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/json", "Origin": "http://evil.example"},
        {"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"},
    ):
        for path in ("/gradio_api/component_server/", "/gradio_api/run/predict"):
            assert client.post(path, content=body, headers=headers).status_code in {403, 415}


def test_names_are_not_kept_by_the_browser(client: Any) -> None:
    assert client.get("/").headers["cache-control"] == "no-store"
    cookie = client.get("/").headers["set-cookie"] if not client.cookies else ""
    assert not cookie or ("HttpOnly" in cookie and "SameSite=Strict" in cookie)


def test_a_browser_gets_its_seat_once(app: Any) -> None:
    from starlette.testclient import TestClient

    client = TestClient(app, base_url=BASE)
    first = client.get("/").headers
    assert "HttpOnly; SameSite=Strict" in first["set-cookie"]
    assert "set-cookie" not in client.get("/").headers
    assert "set-cookie" not in client.get(f"/thumb/{item_id(1)}").headers


def _file(path: str) -> dict[str, Any]:
    return {"path": path, "orig_name": "x", "meta": {"_type": "gradio.FileData"}}


def test_a_file_that_is_named_in_an_event_is_never_read(
    call: Callable[..., Any], client: Any, memory: Memory
) -> None:
    root = memory.folder.root
    for path in (root / "catalog.sqlite", root / "vault.sqlite", root / "archive.toml"):
        for data in ([_file(str(path)), "owner"], [[_file(str(path))], _file(str(path))]):
            reply = call("opened", *data)
            assert "SQLite format" not in reply.text
            assert "home_zone" not in reply.text
        for route in ("/gradio_api/file=", "/file=", "/gradio_api/file/"):
            assert client.get(f"{route}{path}").status_code == 404


def test_nothing_can_be_uploaded_but_a_photo(client: Any) -> None:
    files = {"files": ("a.html", b"<script>", "text/html")}
    assert client.post("/gradio_api/upload", files=files).status_code == 404
    html = client.post("/photo", content=b"<b>", headers={"Content-Type": "text/html"})
    svg = client.post("/photo", content=b"<svg>", headers={"Content-Type": "image/svg+xml"})
    assert (html.status_code, svg.status_code) == (415, 415)
    assert "JPEG" in svg.text


def test_a_photo_that_is_too_large_is_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.photos.LONGEST", 100)
    reply = client.post("/photo", content=b"x" * 101, headers={"Content-Type": "image/png"})
    assert reply.status_code == 415
    assert "larger" in reply.text


def test_an_unexpected_error_says_and_logs_its_kind_only(
    call: Callable[..., Any],
    desk: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("Jane Roe at 35.0, 135.0")

    monkeypatch.setattr(desk, "profile", broken)
    reply = call("portrait", "Now", "")
    assert "unexpected ValueError" in reply.notice
    assert "Jane" not in reply.text + caplog.text


@pytest.fixture(scope="module")
def guarded(memory: Memory) -> Any:
    from ui.guards import PasswordGate

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        from starlette.responses import PlainTextResponse

        await PlainTextResponse("inside")(scope, receive, send)

    return PasswordGate(inside, password="long enough")


@pytest.mark.parametrize("path", ["/", "/thumb/0000000000000001", "/media/x", "/config", "/photo"])
def test_a_password_guards_every_route(guarded: Any, path: str) -> None:
    status, body = raw_get(guarded, path)
    assert (status, body) == (401, b"a password is needed")
    token = base64.b64encode(b"owner:long enough").decode()
    assert raw_get(guarded, path, {"authorization": f"Basic {token}"}) == (200, b"inside")


def test_a_wrong_password_waits(guarded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("ui.guards.asyncio.sleep", sleep)
    token = base64.b64encode(b"owner:wrong").decode()
    assert raw_get(guarded, "/", {"authorization": f"Basic {token}"})[0] == 401
    assert waited == [1.0]


def test_gradio_is_told_to_stay_home(app: Any) -> None:
    import os

    assert os.environ["GRADIO_ANALYTICS_ENABLED"] == "False"
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    mounted = (getattr(route, "app", None) for route in app.routes)
    blocks = next(each for each in mounted if hasattr(each, "get_blocks")).get_blocks()
    assert not blocks.run_history
    assert not blocks.enable_monitoring
    assert blocks.allowed_paths == []
    assert not any(dependency["queue"] for dependency in blocks.config["dependencies"])
