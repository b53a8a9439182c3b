"""Fusion of scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from archive_mem.retrieval.rank import boosted, fused, minmax, smoothed, with_session_prior

SCORES = st.integers(1, 25).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, n, elements=st.floats(-1, 1, width=32)),
        arrays(np.float64, n, elements=st.floats(0, 30, width=32)),
        arrays(np.int64, n, elements=st.integers(0, 4)),
        st.permutations(range(n)),
    )
)


def test_min_max_spans_zero_to_one_and_a_flat_score_says_nothing() -> None:
    assert minmax(np.array([2.0, 4.0, 3.0])).tolist() == [0, 1, 0.5]
    assert minmax(np.array([3.0, 3.0])).tolist() == [0, 0]
    assert minmax(np.array([])).size == 0


def test_fusion_is_the_weighted_sum() -> None:
    total = fused(np.array([0.0, 1.0]), np.array([10.0, 0.0]), 0.7)
    assert total == pytest.approx([0.3, 0.7])


def test_neighbours_lend_their_score() -> None:
    total = smoothed(
        np.array([1.0, 0.0, 0.5]), np.array([-1, 0, 1]), np.array([1, 2, -1]), (0.1, 0.1)
    )
    assert total == pytest.approx([1.0, 0.15, 0.5])


def test_a_session_is_judged_by_its_best_turns() -> None:
    scores = np.array([0.9, 0.3, 0.0, 0.6])
    total = with_session_prior(scores, np.array([0, 0, 0, 1]), 1.0, 2)
    assert total == pytest.approx([1.5, 0.9, 0.6, 1.2])


@given(SCORES)
def test_fusion_does_not_depend_on_the_order_of_candidates(given_scores: tuple) -> None:  # type: ignore[type-arg]
    dense, lexical, sessions, order = given_scores
    shuffled = np.array(order)
    whole = with_session_prior(fused(dense, lexical, 0.6), _dense_numbers(sessions), 0.5, 3)
    again = with_session_prior(
        fused(dense[shuffled], lexical[shuffled], 0.6), _dense_numbers(sessions[shuffled]), 0.5, 3
    )
    assert np.allclose(whole[shuffled], again, atol=1e-9)


@given(SCORES)
def test_a_better_score_in_one_part_never_ranks_lower(given_scores: tuple) -> None:  # type: ignore[type-arg]
    dense, lexical, _, _ = given_scores
    total = fused(dense, lexical, 0.6)
    for one in range(len(dense)):
        better = (dense >= dense[one]) & (lexical >= lexical[one])
        assert (total[better] >= total[one] - 1e-9).all()


@given(SCORES)
def test_an_irrelevant_candidate_takes_nobody_out_of_the_first_places(given_scores: tuple) -> None:  # type: ignore[type-arg]
    dense, lexical, _, _ = given_scores
    before = fused(dense, lexical, 0.6)
    worst = float(dense.min()), float(lexical.min())
    after = fused(np.append(dense, worst[0]), np.append(lexical, worst[1]), 0.6)
    assert np.allclose(before, after[:-1])
    assert after[-1] <= after.min() + 1e-9


@given(SCORES)
def test_boosts_add_to_scores_between_zero_and_one(given_scores: tuple) -> None:  # type: ignore[type-arg]
    dense, lexical, _, _ = given_scores
    total = boosted(dense, lexical)
    assert ((total - lexical) >= -1e-9).all()
    assert ((total - lexical) <= 1 + 1e-9).all()


def _dense_numbers(sessions: np.ndarray) -> np.ndarray:
    return np.unique(sessions, return_inverse=True)[1].astype(np.int64)
