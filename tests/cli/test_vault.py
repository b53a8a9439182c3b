"""`archive-mem vault` on a whole memory: who is who, in every text that was stored."""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from anonymize.verify import find_secrets
from archive_mem.cli.main import main
from archive_mem.ingest.notes import TypedObjective, TypedSubjective
from archive_mem.schema.media import Capture
from archive_mem.wiring import open_memory

Say = Callable[..., tuple[int, str, str]]
PEOPLE = ("Quentin Abernathy", "Quent")
ANNOTATOR = "Wilhelmina Oyelaran"
SECRETS = [*PEOPLE, "Abernathy", ANNOTATOR, "Oyelaran", "06 12 34 56 78", "Zebulon"]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["archive-mem", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        said = capsys.readouterr()
        return int(stopped.value.code or 0), said.out, said.err

    return run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three generated pictures, one with a device of somebody's, ingested with real models."""
    import numpy as np
    from PIL import Image

    base = tmp_path_factory.mktemp("few")
    album = base / "in" / "Trip with Quentin Abernathy"
    album.mkdir(parents=True)
    for number in range(3):
        pixels = np.full((120, 160, 3), 60 + 60 * number, np.uint8)
        pixels[40:80, 40 + 10 * number : 120] = (200, 40 * number, 90)
        picture = Image.fromarray(pixels)
        exif = picture.getexif()
        exif[0x0110] = "Zebulon's iPhone"
        exif[0x9003] = f"2024:05:0{number + 1} 12:00:00"
        exif[0x010E] = "with Quentin Abernathy, call 06 12 34 56 78"
        picture.save(album / f"quentin abernathy {number}.jpg", exif=exif)
    folder = base / "memory"
    with open_memory(folder, create=True) as opened:
        opened.ingest([base / "in"])
        ids = [record.item_id for record in opened.records()]
        names = [("person", PEOPLE[0]), ("person", PEOPLE[1])]
        for kind, name in names:
            opened.vault.placeholder_for(kind, name, given=True)
        for item_id, name in zip(ids, (*PEOPLE, PEOPLE[0]), strict=True):
            opened.notes.save(item_id, "owner", TypedObjective(people=[name], event=f"tea, {name}"))
            typed = TypedSubjective(preferences=["I prefer green tea to coffee"], context=name)
            opened.notes.save(item_id, ANNOTATOR, typed)
        opened.catch_up_if_free()
    return folder


@pytest.fixture
def memory(made: Path, tmp_path: Path) -> Path:
    """A copy of its own."""
    import shutil

    target = tmp_path / "memory"
    shutil.copytree(made, target)
    return target


def texts(folder: Path) -> str:
    """Everything that is stored as text: notes, sessions, profile, index."""
    with open_memory(folder) as opened:
        stored = [
            *(json.dumps(line, default=str) for line in opened.notes.export()),
            *(turn.text.value for each in opened.sessions() for turn in each.turns),
            *(str(item) for item in opened.profile_items()),
            *(json.dumps(row, default=str) for row in opened.item_rows()),
            *(found.turn.text.value for found in opened.search("tea", 9)),
        ]
    return "\n".join(stored)


def placeholders(folder: Path) -> tuple[str, str]:
    with open_memory(folder) as opened:
        known = opened.vault.map()
        pair = [known.find(known.entries[next(iter(known.entries))].kind, each) for each in PEOPLE]
    one, other = (str(each) for each in pair)
    return one, other


def test_a_merge_goes_through_all_texts_and_comes_back(memory: Path, say: Say) -> None:
    keep, gone = placeholders(memory)
    assert keep != gone
    before = texts(memory)
    assert gone in before
    assert say("vault", "merge", keep, gone, "--memory", memory)[0] == 0
    merged = texts(memory)
    assert gone not in merged
    assert keep in merged
    code, out, _ = say("vault", "split", keep, "--memory", memory)
    assert (code, gone in out) == (0, True)
    assert texts(memory) == before


def test_a_merge_that_was_cut_off_is_made_up_for(memory: Path) -> None:
    keep, gone = placeholders(memory)
    with open_memory(memory) as opened:
        opened.vault.merge(keep, gone)  # and killed before the texts follow
    assert gone in texts(memory)
    with open_memory(memory) as opened:
        assert opened.catch_up_if_free()
    assert gone not in texts(memory)


def test_a_list_tells_names_only_when_asked(memory: Path, say: Say) -> None:
    _, out, _ = say("vault", "list", "--memory", memory)
    assert "[Person A]" in out
    assert not any(secret in out for secret in SECRETS)
    _, out, _ = say("vault", "list", "--reveal", "--memory", memory)
    assert PEOPLE[0] in out
    _, out, _ = say("vault", "list", "--json", "--memory", memory)
    assert not any(secret in out for secret in SECRETS)
    assert {"placeholder", "kind", "names", "merged"} == set(json.loads(out.splitlines()[0]))


def test_one_placeholder_is_revealed(memory: Path, say: Say) -> None:
    keep, _ = placeholders(memory)
    assert say("vault", "reveal", keep, "--memory", memory)[1].startswith(PEOPLE[0])
    code, _, err = say("vault", "reveal", "[Person ZZ]", "--memory", memory)
    assert (code, err) == (1, "error: no such placeholder: [Person ZZ]\n")


def test_a_new_passphrase_without_a_terminal(
    memory: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = say("vault", "rekey", "--memory", memory)
    assert (code, "ARCHIVE_MEM_NEW_PASSPHRASE" in err) == (2, True)
    old = os.environ["ARCHIVE_MEM_PASSPHRASE"]
    monkeypatch.setenv("ARCHIVE_MEM_NEW_PASSPHRASE", "new words")
    assert say("vault", "rekey", "--memory", memory)[0] == 0
    assert say("vault", "list", "--memory", memory)[0] == 1
    monkeypatch.setenv("ARCHIVE_MEM_PASSPHRASE", "new words")
    assert say("vault", "list", "--memory", memory)[0] == 0
    backup = memory / "vault.before-rekey.sqlite"
    assert backup.stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("ARCHIVE_MEM_PASSPHRASE", old)
    backup.replace(memory / "vault.sqlite")
    assert say("vault", "list", "--memory", memory)[0] == 0


def test_no_keyring_is_one_line(memory: Path, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonymize.keys.KeyRing.usable", staticmethod(lambda: False))
    code, _, err = say("vault", "rekey", "--to-keyring", "--memory", memory)
    assert (code, err.count("\n")) == (1, 1)
    assert say("vault", "list", "--memory", memory)[0] == 0


def test_no_secret_is_in_any_byte_of_the_memory_or_in_a_log(
    made: Path, memory: Path, say: Say, caplog: pytest.LogCaptureFixture
) -> None:
    assert find_secrets(made, SECRETS) == []
    with caplog.at_level("DEBUG"):
        keep, gone = placeholders(memory)
        say("vault", "merge", keep, gone, "--memory", memory)
        say("vault", "split", keep, "--memory", memory)
        with open_memory(memory) as opened:
            opened.ask(f"What did I drink with {PEOPLE[0]}?")
            assert find_secrets(memory, SECRETS) == []  # with the log of SQLite still there
    assert find_secrets(memory, SECRETS) == []
    assert not any(secret in caplog.text for secret in SECRETS)


def test_the_owner_still_sees_who_wrote_a_layer(memory: Path) -> None:
    with open_memory(memory) as opened:
        assert {line["annotator"] for line in opened.notes.export()} == {"owner", ANNOTATOR}
        rows = list(opened.item_rows())
    writers = {layer["annotator"] for row in rows for layer in row["layers"]}
    assert writers == {"owner", ANNOTATOR}


def test_the_same_words_of_an_annotator_change_nothing(memory: Path) -> None:
    with open_memory(memory) as opened:
        item_id = next(iter(opened.records())).item_id
        typed = TypedSubjective(preferences=["I prefer green tea to coffee"], context=PEOPLE[0])
        assert opened.notes.save(item_id, ANNOTATOR, typed) is None


def test_a_memory_of_an_earlier_version_is_brought_up_to_date(memory: Path) -> None:
    """Annotators and devices in clear, the schema of before."""
    with closing(sqlite3.connect(memory / "catalog.sqlite")) as raw, raw:
        raw.execute("UPDATE annotations SET annotator = ? WHERE annotator != 'owner'", [ANNOTATOR])
        raw.execute("UPDATE items SET capture = json_set(capture, '$.device', 'Zebulon''s iPhone')")
        raw.execute("DROP TABLE profile_edits")
        raw.execute("UPDATE alembic_version SET version_num = '0002'")
    with open_memory(memory) as opened:
        item_id = next(iter(opened.records())).item_id
        opened.notes.cover_annotators()
        assert opened.notes.save(item_id, ANNOTATOR, TypedSubjective(feelings="calm")) == 2
    assert find_secrets(memory, SECRETS) == []
    with closing(sqlite3.connect(memory / "catalog.sqlite")) as raw:
        devices = {
            json.loads(text)["device"] for (text,) in raw.execute("SELECT capture FROM items")
        }
    assert devices == {"iPhone"}


def test_what_is_kept_of_a_device() -> None:
    from archive_mem.catalog.codec import capture_to_json

    for said, kept in (("Canon EOS 5D Mark II", "Canon EOS 5D Mark II"), ("Ann's iPhone", "iPhone"),
                       ("iPhone von Anna", "iPhone"), ("SM-S911B R5CT1234567", "SM-S911B"),
                       ("Anna", None), (None, None)):  # fmt: skip
        capture = Capture(time=None, place=None, device=said)
        assert capture_to_json(capture)["device"] == kept
