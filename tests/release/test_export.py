"""A release shows nobody who its people are, and is there whole or not at all."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image

from anonymize.verify import find_secrets, scan_derivative
from archive_mem.catalog import items
from archive_mem.release import words
from archive_mem.release.names import ReleaseNames
from archive_mem.release.target import Target
from archive_mem.schema.media import MediaKind
from archive_mem.wiring import Memory, open_memory
from tests.anonymize.doubles import RedFaces
from tests.release.small import (
    LATE,
    PLANTED,
    content,
    refused,
    release,
    rows,
    small,
    write_rows,
)
from tests.ui.sample import item_id


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "memory"
    small(folder).close()
    return folder


@pytest.fixture
def memory(made: Path, tmp_path: Path) -> Iterator[Memory]:
    shutil.copytree(made, tmp_path / "memory")
    with open_memory(tmp_path / "memory") as opened:
        yield opened


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_nothing_personal_is_in_any_byte(memory: Memory, out: Path) -> None:
    release(memory, out)
    assert len(content(out)) > 8
    assert find_secrets(out, PLANTED) == []


def test_a_name_learned_late_is_replaced_on_the_way_out(memory: Memory, out: Path) -> None:
    found = release(memory, out)
    captions = [row["caption"] for row in rows(out / "media/images/metadata.jsonl")]
    assert "A walk with Friend A, who was not known yet." in captions
    assert LATE not in captions
    assert [(each.item, each.field, each.why) for each in found.withheld] == [
        (item_id(3), "caption", "a name")
    ]
    assert not found.whole


def test_an_item_says_what_is_known_of_it(memory: Memory, out: Path) -> None:
    release(memory, out)
    first, *rest = rows(out / "media/images/metadata.jsonl")
    assert (out / "media/images" / first["file_name"]).is_file()
    assert first["captured_at"] == "2022-03-05T09:00:00"
    assert (first["utc_offset"], first["precision"], first["year"]) == ("+09:00", "second", 1)
    assert (first["country"], first["country_code"]) == ("Japan", "JP")
    assert (first["latitude"], first["longitude"]) == (35.02, 135.75)
    assert len(rest) == 4
    assert len({row["id"] for row in [first, *rest]}) == 5


def test_pictures_and_videos_are_copies_of_the_derivatives(memory: Memory, out: Path) -> None:
    found = release(memory, out)
    derived = {path.read_bytes() for path in (memory.folder.derived).rglob("*")
               if path.is_file() and ".thumb" not in path.name}  # fmt: skip
    media = [path for path in (out / "media").rglob("*") if path.suffix in (".jpg", ".mp4")]
    assert found.counts.media == {"photo": 5, "video": 1}
    assert len(media) == 6
    assert {path.read_bytes() for path in media} <= derived
    assert all(scan_derivative(path) == [] for path in media)


def test_annotations_can_be_imported_and_name_nobody(memory: Memory, out: Path) -> None:
    release(memory, out)
    lines = rows(out / "annotations.jsonl")
    assert {line["annotator"] for line in lines} == {"annotator 1", "annotator 2"}
    assert [line["objective"]["people"] for line in lines if "objective" in line] == [["Friend A"]]
    assert all((out / line["media"]).is_file() for line in lines)


def test_a_second_export_is_the_same_to_the_byte(memory: Memory, out: Path, tmp_path: Path) -> None:
    release(memory, out, shift_times=True)
    before = content(out)
    release(memory, out, shift_times=True)
    release(memory, tmp_path / "again", shift_times=True)
    assert content(out) == before == content(tmp_path / "again")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "memory", "out"]


def test_ids_say_nothing_about_originals_and_differ_between_memories(
    memory: Memory, out: Path, tmp_path: Path
) -> None:
    release(memory, out)
    with small(tmp_path / "other") as other:
        release(other, tmp_path / "second")
    first, second = (
        {row["id"] for row in rows(folder / "media/images/metadata.jsonl")}
        for folder in (out, tmp_path / "second")
    )
    assert first.isdisjoint(second)
    assert first.isdisjoint(item_id(number) for number in range(6))


# --------------------------------------------------------------------------------- refusals


def derivative(memory: Memory, number: int) -> Path:
    return memory.folder.derived / "00" / f"{item_id(number)}.jpg"


def test_metadata_in_a_derivative_refuses(memory: Memory, out: Path) -> None:
    exif = Image.Exif()
    exif[0xA431] = "SN-4711-0815"
    Image.open(derivative(memory, 0)).save(derivative(memory, 0), exif=exif)
    assert "does not verify" in refused(memory, out)
    assert not out.exists()


def test_a_face_that_is_left_refuses(memory: Memory, out: Path) -> None:
    picture = Image.new("RGB", (400, 300), (90, 120, 90))
    picture.paste((250, 10, 10), (120, 80, 220, 200))
    picture.save(derivative(memory, 0))
    assert "with a face left" in refused(memory, out, detector=RedFaces())
    assert not out.exists()


def test_what_passes_all_else_is_stopped_at_the_gate(
    memory: Memory, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words.Cleaner, "text", lambda self, text, *_, **__: text and str(text))
    assert refused(memory, out).startswith("media/images/metadata.jsonl would hold a personal")
    assert list(out.parent.iterdir()) == [memory.folder.root]


@pytest.mark.parametrize("below", ["", "derived/out", "../memory/new"])
def test_inside_the_memory_refuses(memory: Memory, below: str) -> None:
    assert "inside the memory" in refused(memory, memory.folder.root / below)


def test_a_folder_with_other_files_refuses_and_keeps_them(memory: Memory, out: Path) -> None:
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    assert "holds other files" in refused(memory, out)
    assert content(out) == {"thesis.txt": b"years of work"}


def test_a_file_beside_the_earlier_release_refuses(memory: Memory, out: Path) -> None:
    release(memory, out)
    (out / "media/notes.txt").write_text("mine")
    assert "media/notes.txt is not of the earlier release" in refused(memory, out)
    assert (out / "media/notes.txt").read_text() == "mine"


def test_the_release_of_another_memory_refuses(memory: Memory, out: Path, tmp_path: Path) -> None:
    with small(tmp_path / "other") as other:
        release(other, out)
    assert "holds other files" in refused(memory, out)


def test_a_file_in_its_place_refuses(memory: Memory, out: Path) -> None:
    out.write_text("a file")
    assert "no folder" in refused(memory, out)


def test_an_edited_card_refuses_and_a_signed_licence_stays(memory: Memory, out: Path) -> None:
    release(memory, out)
    (out / "LICENSE").write_text("CC BY-NC 4.0, signed")
    release(memory, out)
    release(memory, out)
    assert (out / "LICENSE").read_text() == "CC BY-NC 4.0, signed"
    (out / "README.md").write_text("my own words")
    assert "README.md was edited" in refused(memory, out)
    assert (out / "README.md").read_text() == "my own words"


def test_a_full_disk_is_one_line_and_leaves_nothing(
    memory: Memory, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    assert refused(memory, out) == f"{out}: the release cannot be written (No space left on device)"
    assert list(out.parent.iterdir()) == [memory.folder.root]


def test_an_empty_folder_and_a_link_to_one_are_fine(memory: Memory, out: Path) -> None:
    out.mkdir()
    link = out.with_name("link")
    link.symlink_to(out)
    release(memory, link)
    assert (out / "README.md").is_file()
    assert link.is_symlink()


# ------------------------------------------------------------------------------------ kills


def killed(memory: Path, out: Path, where: str, count: int) -> None:
    script = Path(__file__).with_name("killed_export.py")
    root = str(script.parents[2])
    paths = os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(script), str(memory), str(out), where, str(count)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("where", "count"), [("shutil:copyfile", 3), ("archive_mem.release.target:_flush", 2)]
)
def test_a_killed_export_leaves_nothing(made: Path, tmp_path: Path, where: str, count: int) -> None:
    home, out = tmp_path / "memory", tmp_path / "out"
    shutil.copytree(made, home)
    killed(home, out, where, count)
    assert not out.exists()
    assert len(list(tmp_path.glob(".out.*.part"))) == 1
    with open_memory(home) as opened:
        release(opened, out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory", "out"]


def test_a_kill_before_the_last_step_keeps_the_earlier_release(made: Path, tmp_path: Path) -> None:
    home, out = tmp_path / "memory", tmp_path / "out"
    shutil.copytree(made, home)
    with open_memory(home) as opened:
        release(opened, out)
    before = content(out)
    killed(home, out, "shutil:copyfile", 2)
    assert content(out) == before
    out.rename(tmp_path / ".out.0123abcd.old")
    mark = json.loads((tmp_path / ".out.0123abcd.old/release.json").read_text())["archive"]
    Target.check(out, home, mark)
    assert content(out) == before


# ------------------------------------------------------------------------------------ times


def test_shifted_times_keep_intervals_and_weekdays(
    memory: Memory, out: Path, tmp_path: Path
) -> None:
    release(memory, out)
    found = release(memory, tmp_path / "shifted", shift_times=True)
    pairs = [
        (datetime.fromisoformat(a["captured_at"]), datetime.fromisoformat(b["captured_at"]))
        for a, b in zip(
            rows(out / "media/images/metadata.jsonl"),
            rows(tmp_path / "shifted/media/images/metadata.jsonl"),
            strict=True,
        )
    ]
    (moved,) = {after - before for before, after in pairs}
    assert moved % timedelta(weeks=1) == timedelta(0)
    assert timedelta(days=3600) < moved < timedelta(days=22_000)
    sessions = rows(tmp_path / "shifted/sessions.jsonl")
    assert sessions[0]["started"] == pairs[0][1].isoformat()
    text = "".join(path.read_text("utf-8") for path in (tmp_path / "shifted").rglob("*.jsonl"))
    assert "2022-" not in text
    assert "2022" not in text.replace("SHA", "")
    (event,) = [
        line["objective"]["event"]
        for line in rows(tmp_path / "shifted/annotations.jsonl")
        if "objective" in line
    ]
    after = pairs[0][1]
    assert event == f"lunch with Friend A on {after.day} {after:%B} {after.year}"
    assert found.counts.years == {1: 6}


# -------------------------------------------------------------------------------- questions


def test_questions_point_to_media_of_the_release(memory: Memory, out: Path, tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "qa.jsonl",
        [
            {"id": "mine-1", "tier": "T1", "subtask": "1.1", "question": "Who was Philippa Quenby?",
             "asked_at": "2026-01-12T12:00:00", "answer": "a friend", "evidence": ["IMG_0.jpg"],
             "photo": "IMG_1.jpg"},
            {"id": "mine-2", "tier": "T3", "subtask": "3.1", "question": "What next?",
             "options": [{"id": "x", "text": "tea"}, {"id": "y", "text": "soup"}],
             "ranking": ["y", "x"]},
            {"id": "mine-3", "tier": "T1", "subtask": "1.1", "question": "Where?",
             "evidence": ["IMG_0.jpg", "IMG_999.jpg"]},
            {"id": "mine-4", "tier": "T9", "subtask": "1.1", "question": "Where?"},
            {"id": "mine-5", "question": "no tier"},
        ],
    )  # fmt: skip
    found = release(memory, out, questions=file)
    first, second = rows(out / "qa.jsonl")
    assert first["question"] == "Who was Friend A?"
    assert all((out / path).is_file() for path in [*first["evidence"], first["photo"]])
    assert second["options"] == [{"id": "1", "text": "tea"}, {"id": "2", "text": "soup"}]
    assert second["ranking"] == ["2", "1"]
    assert [each.question for each in found.left_out] == ["mine-3", "mine-4", "line 5"]
    assert "1 of its media" in found.left_out[0].why
    assert find_secrets(out, [*PLANTED, "mine-1", "IMG_1.jpg"]) == []


def test_a_question_whose_date_may_be_of_any_year_is_left_out_when_times_are_shifted(
    memory: Memory, out: Path, tmp_path: Path
) -> None:
    asked = {"tier": "T1", "subtask": "1.1", "asked_at": "2026-01-12T12:00:00"}
    file = write_rows(
        tmp_path / "qa.jsonl",
        [
            {"id": "a", "question": "Where was I on 12 May?", **asked},
            {"id": "b", "question": "Where was I on 12 May 2022?", **asked},
        ],
    )
    found = release(memory, out, questions=file, shift_times=True)
    assert [each.question for each in found.left_out] == ["a"]
    (left,) = rows(out / "qa.jsonl")
    assert "2022" not in left["question"]


def test_a_missing_file_of_questions_is_one_line(memory: Memory, out: Path, tmp_path: Path) -> None:
    assert "cannot be read" in refused(memory, out, questions=tmp_path / "none.jsonl")
    assert not out.exists()


# -------------------------------------------------------------------------- who else reads it

LOAD = """
import sys
from datasets import Video, load_dataset
folder, cache = sys.argv[1:]
images = load_dataset(folder, "images", cache_dir=cache)["train"]
assert images.num_rows == 5, images
assert images[0]["image"].size == (640, 480)
assert images[0]["country"] == "Japan"
videos = load_dataset("videofolder", data_dir=f"{folder}/media/videos", cache_dir=cache)["train"]
assert videos.cast_column("video", Video(decode=False))[0]["duration"] == 7.0
for name in ("sessions", "annotations"):
    assert load_dataset("json", data_files=f"{folder}/{name}.jsonl", cache_dir=cache)["train"][0]
