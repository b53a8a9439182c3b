"""A name that can be read in a picture is a placeholder in words, and filled in the picture."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from anonymize.reopen import reopen_picture
from archive_mem.catalog import ledger
from archive_mem.catalog.ledger import Outcome
from archive_mem.errors import FacesNotChecked
from archive_mem.ingest import covering
from archive_mem.ingest.fingerprint import item_id
from archive_mem.wiring import Memory, open_memory
from models.registry import ocr_reader

NAME = "Zebulon Quartermaine"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    picture = Image.new("RGB", (1000, 600), (238, 236, 228))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(54)
    draw.text((90, 120), NAME, (20, 20, 30), font)
    draw.text((90, 320), "SOUP 4.50", (20, 20, 30), font)
    (tmp_path / "photos").mkdir()
    path = tmp_path / "photos" / "board.jpg"
    picture.save(path, quality=95)
    return path


@pytest.fixture
def names(tmp_path: Path) -> Path:
    path = tmp_path / "names.txt"
    path.write_text(f"friend\t{NAME}\n", "utf-8")
    return path


def read_in(folder: Path) -> dict[str, str]:
    """What can be read in the derivative and in the thumbnail."""
    reader = ocr_reader("embedded", 1)
    return {
        path.suffixes[0]: " ".join(line.text for line in reader.read(reopen_picture(path, 0)))
        for path in folder.glob("derived/*/*.jpg")
    }


def test_the_name_is_gone_from_the_picture_and_the_rest_is_there(
    board: Path, names: Path, tmp_path: Path
) -> None:
    with open_memory(tmp_path / "memory", create=True) as memory:
        memory.ingest([board.parent], names)
        (record,) = memory.records()
        assert memory.verify()["ok"]
    assert record.ocr_text is not None
    assert record.ocr_text.split("\n") == ["Friend A", "SOUP 4.50"]
    seen = read_in(tmp_path / "memory")
    assert seen.keys() == {".jpg", ".thumb"}
    assert "SOUP" in seen[".jpg"]
    assert not any("Quart" in text or "Zeb" in text for text in seen.values())


def test_a_picture_is_filled_once_and_again_when_it_is_described_anew(
    board: Path, names: Path, tmp_path: Path
) -> None:
    root = tmp_path / "memory"
    with open_memory(root, create=True) as memory:
        memory.ingest([board.parent], names)
        before = {path: path.stat().st_mtime_ns for path in root.glob("derived/*/*")}
        with memory.catalog.writing() as connection:
            ledger.make_stale(connection, item_id(board), "pseudonymise")
        memory.catch_up_if_free()
        with memory.catalog.reading() as connection:
            assert (
                ledger.entries(connection, item_id(board))["pseudonymise"].outcome is Outcome.DONE
            )
        assert {path: path.stat().st_mtime_ns for path in before} == before
    with open_memory(root, command_line={"captioner": "fake"}) as memory:
        memory.ingest([board.parent])
        (record,) = memory.records()
    assert record.ocr_text is not None
    assert "Friend A" in record.ocr_text
    assert not any("Quart" in text for text in read_in(root).values())


def test_a_name_that_is_learnt_later_is_filled_then(
    board: Path, names: Path, tmp_path: Path
) -> None:
    root = tmp_path / "memory"
    with open_memory(root, create=True) as memory:
        memory.ingest([board.parent])
        memory.learn_names(names)
        memory.ingest([board.parent])
    assert not any("Quart" in text for text in read_in(root).values())


def test_a_picture_that_cannot_be_filled_is_not_read(
    board: Path, names: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise FacesNotChecked("a face was left")

    monkeypatch.setattr(covering, "cover_text", failing)
    with open_memory(tmp_path / "memory", create=True) as memory:
        report = memory.ingest([board.parent], names)
        assert list(memory.records()) == []
        with memory.catalog.reading() as connection:
            entry = ledger.entries(connection, item_id(board))["pseudonymise"]
    assert entry.outcome is Outcome.FAILED
    assert b"Quartermaine" not in (tmp_path / "memory" / "catalog.sqlite").read_bytes()
    assert report.failed == {item_id(board): "pseudonymise: a face was left"}


def test_every_line_that_says_the_name_is_filled(names: Path, tmp_path: Path) -> None:
    picture = Image.new("RGB", (1000, 900), (238, 236, 228))
    draw = ImageDraw.Draw(picture)
    for top in (90, 330, 570):
        draw.text((90, top), NAME, (20, 20, 30), ImageFont.load_default(54))
        draw.text((90, top + 100), f"soup {top}", (20, 20, 30), ImageFont.load_default(54))
    (tmp_path / "photos").mkdir()
    picture.save(tmp_path / "photos" / "chat.jpg", quality=95)
    with open_memory(tmp_path / "memory", create=True) as memory:
        memory.ingest([tmp_path / "photos"], names)
    seen = read_in(tmp_path / "memory")
    assert "soup" in seen[".jpg"].lower()
    assert not any("Quart" in text or "Zeb" in text for text in seen.values())


def test_a_picture_that_is_described_anew_is_read_by_nobody_until_it_is_filled(
    board: Path, names: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "memory"
    with open_memory(root, create=True) as memory:
        memory.ingest([board.parent], names)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "_catch_up", stop)
    with open_memory(root, command_line={"captioner": "fake"}) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.ingest([board.parent])
        assert list(memory.records()) == []


def test_a_name_over_two_lines_of_a_description_is_found_when_it_is_learnt(
    names: Path, tmp_path: Path
) -> None:
    (tmp_path / "photos").mkdir()
    exif = Image.Exif()
    exif[0x010E] = f'supper, "{NAME}"\nwas there'
    path = tmp_path / "photos" / "a.jpg"
    Image.new("RGB", (64, 64), (90, 120, 90)).save(path, exif=exif)
    with open_memory(tmp_path / "memory", create=True) as memory:
        memory.ingest([path.parent])
        names.write_text(f'friend\tsupper, "{NAME}"\n', "utf-8")
        memory.learn_names(names)
        memory.ingest([path.parent])
        (record,) = memory.records()
    assert record.inscription is not None
    assert "supper" not in record.inscription.value
