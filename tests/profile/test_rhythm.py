"""Constants follow the person's own rhythm, and only what was known at the time."""

from datetime import datetime, timedelta

from archive_mem.profile.rhythm import fit_settings
from archive_mem.profile.stability import StabilitySettings
from archive_mem.schema.profile import ProfileItem
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
