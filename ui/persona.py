"""The page that says who this person is, as of a day."""

from typing import Any

from archive_mem.errors import UsageError
from ui.desk import Desk
from ui.portrait import persona_html, years_of
from ui.shell import Top, seat_of
from ui.words import parse_day

__all__ = ["NOW", "build", "chosen_day"]

NOW = "Now"
_MOST_YEARS = 30


def chosen_day(year: str | None, typed: str | None) -> str:
    """The day that counts: what was typed, else the end of the chosen year, else "" for now."""
    if typed and typed.strip():
        return typed.strip()
    if year in {None, "", NOW}:
        return ""
    if not str(year).isdecimal():
        raise UsageError("there is no such year")
    return f"{year}-12-31"


def build(desk: Desk, page: Any) -> None:  # noqa: ANN401
    """Fill the page."""
    import gradio as gr

    top = Top(desk, page, "/persona")
    with gr.Row(elem_id="am-as-of"):
        year = gr.Radio(
            [NOW], value=NOW, label="As it was known at the end of", scale=4, min_width=330
        )
        typed = gr.Textbox(
            label="or on a day", placeholder="2024-06-01", max_lines=1, scale=1, min_width=180
        )
    shown = gr.HTML("", elem_id="am-persona", apply_default_css=False)

    def years() -> list[Any]:
        found = years_of(desk.memory.profile_items())[-_MOST_YEARS:]
        return [gr.Radio([NOW, *(str(each) for each in reversed(found))], value=NOW)]

    def portrait(chosen: str, day: str, request: gr.Request) -> list[Any]:
        as_of = parse_day(chosen_day(chosen, day))
        return [persona_html(desk.profile(as_of), desk.show(seat_of(request))), day]

    def of_year(chosen: str, request: gr.Request) -> list[Any]:
        return portrait(chosen, "", request)

    # Not checked against the radio's choices: a server that was started again has not sent them.
    unchecked = {"preprocess": False}
    top.opening(page, years, (), [year])
    top.opening(page, portrait, [year, typed], [shown, typed], **unchecked)
    top.on(year.input, of_year, [year], [shown, typed], **unchecked)
    top.on(typed.submit, portrait, [year, typed], [shown, typed], **unchecked)
