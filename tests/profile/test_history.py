"""Stability over time is what it was on each day; the plot and the table show just that."""

from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from archive_mem.errors import InputError, MissingExtra, UsageError
from archive_mem.profile.history import MOST_DAYS, Line, days_until, history, lines
from archive_mem.profile.plot import plot
from archive_mem.profile.stability import score_profile
from tests.profile.world import moment, profiled

ITEMS = profiled(
    moment("2022-01-01T10:00", "I love coffee for $5 and $6"),
    moment("2022-06-01T10:00", "I love coffee for $5 and $6"),
    moment("2023-01-01T10:00", "I enjoy _rowing_"),
).items
END = datetime(2023, 6, 1)


def drawn() -> list[Line]:
    return lines(list(history(ITEMS, days_until(ITEMS, END))))


def test_days_go_evenly_from_the_first_mention_to_the_end() -> None:
    days = days_until(ITEMS, END)
    gaps = {(b - a).total_seconds() for a, b in pairwise(days)}
    assert (days[0], days[-1]) == (datetime(2022, 1, 1, 10), END)
    assert max(gaps) - min(gaps) < 1
    assert min(gaps) >= timedelta(days=7).total_seconds() - 1
    assert len(days) <= MOST_DAYS


@pytest.mark.parametrize("end", [datetime(2022, 1, 1, 10), datetime(2020, 1, 1)])
def test_before_the_first_mention_there_is_one_day(end: datetime) -> None:
    assert days_until(ITEMS, end) == [end]
    assert days_until((), end) == [end]


def test_a_statement_begins_when_it_was_first_said_and_has_the_stability_of_each_day() -> None:
    coffee, rowing = sorted(drawn(), key=lambda line: line.days[0])
    assert coffee.days[0] == datetime(2022, 1, 1, 10)
    assert rowing.days[0] >= datetime(2023, 1, 1, 10)
    for day, stability in zip(rowing.days, rowing.stability, strict=True):
        profile = {item.id: each for item, each in score_profile(ITEMS, day).items}
        assert profile[rowing.item.id] == stability


def test_a_plot_says_each_statement_and_is_the_same_twice(tmp_path: Path) -> None:
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    assert (plot(drawn(), first), plot(drawn(), second)) == (2, 2)
    assert first.read_bytes() == second.read_bytes()
    words = " ".join(ElementTree.parse(first).getroot().itertext())
    assert "I love coffee for $5 and $6" in words
    assert "I enjoy _rowing_" in words


def test_a_plot_is_a_picture_too_and_of_nothing_is_empty(tmp_path: Path) -> None:
    assert plot([], tmp_path / "ts.png") == 0
    with Image.open(tmp_path / "ts.png") as picture:
        assert picture.width > 500


def test_what_cannot_be_drawn_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"\.svg or a \.png"):
        plot(drawn(), tmp_path / "ts.pdf")
    with pytest.raises(InputError, match="cannot be written"):
        plot([], tmp_path / "missing" / "ts.svg")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install 'archive-mem\[evals\]'"):
        plot(drawn(), tmp_path / "ts.svg")
