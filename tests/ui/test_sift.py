"""Choices of the time line: they narrow, their figures are true, whatever a browser sends."""

from collections import Counter
from datetime import date, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.compose import restored
from archive_mem.schema.media import MediaKind
from tests.ui.sample import item_id
from ui.shelf import Cell, Shelf, days_of
from ui.sift import FACETS, Choice, Sieve, choice_of, whole

PLACES = ("Kyoto, Japan", "Lisbon, Portugal", None)


def _cell(number: int, seed: int) -> Cell:
    return Cell(
        item_id=item_id(number),
        day=None if seed % 7 == 0 else date(2021, 1, 1) + timedelta(days=seed % 900),
        clock="",
        kind=MediaKind.VIDEO if seed % 5 == 0 else MediaKind.PHOTO,
        duration=None,
        place=restored(PLACES[seed % 3]) if PLACES[seed % 3] else None,
        caption=None,
        reads=seed % 4 == 0,
        noted=seed % 6 == 0,
        scenario="nature_outdoor" if seed % 2 else "",
        people=tuple(restored(f"Friend {'ABC'[n]}") for n in range(seed % 4 % 3)),
        latitude=None if seed % 3 == 2 else float(seed % 90),
        longitude=None if seed % 3 == 2 else float(seed % 360 - 180),
        moment=item_id(number - seed % 3) if seed % 11 == 0 and number > 2 else None,
    )


def _shelf(seeds: list[int]) -> Shelf:
    cells = [_cell(number, seed) for number, seed in enumerate(seeds)]
    cells.sort(key=lambda cell: cell.day or date.min, reverse=True)
    return Shelf(
        cells=tuple(cells),
        days=tuple(days_of(cells)),
        places={cell.item_id: place for place, cell in enumerate(cells)},
    )


SHELVES = st.lists(st.integers(0, 5000), max_size=40).map(_shelf)
VALUES = {
    "year": ("2021", "2022", "undated", "1900"),
    "place": ("Kyoto, Japan", "Lisbon, Portugal"),
    "people": ("Friend A", "Friend B"),
    "scenario": ("nature_outdoor",),
    "media": ("photo", "video"),
    "notes": ("noted", "open"),
    "text": ("text",),
}
PICKED = st.fixed_dictionaries(
    {}, optional={name: st.lists(st.sampled_from(each)) for name, each in VALUES.items()}
)
CHOICES = st.fixed_dictionaries(
    {"picked": PICKED, "stacked": st.booleans()},
    optional={
        "months": st.just(["2021-03", "2022-02"]),
        "box": st.sampled_from([[-180, -90, 180, 90], [-30, 0, 60, 60], [170, -20, -170, 80]]),
    },
).map(choice_of)


@given(SHELVES, CHOICES)
@settings(max_examples=60)
def test_every_figure_is_what_choosing_it_alone_in_its_facet_would_show(
    shelf: Shelf, choice: Choice
) -> None:
    sieve = Sieve(shelf)
    figures = sieve.figures(choice)
    for name, rows in figures["facets"].items():
        others = tuple(pair for pair in choice.picked if pair[0] != name)
        for value, count in rows:
            alone = Choice(
                picked=(*others, (name, (value,))),
                months=choice.months,
                box=choice.box,
                stacked=False,
            )
            assert len(sieve.view(alone).cells) == count


@given(SHELVES, CHOICES)
@settings(max_examples=60)
def test_a_view_keeps_the_order_loses_nothing_and_stacks_add_up(
    shelf: Shelf, choice: Choice
) -> None:
    sieve = Sieve(shelf)
    view = sieve.view(choice)
    every = sieve.view(Choice(choice.picked, choice.months, choice.box, "", stacked=False))
    assert sum(view.stacks) == len(every.cells)
    rows = [shelf.places[cell.item_id] for cell in view.cells]
    assert rows == sorted(rows)
    assert sum(day.count for day in view.days) == len(view.cells)
    moments = Counter(cell.moment or cell.item_id for cell in view.cells)
    assert not choice.stacked or all(count == 1 for count in moments.values())


@given(SHELVES)
def test_no_choice_shows_everything(shelf: Shelf) -> None:
    view = Sieve(shelf).view(Choice(stacked=False))
    assert view == whole(shelf)


def test_what_was_searched_for_stands_best_first_and_unknown_hits_do_no_harm() -> None:
    shelf = _shelf([1, 2, 3, 4])
    found = [item_id(2), "f" * 16, item_id(0)]
    view = Sieve(shelf).view(Choice(words="river"), found)
    assert [cell.item_id for cell in view.cells] == [item_id(2), item_id(0)]
    assert view.ranked
    assert view.days[0].count == 2


def test_a_box_over_the_date_line_holds_both_sides() -> None:
    shelf = _shelf([1, 355, 180])
    sides = {cell.longitude for cell in Sieve(shelf).view(Choice(box=(170, -90, -170, 90))).cells}
    assert sides == {-179.0, 175.0}


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["picked", "months", "box", "words", "stacked", *FACETS]), inner
        )
    ),
    max_leaves=12,
)


@given(JUNK)
def test_whatever_a_browser_sends_becomes_a_choice(given_: Any) -> None:
    choice = choice_of(given_)
    sieve = Sieve(_shelf([1, 2, 3]))
    assert len(sieve.view(choice).cells) <= 3
    hash(choice)


def test_a_picked_value_stays_to_be_taken_back_when_nothing_has_it() -> None:
    choice = choice_of({"picked": {"year": ["2021"]}, "months": ["1900-01", "1900-02"]})
    rows = Sieve(_shelf([1, 2, 400])).figures(choice)["facets"]
    assert ["2021", 0] in rows["year"]
    assert rows["place"] == []
