"""What a page's script may do, and who may not."""

import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

from archive_mem.errors import UsageError
from tests.ui.sample import EVIL, NOT_READY, item_id
from ui.custody import faces_body, item_body, region_of
from ui.deeds import number, text
from ui.guards import refusal

HOST = {"host": "127.0.0.1:7863"}
JSON = {**HOST, "content-type": "application/json", "content-length": "10"}


def post(client: Any, deed: str, body: Any) -> Any:
    return client.post(f"/do/{deed}", json=body)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**JSON, "origin": "http://evil.example"}, 403),
        ({**JSON, "origin": "null"}, 403),
        ({**JSON, "sec-fetch-site": "cross-site"}, 403),
        ({**JSON, "content-type": "text/plain"}, 415),
        ({**JSON, "content-type": "application/x-www-form-urlencoded"}, 415),
        ({**JSON, "content-length": "99999999"}, 413),
    ],
)
def test_a_deed_is_for_the_own_page_only(headers: dict[str, str], status: int) -> None:
    found = refusal("POST", "/do/forget", headers)
    assert found is not None
    assert found[0] == status
    assert refusal("POST", "/do/forget", JSON) is None


@pytest.mark.parametrize("path", ["/do/", "/do/../forget", "/do/forget/x", "/do/FORGET", "/do"])
def test_no_other_path_is_a_deed(path: str) -> None:
    assert refusal("POST", path, JSON) == (404, "not here")
    assert refusal("GET", "/do/forget", HOST) == (404, "not here")


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b"[" * 5000, b'"x"'])
def test_what_is_no_json_object_does_nothing(client: Any, body: bytes) -> None:
    reply = client.post("/do/verify", content=body, headers={"Content-Type": "application/json"})
    assert reply.status_code == 400
    assert "could not be read" in reply.json()["problem"]


def test_an_unknown_deed_is_said_to_be_unknown(client: Any) -> None:
    reply = post(client, "nothing", {})
    assert (reply.status_code, "no such thing" in reply.json()["problem"]) == (404, True)


BOXES = [
    {"id": item_id(3)},
    {"id": item_id(3), "box": [0, 0, 1]},
    {"id": item_id(3), "box": [0, 0, 2, 1]},
    {"id": item_id(3), "box": [0.9, 0, 0.5, 0.5]},
    {"id": item_id(3), "box": ["0", 0, 0.5, 0.5]},
    {"id": item_id(3), "box": [float(0), 0, 0, 0]},
    {"id": NOT_READY, "box": [0, 0, 0.5, 0.5]},
    {"id": "../../etc/passwd", "box": [0, 0, 0.5, 0.5]},
    {"id": 7, "box": [0, 0, 0.5, 0.5]},
    {"id": item_id(2), "box": [0, 0, 0.5, 0.5]},
]


@pytest.mark.parametrize("body", BOXES)
def test_a_box_that_cannot_be_meant_gets_a_line_and_no_trace(client: Any, body: Any) -> None:
    problem = post(client, "hide-face", body).json()["problem"]
    assert problem
    assert "unexpected" not in problem
    assert "Traceback" not in problem


class _Nobody:
    name = "nobody"

    def detect(self, rgb: object, threshold: float) -> list[Any]:
        return []


def test_a_box_hides_what_is_in_it_and_is_counted(
    client: Any, desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archive_mem.wiring._face_detector", lambda settings: _Nobody())
    before = item_body(desk, {"id": item_id(7)})
    reply = post(client, "hide-face", {"id": item_id(7), "box": [0.25, 0.4, 0.3, 0.4]}).json()
    after = item_body(desk, {"id": item_id(7)})
    assert reply == {"faces": before["faces"] + 1}
    assert after["faces"] == before["faces"] + 1
    assert after["boxes"][-1] == [0.25, 0.4, 0.3, 0.4, True]
    path = desk.memory.folder.root / desk.derived(item_id(7)).path
    pixels = np.asarray(Image.open(path).convert("L"), dtype=float)
    middle = pixels[240:360, 200:320]
    assert np.abs(np.diff(middle, axis=0)).max() < 12


def test_faces_are_listed_by_whether_any_was_found(desk: Any) -> None:
    every, none, some = (faces_body(desk, {"only": each}) for each in ("all", "none", "some"))
    assert every["total"] == 12 == none["total"] + some["total"]
    assert all(each["faces"] == 0 for each in none["items"])
    assert all(each["faces"] for each in some["items"])
    assert faces_body(desk, {"first": 10**9})["items"] == []
    assert faces_body(desk, EVIL)["total"] == 12


@pytest.mark.parametrize("value", [True, None, "1", [], float("nan"), -0.1, 1.1])
def test_only_a_number_in_bounds_is_a_number(value: object) -> None:
    with pytest.raises(UsageError):
        number(value, 0, 1)


def test_texts_are_bounded() -> None:
    assert text({}, "x") == ""
    for value in ("x" * 30_000, 7, None, ["x"]):
        with pytest.raises(UsageError):
            text({"x": value}, "x")
    with pytest.raises(UsageError):
        region_of(json.loads('{"id": "0000000000000001", "box": "0000"}'))


@pytest.mark.parametrize(
    "body", [{}, {"folder": ""}, {"folder": "photos"}, {"folder": "/nowhere/at/all"}, {"folder": 1}]
)
def test_a_folder_that_is_not_there_is_not_read(client: Any, body: Any) -> None:
    assert "problem" in post(client, "ingest", body).json()


def test_nothing_is_resumed_that_was_not_paused(client: Any) -> None:
    assert "nothing was paused" in post(client, "resume", {}).json()["problem"]
    assert post(client, "pause", {}).json()["state"] == "none"
