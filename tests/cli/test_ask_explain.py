"""What --explain shows of a question, and of each hit."""

from pathlib import Path

import pytest

from tests.cli.test_cli import Run, run
from tests.ui.sample import make_memory

__all__ = ["run"]

QUESTION = "When did I have lunch in Kyoto in March 2022?"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explain") / "memory"
    with make_memory(folder, 6) as made:
        made.reindex()
    return folder


def test_ask_shows_what_was_understood_and_what_fits(run: Run, memory: Path) -> None:
    (body,) = run("ask", QUESTION, "--memory", memory, "--json", "--explain").rows
    plan = body["plan"]
    assert isinstance(plan, dict)
    assert (plan["tier"], plan["operation"]) == ("t1", "when")
    (march,) = plan["times"]
    assert (march["from"], march["words"]) == ("2022-03-01T00:00:00", "March 2022")
    rows = body["evidence"]
    assert isinstance(rows, list)
    first = rows[0]
    assert set(first) >= {"item", "path", "session", "captured_at", "quote", "score", "why", "fits"}
    assert first["fits"]["time"] is first["captured_at"].startswith("2022-03")
    assert first["why"]


def test_without_it_the_keys_are_as_before(run: Run, memory: Path) -> None:
    (body,) = run("ask", QUESTION, "--memory", memory, "--json").rows
    assert "plan" not in body
    row = run("search", "lunch", "--memory", memory, "--json").rows[0]
    assert list(row) == ["item", "session", "captured_at", "quote", "score", "why", "path"]


def test_search_shows_a_block_that_can_be_read(run: Run, memory: Path) -> None:
    said = run("search", QUESTION, "--memory", memory, "--explain").out
    assert "understood: when" in said
    assert "2022-03-01T00:00:00 to 2022-04-01T00:00:00  ('March 2022')" in said
    assert "dense " in said
    assert "fits time" in said


def test_a_wrong_reading_empties_nothing(run: Run, memory: Path) -> None:
    row = run("search", "lunch in March 1999", "--memory", memory, "--json", "--explain").rows[0]
    assert row["fits"] == {"time": False}


def test_an_empty_memory_can_be_explained_too(run: Run, tmp_path: Path) -> None:
    make_memory(tmp_path / "memory", 0).close()
    (body,) = run("ask", QUESTION, "--memory", tmp_path / "memory", "--json", "--explain").rows
    assert body["abstained"] is True
    assert "plan" in body
