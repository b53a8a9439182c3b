"""`archive-mem inspect`: one line a file, whatever the file."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from archive_mem.cli.inspect import inspect
from archive_mem.errors import InputError
from tests.gnarly_media import GNARLY, write

KEYS = (
    "path id kind mime width height duration captured_at utc_offset time_source time_confidence "
    "latitude longitude altitude place place_source error"
)


def run(*arguments: str | Path) -> list[dict[str, Any]]:
    result = CliRunner().invoke(inspect, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_file_has_one_line_with_every_key(tmp_path: Path) -> None:
    for name in GNARLY:
        write(name, tmp_path)
    rows = run("--json", tmp_path)
    assert [Path(row["path"]).name for row in rows] == sorted(GNARLY, key=os.fsencode)
    assert all(list(row) == KEYS.split() for row in rows)


def test_a_photo_s_line_says_when_and_where(tmp_path: Path) -> None:
    path = write("berlin-without-offset.jpg", tmp_path)
    (row,) = run("--json", path)
    assert row == {
        "path": str(path),
        "id": row["id"],
        "kind": "photo",
        "mime": "image/jpeg",
        "width": 48,
        "height": 32,
        "duration": None,
        "captured_at": "2012-07-10T15:00:00",
        "utc_offset": "+02:00",
        "time_source": "EXIF DateTimeOriginal",
        "time_confidence": 0.95,
        "latitude": pytest.approx(52.52),
        "longitude": pytest.approx(13.405),
        "altitude": None,
        "place": row["place"],
        "place_source": "EXIF GPS",
        "error": None,
    }
    assert row["place"].endswith("Germany")
    assert len(row["id"]) == 16


def test_what_cannot_be_read_has_an_error_and_the_exit_code_stays_0(tmp_path: Path) -> None:
    for name in ("empty.jpg", "slashes.jpg", "text-named.jpg"):
        write(name, tmp_path)
    assert [row["error"] for row in run("--json", tmp_path)] == [
        "empty file",
        None,
        "not a known image or video format",
    ]


def test_explain_gives_every_value_and_its_reason(tmp_path: Path) -> None:
    (row,) = run("--json", "--explain", write("exif-behind-xmp.jpg", tmp_path))
    told = [(one["source"], one["won"], one["reason"]) for one in row["candidates"]]
    assert told == [
        ("EXIF DateTimeOriginal", True, "first source that has one"),
        ("XMP CreateDate", False, "a source before it has one"),
        ("file time", False, "a source before it has one"),
    ]


@pytest.mark.parametrize("options", [(), ("--explain",)])
def test_people_get_a_table(options: tuple[str, ...], tmp_path: Path) -> None:
    write("slashes.jpg", tmp_path)
    (tmp_path / "[bold]odd.jpg").write_bytes(b"")
    result = CliRunner().invoke(inspect, [str(tmp_path), *options], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    assert "slashes.jpg" in result.stdout
    assert "[bold]odd.jpg" in result.stdout
    assert "2007-06-30" in result.stdout


def test_a_sidecar_in_another_part_is_used(tmp_path: Path) -> None:
    """S5, through discovery."""
    parts = [tmp_path / part / "Google Photos/Photos from 2024" for part in ("T1", "T2")]
    for part in parts:
        part.mkdir(parents=True)
    write("exif-empty.jpg", parts[0])
    sidecar = {"title": "exif-empty.jpg", "photoTakenTime": {"timestamp": "1720094400"}}
    (parts[1] / "exif-empty.jpg.json").write_text(json.dumps(sidecar), encoding="utf-8")
    (row,) = run("--json", tmp_path)
    assert (row["captured_at"], row["time_source"]) == (
        "2024-07-04T12:00:00",
        "Takeout photoTakenTime",
    )


def test_a_missing_path_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(inspect, ["--json", str(tmp_path / "gone")])
    assert isinstance(result.exception, InputError)
    assert result.exception.exit_code == 1
    assert str(result.exception).endswith("gone: there is no such file or folder")


def test_an_empty_folder_gives_nothing(tmp_path: Path) -> None:
    assert run("--json", tmp_path) == []
