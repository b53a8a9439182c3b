"""The labelled sentences of nine languages: enough is hidden, and little too much."""

import pytest

from tests.anonymize.golden import ours, rows, score

SURE = ("phone", "email", "iban", "card")


@pytest.fixture(scope="module")
def scores() -> dict[tuple[str, str], list[int]]:
    return score(rows(), ours())


def share(
    scores: dict[tuple[str, str], list[int]], what: tuple[str, ...], language: str = ""
) -> float:
    """Part that came out right."""
    picked = [
        value
        for (lang, kind), value in scores.items()
        if kind in what and lang.startswith(language)
    ]
    return sum(hit for hit, _ in picked) / sum(of for _, of in picked)


def test_the_set_is_large_and_half_is_held_back() -> None:
    assert len(rows()) >= 400
    assert abs(len(rows(True)) - len(rows(False))) <= 9
    assert len({row["lang"] for row in rows()}) == 9


def test_contact_details_are_hidden(scores: dict[tuple[str, str], list[int]]) -> None:
    assert share(scores, SURE) >= 0.99


# What was measured, rounded down: a floor, not the goal (0.9 in English, 0.8 elsewhere, 0.98 kept).
FLOORS = {
    "en": 0.9, "zh": 0.8, "ja": 0.8, "ko": 0.8, "es": 0.8, "hi": 0.8,
    "fr": 0.7, "de": 0.77, "pt": 0.75,
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(FLOORS))
def test_finding_names_does_not_get_worse(
    scores: dict[tuple[str, str], list[int]], language: str
) -> None:
    assert share(scores, ("person",), language) >= FLOORS[language]


def test_keeping_what_tells_nobody_does_not_get_worse(
    scores: dict[tuple[str, str], list[int]],
) -> None:
    assert share(scores, ("kept",)) >= 0.95
