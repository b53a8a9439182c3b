"""What every page has: the line at the top, the lock, and errors that are one line."""

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from archive_mem.errors import ArchiveMemError
from ui.desk import Desk
from ui.markup import Html, el
from ui.names import COOKIE

__all__ = ["Top", "in_words", "navigation", "notice_html", "parameter", "seat_of"]

_EVENT: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "minimal"}
"""Every event: answered by its own request, and no part of an API."""

_PAGES = (
    ("/", "Time line"),
    ("/ask", "Ask"),
    ("/persona", "Persona"),
    ("/privacy", "Privacy"),
    ("/start", "Add photos"),
)
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


def in_words(handler: Handler) -> Handler:
    """A function that the page's own script calls: an error gives it {"problem": line}."""

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


class Top:
    """The line at the top of a page: navigation, the lock in front of real names, and the notice.

    Gradio shows no error of an event that is answered by its own request, so every event of a
    page is wired by `on`, which says it in the notice.
    """

    def __init__(self, desk: Desk, page: Any, active: str) -> None:  # noqa: ANN401
        """desk: the memory; page: Gradio's Blocks; active: the path of this page."""
        import gradio as gr

        with gr.Row(elem_id="am-topline"):
            gr.HTML(navigation(active), elem_id="am-nav", scale=5)
            lock = gr.Button("Show names", elem_id="am-lock", size="sm", scale=0, min_width=140)
        self._notice = gr.HTML("", elem_id="am-notice", apply_default_css=False)
        self._add_lock(desk, page, lock)

    def on(
        self,
        event: Callable[..., Any],
        handler: Callable[..., Sequence[Any]],
        inputs: Sequence[Any] = (),
        outputs: Sequence[Any] = (),
        **more: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Let `handler` answer `event`; it gives one value an output, or raises."""
        guarded = _in_the_notice(handler, len(outputs), clears=True)
        return event(guarded, list(inputs), [self._notice, *outputs], **{**_EVENT, **more})

    def opening(
        self,
        page: Any,  # noqa: ANN401
        handler: Callable[..., Sequence[Any]],
        inputs: Sequence[Any] = (),
        outputs: Sequence[Any] = (),
        **more: Any,  # noqa: ANN401
    ) -> None:
        """The same when the page opens; several run at once, so none wipes another's notice."""
        guarded = _in_the_notice(handler, len(outputs), clears=False)
        page.load(guarded, list(inputs), [self._notice, *outputs], **{**_EVENT, **more})

    def after(self, event: Any, js: str) -> Any:  # noqa: ANN401
        """Run JavaScript once an event has gone well: a function of nothing."""
        script = f"(said) => {{ if (!said) ({js})(); }}"
        return event.then(None, self._notice, None, js=script)

    def _add_lock(self, desk: Desk, page: Any, lock: Any) -> None:  # noqa: ANN401
        import gradio as gr

        def label(request: gr.Request) -> list[Any]:
            return [_lock(desk.names.is_open(seat_of(request)))]

        def turn(request: gr.Request) -> list[Any]:
            seat = seat_of(request)
            if desk.names.is_open(seat):
                desk.names.close(seat)
            else:
                desk.open_names(seat)
            return []

        self.opening(page, label, (), [lock])
        self.after(self.on(lock.click, turn), "() => window.location.reload()")


def _in_the_notice(
    handler: Callable[..., Sequence[Any]], outputs: int, *, clears: bool
) -> Callable[..., list[Any]]:
    """An error becomes one line on the page, and every output stays as it is."""

    @functools.wraps(handler)
    def guarded(*given: Any) -> list[Any]:  # noqa: ANN401
        import gradio as gr

        try:
            return ["" if clears else gr.skip(), *handler(*given)]
        except Exception as error:  # noqa: BLE001
            return [notice_html(_line(error)), *(gr.skip() for _ in range(outputs))]

    return guarded


def notice_html(line: str) -> Html:
    """One line that says what did not work."""
    return el("p", el("b", "That did not work: "), line, class_="am-problem", role="alert")


def _lock(is_open: bool) -> Any:  # noqa: ANN401
    import gradio as gr

    if is_open:
        return gr.Button("Names shown: hide them", variant="primary")
    return gr.Button("Show names", variant="secondary")


def parameter(key: str) -> str:
    """JavaScript for a parameter of the page's address."""
    return f"() => new URLSearchParams(window.location.search).get({key!r}) || ''"
