"""What a captioner replied becomes a record, whatever slips are in it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.schema.annotation import Scenario
from models.caption_record import parse, plain
from tests.models.scenes import GOOD


def test_a_reply_in_the_form_is_taken_as_it_is() -> None:
    record = parse(GOOD)
    assert record is not None
    assert record.caption == "Two bowls of ramen on a counter."
    assert record.short == "12 May 2024, Kyoto, eating ramen"
    assert (record.text, record.objects) == (("OPEN 11-22",), ("bowl", "counter"))
    assert (record.people_count, record.activity, record.mood) == (2, "eating", "relaxed")
    assert record.scenario is Scenario.LEISURE_ENTERTAINMENT


@pytest.mark.parametrize(
    "around",
    ["{}", "Here it is:\n```json\n{}\n```", "<think>a cat? {{}}</think>{}", '{{"a": 1}} {}'],
)
def test_what_stands_around_it_is_left_out(around: str) -> None:
    assert parse(around.format(GOOD)) == parse(GOOD)


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("people_count", "several", None),
        ("people_count", -1, None),
        ("people_count", True, None),
        ("scenario", "a nice day", None),
        ("scenario", "Nature Outdoor", Scenario.NATURE_OUTDOOR),
        ("text", "OPEN\n11-22", ("OPEN", "11-22")),
        ("text", [{"line": "OPEN"}, "11-22", "11-22"], ("11-22",)),
        ("objects", None, ()),
        ("mood", ["calm"], ""),
        ("mood", "calm\x1b[2J\n and quiet", "calm[2J and quiet"),
    ],
)
def test_a_slip_in_one_key_loses_that_key_alone(key: str, value: Any, kept: Any) -> None:
    spelt = "people" if key == "people_count" else key
    record = parse(json.dumps({"caption": "A lake.", spelt: value}))
    assert record is not None
    assert record.caption == "A lake."
    assert getattr(record, key) == kept


@pytest.mark.parametrize(
    "reply", ["", "{}", '{"caption": ""}', '{"caption": 3}', '{"caption": "A lake', "[1, 2]"]
)
def test_without_a_caption_there_is_no_record(reply: str) -> None:
    assert parse(reply) is None
    assert plain(reply) is None


def test_plain_words_are_a_caption_too() -> None:
    record = plain("<think>hm</think> A quiet lake at dawn.\nNobody is there.")
    assert record is not None
    assert record.caption == "A quiet lake at dawn. Nobody is there."
    assert plain("�t�b�� ��") is None


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_nothing_that_a_model_may_say_raises(reply: str) -> None:
    for said in (reply, f'{{"caption": "A lake.", "text": {reply}}}'):
        record = parse(said) or plain(said)
        assert record is None or record.caption
