"""What of the time line is shown: choices, and how many items each further choice would leave.

Pure. A choice within one facet widens, facets together narrow; the figures beside the choices of a
facet count what all other facets leave.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archive_mem.schema.media import MediaKind
from ui.shelf import Cell, Day, Shelf, days_of

__all__ = ["FACETS", "Choice", "Sieve", "View", "choice_of", "whole"]

FACETS = ("year", "place", "people", "scenario", "media", "notes", "text")
_MOST_WORDS = 400
_MOST_PICKED = 60
_MOST_VALUES = 40
_MOST_DOTS = 4_000

Mask = NDArray[np.bool_]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose to see.

    picked: facet -> values, any of which will do
    months: first and last month as "2023-05", None for all
    box: west, south, east, north in degrees, None for everywhere; west > east crosses the date line
    words: searched for, "" for nothing
    stacked: items of one moment are shown as one
    """

    picked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    months: tuple[str, str] | None = None
    box: Box | None = None
    words: str = ""
    stacked: bool = True


@dataclass(frozen=True, slots=True)
class View:
    """What is shown.

    cells: in order
    days: their days; one without a date that holds them all when they were searched for
    stacks: how many items stand behind each cell, itself counted
    ranked: True when they stand by how well they fit, not by day
    """

    cells: tuple[Cell, ...]
    days: tuple[Day, ...]
    stacks: tuple[int, ...]
    ranked: bool = False


def choice_of(given: object) -> Choice:
    """What a browser sent; whatever does not fit is left out."""
    body = given if isinstance(given, dict) else {}
    picked = body.get("picked")
    facets = picked if isinstance(picked, dict) else {}
    words = body.get("words")
    return Choice(
        picked=tuple(
            (name, _strings(facets[name])) for name in FACETS if _strings(facets.get(name))
        ),
        months=_months(body.get("months")),
        box=_box(body.get("box")),
        words=" ".join(words.split())[:_MOST_WORDS] if isinstance(words, str) else "",
        stacked=body.get("stacked") is not False,
    )


