"""The page of the first run: which folder, what will happen to it, and how far it is."""

from typing import Any

from archive_mem.errors import UsageError
from ui.deeds import Deed, text
from ui.desk import Desk
from ui.intake import completions, folder_of, survey
from ui.markup import Html, el
from ui.shell import Top, in_words
from ui.theme import asset

__all__ = ["DEEDS", "build", "page_html"]

_MOST_NAMES = 200_000


def page_html() -> Html:
    """What will happen, in words; the script adds the box and the progress."""
    promise = el(
        "ol",
        el("li", el("b", "Your files are only read."), " Nothing is moved, changed or uploaded."),
        el("li", el("b", "Faces are destroyed first,"), " in a copy, before anything else looks."),
        el(
            "li", el("b", "Names become placeholders;"), " the real ones lie in an encrypted vault."
        ),
        el("li", el("b", "Nothing leaves this machine."), " There is no account and no cloud."),
        class_="am-promise",
    )
    return el(
        "div",
        el("h1", "Make a memory of your photos"),
        el("p", "Choose a folder on this machine: a phone dump, Google Takeout, a camera card."),
        el("div", class_="am-choose"),
        promise,
        el("div", class_="am-intake"),
        class_="am-start",
    )


def build(desk: Desk, page: Any) -> None:  # noqa: ANN401
    """Fill the page."""
    import gradio as gr

    Top(desk, page, "/start")

    @in_words
    def complete(asked: Any) -> Any:  # noqa: ANN401
        typed = asked.get("typed") if isinstance(asked, dict) else ""
        return {"folders": completions(typed if isinstance(typed, str) else "")}

    @in_words
    def estimate(asked: Any) -> Any:  # noqa: ANN401
        typed = asked.get("folder") if isinstance(asked, dict) else ""
        if not isinstance(typed, str):
            raise UsageError("write the whole path of a folder on this machine")
        memory = desk.memory
        return survey(folder_of(typed), memory.catalog, memory.settings.workers)

    @in_words
    def progress(_asked: Any) -> Any:  # noqa: ANN401
        return {**desk.intake.state(), "failures": desk.failures()[:100]}

    gr.HTML(
        page_html(),
        js_on_load=asset("common.js") + asset("start.js"),
        server_functions=[complete, estimate, progress],
        elem_id="am-first",
        apply_default_css=False,
    )


def _start(desk: Desk, body: dict[str, Any], _seat: str) -> dict[str, Any]:
    folder = folder_of(text(body, "folder", 4_000))
    desk.intake.start(folder, text(body, "names", _MOST_NAMES))
    return desk.intake.state()


def _pause(desk: Desk, _body: dict[str, Any], _seat: str) -> dict[str, Any]:
    desk.intake.pause()
    return desk.intake.state()


def _resume(desk: Desk, _body: dict[str, Any], _seat: str) -> dict[str, Any]:
    desk.intake.resume()
    return desk.intake.state()


DEEDS: dict[str, Deed] = {"ingest": _start, "pause": _pause, "resume": _resume}
