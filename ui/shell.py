"""What every page has: the line at the top, the lock, and errors that are one line."""

import functools
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from archive_mem.errors import ArchiveMemError
from ui.desk import Desk
from ui.markup import Html, el, inert
from ui.names import COOKIE

__all__ = ["EVENT", "add_top", "in_words", "navigation", "plainly", "seat_of", "strict_load"]

EVENT: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "minimal"}
"""Every event: answered by its own request, and no part of an API."""

_PAGES = (("/", "Time line"), ("/ask", "Ask"), ("/persona", "Persona"))
_RELOAD = "() => { window.location.reload(); }"
_log = logging.getLogger(__name__)

Handler = TypeVar("Handler", bound=Callable[..., Any])


def navigation(active: str) -> Html:
    """Name of the app and links to the pages; `active` is the path of this one."""
    links = [
        el("a", name, href=path, aria_current="page" if path == active else None)
        for path, name in _PAGES
    ]
    brand = el("a", el("span", class_="am-mark", aria_hidden="true"), "archive-mem", href="/")
    return el(
        "header",
        el("div", brand, class_="am-brand"),
        el("nav", *links, aria_label="Pages"),
        class_="am-top",
    )


def seat_of(request: Any) -> str:  # noqa: ANN401
    """The seat of the browser that asks, "" when it has none."""
    # An event is given Gradio's wrapper, a server function the request itself.
    cookies: dict[str, str] = getattr(request, "request", request).cookies
    return cookies.get(COOKIE, "")


def plainly(handler: Handler) -> Handler:
    """An error of a handler becomes one line on the page; what a person wrote is never logged."""

    @functools.wraps(handler)
    def guarded(*given: Any, **named: Any) -> Any:  # noqa: ANN401
        import gradio as gr

        try:
            return handler(*given, **named)
        except Exception as error:
            line = inert(_line(error))
            title = "That did not work"
            raise gr.Error(line, title=title, print_exception=False) from error

    return guarded  # type: ignore[return-value]


def in_words(handler: Handler) -> Handler:
    """The same for a function that the page's own script calls: it gets {"problem": line}."""

    @functools.wraps(handler)
    def guarded(*given: Any, **named: Any) -> Any:  # noqa: ANN401
        try:
            return handler(*given, **named)
        except Exception as error:  # noqa: BLE001
            return {"problem": _line(error)}

    return guarded  # type: ignore[return-value]


def _line(error: Exception) -> str:
    if isinstance(error, ArchiveMemError):
        return str(error)
    _log.error("unexpected %s", type(error).__name__)
    _log.debug("where it came from", exc_info=error)
    return f"unexpected {type(error).__name__}"


def add_top(desk: Desk, page: Any, active: str) -> None:  # noqa: ANN401
    """Put the top line into a page: navigation, and the lock in front of real names."""
    import gradio as gr

    with gr.Row(elem_id="am-topline"):
        gr.HTML(navigation(active), elem_id="am-nav", scale=5)
        lock = gr.Button("Show names", elem_id="am-lock", size="sm", scale=0, min_width=140)

    @plainly
    def label(request: gr.Request) -> Any:  # noqa: ANN401
        return _lock(desk.names.is_open(seat_of(request)))

    @plainly
    def turn(request: gr.Request) -> None:
        seat = seat_of(request)
        if desk.names.is_open(seat):
            desk.names.close(seat)
        else:
            desk.open_names(seat)

    page.load(label, None, lock, **EVENT)
    lock.click(turn, None, None, **EVENT).success(None, None, None, js=_RELOAD)


def _lock(is_open: bool) -> Any:  # noqa: ANN401
    import gradio as gr

    if is_open:
        return gr.Button("Names shown: hide them", variant="primary")
    return gr.Button("Show names", variant="secondary")


def strict_load(key: str) -> str:
    """JavaScript that gives a parameter of the address to a page's load event."""
    return f"() => new URLSearchParams(window.location.search).get({key!r}) || ''"
