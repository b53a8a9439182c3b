"""The exact judge: days by the calendar, counts exactly, the same thing by any words."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.evals.benchmarks.realmem.data import Asked, Gold
from archive_mem.evals.benchmarks.realmem.judges import ExactJudge, exact_recall
from archive_mem.evals.benchmarks.realmem.reading import Day, read_said
from archive_mem.evals.dataset import Sample
from archive_mem.evals.system import Reply
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Tier

WHEN, HOW_MANY = "When was it?", "How many times did I go?"


@pytest.mark.parametrize(
    ("question", "gold", "answer", "right"),
    [
        (WHEN, "10 April 2021", "It was on April 10, 2021.", True),
        (WHEN, "10 April 2021", "2021-04-10", True),
        (WHEN, "10 April 2021", "2021年4月10日", True),
        (WHEN, "10 April 2021", "on 11 April 2021", False),
        (WHEN, "10 April 2021", "in April 2021", False),
        (WHEN, "April 2021", "on 10 April 2021", True),
        (WHEN, "10 April 2021", "on 3 May 2021, though also 10 April 2021", False),
        (HOW_MANY, "4", "4 times: on 1 May 2023 and 3 more", True),
        (HOW_MANY, "4", "four times", True),
        (HOW_MANY, "4", "5 times, or 4", False),
        (HOW_MANY, "4", "1 time: on 4 April 2024", False),
        ("How much was it?", "89.90 euros", "size 39, 89,90 EUR", True),
        ("How much was it?", "89.90 euros", "98.90 euros", False),
        ("Which seat did I have?", "14A", "BOARDING PASS / SEAT 14A", True),
        ("Which seat did I have?", "14A", "seat 14B", False),
        ("Which coach and seat?", "Coach 23, seat 67", "car 23 / place 67", True),
        ("Where?", "At home in Alfama, Lisbon", "in Alfama, Lisbon, at home", True),
        ("Where?", "At home in Alfama, Lisbon", "in Kyoto, Japan", False),
        ("Did I like it?", "Yes, I liked it", "No, I liked nothing of it", False),
        ("Did I like it?", "No", "Yes", False),
    ],
)
def test_an_answer_is_right_or_wrong(question: str, gold: str, answer: str, right: bool) -> None:
    assert exact_recall(gold, answer, question)[0] is right


def test_days_are_read_in_the_forms_people_write() -> None:
    said = read_said("10 April 2021, May 3rd, 2022, 2023-06-07, 2024年8月9日, Sep 2025")
    assert said.days == (
        Day(2021, 4, 10),
        Day(2022, 5, 3),
        Day(2023, 6, 7),
        Day(2024, 8, 9),
        Day(2025, 9, 0),
    )
    assert said.numbers == ()


def test_numbers_are_read_with_their_marks() -> None:
    assert read_said("1,234.50 and 89,90 and 2.500 and 3 and twice").numbers == (
        1234.5,
        89.9,
        2500.0,
        3.0,
        2.0,
    )


@given(st.dates(datetime(1990, 1, 1).date(), datetime(2040, 12, 31).date()))
def test_any_day_equals_itself_in_another_form(day: object) -> None:
    iso = day.isoformat()  # type: ignore[attr-defined]
    said = f"{day.day} {day.strftime('%B')} {day.year}"  # type: ignore[attr-defined]
    assert exact_recall(said, iso, WHEN)[0]


@given(st.text(max_size=60))
def test_no_text_is_too_strange_to_read(text: str) -> None:
    assert exact_recall(text, text)[0] in (True, False)


def test_an_unanswerable_question_wants_an_abstention() -> None:
    gold = Gold(answer=mint_text("Nothing says."), evidence=())
    assert _score(gold, Reply(text="no", parsed={"answer": "no", "abstained": True})) == 100.0
    assert _score(gold, Reply(text="2021", parsed={"answer": "2021"})) == 0.0


def test_a_missing_reference_is_unscored() -> None:
    assert _score(Gold(evidence=("i",)), Reply(text="x", parsed={"answer": "x"})) is None
    assert _score(Gold(answer=mint_text("x")), Reply(text="", parsed={})) is None


def test_persona_answers_get_points_for_what_is_said_rightly() -> None:
    gold = Gold(
        key_points=(
            mint_text("runs on Saturday mornings since 2021"),
            mint_text("gave up climbing in November 2022"),
        )
    )
    whole = "Running on Saturday mornings since 2021; gave up climbing in November 2022."
    half = "Running on Saturday mornings since 2021."
    wrong_day = "Running on Saturday mornings since 2021; gave up climbing in March 2023."
    scores = [
        _score(gold, Reply(text=said, parsed={"answer": said}), Tier.T2)
        for said in (whole, half, wrong_day, "I like tea.")
    ]
    assert scores == [100.0, 80.0, 60.0, 20.0]


def test_a_ranking_with_a_tie_or_a_gap_is_unscored() -> None:
    gold = Gold(ranking=("a", "b", "c"))
    for ranking in (["a", "b"], ["a", "a", "b"], [], ["a", "b", "d"]):
        assert _score(gold, Reply(text="", parsed={"ranking": ranking}), Tier.T3) is None
    assert _score(gold, Reply(text="", parsed={"ranking": ["a", "b", "c"]}), Tier.T3) == 100.0


def test_cited_items_are_compared_with_the_gold_ones() -> None:
    gold = Gold(answer=mint_text("Lisbon"), evidence=("a", "b"))
    reply = Reply(text="", parsed={"answer": "Lisbon"}, cited=("b", "c"), context=("b",))
    score = ExactJudge().score(_sample(gold, Tier.T1), reply)
    assert score.parts["evidence_recall"] == 0.5
    assert score.parts["evidence_precision"] == 0.5
    assert score.parts["context_any"] == 1.0


def _sample(gold: Gold, tier: Tier) -> Sample[Asked, Gold]:
    asked = Asked(tier=tier, question=mint_text("Where?"), asked_at=datetime(2026, 1, 12))
    return Sample(id="q", group="1.1", asked=asked, gold=gold)


def _score(gold: Gold, reply: Reply, tier: Tier = Tier.T1) -> float | None:
    return ExactJudge().score(_sample(gold, tier), reply).value
