"""One item: what is seen, and layers that are saved, kept apart and never lost."""

from collections.abc import Callable
from typing import Any

import pytest

from archive_mem.errors import UsageError
from archive_mem.schema.annotation import ObjectiveLayer, Scenario, SubjectiveLayer
from archive_mem.wiring import Memory
from tests.ui.conftest import BASE
from tests.ui.sample import EVIL, NOT_READY, VIDEO, item_id
from ui.item import look
from ui.layers import (
    ObjectiveBoxes,
    SubjectiveBoxes,
    annotator_name,
    mine,
    objective_boxes,
    subjective_boxes,
    typed_objective,
    typed_subjective,
)

BOXES = 5


@pytest.fixture(autouse=True)
def no_catching_up(desk: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Bringing index and profile in step is tested with the pipeline."""
    asked: list[str] = []
    monkeypatch.setattr(desk, "catch_up_soon", lambda: asked.append("soon"))
    return asked


def _objective(
    number: int, base: int, event: str, who: str = "owner", people: str = ""
) -> list[Any]:
    return [item_id(number), who, "", "Kyoto, Japan", people, "travel_mobility", event, base]


def test_a_photo_shows_its_derivative_with_when_and_where_and_from_what(desk: Any) -> None:
    stage, facts, seen, moment, history = look(desk, item_id(4), str)
    assert f'src="/media/{item_id(4)}"' in stage
    assert "(+09:00)" in facts
    assert "from EXIF DateTimeOriginal, sure" in facts
    assert "Lisbon, Portugal" in facts
    assert "1 face blurred" in facts
    assert "provisional, by embedded" in seen
    assert moment.count("/thumb/") == 3
    assert "Nobody has written" in history


def test_a_video_plays_its_blurred_derivative(desk: Any) -> None:
    stage = look(desk, VIDEO, str)[0]
    assert stage.startswith('<figure class="am-stage"><video src="/media/')
    assert " controls" in stage


def test_markup_in_captions_and_read_text_is_inert(desk: Any) -> None:
    everything = "".join(look(desk, item_id(1), str))
    assert "<script" not in everything
    assert "<img src=x" not in everything
    assert "${" not in everything
    assert "{{" not in everything
    assert EVIL not in everything
    assert everything.count("onerror=alert(1)&gt;") >= 2


@pytest.mark.parametrize("address", ["", "../x", NOT_READY, "f" * 16, EVIL, item_id(1) + "\n"])
def test_an_address_that_names_nothing_says_so(desk: Any, address: str) -> None:
    stage, *rest = look(desk, address, str)
    assert "There is no such item" in stage
    assert not any(rest)


def test_the_event_of_opening_fills_the_page(call: Callable[..., Any]) -> None:
    data = call("opened", item_id(5), "owner").data
    assert data[0] == item_id(5)
    assert f"/media/{item_id(5)}" in data[1]


def test_an_opening_page_keeps_the_notice_of_another_event(call: Callable[..., Any]) -> None:
    assert "value" not in call("opened", item_id(5), "owner").notice
    assert "say who is writing" in call("opened", item_id(5), " ").notice
    assert call("stepped", item_id(5), "owner").notice == ""


def test_stepping_goes_to_the_neighbour_in_time(call: Callable[..., Any]) -> None:
    assert call("stepped", item_id(5), "owner").data[0] == item_id(4)
    assert call("stepped_1", item_id(5), "owner").data[0] == item_id(6)
    assert "nothing further" in call("stepped", item_id(0), "owner").notice


def test_a_layer_is_saved_and_comes_back(
    call: Callable[..., Any], desk: Any, no_catching_up: list[str]
) -> None:
    version, said, _, _, history = call("saved", *_objective(6, 0, "a walk")).data
    assert version == 1
    assert "Saved as version 1" in said
    assert "a walk" in history
    note = mine(desk.layers(item_id(6)), "owner", ObjectiveLayer)
    boxes = objective_boxes(note, str)
    assert (boxes.place, boxes.event, boxes.version) == ("Kyoto, Japan", "a walk", 1)
    assert no_catching_up == ["soon"]
    again = call("saved", *_objective(6, 1, "a walk")).data
    assert "Nothing has changed" in again[1]


def test_experience_is_saved_in_the_first_person(call: Callable[..., Any], desk: Any) -> None:
    data = [item_id(6), "owner", "I walked home", "calm", "I prefer quiet\nI avoid crowds", 0]
    assert "Saved as version 1" in call("saved_2", *data).data[1]
    layer = mine(desk.layers(item_id(6)), "owner", SubjectiveLayer)
    assert layer is not None
    assert isinstance(layer.layer, SubjectiveLayer)
    assert [each.value for each in layer.layer.preferences] == ["I prefer quiet", "I avoid crowds"]


def test_an_empty_layer_is_not_kept(call: Callable[..., Any], desk: Any) -> None:
    data = [item_id(8), "owner", "", "", "", "", " ", 0]
    assert "Nothing is written yet" in call("saved", *data).data[1]
    assert desk.layers(item_id(8)) == []


def test_who_saves_second_is_told_and_chooses(call: Callable[..., Any], desk: Any) -> None:
    call("saved", *_objective(9, 0, "first"))
    call("saved", *_objective(9, 1, "theirs"))
    version, said, box, problem, _ = call("saved", *_objective(9, 1, "mine")).data
    assert (version, "Not saved" in said, box["visible"]) == (1, True, True)
    assert "Theirs is version 2" in problem
    loaded = call("reloaded", item_id(9), "owner").data
    assert loaded[4:6] == ["theirs", 2]
    kept = call("saved_1", *_objective(9, 1, "mine")).data
    assert kept[0] == 3
    events = [each.layer.event.value for each in desk.history(item_id(9))]
    assert events == ["mine", "theirs", "first"]


def test_two_annotators_do_not_overwrite_each_other(call: Callable[..., Any], desk: Any) -> None:
    call("saved", *_objective(10, 0, "one", who="ann"))
    reply = call("saved", *_objective(10, 0, "two", who="ben")).data
    assert "Saved as version 1" in reply[1]
    assert {each.annotator for each in desk.layers(item_id(10))} == {"ann", "ben"}


@pytest.mark.parametrize("target", [NOT_READY, "f" * 16, "../x"])
def test_nothing_is_saved_for_what_is_not_shown(call: Callable[..., Any], target: str) -> None:
    reply = call("saved", target, "owner", "", "x", "", "", "", 0)
    assert "there is no such item" in reply.notice


def test_markup_in_a_layer_is_inert(call: Callable[..., Any]) -> None:
    history = call("saved", *_objective(11, 0, EVIL)).data[4]
    assert "<script" not in history
    assert "${" not in history
    assert "&lt;script&gt;" in history


def test_names_are_placeholders_until_this_browser_shows_them(app: Any, memory: Memory) -> None:
    from starlette.testclient import TestClient

    memory.vault.placeholder_for("person", "Jane Roe")
    mine_, other = (TestClient(app, base_url=BASE) for _ in range(2))
    for browser in (mine_, other):
        browser.get("/")
    _event(mine_, "saved", *_objective(3, 0, "tea with Jane Roe", people="Jane Roe"))
    assert "Jane" not in _event(mine_, "opened", item_id(3), "owner").text
    _event(mine_, "turn")
    assert "Jane Roe" in _event(mine_, "opened", item_id(3), "owner").text
    assert "Jane" not in _event(other, "opened", item_id(3), "owner").text
    _event(mine_, "turn")
    assert "Jane" not in _event(mine_, "opened", item_id(3), "owner").text


def _event(client: Any, name: str, *data: Any) -> Any:
    config = client.get("/config").json()
    number = next(each["id"] for each in config["dependencies"] if each["api_name"] == name)
    body = {"fn_index": number, "data": list(data), "session_hash": "names"}
    return client.post("/gradio_api/run/predict", json=body)


def test_boxes_become_layers_without_blanks(desk: Any) -> None:
    boxes = ObjectiveBoxes(
        when="2023-05-14 12:31", place=" ", people="Ann, Ben\nAnn", scenario="fashion", event="a"
    )
    typed = typed_objective(boxes, desk.now())
    assert (typed.place, typed.people, typed.scenario) == (None, ["Ann", "Ben"], Scenario.FASHION)
    assert typed_subjective(SubjectiveBoxes(context=" x ")).context == "x"
    assert subjective_boxes(None, str) == SubjectiveBoxes()


@pytest.mark.parametrize(
    "boxes",
    [
        ObjectiveBoxes(scenario="none of ten"),
        ObjectiveBoxes(event="x" * 30_000),
        ObjectiveBoxes(when="?"),
    ],
)
def test_what_cannot_be_meant_is_refused(desk: Any, boxes: ObjectiveBoxes) -> None:
    with pytest.raises(UsageError):
        typed_objective(boxes, desk.now())


@pytest.mark.parametrize("name", ["", "  ", None, "x" * 61, "a\x07b"])
def test_an_annotator_has_a_name(name: str | None) -> None:
    with pytest.raises(UsageError):
        annotator_name(name)
