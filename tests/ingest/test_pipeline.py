"""The whole pipeline on a few files of the sample archive, with the real models."""

import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from archive_mem.errors import MemoryBusy, NothingToIngest, VaultError
from archive_mem.ingest.notes import TypedSubjective
from archive_mem.ingest.report import IngestReport
from archive_mem.wiring import Memory, open_memory

ONLY = {"run-first", "espresso-2021", "desk-marefluxo", "blossom-2024", "run-clip", "steak"}
# What differs between two memories on purpose: keys, times of work, and where the files lie.
VOLATILE = {"at", "seconds", "saved_at", "sealed", "fingerprint", "relative_fingerprint",
            "album_sealed", "texts_sealed", "mtime_ns", "content_mark"}  # fmt: skip
# Row ids are in order of arrival, which workers do not promise.
COLUMNS = {"descriptions": "item_id, producer, prompt_version, body"}
COMPARED = ("items", "paths", "ledger", "descriptions", "sessions", "session_items", "turns",
            "profile_steps")  # fmt: skip


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sample_archive.build import build

    target = tmp_path_factory.mktemp("few") / "media"
    build(target, only=ONLY)
    (target / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 this is no picture")
    (target / "empty.jpg").write_bytes(b"")
    return target


@pytest.fixture(scope="module")
def undisturbed(media: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed") / "memory"
    ingest(folder, media)
    return folder


def ingest(folder: Path, media: Path) -> IngestReport:
    with open_memory(folder, create=True) as opened:
        return opened.ingest([media])


def content(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Everything in the catalog that must not depend on how a run went."""
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as raw:
        raw.row_factory = sqlite3.Row
        tables = {
            name: [dict(row) for row in raw.execute(f"SELECT {COLUMNS.get(name, '*')} FROM {name}")]
            for name in COMPARED
        }
    return {
        name: sorted(
            ({k: v for k, v in row.items() if k not in VOLATILE} for row in rows),
            key=lambda row: json.dumps(row, sort_keys=True),
        )
        for name, rows in tables.items()
    }


def derived(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((folder / "derived").rglob("*"))
        if path.is_file() and path.suffix == ".jpg"
    }


def originals(media: Path) -> dict[str, tuple[str, int]]:
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in media.rglob("*")
        if path.is_file()
    }


def test_bad_files_are_failed_items_and_the_rest_goes_on(undisturbed: Path) -> None:
    with open_memory(undisturbed) as opened:
        rows = list(opened.item_rows())
    by_status = {
        status: [row for row in rows if row["status"] == status] for status in ("done", "failed")
    }
    assert len(by_status["done"]) == len(ONLY)
    assert sorted(Path(row["paths"][0]).name for row in by_status["failed"]) == [
        "broken.jpg",
        "empty.jpg",
    ]
    assert all(row["reason"] and "/" not in row["reason"] for row in by_status["failed"])


def test_a_second_run_does_no_work(undisturbed: Path, media: Path) -> None:
    before = content(undisturbed)
    report = ingest(undisturbed, media)
    assert (report.worked, report.sessions_changed) == (0, 0)
    assert any("no work was done" in line for line in report.lines())
    assert len(report.failed) == 2
    assert content(undisturbed) == before


def test_originals_are_only_read(media: Path, tmp_path: Path) -> None:
    before = originals(media)
    ingest(tmp_path / "memory", media)
    assert originals(media) == before


@pytest.mark.parametrize(
    ("where", "count"),
    [
        ("archive_mem.catalog.items:save_derived", 3),
        pytest.param("archive_mem.catalog.items:save_texts", 4, marks=pytest.mark.slow),
        pytest.param("archive_mem.catalog.sessions:replace", 2, marks=pytest.mark.slow),
        ("archive_mem.catalog.sessions:mark_indexed", 1),
    ],
    ids=["while reading", "while redacting", "while weaving", "while indexing"],
)
def test_a_killed_run_goes_on_to_the_same_memory(
    where: str, count: int, media: Path, undisturbed: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "memory"
    script = Path(__file__).with_name("killed_ingest.py")
    killed = subprocess.run(
        [sys.executable, script, folder, media, where, str(count)],
        check=False,
        capture_output=True,
        timeout=300,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    ingest(folder, media)
    assert content(folder) == content(undisturbed)
    assert derived(folder) == derived(undisturbed)
    with open_memory(folder) as opened:
        proof = opened.verify()
    assert proof["ok"], proof


@pytest.mark.slow
def test_one_worker_makes_the_same_memory(
    media: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCHIVE_MEM_WORKERS", "1")
    ingest(tmp_path / "memory", media)
    assert content(tmp_path / "memory") == content(undisturbed)


def test_a_second_ingest_is_told_and_notes_are_still_saved(undisturbed: Path, media: Path) -> None:
    with open_memory(undisturbed) as owner, open_memory(undisturbed) as other:
        item = next(owner.records()).item_id
        with owner.folder.owned():
            with pytest.raises(MemoryBusy, match="another archive-mem"):
                other.ingest([media])
            version = other.notes.save(item, "second", TypedSubjective(context="still saved"))
        assert version == 1
        assert item in {record.item_id for record in other.records()}


def test_a_file_that_grew_takes_the_place_of_its_first_import(media: Path, tmp_path: Path) -> None:
    folder, incoming = tmp_path / "memory", tmp_path / "incoming"
    incoming.mkdir()
    whole = next(media.rglob("IMG_20210306*.jpg")).read_bytes()
    target = incoming / "IMG_20210306_084210.jpg"
    target.write_bytes(whole[: len(whole) // 2])
    ingest(folder, incoming)
    with open_memory(folder) as opened:
        half = next(opened.item_rows())
        opened.notes.save(half["id"], "owner", TypedSubjective(context="typed too early"))
    assert half["status"] == "failed"
    target.write_bytes(whole)
    ingest(folder, incoming)
    with open_memory(folder) as opened:
        rows = list(opened.item_rows())
        record = next(opened.records())
    assert [row["status"] for row in rows] == ["done"]
    assert record.subjective is not None
    assert str(record.subjective.context) == "typed too early"


def test_an_empty_folder_is_one_line(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with (
        open_memory(tmp_path / "memory", create=True) as opened,
        pytest.raises(NothingToIngest, match="no photos or videos"),
    ):
        opened.ingest([empty])


def test_a_lost_index_comes_back(undisturbed: Path, media: Path) -> None:
    import shutil

    shutil.rmtree(undisturbed / "chroma")
    ingest(undisturbed, media)
    with open_memory(undisturbed) as opened:
        assert opened.verify()["index_missing"] == 0


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are UTF-8")
def test_a_file_name_that_is_no_text_stops_nothing(media: Path, tmp_path: Path) -> None:
    incoming = tmp_path / "incoming"
    incoming.mkdir()
    photo = next(media.rglob("IMG_20210306*.jpg")).read_bytes()
    (incoming / os.fsdecode(b"bad\xff\xfename.jpg")).write_bytes(photo)
    report = ingest(tmp_path / "memory", incoming)
    assert (report.worked, report.failed) == (1, {})
    with open_memory(tmp_path / "memory") as opened:
        (row,) = opened.item_rows()
    assert row["status"] == "done"


def test_what_a_killed_run_left_half_written_is_removed(undisturbed: Path, media: Path) -> None:
    whole = next((undisturbed / "derived").rglob("*.mp4"))
    draft = whole.with_name(f".{whole.stem}.0a1b2c3d.part.mp4")
    draft.write_bytes(b"half")
    ingest(undisturbed, media)
    assert not draft.exists()
    assert whole.exists()


def test_a_broken_derivative_is_told_and_the_rest_is_still_verified(
    undisturbed: Path, tmp_path: Path
) -> None:
    import shutil

    folder = tmp_path / "memory"
    shutil.copytree(undisturbed, folder)
    broken, other = sorted((folder / "derived").rglob("*.jpg"))[:2]
    broken.write_bytes(b"no picture at all")
    other.unlink()
    with open_memory(folder) as opened:
        proof = opened.verify()
    assert not proof["ok"]
    told = "\n".join(proof["leaks"])
    assert f"{broken.name}: the derivative cannot be read" in told
    assert f"{other.name}: it is missing" in told


def test_a_lost_vault_is_told_and_no_other_takes_its_place(
    undisturbed: Path, media: Path, tmp_path: Path
) -> None:
    import shutil

    folder = tmp_path / "memory"
    shutil.copytree(undisturbed, folder)
    (folder / "vault.sqlite").unlink()
    with open_memory(folder) as opened, pytest.raises(VaultError, match="missing"):
        list(opened.item_rows())
    with pytest.raises(VaultError, match="missing"):
        ingest(folder, media)
    assert not (folder / "vault.sqlite").exists()


def test_the_last_line_about_a_layer_counts_and_again_changes_nothing(
    undisturbed: Path, tmp_path: Path
) -> None:
    with open_memory(undisturbed) as opened:
        item = next(opened.records()).item_id
        lines = [
            {"media": item, "annotator": "twice", "subjective": {"feelings": feeling}}
            for feeling in ("tired", "awake")
        ]
        file = tmp_path / "twice.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
        first, again = (opened.import_annotations(file) for _ in range(2))
        (kept,) = [line for line in opened.notes.export() if line["annotator"] == "twice"]
    assert (first.saved, first.same, first.replaced) == (1, 0, 1)
    assert (again.saved, again.same, again.replaced) == (0, 1, 1)
    assert kept["subjective"]["feelings"] == "awake"


@pytest.mark.parametrize(
    "time", [17, 1.5e9, "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00+14:00", "yesterday"]
)
def test_a_time_that_is_none_is_a_bad_line(
    undisturbed: Path, tmp_path: Path, time: str | float
) -> None:
    with open_memory(undisturbed) as opened:
        item = next(opened.records()).item_id
        file = tmp_path / "times.jsonl"
        line = {"media": item, "annotator": "clock", "objective": {"captured_at": time}}
        file.write_text(json.dumps(line), "utf-8")
        report = opened.import_annotations(file)
    assert report.saved == 0
    ((number, reason),) = report.bad
    assert number == 1
    assert reason.startswith("objective.captured_at: ")


def test_readers_go_on_during_a_write(undisturbed: Path) -> None:
    with open_memory(undisturbed) as writer, open_memory(undisturbed) as reader:
        done = threading.Event()
        with writer.catalog.writing():
            thread = threading.Thread(target=lambda: (list(reader.records()), done.set()))
            thread.start()
            assert done.wait(10)
        thread.join()


def secrets_of(opened: Memory) -> list[str]:
    return [name for entry in opened.vault.names() for name in (entry.name, *entry.aliases)]


def test_no_real_name_is_in_any_file_of_the_memory(media: Path, tmp_path: Path) -> None:
    from anonymize.verify import find_secrets

    folder = tmp_path / "memory"
    album = tmp_path / "in" / "Zebediah Quux and friends"
    album.mkdir(parents=True)
    (album / "zebediah quux.jpg").write_bytes(next(media.rglob("IMG_2021*.jpg")).read_bytes())
    names = tmp_path / "names.txt"
    names.write_text("friend\tZebediah Quux\tZeb|@zebquux\n", "utf-8")
    note = {"media": "Zebediah Quux and friends/zebediah quux.jpg",
            "objective": {"people": ["Zebediah Quux"], "event": "lunch with Zebediah Quux"},
            "subjective": {"context": "Zebediah Quux told me 06 12 34 56 78"}}  # fmt: skip
    (tmp_path / "notes.jsonl").write_text(json.dumps(note) + "\n", "utf-8")
    with open_memory(folder, create=True) as opened:
        opened.ingest([tmp_path / "in"], names)
        assert opened.import_annotations(tmp_path / "notes.jsonl").saved == 2
        assert "Zebediah Quux" in secrets_of(opened)
        answer = opened.ask("When did I have lunch with Zebediah Quux?")
        assert "Zebediah" not in str(answer)
    assert find_secrets(folder, ["Zebediah Quux", "zebquux", "06 12 34 56 78"]) == []
