"""`archive-mem inspect --memory`: an unchanged file is not opened again; a changed one is."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from archive_mem.cli.inspect import inspect
from archive_mem.errors import MemoryMissing
from archive_mem.ingest import inspecting
from archive_mem.ingest.discover import discover
from archive_mem.ingest.metadata import Reading
from archive_mem.ingest.remembered import Remembered
from archive_mem.wiring import Memory, open_memory
from tests.gnarly_media import GNARLY, write

Rows = list[dict[str, Any]]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "Anna Zauberberg"
    folder.mkdir()
    for name in list(GNARLY)[:12]:
        write(name, folder)
    write("berlin-without-offset.jpg", folder)
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    open_memory(tmp_path / "memory", create=True).close()
    return tmp_path / "memory"


def run(*arguments: object) -> Rows:
    result = CliRunner().invoke(inspect, ["--json", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def opened_files(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files whose readings were made, not remembered."""
    seen: list[Path] = []
    row_of = inspecting.row_of

    def noted(path: Path, reading: Reading) -> inspecting.Row:
        seen.append(path)
        return row_of(path, reading)

    monkeypatch.setattr(inspecting, "row_of", noted)
    return seen


def test_what_is_remembered_is_what_was_read(
    album: Path, memory: Path, opened_files: list[Path]
) -> None:
    plain = run(album, "--explain")
    first = run(album, "--explain", "--memory", memory)
    opened_files.clear()
    again = run(album, "--explain", "--memory", memory)
    unreadable = [row for row in plain if row["id"] is None]
    assert first == again == plain
    assert len(opened_files) == len(unreadable)


def test_a_changed_file_is_read_again_and_the_others_are_not(
    album: Path, memory: Path, opened_files: list[Path]
) -> None:
    run(album, "--memory", memory)
    path = album / "berlin-without-offset.jpg"
    path.write_bytes(path.read_bytes() + b"more")
    opened_files.clear()
    assert run(path, "--memory", memory) == run(path)
    assert opened_files == [path, path]


def test_a_sidecar_that_comes_later_counts(album: Path, memory: Path) -> None:
    path = write("gps-null-island.jpg", album)
    run(path, "--memory", memory)
    sidecar = {"title": path.name, "geoData": {"latitude": 48.2, "longitude": 16.37}}
    Path(f"{path}.json").write_text(json.dumps(sidecar), "utf-8")
    rows = run(path, "--memory", memory)
    assert rows == run(path)
    assert rows[0]["latitude"] == pytest.approx(48.2)


def test_a_file_whose_time_went_back_is_read_again(
    album: Path, memory: Path, opened_files: list[Path]
) -> None:
    path = album / "berlin-without-offset.jpg"
    run(path, "--memory", memory)
    os.utime(path, ns=(1, 1))
    opened_files.clear()
    run(path, "--memory", memory)
    assert opened_files == [path]


def test_a_reading_dropped_meanwhile_is_made_anew(album: Path, memory: Path) -> None:
    path = album / "berlin-without-offset.jpg"
    run(path, "--memory", memory)
    with open_memory(memory) as opened:
        rows = inspecting.remembering(discover([path]), 1, Dropping(opened), explain=False)
        assert [row["captured_at"] for _, row in rows] == ["2012-07-10T15:00:00"]


class Dropping(Remembered):
    """Another process drops every reading right after it was found."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory.catalog, memory.vault)

    def rows(self, files: Any, *, explain: bool = True) -> list[inspecting.Row | None]:
        return [None for _ in files]


def test_names_and_places_are_not_readable_in_the_memory(album: Path, memory: Path) -> None:
    run(album, "--memory", memory)
    held = b"".join(path.read_bytes() for path in memory.rglob("*") if path.is_file())
    for secret in (b"Zauberberg", b"berlin-without-offset", b"52.5", b"2012-07-10"):
        assert secret not in held


def test_a_memory_that_is_not_there_is_one_clear_line(album: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(inspect, [str(album), "--memory", str(tmp_path / "gone")])
    assert isinstance(result.exception, MemoryMissing)
