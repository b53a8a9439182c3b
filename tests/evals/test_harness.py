"""A run is kept record by record, goes on where it was killed, and counts what has no score."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from archive_mem.errors import InputError, ModelError, UsageError
from archive_mem.evals.dataset import Dataset, Sample
from archive_mem.evals.log import Record, RunFolder
from archive_mem.evals.report import report_html
from archive_mem.evals.runner import Plan, run
from archive_mem.evals.scorers import Score, not_scored
from archive_mem.evals.summary import compared, summarised
from archive_mem.evals.system import Reply


class Upper:
    """Says the question in capitals; fails and refuses where it is told to."""

    name = "upper"

    def __init__(self, fails: set[str] = frozenset(), refuses: set[str] = frozenset()) -> None:
        self.about = {"k": "1"}
        self.fails, self.refuses, self.asked = fails, refuses, []

    def answer(self, sample: Sample[str, None]) -> Reply:
        assert sample.gold is None
        self.asked.append(sample.id)
        if sample.id in self.fails:
            raise ModelError("no answer came")
        refused = "this reader sees no pictures" if sample.id in self.refuses else None
        return Reply(text=sample.asked.upper(), context_tokens=3, refused=refused)


class Equal:
    name = "equal-1"

    def score(self, sample: Sample[str, str], reply: Reply) -> Score:
        if sample.gold == "?":
            return not_scored("the judge's words cannot be read")
        return Score(value=100.0 * (reply.text == sample.gold), parts={"same": 1.0})


def samples() -> tuple[Sample[str, str], ...]:
    return tuple(
        Sample(id=f"q{n}", group="a" if n < 3 else "b", asked=f"x{n}", gold=gold)
        for n, gold in enumerate(["X0", "no", "X2", "X3", "?", "X5"])
    )


def dataset() -> Dataset[str, str]:
    return Dataset(name="letters", samples=samples(), sha256="00")


def ran(folder: Path, system: Upper) -> dict[str, Any]:
    kept = RunFolder(folder)
    kept.begin({"data": "00"})
    done = run(dataset(), [Plan(system=system, samples=samples())], Equal(), kept)
    return summarised("letters", done.values(), {"upper": {"k": "1"}})


def test_failed_and_unscored_are_counted_and_are_not_zero(tmp_path: Path) -> None:
    summary = ran(tmp_path / "run", Upper(fails={"q5"}, refuses={"q3"}))
    assert (summary["n"], summary["scored"]) == (6, 3)
    assert (summary["unscored"], summary["failed"]) == (2, 1)
    system = summary["systems"]["upper"]
    assert system["score"]["mean"] == pytest.approx(66.67)
    assert system["reasons"] == {
        "the judge's words cannot be read": 1,
        "the system failed: no answer came": 1,
        "this reader sees no pictures": 1,
    }
    assert system["groups"]["b"]["score"] is None


def test_a_second_run_asks_only_what_failed(tmp_path: Path) -> None:
    ran(tmp_path / "run", Upper(fails={"q1"}))
    again = Upper()
    summary = ran(tmp_path / "run", again)
    assert again.asked == ["q1"]
    assert summary["failed"] == 0


def test_a_run_killed_in_the_middle_of_a_record_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole", Upper())
    ran(tmp_path / "killed", Upper())
    records = tmp_path / "killed" / "records.jsonl"
    lines = records.read_bytes().splitlines(keepends=True)
    records.write_bytes(b"".join(lines[:2]) + lines[2][:25])
    again = Upper()
    resumed = ran(tmp_path / "killed", again)
    assert again.asked == ["q2", "q3", "q4", "q5"]
    assert _without_seconds(resumed) == _without_seconds(whole)
    assert all(json.loads(line) for line in records.read_text("utf-8").splitlines())


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    RunFolder(tmp_path).begin({"data": "00", "versions": {"numpy": "1"}})
    RunFolder(tmp_path).begin({"data": "00", "versions": {"numpy": "2"}})
    with pytest.raises(UsageError, match="other data"):
        RunFolder(tmp_path).begin({"data": "01"})


def test_a_damaged_record_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text('{"no": 1}\n')
    with pytest.raises(InputError, match="line 1 is no record"):
        RunFolder(tmp_path).records()


def test_the_order_of_the_records_changes_no_figure() -> None:
    records = [_record(n, float(n)) for n in range(9)]
    forward = summarised("x", records, {}, lambda group: group[:1])
    assert summarised("x", records[::-1], {}, lambda group: group[:1]) == forward


def test_a_tier_weighs_its_subtasks_by_their_questions() -> None:
    records = [
        replace(_record(n, value), group=group)
        for n, (value, group) in enumerate([(100.0, "1.1"), (50.0, "1.2"), (0.0, "1.2")])
    ]
    tiers = summarised("x", records, {}, lambda group: f"T{group[0]}")["systems"]["s"]["tiers"]
    assert tiers == {"T1": 50.0}


def test_two_runs_are_compared_question_by_question() -> None:
    first = {n: _record(n, 50.0) for n in range(10)}
    second = {n: _record(n, 50.0 if n < 2 else 80.0) for n in range(1, 10)}
    found = compared(first, second)["s"]
    assert (found["n"], found["better"], found["same"]) == (9, 8, 1)
    assert found["difference"]["mean"] == pytest.approx(26.67)
    assert found["only_in_first"] == 1
    assert found["p"] < 0.05


def test_runs_without_a_common_system_are_not_compared() -> None:
    first = {0: _record(0, 1.0), 1: replace(_record(0, 1.0), system="t")}
    with pytest.raises(InputError, match="no system in common"):
        compared(first, {0: replace(_record(0, 1.0), system="u")})


def test_the_report_needs_nothing_from_outside(tmp_path: Path) -> None:
    summary = ran(tmp_path / "run", Upper(fails={"q5"}))
    page = report_html(summary, {"note": "<script>alert(1)</script>"})
    assert "<svg" in page
    assert "<script>" not in page
    assert "no answer came" in page
    assert page == report_html(summary, {"note": "<script>alert(1)</script>"})
    for outside in ('src="http', 'href="http', "@import", "url(http"):
        assert outside not in page


def test_without_matplotlib_the_tables_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    page = report_html(summarised("x", [_record(1, 10.0)], {}), {})
    assert "<table>" in page
    assert "archive-mem[evals]" in page


def _record(number: int, value: float) -> Record:
    return Record(
        system="s", sample=f"q{number}", group=f"{number % 3}", status="scored", value=value
    )


def _without_seconds(summary: Any) -> Any:
    if isinstance(summary, dict):
        return {k: _without_seconds(v) for k, v in summary.items() if k != "seconds"}
    return summary
