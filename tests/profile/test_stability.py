"""Temporal stability agrees with the worked cases and has the properties of its formulas."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from anonymize.compose import restored
from archive_mem.errors import UsageError
from archive_mem.profile.stability import StabilitySettings, score_profile, stability
from archive_mem.schema.profile import Category, Mention, ProfileItem

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "stability.json").read_text())
DAYS = st.integers(0, 2000).map(float)
ROWS = st.lists(st.lists(DAYS, min_size=1, max_size=8), min_size=1, max_size=12)


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_agrees_with_the_worked_case(case: dict[str, Any]) -> None:
    settings = StabilitySettings(**{f"tau_{name}": tau for name, tau in case["tau"].items()})
    table = stability(case["times"], case["t_ref"], settings)
    expected = case["expected"]
    assert table.rows.tolist() == expected["rows"]
    weights = [table.weights.sup, table.weights.dur, table.weights.rec]
    assert_allclose(weights, expected["weights"], rtol=0, atol=1e-12)
    for column in ("sup", "dur", "rec", "z", "ts"):
        assert_allclose(getattr(table, column), expected[column], rtol=0, atol=1e-12)


def test_at_least_twelve_cases_are_worked() -> None:
    assert len(GOLDEN["cases"]) >= 12


@given(ROWS)
def test_ts_runs_from_0_to_1_unless_all_are_equal(rows: list[list[float]]) -> None:
    table = stability(rows, 2000)
    assert ((table.ts >= 0) & (table.ts <= 1)).all()
    if len({tuple(sorted(set(row))) for row in rows}) == 1:
        assert (table.ts == 1).all()
    elif np.ptp(table.z) > 1e-12:
        assert (table.ts.min(), table.ts.max()) == (0.0, 1.0)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_statements_and_mentions_does_not_matter(rows: Any, random: Any) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)
    shuffled = [random.sample(rows[row], len(rows[row])) for row in order]
    before, after = stability(rows, 2000), stability(shuffled, 2000)
    assert_allclose(after.z, before.z[order], rtol=0, atol=1e-9)


@given(ROWS)
def test_doubled_mentions_and_a_doubled_profile_change_nothing(rows: list[list[float]]) -> None:
    plain = stability(rows, 2000)
    again = stability([[*row, *row] for row in rows], 2000)
    assert_allclose(again.z, plain.z, rtol=0, atol=0)
    twice = stability([*rows, *rows], 2000)
    spread = max(np.ptp(plain.sup), np.ptp(plain.dur), np.ptp(plain.rec))
    if len(rows) > 1 and spread > 1e-3:
        assert_allclose(twice.z[: len(rows)], plain.z, rtol=0, atol=1e-6)


@given(ROWS, DAYS)
def test_later_mentions_do_not_exist_yet(rows: list[list[float]], t_ref: float) -> None:
    known = [[day for day in row if day <= t_ref] for row in rows]
    seen, cut = stability(rows, t_ref), stability(known, t_ref)
    assert seen.rows.tolist() == cut.rows.tolist()
    assert_allclose(seen.ts, cut.ts, rtol=0, atol=0)


@given(st.lists(DAYS, min_size=1, max_size=6, unique=True), DAYS)
def test_more_support_a_longer_span_and_a_later_mention_count_more(
    days: list[float], extra: float
) -> None:
    row = sorted(days)
    one = stability([row], 4000)
    longer = stability([[*row, row[-1] + 1 + extra]], 4000)
    assert longer.sup[0] > one.sup[0]
    assert longer.dur[0] >= one.dur[0]
    assert longer.rec[0] > one.rec[0]


def test_a_constant_that_is_not_positive_is_refused() -> None:
    with pytest.raises(UsageError, match="tau_dur"):
        StabilitySettings(tau_dur=0)


def test_the_profile_as_of_a_day_has_the_wording_of_that_day() -> None:
    first, later = datetime(2024, 1, 1), datetime(2024, 6, 1)
    item = _item("I love strong coffee", (first, "I love coffee"), (later, "I love strong coffee"))
    early = score_profile([item], datetime(2024, 3, 1)).items[0][0]
    assert early.statement.value == "I love coffee"
    assert [mention.at for mention in early.mentions] == [first]
    assert score_profile([item], later).items[0][0].statement.value == "I love strong coffee"


def test_a_link_to_what_is_not_known_yet_is_left_out() -> None:
    old = _item("I hate tea", (datetime(2024, 5, 1), "I hate tea"))
    new = replace(_item("I love tea", (datetime(2024, 1, 1), "I love tea")), related_id=old.id)
    assert score_profile([old, new], datetime(2024, 2, 1)).items[0][0].related_id is None
    both = {item.id: item for item, _ in score_profile([old, new], datetime(2024, 6, 1)).items}
    assert both[new.id].related_id == old.id


def test_the_profile_is_ordered_by_stability() -> None:
    begin = datetime(2024, 1, 1)
    often = _item("often", *((begin + timedelta(days=30 * n), "often") for n in range(10)))
    once = _item("once", (begin, "once"))
    scored = score_profile([once, often], datetime(2024, 12, 1)).items
    assert [item.statement.value for item, _ in scored] == ["often", "once"]
    assert [each.ts for _, each in scored] == [1.0, 0.0]


def _item(statement: str, *mentions: tuple[datetime, str]) -> ProfileItem:
    return ProfileItem(
        id=statement,
        category=Category.PREFERENCES,
        statement=restored(statement),
        mentions=tuple(
            Mention(at=at, session_id="s", item_id="i", quote=restored(quote))
            for at, quote in mentions
        ),
    )