"""


def test_hugging_face_datasets_reads_it(memory: Memory, out: Path, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    release(memory, out)
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(out), str(tmp_path / "cache")],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_card_counts_what_is_there(memory: Memory, out: Path) -> None:
    found = release(memory, out)
    card = (out / "README.md").read_text()
    assert "| items | 6 |" in card
    assert "| videos | 1 |" in card
    assert "| year 1 | 6 |" in card
    assert f"| sessions | {len(rows(out / 'sessions.jsonl'))} |" in card
    assert "| annotations, objective layer | 1 |" in card
    assert "Texts that were withheld: 1 for a name." in card
    assert found.not_ready == 2
    assert "nobody may use, copy or publish it" in (out / "LICENSE").read_text()


def test_sha256sums_lists_every_other_file(memory: Memory, out: Path) -> None:
    release(memory, out)
    sums = dict(
        reversed(line.split("  ")) for line in (out / "SHA256SUMS").read_text().splitlines()
    )
    files = {name: data for name, data in content(out).items() if name != "SHA256SUMS"}
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def test_names_in_a_release_are_keyed(memory: Memory) -> None:
    names = ReleaseNames(memory.vault)
    assert names.media(item_id(1), MediaKind.VIDEO).startswith("media/videos/")
    assert names.item(item_id(1)) != names.item(item_id(2))
    assert len({names.item("a"), names.session("a")[1:], names.question("a")[1:]}) == 3


def test_a_video_in_which_a_name_can_be_read_stays_at_home(memory: Memory, out: Path) -> None:
    with memory.catalog.writing() as connection:
        item = items.load_item(connection, item_id(3))
        assert item is not None
        time = item.capture.time
        assert time is not None
        film = replace(item, kind=MediaKind.VIDEO)
        items.save_item(connection, film, time.instant(memory.home).timestamp(), None)
        found = items.latest_description(connection, item_id(3))
        assert found is not None
        line = ["Welcome, [Person A]!", 0.9, [0.1, 0.1, 0.5, 0.1]]
        body = {"caption": "A hall.", "ocr": [line], "tags": [], "people_count": 0}
        items.set_description_body(connection, found[0], {**body, "scenario": None})
    done = release(memory, out)
    held = [each for each in done.withheld if each.field == "media"]
    assert [(each.item, each.why) for each in held] == [(item_id(3), "words that a video shows")]
    assert done.counts.items == 5
    assert sum(Path(name).suffix in (".jpg", ".mp4") for name in content(out)) == 5
    noted = [row["media"] for row in rows(out / "annotations.jsonl")]
    assert all((out / name).is_file() for name in noted)
    here = {row["id"] for file in out.rglob("metadata.jsonl") for row in rows(file)}
    for session in rows(out / "sessions.jsonl"):
        assert session["items"]
        assert here.issuperset(session["items"])
        assert here.issuperset(turn["item"] for turn in session["turns"])


def test_an_empty_folder_of_a_killed_export_is_cleared_away(memory: Memory, out: Path) -> None:
    (out.parent / f".{out.name}.0badcafe.part").mkdir(parents=True)
    release(memory, out)
    assert not list(out.parent.glob(".*.part"))


def test_an_error_of_the_memory_is_not_called_one_of_the_release(
    memory: Memory, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(items, "load_derived", broken)
    with pytest.raises(OSError, match="Input/output error"):
        release(memory, out)
    assert not out.exists()
