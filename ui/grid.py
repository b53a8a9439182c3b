"""The virtual grid: the browser holds the cells it shows, and asks for those it comes to."""

import json
from datetime import date
from typing import Any

from archive_mem.schema.media import MediaKind
from ui.desk import Desk, Show
from ui.markup import Html, el
from ui.shelf import Cell
from ui.shell import in_words, seat_of
from ui.sift import View, choice_of
from ui.theme import asset
from ui.words import day_long, day_short, facet_value, month_long, say_duration

__all__ = [
    "MOST_CELLS",
    "cell_body",
    "figures_body",
    "grid_html",
    "make_grid",
    "plan_body",
    "window_body",
]

MOST_CELLS = 240
"""How many cells one call may ask for."""


def plan_body(view: View, show: Show) -> dict[str, Any]:
    """What the browser lays out: the days in order, without anything of their items.

    {"total": cells, "items": items with those behind stacks, "ranked": best first,
    "days": [[first, count, year, month, day, title, place], ...]}
    """
    return {
        "total": len(view.cells),
        "items": sum(view.stacks),
        "ranked": view.ranked,
        "days": [
            [
                each.first,
                each.count,
                None if each.day is None else each.day.year,
                _heading(each.day, view.ranked),
                _title(each.day, view.ranked),
                "" if each.day is None else day_long(each.day),
                "" if each.place is None else show(each.place),
            ]
            for each in view.days
        ],
    }


def _heading(day: date | None, ranked: bool) -> str:
    if day is not None:
        return month_long(day)
    return "Found" if ranked else "Undated"


def _title(day: date | None, ranked: bool) -> str:
    if day is not None:
        return day_short(day)
    return "Best first" if ranked else "No date"


def figures_body(figures: dict[str, Any], show: Show) -> dict[str, Any]:
    """The numbers beside the choices, each value with the words it is shown by."""
    facets = {
        name: [[value, _value_name(name, value, show), count] for value, count in rows]
        for name, rows in figures["facets"].items()
    }
    return {**figures, "facets": facets}


def _value_name(facet: str, value: str, show: Show) -> str:
    return show(value) if facet in {"place", "people"} else facet_value(facet, value)


def window_body(view: View, asked: object, show: Show) -> dict[str, Any]:
    """Cells from one position up to another.

    asked: {"first": position, "end": position}; anything else gives nothing
    """
    first, end = _bounds(asked, len(view.cells))
    pairs = zip(view.cells[first:end], view.stacks[first:end], strict=True)
    return {"first": first, "cells": [cell_body(cell, stack, show) for cell, stack in pairs]}


def _bounds(asked: object, total: int) -> tuple[int, int]:
    given = asked if isinstance(asked, dict) else {}
    first, end = given.get("first"), given.get("end")
    if type(first) is not int or type(end) is not int:
        return 0, 0
    first = min(max(first, 0), total)
    return first, min(max(end, first), first + MOST_CELLS, total)


def cell_body(cell: Cell, stack: int, show: Show) -> dict[str, Any]:
    """One cell; the page puts its words in as text, never as markup."""
    return {
        "id": cell.item_id,
        "says": _says(cell, show),
        "clock": cell.clock
        if cell.day is None
        else f"{day_short(cell.day)} {cell.day.year} {cell.clock}",
        "stack": stack,
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
    """Search box, choices, map, months; the empty grid, its legend, and the rail of years."""
    legend = el(
        "p",
        el("span", class_="am-dot am-dot-noted"),
        "with your notes",
        el("span", class_="am-dot am-dot-reads"),
        "text in the picture",
        class_="am-legend",
    )
    stage = el("div", class_="am-canvas", role="list", aria_label="Photos and videos, newest first")
    scroller = el(
        "div", stage, class_="am-scroll", tabindex="0", role="region", aria_label="Time line"
    )
    rail = el("nav", class_="am-rail", aria_label="Years")
    status = el("p", "Opening…", class_="am-count", role="status")
    return el(
        "section",
        _search_html(),
        el("div", class_="am-months", hidden=True),
        el("div", status, legend, class_="am-gridhead"),
        el("div", _aside_html(), scroller, rail, class_="am-gridbody"),
        class_="am-grid",
    )


def _search_html() -> Html:
    box = el(
        "input",
        type="search",
        class_="am-words",
        placeholder="Search your memory: ramen near the station, a red bicycle, summer 2021",
        aria_label="Search the time line",
        autocomplete="off",
        maxlength="400",
    )
    stack = el(
        "label", el("input", type="checkbox", class_="am-stacked", checked=True), "Stack bursts"
    )
    toggle = el("button", "Filters", type="button", class_="am-toggle", aria_expanded="false")
    clear = el("button", "Clear all", type="button", class_="am-clear", hidden=True)
    return el("form", box, toggle, clear, stack, class_="am-search", role="search")


def _aside_html() -> Html:
    picture = el(
        "canvas",
        class_="am-map",
        tabindex="0",
        role="img",
        aria_label="Map of where photos were taken. Arrows move, plus and minus zoom, "
        "Enter shows what is in view only, Escape shows the whole world.",
    )
    here = el("button", "Only this part", type="button", class_="am-here")
    world = el("button", "Whole world", type="button", class_="am-world")
    closer = el("button", "+", type="button", class_="am-closer", aria_label="Closer")
    wider = el("button", "−", type="button", class_="am-wider", aria_label="Wider")
    return el(
        "aside",
        el("div", picture, el("div", here, world, closer, wider), class_="am-atlas"),
        el("div", class_="am-facets"),
        aria_label="Filters",
        class_="am-aside",
    )


def make_grid(desk: Desk) -> Any:  # noqa: ANN401
    """The grid as a component of the page that is being built."""
    import gradio as gr

    @in_words
    def plan(asked: Any, request: gr.Request) -> dict[str, Any]:  # noqa: ANN401
        choice, show = choice_of(asked), desk.show(seat_of(request))
        view, figures = desk.sifted(choice)
        return {**plan_body(view, show), "figures": figures_body(figures, show)}

    @in_words
    def window(asked: Any, request: gr.Request) -> dict[str, Any]:  # noqa: ANN401
        given = asked if isinstance(asked, dict) else {}
        view, _ = desk.sifted(choice_of(given.get("choice")))
        return window_body(view, asked, desk.show(seat_of(request)))

    @in_words
    def land(_asked: Any) -> Any:  # noqa: ANN401
        return json.loads(asset("land.json"))

    return gr.HTML(
        grid_html(),
        js_on_load="\n".join(map(asset, ("grid.js", "sift.js", "atlas.js", "months.js"))),
        server_functions=[plan, window, land],
        elem_id="am-grid",
        apply_default_css=False,
    )
