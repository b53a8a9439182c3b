from pathlib import Path

import pytest

from archive_mem.config import Settings, choose, read_toml
from archive_mem.errors import MemoryBusy, MemoryMissing, UsageError
from archive_mem.folder import MemoryFolder


def test_the_command_line_wins_over_environment_over_file() -> None:
    chosen = choose(
        {"workers": 1, "threads": 1, "top_k": 1},
        {"ARCHIVE_MEM_WORKERS": "2", "ARCHIVE_MEM_THREADS": "2"},
        {"workers": 3},
    )
    assert (chosen.settings.workers, chosen.settings.threads, chosen.settings.top_k) == (3, 2, 1)
    assert chosen.origins["workers"] == "command line"
    assert chosen.origins["threads"] == "environment"
    assert chosen.origins["top_k"] == "archive.toml"
    assert chosen.origins["reader"] == "default"


def test_an_option_that_was_not_given_decides_nothing() -> None:
    assert choose({"workers": 4}, {}, {"workers": None}).settings.workers == 4


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ({"blur": False}, "no setting"),
        ({"workers": "many"}, "must be a int"),
        ({"derived_quality": 100}, "between 1 and 95"),
        ({"granularity": "week"}, '"event" or "record"'),
        ({"home_zone": "Mars/Olympus"}, "no time zone"),
        ({"home_zone": "../../etc/passwd"}, "no time zone"),
    ],
)
def test_a_bad_setting_is_one_line(toml: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        choose(toml, {})


def test_no_setting_switches_a_privacy_stage_off() -> None:
    names = Settings.__dataclass_fields__
    of_faces = {name for name in names if "face" in name}
    assert of_faces == {"faces", "faces_weights"}
    assert not [name for name in names if "blur" in name or "redact" in name]


@pytest.mark.parametrize("value", ["none", "off", "", "false"])
def test_faces_are_always_looked_for(value: str) -> None:
    with pytest.raises(UsageError, match="small, large or union"):
        choose({}, {"ARCHIVE_MEM_FACES": value})


def test_a_broken_settings_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "archive.toml"
    path.write_text("workers = ")
    with pytest.raises(UsageError, match=r"archive\.toml"):
        read_toml(path)
    assert read_toml(tmp_path / "missing.toml") == {}


def test_the_folder_is_the_owners_alone(tmp_path: Path) -> None:
    folder = MemoryFolder(tmp_path / "memory")
    with pytest.raises(MemoryMissing, match="no memory here yet"):
        folder.require()
    folder.make()
    assert folder.root.stat().st_mode & 0o777 == 0o700


def test_one_owner_at_a_time(tmp_path: Path) -> None:
    folder = MemoryFolder(tmp_path / "memory")
    folder.make()

    def second() -> None:
        with MemoryFolder(folder.root).owned():
            raise AssertionError("two owners")

    with folder.owned(), pytest.raises(MemoryBusy, match="another archive-mem"):
        second()
    with folder.owned():
        pass
