"""The LoCoMo benchmark, on chats made for the test."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from archive_mem.cli.bench import bench
from archive_mem.errors import InputError
from archive_mem.evals.benchmarks.locomo import run
from archive_mem.evals.benchmarks.locomo_data import read_conversations
from models.fake import FakeEmbedder

SHARED = Path(__file__).parents[3] / "shared" / "cases" / "locomo"


def turn(speaker: str, name: str, text: str, **more: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": name, "text": text, **more}


def chat(pet: str, place: str) -> dict[str, object]:
    return {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn("Ada", "D1:1", "Hello there"),
            turn("Bo", "D1:2", f"I adopted a {pet} yesterday"),
            turn("Ada", "D1:3", "How sweet", blip_caption=f"a photo of a {pet} on a sofa"),
        ],
        "session_2_date_time": "12:09 am on 13 September, 2023",
        "session_2": [
            turn("Bo", "D2:1", "Any plans?"),
            turn("Ada", "D2:2", f"We are moving to {place} next month"),
        ],
        "qa": [
            {"question": f"When did Bo adopt the {pet}?", "category": 2, "evidence": ["D1:2"]},
            {"question": f"Who moves to {place}?", "category": 4, "evidence": ["D:2:2; D9:17"]},
            {"question": f"Which pet and place?{pet} {place}", "category": 1,
             "evidence": ["D1:2; D2:2"]},
            {"question": "Where is the ghost?", "category": 5, "evidence": ["D1:1"]},
            {"question": "Nothing?", "category": 4, "evidence": ["D7:7"]},
        ],
    }  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for name, (pet, place) in {"1": ("parrot", "Oslo"), "2": ("tortoise", "Lima")}.items():
        (folder / f"{name}.json").write_text(json.dumps(chat(pet, place)))
    return folder


def test_evidence_ids_are_read_in_every_spelling_and_the_unanswerable_left_out(
    data: Path,
) -> None:
    first, _ = read_conversations(data)
    assert first.speakers == ("Ada", "Bo")
    assert [question.gold for question in first.questions] == [
        {"D1:2"},
        {"D2:2"},
        {"D1:2", "D2:2"},
    ]
    assert first.turns[2].caption == "a photo of a parrot on a sofa"
    assert first.turns[3].at.month == 9


def test_a_report_counts_questions_and_finds_the_plain_ones(data: Path) -> None:
    report = run(data, FakeEmbedder(128))
    assert report["n"] == report["questions"] == 6
    assert (report["unscored"], report["failed"]) == (0, 0)
    assert report["recall"]["5"] == 100.0
    assert report["all"]["50"] == 100.0
    assert report["by_category"]["temporal"]["questions"] == 2
    assert report["by_category"]["open-domain"]["recall"]["10"] is None
    assert set(report["baselines"]) == {"dense", "bm25", "rrf"}
    assert report["baselines"]["bm25"]["5"] > 0
    assert set(report["settings"]["chosen_on_the_others"]) == {"1", "2"}
    assert report["session_recall"]["10"] == 100.0
    assert report["seconds_per_query"] < 5


def test_a_folder_without_chats_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no LoCoMo conversations"):
        run(tmp_path, FakeEmbedder())


def test_a_file_that_is_no_chat_is_named(data: Path) -> None:
    (data / "3.json").write_text('{"speaker_a": 1}')
    with pytest.raises(InputError, match=r"3\.json: this is no LoCoMo conversation"):
        run(data, FakeEmbedder())


def test_the_command_prints_one_object_and_writes_it(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["locomo", "--data", str(data), "--json", "--out", str(out), "--embedder", "fake"]
    result = CliRunner().invoke(bench, arguments)
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    assert printed == json.loads((out / "locomo.json").read_text())
    assert printed["name"] == "locomo"


def test_the_command_shows_a_table_to_people(data: Path) -> None:
    result = CliRunner().invoke(bench, ["locomo", "--data", str(data), "--embedder", "fake"])
    assert result.exit_code == 0
    assert "R@10" in result.stdout
    assert "multi-hop" in result.stdout


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the conversations are not here")
def test_the_search_passes_its_target_on_the_conversations_at_hand() -> None:
    from models.embed import MiniLmEmbedder

    report = run(SHARED, MiniLmEmbedder())
    assert report["recall"]["10"] >= 77
    assert report["session_recall"]["10"] >= 95
    assert report["recall"]["10"] > report["baselines"]["rrf"]["10"] + 10
