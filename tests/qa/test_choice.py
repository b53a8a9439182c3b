"""T3: all options ranked, with dated reasons for and against; ties are broken the same way."""

from datetime import datetime

import pytest

from anonymize.compose import restored
from archive_mem.qa.choice import Choice, ChoiceSettings, Weighting
from archive_mem.schema.qa import Answer, Option, Query, Tier
from models.fake import FakeEmbedder
from tests.profile.world import World, moment, profiled

OPTIONS = ("a steak", "grilled fish", "a bowl of lentils", "a walk")


@pytest.fixture(scope="module")
def life() -> World:
    return profiled(
        moment("2021-01-03T10:00", "I love steak"),
        moment("2021-06-03T10:00", "I love steak"),
        moment("2021-09-03T10:00", "I love steak"),
        moment("2023-02-20T10:00", "I stopped eating steak"),
        moment("2023-05-20T10:00", "I love grilled fish"),
        moment("2023-08-20T10:00", "I enjoy lentils"),
    )


def ask(
    world: World,
    *options: str,
    at: str = "2023-12-01",
    settings: ChoiceSettings | None = None,
    text: str = "What would I order?",
) -> Answer:
    query = Query(
        text=restored(text),
        tier=Tier.T3,
        asked_at=datetime.fromisoformat(at),
        options=tuple(Option(id=f"o{n}", text=restored(o)) for n, o in enumerate(options)),
    )
    return Choice(world, FakeEmbedder(), settings or ChoiceSettings()).answer(query)


def order(answer: Answer) -> list[str]:
    assert answer.ranking is not None
    return [each.option.text.value for each in answer.ranking.options]


def test_every_option_is_ranked_once_and_what_is_given_up_comes_last(life: World) -> None:
    ranked = order(ask(life, *OPTIONS))
    assert sorted(ranked) == sorted(OPTIONS)
    assert ranked[0] == "grilled fish"
    assert ranked[-1] == "a steak"


def test_before_the_change_the_old_love_comes_first(life: World) -> None:
    assert order(ask(life, *OPTIONS, at="2022-01-01"))[0] == "a steak"


def test_reasons_for_and_against_have_dates(life: World) -> None:
    ranking = ask(life, *OPTIONS).ranking
    assert ranking is not None
    reasons = {each.option.text.value: [r.value for r in each.reasons] for each in ranking.options}
    assert reasons["grilled fish"][0] == "+ I love grilled fish (on 20 May 2023)"
    assert any(
        reason.startswith("- I stopped eating steak (on 20 February 2023)")
        for reason in reasons["a steak"]
    )


def test_evidence_lies_before_the_question(life: World) -> None:
    answer = ask(life, *OPTIONS, at="2022-01-01")
    assert answer.evidence
    assert all(each.at is not None and each.at.year == 2021 for each in answer.evidence)


def test_ties_keep_the_order_given(life: World) -> None:
    assert order(ask(life, "xylophone", "quartz", "vortex")) == ["xylophone", "quartz", "vortex"]


def test_nothing_known_is_said_and_still_ranked() -> None:
    answer = ask(World([]), "tea", "coffee")
    assert answer.abstained
    assert answer.text.value == "Nothing in the archive supports an answer."
    assert sorted(order(answer)) == ["coffee", "tea"]


def test_rain_and_sun_make_a_difference() -> None:
    world = profiled(
        moment("2023-01-01T10:00", "I love museum visits when rain falls"),
        moment("2023-02-01T10:00", "I love beach walks when the sun shines"),
    )
    rainy = ask(world, "beach walks", "museum visits", text="Rain falls all day. What do I do?")
    sunny = ask(world, "museum visits", "beach walks", text="The sun shines. What do I do?")
    assert order(rainy)[0] == "museum visits"
    assert order(sunny)[0] == "beach walks"


def test_frequency_alone_would_still_say_steak(life: World) -> None:
    settings = ChoiceSettings(weighting=Weighting.FREQUENCY)
    assert order(ask(life, "a steak", "a walk", settings=settings))[0] == "a steak"


def test_without_a_profile_only_likeness_ranks(life: World) -> None:
    settings = ChoiceSettings(weighting=Weighting.NO_PROFILE)
    answer = ask(life, "a walk", "order steak", text="order steak", settings=settings)
    assert order(answer)[0] == "order steak"
    assert answer.evidence == ()


def test_k_per_category_limits_what_speaks(life: World) -> None:
    few = ask(life, *OPTIONS, settings=ChoiceSettings(per_category=1))
    assert len(few.evidence) <= 5
    assert len(few.evidence) < len(ask(life, *OPTIONS).evidence)
