"""The pure parts of DynamicMem: rhythms, weaving, the exact judge, the generator."""

import json
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.errors import InputError
from archive_mem.evals.benchmarks.dynamicmem.data import GoldItem, people_of, read_person
from archive_mem.evals.benchmarks.dynamicmem.generate.life import CUTS, live
from archive_mem.evals.benchmarks.dynamicmem.generate.packs import write_users
from archive_mem.evals.benchmarks.dynamicmem.judge import field_of, fields_of, said_about
from archive_mem.evals.benchmarks.dynamicmem.protocol import AppLog, leaves
from archive_mem.evals.benchmarks.dynamicmem.schedule import fit, is_due, nth_weekday
from archive_mem.evals.benchmarks.dynamicmem.scoring import judged_exactly, verdict
from archive_mem.evals.benchmarks.dynamicmem.weave import unwoven, woven

MONDAY = date(2024, 1, 1)


def _on(days: list[date], minute: int = 390) -> list[datetime]:
    return [datetime.combine(day, time()) + timedelta(minutes=minute) for day in days]


def _range(weeks: int) -> list[date]:
    return [MONDAY + timedelta(days=number) for number in range(7 * weeks)]


@given(st.sets(st.integers(0, 6), min_size=1, max_size=6), st.integers(0, 287))
def test_a_weekly_rhythm_is_read_back(days: set[int], slot: int) -> None:
    times = _on([day for day in _range(12) if day.weekday() in days], 5 * slot)
    found = fit(times)
    assert found is not None
    assert (found.frequency, set(found.days_of_week), found.minute) == ("weekly", days, 5 * slot)


@pytest.mark.parametrize(
    ("frequency", "days"),
    [
        ("daily", _range(10)),
        ("biweekly", [day for day in _range(30) if (day - MONDAY).days % 14 == 3]),
        ("monthly_by_date", [day for day in _range(52) if day.day == 15]),
        ("monthly_nth_weekday", [day for day in _range(52) if nth_weekday(day) == (2, 4)]),
    ],
)
def test_other_rhythms_are_read_back_and_due_on_their_days(
    frequency: str, days: list[date]
) -> None:
    found = fit(_on(days))
    assert found is not None
    assert (found.frequency, found.start) == (frequency, "06:30")
    if frequency != "biweekly":
        assert {day for day in days if is_due(found, day)} == set(days)


def test_a_pause_changes_nothing_and_a_new_hour_counts() -> None:
    mondays = [day for day in _range(40) if day.weekday() == 0]
    paused = fit(_on(mondays[:20]) + _on(mondays[27:33]))
    later = fit(_on(mondays[:20]) + _on(mondays[20:30], 405))
    assert paused is not None
    assert later is not None
    assert (paused.frequency, paused.days_of_week, paused.start) == ("weekly", (0,), "06:30")
    assert later.start == "06:45"


def test_new_days_replace_the_old_ones() -> None:
    days = [d for d in _range(20) if d.weekday() in (0, 2)]
    days += [d + timedelta(days=140) for d in _range(5) if d.weekday() in (1, 3)]
    found = fit(_on(days))
    assert found is not None
    assert found.days_of_week == (1, 3)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_LOG = st.builds(
    lambda number, minutes, app, request, response: AppLog(
        id=f"log_{number}",
        at=datetime(2024, 1, 1) + timedelta(minutes=minutes),
        app=app,
        api="call",
        request=request,
        response=response,
    ),
    st.integers(0, 10**9),
    st.integers(0, 50_000),
    st.text(),
    _JSON,
    _JSON,
)


@given(st.lists(_LOG, max_size=12, unique_by=lambda log: log.id))
def test_weaving_loses_nothing(logs: list[AppLog]) -> None:
    turns = [turn for session in woven(logs) for turn in session.turns]
    read = {log.id: log for log in map(unwoven, turns)}
    assert len(turns) == len(logs)
    assert read == {log.id: log for log in logs}


@pytest.mark.parametrize(
    ("path", "reference", "said", "wanted"),
    [
        ("timing.start_time", "06:30", "06:30", (1, 2)),
        ("timing.start_time", "06:30", "06:33", (1, 1)),
        ("timing.start_time", "06:30", "06:38", (0, 1)),
        ("timing.start_time", "06:30", "06:45", (0, 0)),
        ("schedule.days_of_week", [0, 2, 4], "Monday, Wednesday and Friday", (1, 2)),
        ("schedule.days_of_week", [0, 2, 4], [0, 2], (1, 1)),
        ("schedule.days_of_week", [0, 2], [1, 2], (0, 0)),
        ("schedule.day_of_week", 3, "Thursday", (1, 2)),
        ("schedule.days_of_month", [15], [15], (1, 2)),
        ("schedule.week_of_month", 1, 0, (0, 0)),
        ("statement", "Prefers oat milk over dairy milk", "Prefers oat milk", (1, 1)),
        ("statement", "Prefers tea over coffee", "Prefers coffee over tea", (0, 0)),
        ("value", "Wavelet Family", "the Wavelet Family plan", (1, 2)),
        ("value", "Wavelet Family", "Beacon Mutual", (0, 0)),
        ("value", "Wavelet Family", None, (0, 0)),
    ],
)
def test_a_field_is_judged(path: str, reference: object, said: object, wanted: object) -> None:
    assert field_of(path, reference, said) == wanted


