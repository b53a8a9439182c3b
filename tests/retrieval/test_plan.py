"""What a question is read to ask for."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.qa.route import route
from archive_mem.retrieval.plan import Known, Plan, plan
from archive_mem.retrieval.wording import Grouping, Operation
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.media import MediaKind
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Option, Query, Tier

ASKED = datetime(2026, 1, 12, 9, 0)
KNOWN = Known(
    places=("Kyoto", "Japan", "Kyoto, Japan", "New York", "York", "京都"),
    people=("Friend A", "Friend AA", "[Person B]"),
    home="Lisbon",
    home_country="Portugal",
)


def read(text: str) -> Plan:
    return plan(mint_text(text), ASKED, KNOWN)


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("When did I swim?", Operation.WHEN),
        ("Which year did I move?", Operation.WHEN),
        ("我什么时候去了京都", Operation.WHEN),
        ("京都に行ったのはいつ？", Operation.WHEN),
        ("Where did I eat ramen?", Operation.WHERE),
        ("In which city was the concert?", Operation.WHERE),
        ("我在哪里吃了拉面", Operation.WHERE),
        ("ラーメンを食べたのはどこ？", Operation.WHERE),
        ("Who was with me at lunch?", Operation.WHO),
        ("我和谁吃饭", Operation.WHO),
        ("誰と食べた？", Operation.WHO),
        ("How many times did I run?", Operation.COUNT),
        ("我去过几次京都", Operation.COUNT),
        ("何回走った？", Operation.COUNT),
        ("我一共去过多少次京都？", Operation.COUNT),
        ("最初に京都に行ったのはいつ？", Operation.FIRST),
        ("最后一次见到Friend A是什么时候？", Operation.LAST),
        ("最後に走ったのはどこで？", Operation.LAST),
        ("先週誰と会った？", Operation.WHO),
        ("我有没有去过动物园？", Operation.EVER),
        ("How often do I swim?", Operation.HOW_OFTEN),
        ("When was the first time I ran?", Operation.FIRST),
        ("初めて走ったのはいつ", Operation.FIRST),
        ("When did I last see Friend A?", Operation.LAST),
        ("Where was I last summer?", Operation.WHERE),
        ("What was my longest video?", Operation.LONGEST),
        ("Which city did I visit the most?", Operation.MOST),
        ("When was my most recent hike?", Operation.LAST),
        ("Which cities did I visit?", Operation.LIST),
        ("Did I eat ramen more often than soba?", Operation.COMPARE),
        ("How much did the ramen cost?", Operation.WHAT_TEXT),
        ("What did the sign say?", Operation.WHAT_TEXT),
        ("拉面多少钱", Operation.WHAT_TEXT),
        ("Have I ever been to a zoo?", Operation.EVER),
        ("Show me the beach", Operation.FIND),
        ("What did I cook?", Operation.WHAT),
    ],
)
def test_the_operation_is_read_from_the_words(text: str, operation: Operation) -> None:
    assert read(text).operation is operation


@pytest.mark.parametrize(
    ("text", "grouping"),
    [
        ("How many cities did I visit?", Grouping.CITY),
        ("How many countries?", Grouping.COUNTRY),
        ("How many photos did I take?", Grouping.ITEM),
        ("How many people were there?", Grouping.PERSON),
        ("How many days was I there?", Grouping.DAY),
        ("How many times each year did I ski?", Grouping.YEAR),
        ("How many times did I ski?", Grouping.OCCASION),
    ],
)
def test_what_is_counted_is_read_from_the_words(text: str, grouping: Grouping) -> None:
    assert read(text).grouping is grouping


def test_times_places_and_people_are_cut_from_the_topic() -> None:
    found = read("Who ate ramen with Friend A's brother in Kyoto, Japan in May 2023?")
    assert found.people == ("Friend A",)
    assert found.places[0] == "Kyoto, Japan"
    assert "ramen" in found.topic.value
    for gone in ("Friend A", "Kyoto", "Japan", "May", "2023"):
        assert gone not in found.topic.value


def test_the_longer_name_is_not_taken_for_the_shorter() -> None:
    assert read("When did I see Friend AA?").people == ("Friend AA",)
    assert "[Person B]" in read("When was [Person B] here?").people
    assert read("in the Kyotoite style").places == ()


def test_a_place_in_an_unspaced_script_is_found() -> None:
    assert read("我在京都吃了什么").places == ("京都",)


def test_places_the_archive_does_not_know_are_kept_apart() -> None:
    assert [name.value for name in read("When was I in Paris?").elsewhere] == ["Paris"]
    assert read("When was I in Kyoto?").elsewhere == ()


def test_abroad_home_kind_scenario_and_anchor() -> None:
    assert read("How many trips abroad?").abroad
    assert read("What do I cook at home?").at_home
    assert read("Which videos did I film?").kind is MediaKind.VIDEO
    assert read("When was my dentist visit?").scenario is Scenario.MEDICAL_CARE
    anchored = read("What did I eat before I moved to another flat?")
    assert anchored.anchor is not None
    assert anchored.anchor.before
    assert anchored.anchor.text.value == "I moved to another flat"
    assert "moved" not in anchored.topic.value


@pytest.mark.parametrize(
    ("text", "event", "before", "count", "unit", "whole"),
    [
        ("What did I do two weeks before I moved?", "I moved", True, 2, "week", False),
        ("in the two weeks before I moved?", "I moved", True, 2, "week", True),
        ("Where was I the day after the wedding?", "the wedding", False, 1, "day", False),
        ("the week before my exam", "my exam", True, 1, "week", True),
        ("What did I do since I moved?", "I moved", False, 0, "day", False),
        ("搬家前两周我做了什么？", "搬家", True, 2, "week", False),
        ("结婚之后我去了哪里？", "结婚", False, 0, "day", False),
        ("引っ越しの二週間前に何をした？", "引っ越し", True, 2, "week", False),
        ("卒業式の翌日は？", "卒業式", False, 1, "day", False),
    ],
)
def test_an_event_may_date_a_question(
    text: str, event: str, before: bool, count: int, unit: str, whole: bool
) -> None:
    anchor = read(text).anchor
    assert anchor is not None
    assert (anchor.text.value, anchor.before) == (event, before)
    assert (anchor.count, anchor.unit, anchor.whole) == (count, unit, whole)


@pytest.mark.parametrize(
    "text", ["before the summer of 2023", "after the 14th of May 2023", "以前我喜欢什么", "午前中"]
)
def test_a_time_is_no_event(text: str) -> None:
    assert read(text).anchor is None


def test_abroad_and_at_home_are_read_in_three_languages() -> None:
    assert read("去年我去过国外吗").abroad
    assert read("海外で何を食べた").abroad
    assert read("在家里做什么").at_home
    assert read("家で何を作った").at_home


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("When did I swim?", Tier.T1),
        ("What do I usually eat on Sundays?", Tier.T2),
        ("How have my habits changed?", Tier.T2),
        ("Why did I stop running?", Tier.T2),
        ("What is my favourite drink?", Tier.T2),
        ("为什么我不跑步了", Tier.T2),
        ("普段は朝に何を飲む？", Tier.T2),
        ("Which of these should I order?", Tier.T3),
    ],
)
def test_the_tier_is_read_from_the_words(text: str, tier: Tier) -> None:
    assert read(text).tier is tier


def ask(text: str, **more: object) -> Tier:
    query = Query(text=mint_text(text), tier=None, asked_at=ASKED, **more)  # type: ignore[arg-type]
    return route(query)


def test_options_a_photo_and_a_given_tier_decide_before_the_words() -> None:
    options = (Option(id="1", text=mint_text("tea")),)
    assert ask("What did I eat?", options=options) is Tier.T3
    assert ask("What do I usually do here?", photo=Path("a.jpg")) is Tier.T1
    assert ask("Which should I order?") is Tier.T2
    given_tier = Query(text=mint_text("Why?"), tier=Tier.T1, asked_at=ASKED)
    assert route(given_tier) is Tier.T1


@given(st.text(max_size=80))
def test_any_text_is_read_the_same_way_each_time(text: str) -> None:
    assert read(text) == read(text)