def _strings(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        return ()
    return tuple(each for each in values[:_MOST_PICKED] if isinstance(each, str))


def _months(value: object) -> tuple[str, str] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, last = value
    return (first, last) if isinstance(first, str) and isinstance(last, str) else None


def _box(value: object) -> Box | None:
    if not isinstance(value, list) or len(value) != 4:
        return None
    if not all(type(each) in {int, float} and abs(each) <= 540 for each in value):
        return None
    west, south, east, north = (float(each) for each in value)
    return west, south, east, north


@dataclass(frozen=True, slots=True)
class _Column:
    """One facet: which cell has which value.

    values: all of them; rows, codes: pairs of a cell and the position of a value it has
    """

    values: tuple[str, ...]
    rows: NDArray[np.int64]
    codes: NDArray[np.int64]

    def mask(self, wanted: Iterable[str], total: int) -> Mask:
        """The cells that have any of the values."""
        places = {value: place for place, value in enumerate(self.values)}
        codes = [places[each] for each in wanted if each in places]
        mask = np.zeros(total, dtype=np.bool_)
        mask[self.rows[np.isin(self.codes, codes)]] = True
        return mask

    def counts(self, among: Mask) -> list[tuple[str, int]]:
        """Value and number of cells among the given ones."""
        found = np.bincount(self.codes[among[self.rows]], minlength=len(self.values))
        return list(zip(self.values, found.tolist(), strict=True))


def _column(each_has: Iterable[Iterable[str]]) -> _Column:
    places: dict[str, int] = {}
    rows: list[int] = []
    codes: list[int] = []
    for row, values in enumerate(each_has):
        for value in values:
            rows.append(row)
            codes.append(places.setdefault(value, len(places)))
    return _Column(tuple(places), np.array(rows, np.int64), np.array(codes, np.int64))


def _values(facet: str, cell: Cell) -> tuple[str, ...]:
    match facet:
        case "year":
            return (str(cell.day.year) if cell.day else "undated",)
        case "place":
            return (cell.place.value,) if cell.place else ()
        case "people":
            return tuple(dict.fromkeys(each.value for each in cell.people))
        case "scenario":
            return (cell.scenario,) if cell.scenario else ()
        case "media":
            return ("video" if cell.kind is MediaKind.VIDEO else "photo",)
        case "notes":
            return ("noted" if cell.noted else "open",)
    return ("text",) if cell.reads else ()


@dataclass(slots=True)
class Sieve:
    """A shelf made ready to be sifted, 100,000 cells in milliseconds.

    shelf: what is sifted
    columns: a facet's values
    months: month of each cell as "2023-05", "" when unknown
    points: latitude and longitude of each cell, NaN when unknown
    """

    shelf: Shelf
    columns: dict[str, _Column] = field(init=False)
    months: NDArray[np.str_] = field(init=False)
    points: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        cells = self.shelf.cells
        self.columns = {name: _column(_values(name, cell) for cell in cells) for name in FACETS}
        self.months = np.array([f"{c.day:%Y-%m}" if c.day else "" for c in cells], dtype="U7")
        self.points = np.array(
            [
                (np.nan, np.nan)
                if c.latitude is None or c.longitude is None
                else (c.latitude, c.longitude)
                for c in cells
            ],
            dtype=np.float64,
        ).reshape(-1, 2)

    # ------------------------------------------------------------------------------- masks

    def _masks(self, choice: Choice, found: Sequence[str] | None) -> dict[str, Mask]:
        total = len(self.shelf.cells)
        masks = {name: self.columns[name].mask(wanted, total) for name, wanted in choice.picked}
        if choice.months is not None:
            first, last = choice.months
            masks["months"] = (self.months >= first) & (self.months <= last) & (self.months != "")
        if choice.box is not None:
            masks["box"] = _inside(self.points, choice.box)
        if found is not None:
            masks["words"] = np.zeros(total, dtype=np.bool_)
            masks["words"][[self.shelf.places[i] for i in found if i in self.shelf.places]] = True
        return masks

    def _all(self, masks: dict[str, Mask], but: str = "") -> Mask:
        every = np.ones(len(self.shelf.cells), dtype=np.bool_)
        return reduce(np.logical_and, (m for name, m in masks.items() if name != but), every)

    # -------------------------------------------------------------------------------- views

    def view(self, choice: Choice, found: Sequence[str] | None = None) -> View:
        """The cells that are left.

        found: item ids by how well they fit the words, None when nothing was searched for
        """
        rows = np.flatnonzero(self._all(self._masks(choice, found)))
        cells = [self.shelf.cells[row] for row in rows]
        if found is not None:
            order = {item_id: place for place, item_id in enumerate(found)}
            cells.sort(key=lambda cell: order[cell.item_id])
        shown, stacks = _stacked(cells) if choice.stacked else (cells, [1] * len(cells))
        if found is None:
            return View(tuple(shown), tuple(days_of(shown)), tuple(stacks))
        one = Day(day=None, first=0, count=len(shown), place=None)
        return View(tuple(shown), (one,) if shown else (), tuple(stacks), ranked=True)

    def figures(self, choice: Choice, found: Sequence[str] | None = None) -> dict[str, Any]:
        """Numbers beside every choice, by facet; months in order; dots of the map.

        {"facets": {name: [[value, count], ...]}, "months": [[month, count], ...],
        "dots": [[latitude, longitude, count], ...]}
        """
        masks = self._masks(choice, found)
        picked = dict(choice.picked)
        return {
            "facets": {
                name: _ordered(
                    name, column.counts(self._all(masks, but=name)), picked.get(name, ())
                )
                for name, column in self.columns.items()
            },
            "months": self._month_counts(self._all(masks, but="months")),
            "dots": self._dots(self._all(masks, but="box")),
        }

    def _month_counts(self, mask: Mask) -> list[list[Any]]:
        counted = Counter(self.months[mask].tolist())
        return [[month, counted[month]] for month in sorted(counted) if month]

    def _dots(self, mask: Mask) -> list[list[float]]:
        points = self.points[mask]
        points = np.round(points[~np.isnan(points[:, 0])], 2)
        if not len(points):
            return []
        places, counts = np.unique(points, axis=0, return_counts=True)
        most = np.argsort(-counts, kind="stable")[:_MOST_DOTS]
        return [[*places[n].tolist(), int(counts[n])] for n in most]


def _inside(points: NDArray[np.float64], box: Box) -> Mask:
    west, south, east, north = box
    latitude, longitude = points[:, 0], points[:, 1]
    across = (
        (longitude >= west) & (longitude <= east)
        if west <= east
        else (longitude >= west) | (longitude <= east)
    )
    inside: Mask = across & (latitude >= south) & (latitude <= north)
    return inside


def _stacked(cells: Sequence[Cell]) -> tuple[list[Cell], list[int]]:
    """The first of each moment where it stands, with how many there are of it."""
    counted = Counter(cell.moment or cell.item_id for cell in cells)
    seen: set[str] = set()
    shown = []
    for cell in cells:
        moment = cell.moment or cell.item_id
        if moment not in seen:
            seen.add(moment)
            shown.append(cell)
    return shown, [counted[cell.moment or cell.item_id] for cell in shown]


def _ordered(name: str, counts: list[tuple[str, int]], picked: Sequence[str]) -> list[list[Any]]:
    """Those with items, the most first (years: the newest first), and all that are picked."""
    kept = [(value, count) for value, count in counts if count or value in picked]
    if name == "year":
        kept.sort(key=lambda pair: pair[0] if pair[0] != "undated" else "", reverse=True)
    else:
        kept.sort(key=lambda pair: (-pair[1], pair[0]))
    rest = [pair for pair in kept[_MOST_VALUES:] if pair[0] in picked]
    return [list(pair) for pair in [*kept[:_MOST_VALUES], *rest]]


def whole(shelf: Shelf) -> View:
    """Everything, nothing stacked."""
    return View(shelf.cells, shelf.days, (1,) * len(shelf.cells))
