"""The pages in a real browser: nothing from outside, no error. Runs where Chromium is found."""

import asyncio
import shutil
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tests.ui.sample import item_id

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
    pytest.mark.slow,
    # The driver of the browser leaves its pipes to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
WAIT = 30_000


@pytest.fixture(scope="module")
def address(app: Any) -> Iterator[str]:
    import uvicorn

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            thread.start()
            while not server.started:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(timeout=20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page that fails the test for a request to elsewhere, an error, or a kept input."""
    context = browser.new_context(base_url=address, viewport={"width": 1300, "height": 850})
    opened = context.new_page()
    outside: list[str] = []
    errors: list[str] = []

    def watch(request: Any) -> None:
        if not request.url.startswith((address, "blob:", "data:")):
            outside.append(request.url)

    opened.on("request", watch)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("dialog", lambda dialog: errors.append(dialog.message))
    yield opened
    kept = opened.evaluate("() => JSON.stringify(localStorage)")
    context.close()
    assert outside == []
    assert errors == []
    assert "river" not in kept


def test_the_time_line_opens_an_item_by_keyboard_alone(page: Any) -> None:
    page.goto("/")
    page.wait_for_selector(".am-cell img", timeout=WAIT)
    assert page.locator(".am-cell").count() <= 60
    page.locator(".am-scroll").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".am-facts", timeout=WAIT)
    assert "/item?id=" in page.url


def test_markup_in_a_caption_runs_nothing(page: Any) -> None:
    page.goto(f"/item?id={item_id(1)}")
    page.wait_for_selector(".am-seen", timeout=WAIT)
    assert "<script>alert(3)</script>" in page.inner_text(".am-seen")
    assert page.locator("#am-seen-box img, #am-seen-box script").count() == 0


def test_the_next_item_comes_by_a_key_and_stands_in_the_address(page: Any) -> None:
    page.goto(f"/item?id={item_id(5)}")
    page.wait_for_selector(f'.am-stage img[src="/media/{item_id(5)}"]', timeout=WAIT)
    page.keyboard.press("j")
    page.wait_for_selector(f'.am-stage img[src="/media/{item_id(4)}"]', timeout=WAIT)
    page.wait_for_function(f"() => location.search === '?id={item_id(4)}'", timeout=WAIT)


def test_enter_asks_and_a_question_that_cannot_be_meant_gets_a_line(page: Any) -> None:
    page.goto("/ask")
    page.get_by_label("Choice (T3)").check(timeout=WAIT)
    page.fill("#am-question textarea", "Which walk by the river?")
    page.keyboard.press("Enter")
    page.get_by_text("Choice ranks options").wait_for(timeout=WAIT)
    assert page.input_value("#am-question textarea") == "Which walk by the river?"


@pytest.mark.parametrize("path", ["/ask", "/persona"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_a_phone(page: Any, path: str, scheme: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.goto(path)
    page.wait_for_selector(".am-top nav", timeout=WAIT)
    page.wait_for_timeout(800)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
