"""The virtual grid: the browser holds the cells it shows, and asks for those it comes to."""

from typing import Any

from archive_mem.schema.media import MediaKind
from ui.desk import Desk, Show
from ui.markup import Html, el
from ui.shelf import Cell, Shelf
from ui.shell import in_words, seat_of
from ui.theme import asset
from ui.words import day_long, day_short, month_long, say_duration

__all__ = ["MOST_CELLS", "cell_body", "grid_html", "make_grid", "plan_body", "window_body"]

MOST_CELLS = 240
"""How many cells one call may ask for."""


def plan_body(shelf: Shelf, show: Show) -> dict[str, Any]:
    """What the browser lays out: the days in order, without anything of their items.

    {"total": cells, "days": [[first, count, year, month, day, title, place], ...]}
    """
    return {
        "total": len(shelf.cells),
        "days": [
            [
                each.first,
                each.count,
                None if each.day is None else each.day.year,
                "Undated" if each.day is None else month_long(each.day),
                "No date" if each.day is None else day_short(each.day),
                "" if each.day is None else day_long(each.day),
                "" if each.place is None else show(each.place),
            ]
            for each in shelf.days
        ],
    }


def window_body(shelf: Shelf, asked: object, show: Show) -> dict[str, Any]:
    """Cells from one position up to another.

    asked: {"first": position, "end": position}; anything else gives nothing
    """
    first, end = _bounds(asked, len(shelf.cells))
    return {"first": first, "cells": [cell_body(cell, show) for cell in shelf.cells[first:end]]}


def _bounds(asked: object, total: int) -> tuple[int, int]:
    given = asked if isinstance(asked, dict) else {}
    first, end = given.get("first"), given.get("end")
    if type(first) is not int or type(end) is not int:
        return 0, 0
    first = min(max(first, 0), total)
    return first, min(max(end, first), first + MOST_CELLS, total)


def cell_body(cell: Cell, show: Show) -> dict[str, Any]:
    """One cell; the page puts its words in as text, never as markup."""
    return {
        "id": cell.item_id,
        "says": _says(cell, show),
        "clock": cell.clock,
        "plays": say_duration(cell.duration or 0) if cell.kind is MediaKind.VIDEO else "",
        "reads": cell.reads,
        "noted": cell.noted,
    }


def _says(cell: Cell, show: Show) -> str:
    if cell.caption:
        return show(cell.caption)
    day = "undated" if cell.day is None else day_long(cell.day)
    return f"{cell.kind.value.capitalize()}, {day}"


def grid_html() -> Html:
    """The empty grid, its legend, and the rail of years."""
    legend = el(
        "p",
        el("span", class_="am-dot am-dot-noted"),
        "with your notes",
        el("span", class_="am-dot am-dot-reads"),
        "text in the picture",
        class_="am-legend",
    )
    stage = el("div", class_="am-canvas", role="list", aria_label="Photos and videos, newest first")
    scroller = el("div", stage, class_="am-scroll", tabindex="0")
    rail = el("nav", class_="am-rail", aria_label="Years")
    status = el("p", "Opening…", class_="am-count", role="status")
    return el(
        "section",
        el("div", status, legend, class_="am-gridhead"),
        el("div", scroller, rail, class_="am-gridbody"),
        class_="am-grid",
    )


def make_grid(desk: Desk) -> Any:  # noqa: ANN401
    """The grid as a component of the page that is being built."""
    import gradio as gr

    @in_words
    def plan(_asked: Any, request: gr.Request) -> dict[str, Any]:  # noqa: ANN401
        return plan_body(desk.shelf(), desk.show(seat_of(request)))

    @in_words
    def window(asked: Any, request: gr.Request) -> dict[str, Any]:  # noqa: ANN401
        return window_body(desk.shelf(), asked, desk.show(seat_of(request)))

    return gr.HTML(
        grid_html(),
        js_on_load=asset("grid.js"),
        server_functions=[plan, window],
        elem_id="am-grid",
        apply_default_css=False,
    )
