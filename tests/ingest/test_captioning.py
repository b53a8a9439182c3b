"""A language model describes what was described by rules; nothing is lost when it does not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from archive_mem.catalog import ledger
from archive_mem.catalog.ledger import Outcome
from archive_mem.errors import ModelError, UsageError
from archive_mem.ingest.report import IngestReport
from archive_mem.schema.record import Record
from archive_mem.wiring import open_memory
from tests.models.chat_server import ChatServer, running, say, status
from tests.models.scenes import GOOD

NAME = "Zebulon Quartermaine"


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with running() as made:
        yield made


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Three pictures, on one of which a name and a price can be read."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for shade in (40, 200):
        Image.new("RGB", (320, 240), (shade, 90, 120)).save(folder / f"{shade}.jpg")
    board = Image.new("RGB", (1000, 600), (238, 236, 228))
    for top, text in ((120, NAME), (320, "SOUP 4.50")):
        ImageDraw.Draw(board).text((90, top), text, (20, 20, 30), ImageFont.load_default(54))
    board.save(folder / "board.jpg", quality=95)
    (tmp_path / "names.txt").write_text(f"friend\t{NAME}\n", "utf-8")
    return folder


def ingest(photos: Path, captioner: str | None) -> tuple[IngestReport, list[Record]]:
    root = photos.parent / "memory"
    with open_memory(root, create=True, command_line={"captioner": captioner}) as memory:
        report = memory.ingest([photos], photos.parent / "names.txt")
        return report, list(memory.records())


def captions(records: list[Record]) -> list[str]:
    return [each.description.caption.value for each in records]  # type: ignore[union-attr]


def test_what_the_model_says_is_redacted_searched_and_told_apart(
    server: ChatServer, photos: Path
) -> None:
    ingest(photos, None)
    server.will(say(GOOD.replace("Two bowls", f"{NAME} with two bowls").replace("OPEN", NAME)))
    report, records = ingest(photos, f"openai:{server.url}#m")
    assert report.captions.said == 3
    assert report.ended_well
    said = records[0].description
    assert said is not None
    assert (said.producer, said.prompt_version) == ("m", "caption@1")
    assert str(said.caption) == "Friend A with two bowls of ramen on a counter."
    assert [str(each) for each in said.text] == ["Friend A 11-22"]
    assert [str(each) for each in said.objects] == ["bowl", "counter"]
    assert (str(said.activity), str(said.mood), said.people_count) == ("eating", "relaxed", 2)
    assert said.tokens == 10
    board = next(each for each in records if each.ocr_text)
    assert "SOUP 4.50" in (board.ocr_text or "")
    with open_memory(photos.parent / "memory") as memory:
        turns = [turn.text.value for each in memory.sessions() for turn in each.turns]
        assert any("Objects: bowl, counter. Mood of the scene: relaxed." in each for each in turns)
        assert memory.search("a bowl of ramen", 3)
        assert memory.verify()["ok"]
    assert b"Quartermaine" not in (photos.parent / "memory" / "catalog.sqlite").read_bytes()


def test_the_model_is_shown_what_was_redacted_and_asked_once(
    server: ChatServer, photos: Path
) -> None:
    server.will(say(GOOD))
    _, before = ingest(photos, f"openai:{server.url}#m")
    words = [body["messages"][1]["content"][1]["text"] for body in server.asked]
    assert any('Text read in it: "Friend A"' in each for each in words)
    assert not any("Quartermaine" in each for each in words)
    server.will(status(500))
    again, after = ingest(photos, f"openai:{server.url}#m")
    assert server.asked == []
    assert captions(after) == captions(before)
    assert "nothing was new: no work was done" in list(again.lines())


def test_a_model_that_is_down_leaves_a_memory_that_works(server: ChatServer, photos: Path) -> None:
    server.will(status(401))
    report, records = ingest(photos, f"openai:{server.url}#m")
    assert (report.captions.said, report.captions.left) == (0, 3)
    assert not report.ended_well
    (line,) = [each for each in report.lines() if "wait for" in each]
    assert "refused the key (401)" in line
    assert len(records) == 3
    assert all(each.startswith(("A ", "An ")) for each in captions(records))
    server.will(say(GOOD))
    later, records = ingest(photos, f"openai:{server.url}#m")
    assert later.captions.said == 3
    assert set(captions(records)) == {"Two bowls of ramen on a counter."}


def test_a_picture_that_the_model_fails_on_keeps_its_rules_and_is_named(
    server: ChatServer, photos: Path
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        said = body["messages"][1]["content"][-1]["text"]
        return say("{" if "SOUP" in said else GOOD)(body)

    server.will(odd)
    report, records = ingest(photos, f"openai:{server.url}#m")
    assert (report.captions.said, report.captions.failed, report.captions.left) == (2, 1, 0)
    ((item_id, reason),) = report.failed.items()
    assert reason == "caption: the captioner's reply has no words that could be a caption"
    (kept,) = [each for each in records if each.item_id == item_id]
    assert "SOUP 4.50" in (kept.ocr_text or "")
    with open_memory(photos.parent / "memory") as memory, memory.catalog.reading() as connection:
        entries = ledger.entries(connection, item_id)
    assert entries["caption"].outcome is Outcome.FAILED
    assert entries["pseudonymise"].outcome is Outcome.DONE


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("nope", UsageError),
        ("openai:http://lab.example/v1#m", UsageError),
        ("hf:nobody/nothing", ModelError),
    ],
)
def test_a_captioner_that_cannot_be_used_is_told_before_any_work(
    photos: Path, name: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        ingest(photos, name)
    assert not list((photos.parent / "memory").glob("derived/*/*"))
