"""archive-mem export as a user meets it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.anonymize.doubles import NoFaces
from tests.cli.test_cli import Run, one_line, run
from tests.release.small import PLANTED, rows, small, write_rows

__all__ = ["run"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real detector takes a second a picture; tests/anonymize look at it."""
    monkeypatch.setattr("anonymize.detectors.RetinaFaceDetector", lambda threads: NoFaces())


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    small(tmp_path / "memory").close()
    return tmp_path / "memory"


def test_it_says_what_is_in_it_and_what_is_not(run: Run, memory: Path, tmp_path: Path) -> None:
    result = run("export", tmp_path / "out", "--memory", memory)
    assert result.code == 3
    assert "6 items, 2 sessions, 2 annotations, 0 questions" in result.out
    assert "caption withheld for a name" in result.err
    assert "fill in LICENSE" in result.out
    assert not any(each.lower() in (result.out + result.err).lower() for each in PLANTED[:9])


def test_json_has_the_counts(run: Run, memory: Path, tmp_path: Path) -> None:
    questions = write_rows(
        tmp_path / "qa.jsonl",
        [{"id": "a", "tier": "T1", "subtask": "1.1", "question": "Where?", "evidence": ["x.jpg"]}],
    )
    result = run(
        *("export", tmp_path / "out", "--memory", memory, "--json", "--qa", questions),
        *("--shift-times", "--profile"),
    )
    body = json.loads(result.out)
    assert result.code == 3
    assert body["by_media"] == {"photo": 5, "video": 1}
    assert body["left_out"] == [{"question": "a", "why": "1 of its media are not in the release"}]
    assert body["withheld"][0]["why"] == "a name"
    assert json.loads((tmp_path / "out/release.json").read_text())["times_shifted"] is True
    assert rows(tmp_path / "out/qa.jsonl") == []


def test_a_refusal_is_one_line(run: Run, memory: Path, tmp_path: Path) -> None:
    next(memory.glob("derived/*/*0.jpg")).write_bytes(b"no picture")
    result = run("export", tmp_path / "out", "--memory", memory)
    assert result.code == 1
    assert one_line(result)
    assert "does not verify" in result.err
    assert not (tmp_path / "out").exists()


def test_no_memory_is_one_line(run: Run, tmp_path: Path) -> None:
    result = run("export", tmp_path / "out", "--memory", tmp_path / "none")
    assert result.code == 1
    assert one_line(result)


def test_a_folder_is_asked_for(run: Run, memory: Path) -> None:
    assert run("export", "--memory", memory).code == 2
