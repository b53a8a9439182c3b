"""Every metric agrees with cases worked by hand, and ignores what must not matter."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.evals.metrics import (
    bootstrap,
    choice_points,
    field_score,
    gated,
    jaccard,
    kendall_tau,
    overlap,
    paired,
    persona_points,
    state_score,
    weighted_mean,
)

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "metrics.json").read_text("utf-8")
)
IDS = st.lists(st.sampled_from("abcdefgh"), max_size=8)
SCORES = st.lists(st.floats(0, 100), min_size=1, max_size=30)


@pytest.mark.parametrize("case", GOLDEN["kendall_tau"]["cases"], ids=lambda case: case["why"])
def test_tau_and_its_points(case: dict[str, Any]) -> None:
    tau = kendall_tau(case["ranked"], case["gold"])
    assert tau == pytest.approx(case["tau"])
    assert choice_points(tau) == pytest.approx(case["points"])


@pytest.mark.parametrize("case", GOLDEN["kendall_tau"]["refused"], ids=lambda case: case["why"])
def test_tau_refuses_ties_and_other_options(case: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        kendall_tau(case["ranked"], case["gold"])


def test_persona_points_go_from_20_to_100() -> None:
    for case in GOLDEN["persona"]["cases"]:
        assert persona_points(case["coverage"], case["accuracy"]) == case["points"]
    for case in GOLDEN["persona"]["refused"]:
        with pytest.raises(ValueError):
            persona_points(case["coverage"], case["accuracy"])


def test_tiers_weigh_by_questions() -> None:
    for case in GOLDEN["tiers"]["cases"]:
        pairs = [(float(value), float(count)) for value, count in case["pairs"]]
        assert weighted_mean(pairs) == case["mean"]


def test_core_and_detail() -> None:
    for case in GOLDEN["state"]["cases"]:
        assert state_score(case["fields"]) == pytest.approx(case["score"]), case["why"]
    for core, detail in GOLDEN["state"]["refused"]:
        with pytest.raises(ValueError):
            field_score(core, detail)


def test_the_identity_gate() -> None:
    for case in GOLDEN["gate"]["cases"]:
        assert gated(case["points"], case["identity"]) == pytest.approx(case["score"]), case["why"]


def test_evidence_by_sets() -> None:
    for case in GOLDEN["evidence"]["cases"]:
        gold = [f"log_{n}" for n in range(case["gold"])]
        cited = gold[: case["hits"]] + [f"no_{n}" for n in range(case["cited"] - case["hits"])]
        found = overlap(cited, gold)
        expected = pytest.approx((case["precision"], case["recall"], case["f1"]))
        assert (found.precision, found.recall, found.f1) == expected, case["why"]


def test_jaccard() -> None:
    for case in GOLDEN["jaccard"]["cases"]:
        assert jaccard(case["left"], case["right"]) == case["value"]


@given(IDS, IDS)
def test_a_citation_given_twice_counts_once(cited: list[str], gold: list[str]) -> None:
    assert overlap(cited + cited, gold) == overlap(cited, gold + gold)
    assert jaccard(cited + cited, gold) == jaccard(gold, cited)


@given(IDS, IDS)
def test_other_names_for_ids_change_nothing(cited: list[str], gold: list[str]) -> None:
    def renamed(ids: list[str]) -> list[str]:
        return [f"log-{ord(each)}" for each in ids]

    assert overlap(renamed(cited), renamed(gold)) == overlap(cited, gold)


@given(st.permutations("abcdef"), st.permutations("abcdef"))
def test_tau_is_symmetric_and_turns_with_the_order(first: list[str], second: list[str]) -> None:
    tau = kendall_tau(first, second)
    assert tau == kendall_tau(second, first)
    assert kendall_tau(first[::-1], second) == pytest.approx(-tau)
    assert -1 <= tau <= 1


@given(SCORES, st.randoms(use_true_random=False))
def test_the_interval_lies_among_the_values_and_ignores_the_order(
    values: list[float], random: Any
) -> None:
    found = bootstrap(values, draws=100)
    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found.mean == pytest.approx(sum(values) / len(values))
    assert bootstrap(random.sample(values, len(values)), draws=100) == found


def test_the_interval_narrows_with_more_questions() -> None:
    few = bootstrap([0.0, 100.0] * 5)
    many = bootstrap([0.0, 100.0] * 500)
    assert few is not None
    assert many is not None
    assert many.high - many.low < (few.high - few.low) / 5
    assert bootstrap([]) is None


def test_a_run_compared_with_itself_differs_by_nothing() -> None:
    scores = {f"q{n}": float(n) for n in range(20)}
    found = paired(scores, scores)
    assert found is not None
    assert (found.difference.mean, found.same, found.p) == (0.0, 20, 1.0)
    assert paired(scores, {"other": 1.0}) is None
