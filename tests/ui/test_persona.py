"""Who this person is, as of a day."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.compose import restored
from archive_mem.errors import UsageError
from archive_mem.schema.profile import (
    Category,
    Mention,
    Profile,
    ProfileItem,
    Stability,
    Weights,
)
from tests.ui.sample import EVIL, item_id
from ui.persona import chosen_day
from ui.portrait import persona_html, spark_heights, years_of

AS_OF = datetime(2026, 1, 12)


def _item(name: str, statement: str, *days: datetime, related: str | None = None) -> ProfileItem:
    return ProfileItem(
        id=name,
        category=Category.PREFERENCES,
        statement=restored(statement),
        mentions=tuple(
            Mention(at=day, session_id="s", item_id=item_id(1), quote=restored(EVIL))
            for day in days
        ),
        related_id=related,
    )


def _profile(*items: ProfileItem) -> Profile:
    stability = Stability(sup=0.5, dur=0.4, rec=0.3, z=0.4, ts=0.75)
    return Profile(
        as_of=AS_OF,
        weights=Weights(sup=0.5, dur=0.3, rec=0.2),
        items=tuple((item, stability) for item in items),
    )


OLD = _item("p1", "I like rich broth", datetime(2022, 3, 1))
NEW = _item("p2", "I prefer light broth", datetime(2023, 5, 1), datetime(2025, 8, 1), related="p1")


def test_a_statement_shows_its_stability_its_span_and_what_it_conflicts_with() -> None:
    page = persona_html(_profile(NEW, OLD), str)
    assert "Preferences" in page
    assert "TS 0.75" in page
    assert "width:75.0%" in page
    assert "seen 2 times, May 2023 to August 2025" in page
    assert "seen once, March 2022" in page
    assert "against: I like rich broth" in page
    assert "support 50%, duration 30%, recency 20%" in page
    assert f'href="/item?id={item_id(1)}"' in page
    assert "<script" not in page


def test_an_empty_persona_says_how_it_grows() -> None:
    assert "Nothing is known yet" in persona_html(_profile(), str)


@given(st.lists(st.integers(0, 3000), min_size=1), st.integers(0, 4000))
def test_a_sparkline_counts_every_mention_and_peaks_at_one(days: list[int], span: int) -> None:
    start = date(2020, 1, 1)
    dates = [start + timedelta(days=day) for day in sorted(days)]
    end = max(start + timedelta(days=span), dates[-1])
    heights = spark_heights(dates, dates[0], end)
    assert len(heights) == 16
    assert max(heights) == 1
    assert all(0 <= height <= 1 for height in heights)
    assert heights[0] > 0


def test_the_years_run_from_the_first_mention_to_the_last() -> None:
    assert years_of([OLD, NEW]) == [2022, 2023, 2024, 2025]
    assert years_of([]) == []


def test_the_typed_day_wins_over_the_year() -> None:
    assert chosen_day("2023", "2022-06-01") == "2022-06-01"
    assert chosen_day("2023", " ") == "2023-12-31"
    assert chosen_day("Now", None) == ""
    with pytest.raises(UsageError):
        chosen_day("soon", "")


def test_the_page_asks_for_the_persona_of_that_day(
    call: Callable[..., Any], desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[datetime | None] = []

    def profile(as_of: datetime | None) -> Profile:
        asked.append(as_of)
        return _profile(NEW)

    monkeypatch.setattr(desk, "profile", profile)
    assert "light broth" in call("portrait", "2023", "").data[0]
    call("portrait", "Now", "")
    assert asked == [datetime(2023, 12, 31, 23, 59, 59), None]
