"""archive-mem profile: as of a day, as a table, and put right by hand; one line where it is not."""

import csv
import json
import sys
from pathlib import Path

import pytest

from archive_mem.cli.main import main
from archive_mem.profile.checkpoints import CatalogCheckpoints
from archive_mem.wiring import open_memory
from tests.profile.world import World, built, moment

LIFE = (
    moment("2022-01-01T09:00", "I love coffee"),
    moment("2022-02-01T09:00", "I love strong coffee"),
    moment("2022-03-01T09:00", "-2 degrees are what I like"),
    moment("2022-04-01T09:00", "I enjoy hiking"),
)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    with open_memory(tmp_path / "memory", create=True) as opened:
        built(World(list(LIFE)), CatalogCheckpoints(opened.catalog))  # type: ignore[arg-type]
    return tmp_path / "memory"


class Run:
    def __init__(
        self,
        memory: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self.memory, self._monkeypatch, self._capsys = memory, monkeypatch, capsys

    def __call__(self, *words: object, code: int = 0) -> str:
        arguments = ["archive-mem", "profile", *map(str, words), "--memory", str(self.memory)]
        self._monkeypatch.setattr(sys, "argv", arguments)
        with pytest.raises(SystemExit) as stopped:
            main()
        said = self._capsys.readouterr()
        assert int(stopped.value.code or 0) == code, said.err
        return said.err if code else said.out

    def statements(self, *words: object) -> dict[str, dict[str, object]]:
        body = json.loads(self("--json", "--as-of", "2023-01-01", *words))
        return {item["statement"]: item for item in body["items"]}


@pytest.fixture
def run(memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(memory, monkeypatch, capsys)


def test_one_category_and_one_day_only(run: Run) -> None:
    assert "I enjoy hiking" in run.statements()
    assert run.statements("--category", "demographics") == {}
    assert set(json.loads(run("--json", "--as-of", "2022-01-15"))["items"][0]) >= {"id", "ts"}


def test_a_table_of_stability_over_time(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ts.csv"
    assert run("--csv", path, "--as-of", "2022-06-01") == ""
    with path.open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert {row["statement"] for row in rows} >= {"I enjoy hiking", "'-2 degrees are what I like"}
    assert all(0 <= float(row["ts"]) <= 1 for row in rows)
    last = [row for row in rows if row["as_of"] == "2022-06-01T23:59:59"]
    scored = {
        item["id"]: item["ts"]
        for item in json.loads(run("--json", "--as-of", "2022-06-01"))["items"]
    }
    assert {row["id"]: float(row["ts"]) for row in last} == pytest.approx(scored, abs=1e-6)


def test_fitted_constants_are_asked_for(run: Run) -> None:
    fixed, fitted = run.statements(), run.statements("--fitted")
    assert fixed.keys() == fitted.keys()
    assert fixed != fitted


def test_decisions_by_hand_and_back(run: Run) -> None:
    before = run.statements()
    coffee, hiking = before["I love strong coffee"]["id"], before["I enjoy hiking"]["id"]
    assert "I love coffee" in run("split", coffee)
    assert {"I love coffee", "I love strong coffee"} <= run.statements().keys()
    run("merge", coffee, hiking)
    assert "I enjoy hiking" not in run.statements()
    run("hide", coffee)
    assert "I love coffee" in run("show")
    run("show", coffee)
    assert "your words" in run("correct", coffee, "I like coffee outdoors")
    assert "I like coffee outdoors" in run.statements()
    kept = [json.loads(line) for line in run("decisions", "--json").splitlines()]
    assert [row["kind"] for row in kept] == ["split", "merge", "hide", "show", "correct"]
    for row in kept:
        run("undo", row["id"])
    assert run.statements() == before


@pytest.mark.parametrize(
    "words",
    [
        ("hide", "ffffffff"),
        ("merge", "ffffffff", "eeeeeeee"),
        ("undo", "7"),
        ("--plot", "ts.pdf"),
    ],
)
def test_what_cannot_be_done_is_one_line(run: Run, words: tuple[str, ...]) -> None:
    said = run(*words, code=2)
    assert len(said.strip().splitlines()) == 1
    assert "Traceback" not in said


def test_a_table_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    said = run("--csv", tmp_path / "missing" / "ts.csv", code=1)
    assert "cannot be written" in said