def test_a_message_is_judged_by_its_points_and_its_gate() -> None:
    gold = GoldItem(
        kind="habit",
        reference="Morning run at 06:30.",
        points=(("timing.start_time", "the time", "06:30"), ("location", "where", "canal path")),
        gate="morning run",
        evidence=("a", "b"),
    )
    right = "Your morning run starts at 06:30 on the canal path."
    other = "Your evening swim starts at 06:30 on the canal path."
    whole = verdict(gold, right, ["a", "b"], *judged_exactly(gold, right))
    missed = verdict(gold, other, ["a"], *judged_exactly(gold, other))
    assert (whole.value, whole.failure, whole.parts["evidence_f1"]) == (100.0, "", 1.0)
    assert (missed.value, missed.failure) == (0.0, "identity missing")
    assert said_about("06:30", right, "timing.start_time") == (1, 2)


@pytest.mark.parametrize(
    ("said", "cited", "failure"),
    [
        ("Harrow Analytics", ["x"], "conflict"),
        ("Someone Else", [], "irrelevant evidence"),
        ("Someone Else", ["x"], "evidence partly found"),
        ("Someone Else", ["x", "y"], "evidence complete, answer wrong"),
        ("Northbeam", ["x", "y"], "detail missing"),
        ("Northbeam Studio", ["x"], ""),
    ],
)
def test_failures_have_a_class(said: str, cited: list[str], failure: str) -> None:
    gold = GoldItem(
        kind="attribute",
        reference="Northbeam Studio",
        evidence=("x", "y"),
        former=("Harrow Analytics",),
    )
    assert verdict(gold, said, cited, *judged_exactly(gold, said)).failure == failure


def test_a_state_of_four_fields_scores_as_worked_by_hand() -> None:
    gold = {
        "schedule": {"frequency_type": "weekly", "days_of_week": [0]},
        "timing": {"start_time": "06:30"},
        "location": "canal path",
    }
    said = json.loads(json.dumps(gold).replace("06:30", "06:33"))
    item = GoldItem(kind="habit", reference=gold)
    assert verdict(item, said, [], fields_of(gold, said), True).value == pytest.approx(97.5)


def test_generated_people_are_large_enough_and_the_same_again() -> None:
    life = live(7)
    assert len(life.events) >= 1_000
    assert len({event.app for event in life.events}) >= 8
    assert life.events[-1].at - life.events[0].at > timedelta(days=440)
    assert life == live(7)
    assert any(len(thread.phases) > 1 for thread in life.threads)
    assert len(CUTS) == 5


def test_no_preference_is_said_in_a_log() -> None:
    life = live(7)
    said = json.dumps([[event.request, event.response] for event in life.events]).casefold()
    assert "prefer" not in said


def test_generated_files_are_read_without_a_problem(tmp_path: Path) -> None:
    write_users(tmp_path, 1, 7)
    person = read_person(people_of(tmp_path)[0])
    assert person.problems == ()
    assert [each.id for each in person.checkpoints] == ["C1", "C2", "C3", "C4", "C5"]
    kinds = {(query.task, person.gold["C5", query.id].kind) for query in person.queries["C5"]}
    assert len(kinds) == 6
    for query in person.queries["C5"]:
        told = {str(value) for _, value in leaves(person.gold["C5", query.id].reference)}
        assert not told & {str(value) for _, value in leaves(query.template)}


def test_the_first_contract_is_read_too(tmp_path: Path) -> None:
    home = tmp_path / "one"
    home.mkdir()
    logs = [
        {"app_log_id": n, "timestamp": f"2024-01-0{n} 08:00:00", "app_name": "A", "api_name": "b"}
        for n in (1, 2)
    ]
    point = {"point_id": "p", "point_text": "says oat milk", "reference_value": "oat milk"}
    item = {
        "qa_id": "q",
        "question": "Which milk?",
        "reference_answer": "Oat milk.",
        "answer_scoring_points": [point],
        "gold_memory_evidence_app_log_ids": [2, 9],
    }
    pack = {"question_text": "Which milk?", "answer_template": "<fill the blank>"}
    cut = {
        "checkpoint_id": "cp_1",
        "as_of": {"timestamp": "2024-01-02 08:00:00"},
        "validated_snapshot_state": {"preferences_state:milk": {"from": "cow", "to": "oat"}},
        "state_completion_pack": {"keys": {"preferences_state:milk": pack}},
        "rq3_apply_service_qa": {"keys": {"preferences_state:milk": {"items": [item]}}},
    }
    (home / "app_log_large.json").write_text(json.dumps({"app_logs": logs}))
    (home / "task_packs.json").write_text(json.dumps({"checkpoints": [cut]}))
    person = read_person(home)
    assert person.checkpoints[0].log_index == 2
    assert person.gold["cp_1", "state preferences_state:milk"].reference == "oat"
    assert person.queries["cp_1"][1].question == "Which milk?"
    assert [each.what for each in person.problems] == ["1 of its evidence is not in the logs yet"]


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no app_log_large"):
        people_of(tmp_path)
    (tmp_path / "app_log_large.json").write_text("[]")
    with pytest.raises(InputError, match=r"task_packs|no logs"):
        read_person(tmp_path)
