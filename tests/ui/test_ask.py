"""The box to ask: an answer with what it stands on, or none."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.compose import restored
from archive_mem.errors import ModelError
from archive_mem.schema.qa import Answer, Evidence, Option, RankedOption, Ranking, Tier, Usage
from archive_mem.wiring import Memory
from tests.ui.sample import EVIL, item_id
from ui.answers import answer_html, bar_shares


def _answer(**changed: Any) -> Answer:
    evidence = Evidence(
        item_id=item_id(4),
        session_id="s",
        at=datetime(2023, 5, 14, 12, 31),
        quote=restored(f"Ramen with Friend A {EVIL}"),
        score=0.82,
        why=(("dense", 0.7), ("words", 0.4)),
    )
    given = {
        "text": restored("In Kyoto, on 14 May 2023."),
        "evidence": (evidence,),
        "abstained": False,
        "tier": Tier.T1,
        "usage": Usage(seconds=0.31),
    }
    return Answer(**{**given, **changed})


def _ranking(*scores: float) -> Ranking:
    return Ranking(
        options=tuple(
            RankedOption(
                option=Option(id=str(number), text=restored(f"option {number} <b>")),
                score=score,
                reasons=(restored("+ liked in 2023"), restored("- avoided in 2022")),
            )
            for number, score in enumerate(scores)
        )
    )


def test_an_answer_cites_numbered_moments_that_open_their_item() -> None:
    page = answer_html(_answer(), str)
    assert "In Kyoto, on 14 May 2023." in page
    assert ">Recall<" in page
    assert f'href="/item?id={item_id(4)}"' in page
    assert f'src="/thumb/{item_id(4)}"' in page
    assert "Sunday 14 May 2023, 12:31" in page
    assert "dense 0.70 · words 0.40" in page
    assert "<script" not in page


def test_no_answer_is_shown_as_none() -> None:
    page = answer_html(_answer(abstained=True, text=restored(""), evidence=()), str)
    assert "No answer" in page
    assert "Nothing in the archive supports an answer." in page
    assert "am-evidence" not in page


def test_a_choice_shows_every_option_with_bar_and_reasons() -> None:
    page = answer_html(_answer(tier=Tier.T3, ranking=_ranking(0.9, 0.1, -0.4)), str)
    assert [page.index(f"option {n} &lt;b&gt;") for n in range(3)] == sorted(
        page.index(f"option {n} &lt;b&gt;") for n in range(3)
    )
    assert page.count("am-bar-track") == 3
    assert 'style="width:100.0%"' in page
    assert page.count('class="am-for"') == page.count('class="am-against"') == 3


@given(st.lists(st.floats(-1e6, 1e6), max_size=30))
def test_bars_keep_the_order_of_scores_and_fit(scores: list[float]) -> None:
    shares = bar_shares(scores)
    assert len(shares) == len(scores)
    assert all(0 < share <= 1 for share in shares)
    pairs = sorted(zip(scores, shares, strict=True))
    assert [share for _, share in pairs] == sorted(share for _, share in pairs)


def test_names_in_an_answer_are_shown_through_the_lock_only() -> None:
    page = answer_html(_answer(), lambda text: str(text).replace("Friend A", "Jane"))
    assert "Jane" in page
    assert "Friend A" in answer_html(_answer(), str)


class _Asked:
    def __init__(self, error: Exception | None = None) -> None:
        self.calls: list[dict[str, Any]] = []
        self.photo: bytes | None = None
        self._error = error

    def __call__(self, text: str, **given: Any) -> Answer:
        self.calls.append({"text": text, **given})
        if given["photo"] is not None:
            self.photo = Path(given["photo"]).read_bytes()
        if self._error is not None:
            raise self._error
        return _answer()


@pytest.fixture
def asked(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> _Asked:
    fake = _Asked()
    monkeypatch.setattr(memory, "ask", fake)
    return fake


def test_the_boxes_reach_the_memory_as_they_were_meant(
    call: Callable[..., Any], asked: _Asked
) -> None:
    reply = call("answer", " What\nnext? ", "t3", "tea\n\ncoffee", "2024-06", "")
    assert "In Kyoto" in reply.data[0]
    assert asked.calls == [
        {
            "text": "What next?",
            "tier": Tier.T3,
            "photo": None,
            "options": ["tea", "coffee"],
            "as_of": datetime(2024, 6, 30, 23, 59, 59),
        }
    ]
    call("answer", "When?", "auto", "", "", "")
    assert asked.calls[1]["tier"] is None


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (["  ", "auto", "", "", ""], "write a question first"),
        (["x" * 5000, "auto", "", "", ""], "at most 4000 letters"),
        (["Which?", "t3", "tea", "", ""], "at least two"),
        (["Which?", "auto", "\n".join(map(str, range(51))), "", ""], "at most 50"),
        (["When?", "auto", "", "some day", ""], "the day is not readable"),
    ],
)
def test_a_question_that_cannot_be_meant_gets_one_line(
    call: Callable[..., Any], asked: _Asked, data: list[str], line: str
) -> None:
    told = call("answer", *data)
    assert line in told.notice
    assert "value" not in told.data[0]
    assert asked.calls == []


def test_a_dropped_photo_is_asked_about_and_deleted(
    call: Callable[..., Any], client: Any, desk: Any, asked: _Asked
) -> None:
    reply = client.post("/photo", content=b"\xff\xd8x", headers={"Content-Type": "image/jpeg"})
    token = reply.json()["token"]
    call("answer", "What is it?", "t1", "", "", token)
    assert asked.photo == b"\xff\xd8x"
    assert desk.photos.path(token) is None


def test_a_photo_is_deleted_also_when_the_answer_fails(
    call: Callable[..., Any],
    client: Any,
    desk: Any,
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "ask", _Asked(ModelError("the model is <away>")))
    reply = client.post("/photo", content=b"x", headers={"Content-Type": "image/png"})
    token = reply.json()["token"]
    text = call("answer", "What is it?", "auto", "", "", token).notice
    assert "the model is &lt;away&gt;" in text
    assert desk.photos.path(token) is None


@pytest.mark.parametrize("token", ["../../catalog.sqlite", "/etc/passwd", "*"])
def test_a_made_up_photo_is_no_photo(call: Callable[..., Any], asked: _Asked, token: str) -> None:
    call("answer", "What is it?", "auto", "", "", token)
    assert asked.calls[0]["photo"] is None
