"""The grid: days newest first, cells by windows, nothing that is not ready."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from anonymize.compose import restored
from archive_mem.schema.media import CaptureTime, MediaKind, Precision
from archive_mem.schema.record import Record
from tests.ui.sample import EVIL, FAILED, NOT_READY, VIDEO, item_id
from ui.grid import MOST_CELLS, plan_body, window_body
from ui.shelf import Shelf, shelve
from ui.sift import whole

START = datetime(2020, 1, 1)


def _record(number: int, hours: int | None) -> Record:
    time = None
    if hours is not None:
        time = CaptureTime(
            local=START + timedelta(hours=hours),
            utc_offset=None,
            precision=Precision.SECOND,
            source="x",
            confidence=1.0,
        )
    return Record(
        item_id=item_id(number),
        session_id=None,
        name=restored("a.jpg"),
        kind=MediaKind.PHOTO,
        time=time,
        place=None,
        place_label=None,
    )


HOURS = st.lists(st.none() | st.integers(0, 5000), max_size=60)


def _shelf(hours: list[int | None]) -> Shelf:
    dated = sorted(each for each in hours if each is not None)
    ordered = [*dated, *(None for each in hours if each is None)]
    return shelve(_record(number, each) for number, each in enumerate(ordered))


@given(HOURS)
def test_the_days_hold_every_item_once_newest_first(hours: list[int | None]) -> None:
    shelf = _shelf(hours)
    assert sum(day.count for day in shelf.days) == len(hours)
    for day in shelf.days:
        members = shelf.cells[day.first : day.first + day.count]
        assert {cell.day for cell in members} == {day.day}
    known = [day.day for day in shelf.days if day.day is not None]
    assert known == sorted(known, reverse=True)
    assert len({day.day for day in shelf.days}) == len(shelf.days)


@given(HOURS)
def test_going_earlier_from_the_newest_visits_everything_and_later_comes_back(
    hours: list[int | None],
) -> None:
    shelf = _shelf(hours)
    seen: list[str] = []
    here = shelf.cells[0].item_id if shelf.cells else None
    while here is not None:
        seen.append(here)
        earlier = shelf.neighbours(here)[0]
        assert earlier is None or shelf.neighbours(earlier)[1] == here
        here = earlier
    assert seen == [cell.item_id for cell in shelf.cells]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["first", "end", "x"]), inner),
)


@given(JUNK)
def test_whatever_is_asked_the_window_is_small_and_in_order(asked: object) -> None:
    shelf = _shelf(list(range(0, 5000, 10)))
    body = window_body(whole(shelf), asked, str)
    ids = [cell["id"] for cell in body["cells"]]
    first = body["first"]
    assert len(ids) <= MOST_CELLS
    assert ids == [cell.item_id for cell in shelf.cells[first : first + len(ids)]]


def test_the_plan_covers_all_cells_in_order() -> None:
    plan = plan_body(whole(_shelf([1, 2, 30, None])), str)
    assert plan["total"] == 4
    assert [each[:2] for each in plan["days"]] == [[0, 1], [1, 2], [3, 1]]
    assert plan["days"][0][2:] == [2020, "January 2020", "Thu 2 Jan", "Thursday 2 January 2020", ""]
    assert plan["days"][-1][2:5] == [None, "Undated", "No date"]


def test_the_browser_gets_days_and_cells_of_ready_items_only(serve: Callable[..., Any]) -> None:
    plan = serve("plan", {}).json()
    cells = serve("window", {"first": 0, "end": plan["total"]}).json()["cells"]
    ids = [cell["id"] for cell in cells]
    assert ids == [item_id(number) for number in reversed(range(12))]
    assert not {NOT_READY, FAILED} & set(ids)
    by_id = {cell["id"]: cell for cell in cells}
    assert by_id[VIDEO]["plays"] == "0:07"
    assert by_id[item_id(1)]["says"] == EVIL
    assert by_id[item_id(1)]["reads"]
    assert not by_id[item_id(3)]["reads"]


def test_a_path_or_a_real_name_is_in_no_reply(serve: Callable[..., Any]) -> None:
    text = serve("plan", {}).text + serve("window", {"first": 0, "end": 50}).text
    assert "Jane" not in text
    assert "/secret" not in text
