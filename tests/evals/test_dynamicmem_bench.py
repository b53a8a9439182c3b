"""DynamicMem from end to end: three processes, gold apart, snapshots, a resumed run."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner

from archive_mem.cli.bench import bench
from archive_mem.errors import ModelError, UsageError
from archive_mem.evals.benchmarks.dynamicmem.bench import run

_HERE = "tests.evals.dynamicmem_adapters"
_KEY = "preferences_state:milk"
GOLD = f"GOLD-{uuid4().hex}"


def _log(number: int, milk: str, data: Path) -> dict[str, Any]:
    return {
        "app_log_id": f"log_{number}",
        "timestamp": f"2024-0{number}-01 08:00:00",
        "app_name": "BeanLine",
        "api_name": "order_coffee",
        "request": {"milk": milk, "data": str(data)},
        "response": {"offered": ["oat milk", "dairy milk"]},
    }


def _cut(number: int, milk: str) -> dict[str, Any]:
    ask = {"question_text": "Which milk?", "answer_template": "<fill the blank>"}
    point = {"point_id": "p", "point_text": f"says {GOLD}", "reference_value": GOLD}
    gate = {"point_id": "g", "point_role": "identity_gate", "reference_value": GOLD}
    item = {
        "qa_id": f"q_{GOLD}",
        "service_family": "user_communication",
        "scenario": "Morning.",
        "task_instruction": "Order for the user.",
        "reference_answer": GOLD,
        "retrieval_query": "Order coffee.",
        "answer_scoring_points": [gate, point],
        "gold_memory_evidence_app_log_ids": [f"log_{number}"],
        "notes": GOLD,
    }
    return {
        "checkpoint_id": f"C{number}",
        "as_of": {"log_index": number - 1, "app_log_id": f"log_{number}"},
        "validated_snapshot_state": {_KEY: milk, "preferences_state:secret": GOLD},
        "state_observability": {_KEY: {"evidence_app_log_ids": [f"log_{number}"]}},
        "state_completion_pack": {
            "keys": {
                _KEY: ask,
                "preferences_state:secret": {**ask, "scoring_points": [{"t": GOLD}]},
            }
        },
        "rq3_apply_service_qa": {"keys": {f"preferences_state:{GOLD}": {"items": [item]}}},
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One person of three logs, whose gold has a mark that no log and no question has."""
    home = tmp_path_factory.mktemp("people") / "one"
    home.mkdir()
    milks = ["oat milk", "oat milk", "dairy milk"]
    logs = [_log(number, milk, home) for number, milk in enumerate(milks, 1)]
    packs = {
        "task_contract_version": "taskabc_v2",
        "checkpoints": [_cut(number, milk) for number, milk in enumerate(milks, 1)],
    }
    (home / "app_log_large.json").write_text(json.dumps(logs))
    (home / "task_packs.json").write_text(json.dumps(packs))
    return home.parent


@pytest.fixture(scope="module")
def ran(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Mapping[str, Any], Path]:
    """All adapters in one run."""
    out = tmp_path_factory.mktemp("run")
    names = ["Cheater", "Peeker", "Learner", "Honest", "Broken"]
    return run(data, [f"{_HERE}:{name}" for name in names], out), out


def test_a_cheater_finds_no_gold_anywhere(ran: tuple[Mapping[str, Any], Path]) -> None:
    summary, out = ran
    records = [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]
    tried = [each for each in records if each["system"] == "cheater"]
    assert len(tried) == 9
    assert all(json.loads(each["reply"]) == {"loot": []} for each in tried)
    assert summary["systems"]["cheater"]["score"]["mean"] == 0.0


def test_what_the_cheater_tried_was_refused_and_is_told(
    ran: tuple[Mapping[str, Any], Path], data: Path
) -> None:
    refused = json.loads((ran[1] / "audit.json").read_text())["cheater"]["refused"]
    told = "\n".join(refused)
    assert f"read {data / 'one' / 'task_packs.json'}" in refused
    assert "start a process" in refused
    assert "/environ" in told
    assert "/cmdline" in told
    assert "/mem" in told


