"""The sample archive: its builder, its annotations, its questions."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from sample_archive.build import MARKER, build, write_item
from sample_archive.plan import SCENARIOS
from sample_archive.questions import QUESTIONS, question_rows
from sample_archive.story import ANNOTATIONS, ITEMS, annotation_rows, by_key, to_jsonl

HERE = ANNOTATIONS.parent
FEW = (
    "run-first", "office-first", "duarte-film", "blossom-2023", "blossom-copy", "mother-sideways",
    "broken", "empty", "offer", "wheel-clip", "run-clip", "blossom-2024", "maple", "maple-edited",
)  # fmt: skip


def _digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def _questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("few")
    build(target, only=FEW)
    return target


def test_two_builds_give_the_same_bytes(few: Path, tmp_path: Path) -> None:
    build(tmp_path, only=FEW)
    assert _digests(tmp_path) == _digests(few)


def test_a_second_build_does_nothing(few: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in few.rglob("*")}
    report = build(few, only=FEW)
    assert (report.written, report.kept) == (0, len(FEW))
    assert {path: path.stat().st_mtime_ns for path in few.rglob("*")} == before


def test_a_build_that_lost_a_file_is_made_again(tmp_path: Path) -> None:
    item = by_key()["empty"]
    seen: list[tuple[int, int]] = []
    build(tmp_path, only=["empty"])
    (tmp_path / item.path).unlink()
    report = build(tmp_path, lambda done, total: seen.append((done, total)), only=["empty"])
    assert report.written == 1
    assert seen == [(1, 1)]
    assert (tmp_path / MARKER).is_file()


def test_the_special_files_are_what_they_claim(few: Path) -> None:
    items = by_key()

    def path(key: str) -> Path:
        return few / items[key].path

    assert path("empty").stat().st_size == 0
    with pytest.raises(OSError, match="truncated"), Image.open(path("broken")) as image:
        image.load()
    assert path("blossom-2023").read_bytes() == path("blossom-copy").read_bytes()
    assert path("maple").read_bytes() != path("maple-edited").read_bytes()
    for key in ("office-first", "duarte-film", "offer"):
        with Image.open(path(key)) as image:
            assert not image.getexif()
    with Image.open(path("mother-sideways")) as image:
        assert image.getexif()[0x0112] == 6
        assert image.width > image.height


def test_a_takeout_sidecar_holds_the_instant(few: Path) -> None:
    item = by_key()["office-first"]
    side = json.loads((few / f"{item.path}.supplemental-metadata.json").read_text(encoding="utf-8"))
    assert int(side["photoTakenTime"]["timestamp"]) == int(item.instant.timestamp())
    assert side["geoData"]["latitude"] == pytest.approx(35.0037)


def test_the_clips_carry_their_metadata(few: Path) -> None:
    import av

    with av.open(str(few / by_key()["run-clip"].path)) as clip:
        date = clip.metadata["com.apple.quicktime.creationdate"]
        assert date == "2023-05-27T08:05:12+0900"
        assert clip.metadata["com.apple.quicktime.location.ISO6709"].startswith("+35.0246+135.7706")
        assert len(clip.streams.audio) == 1
    with av.open(str(few / by_key()["wheel-clip"].path)) as clip:
        assert clip.metadata["creation_time"].startswith("2024-06-08T05:30:00")
        assert abs(next(clip.decode(video=0)).rotation) == 90


def test_the_committed_files_are_in_step_with_the_plan() -> None:
    assert ANNOTATIONS.read_text(encoding="utf-8") == to_jsonl(annotation_rows())
    assert QUESTIONS.read_text(encoding="utf-8") == to_jsonl(question_rows())


def test_the_plan_is_as_large_and_as_varied_as_promised() -> None:
    assert len(ITEMS) >= 80
    assert len({item.key for item in ITEMS}) == len({item.path for item in ITEMS}) == len(ITEMS)
    notes = [item.note for item in ITEMS if item.note is not None]
    assert len(notes) >= 70
    assert {note.scenario for note in notes} == set(SCENARIOS)
    assert len({note.context for note in notes}) == len(notes)
    assert {item.at.year for item in ITEMS} == {2021, 2022, 2023, 2024, 2025, 2026}
    faces = [item for item in ITEMS if item.scene in {"portrait", "print_on", "call", "distant"}]
    assert len(faces) >= 6


def test_days_named_in_the_notes_are_those_days() -> None:
    for item in ITEMS:
        for number, day in ((5, "Saturday"), (3, "Thursday"), (6, "Sunday")):
            if item.note is not None and day in item.note.event:
                assert item.at.weekday() == number, item.key


def test_every_question_is_well_formed() -> None:
    rows, paths = _questions(), {item.path for item in ITEMS}
    per = Counter(row["subtask"] for row in rows)
    assert set(per) == {"1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "3.1", "3.2"}
    assert len(rows) >= 66
    assert min(per.values()) >= 6
    assert per["1.1"] >= 12
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["tier"] == f"T{row['subtask'][0]}"
        assert set(row["evidence"]) <= paths
        assert row.get("photo", next(iter(paths))) in paths
        assert ("photo" in row) == (row["subtask"] == "1.4")
        assert ("answer" in row) == (row["tier"] == "T1")
        assert ("key_points" in row) == (row["tier"] == "T2")
        assert ("ranking" in row) == (row["tier"] == "T3")


def test_some_questions_have_no_answer_and_cite_nothing() -> None:
    unanswerable = [row for row in _questions() if not row["evidence"]]
    assert 2 <= len(unanswerable) <= 3
    assert all("nothing in the archive" in row["answer"].lower() for row in unanswerable)


def test_rankings_are_permutations_and_the_given_order_says_nothing() -> None:
    concordant = discordant = 0
    for row in (row for row in _questions() if row["tier"] == "T3"):
        given, gold = [option["id"] for option in row["options"]], row["ranking"]
        assert sorted(given) == sorted(gold)
        for a, b in combinations(given, 2):
            concordant += gold.index(a) < gold.index(b)
            discordant += gold.index(a) > gold.index(b)
    assert abs(concordant - discordant) / (concordant + discordant) < 0.25


def test_an_answer_read_from_a_picture_is_not_in_the_notes() -> None:
    told = [(row["objective"], row["subjective"]) for row in annotation_rows()]
    notes = json.dumps(told, ensure_ascii=False)
    for row in _questions():
        if row["subtask"] == "1.2" and row["evidence"]:
            assert row["answer"].split(" euros")[0].split(" degrees")[0] not in notes, row["id"]


def test_every_companion_is_in_the_owners_list() -> None:
    listed = (HERE / "names.txt").read_text(encoding="utf-8")
    for item in ITEMS:
        for name in item.note.people if item.note is not None else ():
            assert f"\t{name}\t" in listed


def test_one_item_can_be_written_alone(tmp_path: Path) -> None:
    item = by_key()["physio"]
    write_item(item, tmp_path)
    with Image.open(tmp_path / item.path) as image:
        assert image.size == item.size
        assert image.getexif().get_ifd(0x8769)[0x9003] == "2022:11:16 10:20:00"
