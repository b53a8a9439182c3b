"""The first page: everything, by day."""

from collections.abc import Sequence
from typing import Any

from ui.desk import Desk
from ui.grid import make_grid
from ui.markup import Html, el
from ui.shell import Top

__all__ = ["build", "failures_html"]


def failures_html(failures: Sequence[tuple[str, str]]) -> Html:
    """What could not be read, with reasons; nothing when all is well."""
    if not failures:
        return Html("")
    count = len(failures)
    rows = [el("li", el("code", item_id), " ", reason) for item_id, reason in failures]
    noun = "file" if count == 1 else "files"
    return el(
        "details",
        el("summary", f"{count} {noun} could not be read"),
        el("ul", *rows),
        class_="am-failures",
    )


def build(desk: Desk, page: Any) -> None:  # noqa: ANN401
    """Fill the page."""
    import gradio as gr

    top = Top(desk, page, "/")
    make_grid(desk)
    failed = gr.HTML("", elem_id="am-failed", apply_default_css=False)

    def load() -> list[Html]:
        return [failures_html(desk.failures())]

    top.opening(page, load, (), [failed])
