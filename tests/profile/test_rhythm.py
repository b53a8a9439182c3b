"""Constants follow the person's own rhythm, and only what was known at the time."""

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from anonymize.compose import word
from archive_mem.profile.rhythm import MOST, fit_settings
from archive_mem.profile.stability import StabilitySettings
from archive_mem.schema.profile import Category, Mention, ProfileItem
from tests.profile.world import moment, profiled


def life(every: int, count: int = 30) -> tuple[tuple[ProfileItem, ...], datetime]:
    begin = datetime(2020, 1, 1, 10)
    days = [begin + timedelta(days=every * n) for n in range(count)]
    items = profiled(*(moment(day.isoformat(), "I love coffee") for day in days)).items
    return items, days[-1]


def test_nothing_repeated_keeps_the_constants_of_the_paper() -> None:
    assert fit_settings((), datetime(2024, 1, 1)) == StabilitySettings()


def test_a_slow_life_forgets_slowly() -> None:
    slow, quick = life(120), life(5)
    slow_fit = fit_settings(slow[0], slow[1])
    quick_fit = fit_settings(quick[0], quick[1])
    assert slow_fit.tau_rec > StabilitySettings().tau_rec > quick_fit.tau_rec


def test_later_mentions_teach_nothing() -> None:
    items, _ = life(120)
    early = fit_settings(items, datetime(2019, 1, 1))
    assert early == StabilitySettings()


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=12), st.randoms(), st.floats(0.5, 500))
def test_the_fit_is_bounded_and_blind_to_order(days: list[int], random: Random, tau: float) -> None:
    begin = datetime(2015, 1, 1)
    mentions = [
        Mention(at=begin + timedelta(days=day), session_id="s", item_id="i", quote=word("so"))
        for day in days
    ]
    items = [
        ProfileItem(
            id=str(n), category=Category.HOBBIES, statement=word("so"), mentions=tuple(some)
        )
        for n, some in enumerate((sorted(mentions, key=lambda m: m.at), mentions[:3]))
        if some
    ]
    usual, at = StabilitySettings(tau_sup=tau, tau_dur=tau, tau_rec=tau), datetime(2024, 1, 1)
    fitted = fit_settings(items, at, usual)
    for each in (fitted.tau_sup, fitted.tau_dur, fitted.tau_rec):
        assert tau / MOST <= each <= tau * MOST
    mixed = [
        replace(item, mentions=tuple(random.sample(item.mentions, len(item.mentions))))
        for item in items
    ]
    assert fit_settings(mixed[::-1], at, usual) == fitted
