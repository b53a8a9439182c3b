"""What sentences claim: the side, the subject, the change and the condition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.profile.claims import Change, claims, polarity, reason


def read(text: str) -> list[tuple[str, int]]:
    return [
        (text[facet.span.start : facet.span.end], facet.sign)
        for claim in claims(text)
        for facet in claim.facets
    ]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("I prefer light broth to rich broth", [("light broth", 1), ("rich broth", -1)]),
        ("I'd rather hike than lie on a beach", [("hike", 1), ("lie on a beach", -1)]),
        ("Coffee over tea any day", [("Coffee", 1), ("tea", -1)]),
        ("Vinyl records beat streaming", [("Vinyl records", 1), ("streaming", -1)]),
        ("I like small concerts, not festivals", [("small concerts", 1), ("festivals", -1)]),
        ("I swapped the car for a bicycle", [("bicycle", 1), ("car", -1)]),
        ("I switched from tea to coffee", [("coffee", 1), ("tea", -1)]),
        ("I no longer eat meat", [("meat", -1)]),
        ("I don't eat dairy anymore", [("dairy", -1)]),
        ("I gave up alcohol for good", [("alcohol", -1)]),
        ("I am allergic to peanuts", [("peanuts", -1)]),
        ("I'm not a fan of loud bars", [("loud bars", -1)]),
        ("I never skip breakfast", [("breakfast", 1)]),
        ("I can't get enough of spicy noodles", [("spicy noodles", 1)]),
        ("Nothing beats fresh bread", [("fresh bread", 1)]),
        ("Green tea is my go-to drink", [("Green tea", 1)]),
        ("My favourite season is autumn", [("autumn", 1)]),
        ("I used to love running but now I prefer swimming", [("running", -1), ("swimming", 1)]),
    ],
)
def test_the_sides_of_a_sentence(text: str, sides: list[tuple[str, int]]) -> None:
    assert read(text) == sides


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("I stopped drinking coffee", Change.STOP),
        ("I took up pottery", Change.START),
        ("I replaced the bus with a bicycle", Change.SWITCH),
        ("I love coffee", Change.NONE),
    ],
)
def test_the_change_that_is_told(text: str, change: Change) -> None:
    assert claims(text)[0].change is change


def test_the_condition_is_set_apart() -> None:
    text = "I love oat milk lattes when it rains"
    span = claims(text)[0].condition
    assert span is not None
    assert text[span.start : span.end] == "when it rains"
    assert read(text) == [("oat milk lattes", 1)]


def test_one_time_only_is_marked() -> None:
    assert claims("I enjoyed the bus this time")[0].passing
    assert not claims("I enjoy the bus")[0].passing


def test_strong_words_are_stronger() -> None:
    assert claims("I love rain")[0].strength > claims("I like rain")[0].strength


def test_what_takes_no_side_has_none() -> None:
    assert polarity("The harbour at dusk") == 0
    assert polarity("I dislike rain") == -1


def test_the_reason_runs_to_the_end_of_its_sentence() -> None:
    text = "I left early because my knee hurt. The film was long."
    span = reason(text)
    assert span is not None
    assert text[span.start : span.end] == "because my knee hurt"
    assert reason("The film was long") is None


@given(st.text(max_size=120))
def test_any_text_can_be_read_and_spans_lie_in_it(text: str) -> None:
    for claim in claims(text):
        for span in (claim.span, *(facet.span for facet in claim.facets)):
            assert 0 <= span.start < span.end <= len(text)
