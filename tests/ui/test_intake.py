"""Reading a folder from the page: completion, estimate, a process that can be paused."""

import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from archive_mem.errors import UsageError
from archive_mem.wiring import Memory
from ui.intake import Intake, completions, folder_of, survey
from ui.jobs import Jobs


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "My Photos"
    for name in ("2023", "2024", ".hidden"):
        (folder / name).mkdir(parents=True)
    Image.new("RGB", (32, 24), (9, 90, 200)).save(folder / "2023" / "a.jpg")
    (folder / "2023" / "b.mp4").write_bytes(b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom")
    (folder / "notes.txt").write_text("x")
    return folder


def test_folders_are_completed_and_never_files_or_hidden_ones(photos: Path) -> None:
    assert completions(f"{photos}/") == [f"{photos}/2023/", f"{photos}/2024/"]
    assert completions(f"{photos}/202") == [f"{photos}/2023/", f"{photos}/2024/"]
    assert completions(f"{photos}/.h") == [f"{photos}/.hidden/"]
    assert completions(str(photos.parent / "my ph")) == [f"{photos}/"]
    for odd in ("photos", "../..", "/nowhere/x", "\0", f"{photos}/notes"):
        assert completions(odd) == []


@pytest.mark.parametrize("typed", ["", " ", "photos", "~nobody-here/x", "/nowhere", "/etc/passwd"])
def test_what_is_no_folder_is_refused(typed: str) -> None:
    with pytest.raises(UsageError):
        folder_of(typed)


def test_an_estimate_counts_by_kind_and_grows_with_videos(photos: Path, memory: Memory) -> None:
    found = survey(photos, memory.catalog, workers=1)
    assert (found["photos"], found["videos"]) == (1, 1)
    assert found["left"] == {"not a photo or video": 1, "hidden": 1}
    assert found["seconds"] > survey(photos, memory.catalog, workers=4)["seconds"] > 0


def _until(intake: Intake, word: str) -> dict[str, Any]:
    for _ in range(400):
        state = intake.state()
        if state["state"] == word:
            return state
        time.sleep(0.02)
    raise AssertionError(state)


STOPPABLE = """
import sys, time
print("begun", flush=True)
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("stopped; run the same command again to go on")
    sys.exit(130)
"""


def test_it_is_paused_cleanly_goes_on_and_says_how_it_ended(
    photos: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = Intake(memory.folder.root, memory.catalog)
    monkeypatch.setattr("ui.intake._CODE", STOPPABLE)
    intake.start(photos, "person\tJane Roe")
    assert intake.state()["state"] == "running"
    assert intake.state()["total"] == 2
    private = next(iter(intake._private.glob("names.txt")))
    assert private.stat().st_mode & 0o077 == 0
    with pytest.raises(UsageError, match="already"):
        intake.start(photos)
    while not (intake._private / "out").read_bytes():
        time.sleep(0.02)
    intake.pause()
    assert "go on" in _until(intake, "paused")["said"]
    assert not private.exists()
    monkeypatch.setattr("ui.intake._CODE", "import sys; print('1 failed'); sys.exit(3)")
    intake.resume()
    assert _until(intake, "done")["said"] == "1 failed"
    monkeypatch.setattr("ui.intake._CODE", "import sys; sys.exit('error: the disk is full')")
    intake.resume()
    assert "disk is full" in _until(intake, "failed")["said"]
    intake.close()
    assert not intake._private.exists()


def test_closing_waits_for_what_runs(
    photos: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = Intake(memory.folder.root, memory.catalog)
    monkeypatch.setattr("ui.intake._CODE", STOPPABLE)
    intake.start(photos)
    while not (intake._private / "out").read_bytes():
        time.sleep(0.02)
    intake.close()
    assert intake._run is not None
    assert intake._run.process.returncode == 130


def test_jobs_run_one_at_a_time_and_tell_how_far_they_are() -> None:
    jobs = Jobs()
    go = []

    def work(track: Any) -> dict[str, Any]:
        for _ in track([1, 2], "Counting", 2):
            while not go:
                time.sleep(0.005)
        return {"sum": 3}

    job = jobs.start("count", work)
    with pytest.raises(UsageError, match="something else"):
        jobs.start("other", work)
    go.append(1)
    jobs.wait(5)
    assert (job.state, job.done, job.total, job.result) == ("done", 2, 2, {"sum": 3})


def test_a_job_that_breaks_says_one_line_without_what_it_held() -> None:
    def broken(_track: Any) -> dict[str, Any]:
        raise ValueError("Jane Roe")

    jobs = Jobs()
    job = jobs.start("x", broken)
    jobs.wait(5)
    assert (job.state, job.problem) == ("failed", "unexpected ValueError")
