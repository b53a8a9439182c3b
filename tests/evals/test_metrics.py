"""Numbers that say how good a ranking is."""

from hypothesis import given
from hypothesis import strategies as st

from archive_mem.evals.metrics import all_at, any_at, mean_percent, recall_at

RANKED = st.permutations("abcdefgh")
GOLD = st.sets(st.sampled_from("abcdefgh"), min_size=1)


def test_recall_is_the_share_of_gold_among_the_first() -> None:
    assert recall_at(["a", "b", "c"], {"a", "c", "x"}, 2) == 1 / 3
    assert any_at(["a", "b"], {"b", "x"}, 2) == 1
    assert all_at(["a", "b"], {"b", "x"}, 2) == 0
    assert mean_percent([1.0, 0.0, 0.5]) == 50.0
    assert mean_percent([]) is None


@given(RANKED, GOLD, st.integers(1, 8))
def test_all_is_at_most_recall_and_recall_at_most_any(
    ranked: list[str], gold: set[str], k: int
) -> None:
    whole, share, some = (measure(ranked, gold, k) for measure in (all_at, recall_at, any_at))
    assert whole <= share <= some


@given(RANKED, GOLD, st.integers(1, 7))
def test_more_places_never_lower_recall(ranked: list[str], gold: set[str], k: int) -> None:
    assert recall_at(ranked, gold, k) <= recall_at(ranked, gold, k + 1)
    assert recall_at(ranked, gold, len(ranked)) == 1
