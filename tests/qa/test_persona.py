"""T2: what holds, how it changed and why, each with dated evidence; nothing where nothing is."""

from datetime import datetime

import pytest

from anonymize.compose import restored
from archive_mem.qa.persona import Aspect, Persona, aspect
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.qa import Answer, Query, Tier
from models.fake import FakeEmbedder
from tests.profile.world import World, moment, profiled


@pytest.fixture(scope="module")
def life() -> World:
    return profiled(
        moment("2022-01-03T10:00", "I love coffee in the morning"),
        moment("2022-03-03T10:00", "I love coffee in the morning"),
        moment(
            "2023-02-01T10:00",
            context="The doctor told me that coffee makes my heart race.",
            event="heart check",
            scenario=Scenario.MEDICAL_CARE,
        ),
        moment("2023-02-20T10:00", "I stopped drinking coffee"),
        moment("2023-05-20T10:00", "I prefer green tea to coffee"),
        moment("2023-09-20T10:00", "I prefer green tea to coffee"),
        moment("2023-10-01T10:00", "I enjoy rowing on the lake"),
    )


def ask(world: World, text: str, at: str = "2024-01-01") -> Answer:
    query = Query(text=restored(text), tier=Tier.T2, asked_at=datetime.fromisoformat(at))
    return Persona(world, FakeEmbedder()).answer(query)


def test_what_holds_is_said_with_its_dates(life: World) -> None:
    answer = ask(life, "Do I enjoy rowing?")
    assert "I enjoy rowing on the lake" in answer.text.value
    assert "1 October 2023" in answer.text.value
    assert answer.tier is Tier.T2


def test_what_no_longer_holds_is_not_said_to_hold(life: World) -> None:
    answer = ask(life, "What do I think of coffee?")
    assert "I love coffee" not in answer.text.value
    assert "coffee" in answer.text.value


def test_before_the_turn_the_old_habit_is_the_answer(life: World) -> None:
    answer = ask(life, "What do I think of coffee?", at="2022-06-01")
    assert "I love coffee in the morning" in answer.text.value
    assert "stopped" not in answer.text.value
    assert all(each.at is None or each.at <= datetime(2022, 6, 1) for each in answer.evidence)


def test_a_change_names_its_day_what_was_before_and_after(life: World) -> None:
    text = ask(life, "How has my coffee drinking changed over the years?").text.value
    assert "Around 20 February 2023: “I stopped drinking coffee”" in text
    assert "before that “I love coffee in the morning” (January 2022 to March 2022)" in text


def test_a_reason_is_given_as_likely_with_its_evidence(life: World) -> None:
    answer = ask(life, "Why did I stop drinking coffee?")
    assert "A likely reason, 1 February 2023" in answer.text.value
    assert "item-2023-02-01T10:00" in {each.item_id for each in answer.evidence}


def test_every_answer_has_dated_evidence(life: World) -> None:
    for question in ("Do I enjoy rowing?", "How has coffee changed?", "Why no coffee?"):
        answer = ask(life, question)
        assert answer.evidence
        assert all(each.at is not None and each.quote for each in answer.evidence)


@pytest.mark.parametrize("question", ["Which planet is the largest?", "Why zzz?", ""])
def test_nothing_is_invented(life: World, question: str) -> None:
    answer = ask(life, question)
    assert answer.abstained
    assert answer.evidence == ()
    assert answer.text.value == "Nothing in the archive supports an answer."


def test_an_empty_archive_abstains() -> None:
    assert ask(World([]), "What do I like?").abstained


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are my hobbies?", Aspect.STABLE),
        ("How has my diet changed over time?", Aspect.CHANGED),
        ("Do I still like crowds?", Aspect.CHANGED),
        ("Why did I move?", Aspect.REASON),
        ("What made me stop climbing?", Aspect.REASON),
    ],
)
def test_the_subtask_follows_from_the_wording(question: str, expected: Aspect) -> None:
    assert aspect(question) is expected
