"""Who is let in."""

import base64

import pytest

from ui.guards import password_fits, refusal

HOST = {"host": "127.0.0.1:7863"}
JSON = {**HOST, "content-type": "application/json", "content-length": "10"}
RUN = "/gradio_api/run/predict"


@pytest.mark.parametrize("path", ["/", "/item", "/ask", "/persona"])
def test_a_page_opens_by_the_address_bar_or_by_a_link_from_elsewhere(path: str) -> None:
    link = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    assert refusal("GET", path, HOST) is None
    assert refusal("GET", path, {**HOST, **link}) is None
    framed = {**link, "sec-fetch-dest": "iframe"}
    assert refusal("GET", path, {**HOST, **framed}) == (403, "from another site")
    fetched = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}
    assert refusal("GET", path, {**HOST, **fetched}) == (403, "from another site")


@pytest.mark.parametrize("path", ["/thumb/0123456789abcdef", "/media/0123456789abcdef", "/config"])
@pytest.mark.parametrize(
    "foreign",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999", "sec-fetch-site": "same-site"},
    ],
)
def test_pictures_and_settings_are_not_for_other_sites(path: str, foreign: dict[str, str]) -> None:
    assert refusal("GET", path, {**HOST, **foreign}) == (403, "from another site")
    assert refusal("GET", path, {**HOST, "sec-fetch-site": "same-origin"}) is None


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**JSON, "origin": "http://evil.example"}, 403),
        ({**JSON, "origin": "null"}, 403),
        ({**JSON, "sec-fetch-site": "cross-site"}, 403),
        ({**JSON, "sec-fetch-site": "same-site"}, 403),
        ({**JSON, "content-type": "text/plain"}, 415),
        ({**JSON, "content-type": "multipart/form-data; boundary=x"}, 415),
        ({**JSON, "content-type": "application/x-www-form-urlencoded"}, 415),
        ({**HOST, "content-length": "10"}, 415),
        ({**HOST, "content-type": "application/json"}, 411),
        ({**JSON, "content-length": "99999999"}, 413),
        ({**JSON, "content-length": "-1"}, 411),
    ],
)
def test_an_event_from_elsewhere_or_in_another_form_is_refused(
    headers: dict[str, str], status: int
) -> None:
    for path in (RUN, "/gradio_api/component_server/"):
        found = refusal("POST", path, headers)
        assert found is not None
        assert found[0] == status


def test_an_event_of_the_own_page_is_let_in() -> None:
    own = {**JSON, "origin": "http://127.0.0.1:7863", "sec-fetch-site": "same-origin"}
    assert refusal("POST", RUN, own) is None
    assert refusal("POST", "/gradio_api/component_server/", own) is None
    charset = {**own, "content-type": "application/json; charset=utf-8"}
    assert refusal("POST", RUN, charset) is None


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "x"])
def test_other_methods_are_refused(method: str) -> None:
    assert refusal(method, "/", HOST) == (405, "not allowed")


CLOSED = [
    "/gradio_api/file=/etc/passwd",
    "/gradio_api/file/etc/passwd",
    "/gradio_api/proxy=https://example.org",
    "/gradio_api/upload",
    "/gradio_api/upload_progress",
    "/gradio_api/queue/join",
    "/gradio_api/queue/data",
    "/gradio_api/runs",
    "/gradio_api/run-history/records",
    "/gradio_api/info",
    "/gradio_api/openapi.json",
    "/gradio_api/vibe-edit",
    "/gradio_api/vibe-code",
    "/gradio_api/process_recording",
    "/gradio_api/deep_link",
    "/gradio_api/call/answer",
    "/gradio_api/stream/x/y/1/playlist.m3u8",
    "/gradio_api/mcp/sse",
    "/monitoring",
    "/monitoring/summary",
    "/login",
    "/docs",
    "/openapi.json",
    "/pwa_icon",
    "/file=/etc/passwd",
    "/static/../config",
    "/assets/..%2f..",
    "/assets/.hidden",
    "/static//etc/passwd",
    "/item/",
    "/nothing",
]


@pytest.mark.parametrize("path", CLOSED)
def test_what_this_app_does_not_need_does_not_exist(path: str) -> None:
    assert refusal("GET", path, HOST) == (404, "not here")
    assert refusal("POST", path, JSON) == (404, "not here")


def _basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


def test_the_password_fits_whoever_gives_it() -> None:
    assert password_fits(_basic("anyone:long enough"), "long enough")
    assert password_fits(_basic(":pass:with:colons"), "pass:with:colons")
    assert password_fits(_basic("owner:pässwörd"), "pässwörd")


@pytest.mark.parametrize(
    "given", [None, "", "Basic", "Basic !!!", "Bearer x", _basic("long enough"), _basic("a:wrong")]
)
def test_a_wrong_or_missing_password_does_not_fit(given: str | None) -> None:
    assert not password_fits(given, "long enough")