def test_the_audit_lists_every_field_and_gold_is_none_of_them(
    ran: tuple[Mapping[str, Any], Path],
) -> None:
    told = json.loads((ran[1] / "audit.json").read_text())
    assert set(told["honest"]["received"]["ask"]) == {
        "checkpoint",
        *(f"query.{name}" for name in ("family", "id", "key", "oracle", "query", "question")),
        "query.task",
        "query.template",
    }
    assert set(told["honest"]["received"]["prepare"]) == {
        *(f"checkpoint.{name}" for name in ("at", "id", "log_index")),
        *(f"logs[].{name}" for name in ("api", "app", "at", "id", "request", "response")),
    }
    assert GOLD not in (ran[1] / "records.jsonl").read_text()
    assert GOLD in (ran[1] / "judgements.jsonl").read_text()


def test_one_that_looks_ahead_is_caught(ran: tuple[Mapping[str, Any], Path]) -> None:
    checks = {name: body["checks"] for name, body in ran[0]["systems"].items()}
    assert checks["peeker"]["different"]
    assert checks["honest"]["different"] == []
    assert checks["honest"]["asked_again"] == 6


def test_one_that_learns_from_being_asked_is_caught(ran: tuple[Mapping[str, Any], Path]) -> None:
    checks = {name: body["checks"] for name, body in ran[0]["systems"].items()}
    assert checks["learner"]["changed"] == ["one C1", "one C2", "one C3"]
    assert checks["honest"]["changed"] == []


def test_an_honest_one_is_scored_and_a_broken_one_counted(
    ran: tuple[Mapping[str, Any], Path],
) -> None:
    honest, broken = (ran[0]["systems"][name] for name in ("honest", "broken"))
    right = [json.loads(line) for line in (ran[1] / "records.jsonl").read_text().splitlines()]
    milk = [r for r in right if r["system"] == "honest" and r["sample"].endswith(_KEY)]
    assert [each["value"] for each in milk] == [100.0, 100.0, 100.0]
    assert [each["parts"]["evidence_f1"] for each in milk] == [1.0, 1.0, 1.0]
    assert [each["parts"]["updated"] for each in milk] == [0.0, 0.0, 1.0]
    assert (broken["n"], broken["failed"], broken["scored"]) == (9, 9, 0)
    assert "nothing works" in next(iter(broken["reasons"]))
    assert honest["slices"]["update"]["n"] == 1


def test_a_killed_run_goes_on_to_the_same_figures(data: Path, tmp_path: Path) -> None:
    names = [f"{_HERE}:Honest"]
    whole = run(data, names, tmp_path / "run")
    records = tmp_path / "run" / "records.jsonl"
    records.write_bytes(b"".join(records.read_bytes().splitlines(keepends=True)[:4]) + b'{"half')
    again = run(data, names, tmp_path / "run")
    for timeless in ("score", "people", "percent", "checkpoints", "slices", "failures"):
        assert again["systems"]["honest"][timeless] == whole["systems"]["honest"][timeless]
    assert "looked ahead" in (tmp_path / "run" / "report.html").read_text()


def test_unknown_systems_and_data_among_the_program_are_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no system 'nobody'"):
        run(data, ["nobody"], tmp_path / "a")
    with pytest.raises(UsageError, match="put the data elsewhere"):
        run(Path("archive_mem/data"), ["ours"], tmp_path / "b")


def test_the_command_makes_people_and_measures(tmp_path: Path) -> None:
    said = CliRunner().invoke(
        bench,
        ["dynamicmem", "--generate", "1", "--seed", "4000", "--systems", "ours,bm25,oracle",
         "--out", str(tmp_path), "--json"],
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    report = json.loads(said.stdout)
    assert {"name", "n", "unscored", "failed", "seconds"} <= report.keys()
    assert (report["name"], report["unscored"], report["failed"]) == ("dynamicmem", 0, 0)
    ours, words = (report["systems"][name] for name in ("ours", "bm25"))
    assert ours["percent"]["state habit"]["core"] >= 90
    assert ours["percent"]["service habit"]["core"] >= 60
    assert ours["score"]["mean"] > words["score"]["mean"]
    assert ours["checks"]["different"] == ours["checks"]["changed"] == []
