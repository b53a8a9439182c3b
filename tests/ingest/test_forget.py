"""`archive-mem forget`: what is left is as if the item had never been there."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from anonymize.pseudonyms import Kind
from anonymize.vault import Vault
from archive_mem.catalog import items
from archive_mem.catalog.catalog import Catalog
from archive_mem.errors import InputError, MemoryBusy
from archive_mem.index.chroma import ChromaIndex
from archive_mem.ingest.fingerprint import item_id
from archive_mem.ingest.forgetting import Forgetter
from archive_mem.wiring import Memory, open_memory
from tests.ingest.test_pipeline import content

SECRET = "Zebulon Quartermaine"
WORDS = "a marzipan hippopotamus"


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sample_archive.build import build

    target = tmp_path_factory.mktemp("few") / "media"
    build(target, only={"run-first", "espresso-2021"})
    paths = sorted(target.rglob("*.jpg"))
    assert len(paths) >= 2
    return target


@pytest.fixture(scope="module")
def gone(media: Path) -> Path:
    return sorted(media.rglob("*.jpg"))[-1]


def notes(media: Path, gone: Path, folder: Path) -> Path:
    lines = [
        {
            "media": path.relative_to(media).as_posix(),
            "annotator": "owner",
            "objective": {"people": [SECRET] if path == gone else [], "event": "a walk"},
            "subjective": {
                "context": f"with {SECRET} and {WORDS}" if path == gone else "alone with my coffee",
                "preferences": [
                    "I love marzipan more than anything" if path == gone else "I love espresso"
                ],
            },
        }
        for path in sorted(media.rglob("*.jpg"))
    ]
    file = folder / "annotations.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return file


@pytest.fixture(scope="module")
def full(media: Path, gone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    with open_memory(folder / "memory", create=True) as opened:
        opened.ingest([media])
        opened.import_annotations(notes(media, gone, folder))
    return folder / "memory"


@pytest.fixture
def memory(full: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(full, tmp_path / "memory"))


def holding(folder: Path, *traces: bytes) -> set[str]:
    """Files of a memory that have one of these traces in them."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if any(trace in path.read_bytes() for trace in traces)}


def forget(folder: Path, *named: str) -> None:
    with open_memory(folder) as opened:
        opened.forget(named)


def vector_of(folder: Path, gone_id: str) -> bytes:
    """Some bytes of the gone item's vector, as Chroma is given it."""
    with open_memory(folder) as opened:
        spoken = [t for each in opened.sessions() for t in each.turns if t.item_id == gone_id]
        vector = opened.embedder.embed([spoken[0].text])[0]
    return bytes(np.asarray(vector, np.float32)[:8].tobytes())


def test_nothing_of_it_is_left_in_any_file(memory: Path, gone: Path) -> None:
    gone_id, vector = item_id(gone), vector_of(memory, item_id(gone))
    assert {"catalog.sqlite", "lexical.sqlite", "chroma.sqlite3"} <= holding(
        memory, gone_id.encode()
    )
    assert holding(memory, b"hippopotamus")
    assert holding(memory, vector)
    forget(memory, gone_id)
    traces = (gone_id.encode(), b"hippopotamus", b"marzipan", vector, SECRET.encode())
    assert holding(memory, *traces) == set()


def test_what_is_left_is_what_never_having_had_it_gives(
    memory: Path, media: Path, gone: Path, tmp_path: Path
) -> None:
    rest = Path(shutil.copytree(media, tmp_path / "rest"))
    (rest / gone.relative_to(media)).unlink()
    with open_memory(tmp_path / "without", create=True) as opened:
        opened.ingest([rest])
        opened.import_annotations(notes(rest, gone, tmp_path))
        expected = opened.profile_items()
    forget(memory, item_id(gone))
    with open_memory(memory) as opened:
        assert opened.profile_items() == expected
        assert opened.verify()["ok"]
    assert content(memory) == content(tmp_path / "without")


def test_a_name_that_only_it_had_is_forgotten_and_its_letter_is_not_given_again(
    memory: Path, gone: Path
) -> None:
    with open_memory(memory) as opened:
        placeholder = opened.vault.map().find(Kind.PERSON, SECRET)
        opened.vault.backup(opened.folder.vault_backup)
        done = opened.forget([item_id(gone)])
        assert placeholder in done.placeholders
        assert not opened.folder.vault_backup.exists()
        assert opened.vault.map().find(Kind.PERSON, SECRET) is None
        assert opened.vault.placeholder_for(Kind.PERSON, "Ottoline Nakagawa") != placeholder


def test_a_name_of_the_owner_s_own_list_stays(memory: Path, gone: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text(f"friend\t{SECRET}\n", "utf-8")
    with open_memory(memory) as opened:
        opened.learn_names(names)
        placeholder = opened.vault.map().find(Kind.PERSON, SECRET)
        assert opened.forget([item_id(gone)]).placeholders == ()
        assert opened.vault.map().find(Kind.PERSON, SECRET) == placeholder


def test_it_says_what_it_did(memory: Path, gone: Path) -> None:
    with open_memory(memory) as opened:
        done = opened.forget([str(gone), "feedfacefeedface"])
    assert done.item_ids == (item_id(gone),)
    assert done.unknown == ("feedfacefeedface",)
    assert (done.files, done.annotations) == (2, 2)
    assert done.mentions >= 1


def test_a_later_ingest_leaves_it_alone_unless_asked(memory: Path, media: Path, gone: Path) -> None:
    gone_id = item_id(gone)
    original = gone.read_bytes()
    forget(memory, gone_id)
    with open_memory(memory) as opened:
        assert opened.ingest([media]).unwanted == 1
        assert not known(opened, gone_id)
        assert opened.ingest([media], again=True).unwanted == 0
        assert known(opened, gone_id)
        assert opened.ingest([media]).unwanted == 0
    assert gone.read_bytes() == original


def known(opened: Memory, wanted: str) -> bool:
    with opened.catalog.reading() as connection:
        return items.load_item(connection, wanted) is not None


def test_forgetting_everything_leaves_an_empty_memory(memory: Path, media: Path) -> None:
    ids = [item_id(path) for path in media.rglob("*.jpg")]
    forget(memory, *ids)
    with open_memory(memory) as opened:
        assert list(opened.item_rows()) == []
        assert opened.profile_items() == ()
        assert opened.ask("When did I have marzipan?").abstained


def test_nothing_is_forgotten_for_a_name_that_is_not_here(memory: Path) -> None:
    before = content(memory)
    with pytest.raises(InputError, match="nothing was forgotten"):
        forget(memory, "no-such-item")
    assert content(memory) == before


def test_a_memory_that_is_being_worked_on_is_left_alone(memory: Path, gone: Path) -> None:
    with open_memory(memory) as opened, opened.folder.owned(), pytest.raises(MemoryBusy):
        forget(memory, item_id(gone))
    with open_memory(memory) as opened:
        assert known(opened, item_id(gone))


STEPS: tuple[tuple[type, str], ...] = (
    (Forgetter, "remove_files"),
    (Memory, "_catch_up"),
    (ChromaIndex, "compact"),
    (Vault, "forget"),
    (Catalog, "compact"),
)
SLOW = ("_catch_up", "forget", "compact")


@pytest.mark.parametrize(
    ("owner", "step"),
    [
        pytest.param(owner, step, id=step, marks=[pytest.mark.slow] if step in SLOW else [])
        for owner, step in STEPS
    ],
)
def test_a_run_that_was_ended_in_the_middle_is_ended_by_the_next(
    memory: Path, media: Path, gone: Path, owner: type, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> Callable[..., None]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(owner, step, stop)
        with pytest.raises(KeyboardInterrupt):
            forget(memory, item_id(gone))
    with open_memory(memory) as opened:
        opened.ingest([media])
        assert opened.verify()["ok"]
    traces = (item_id(gone).encode(), b"hippopotamus", SECRET.encode())
    assert holding(memory, *traces) == set()


def test_asking_again_after_a_killed_run_says_that_it_is_done(
    memory: Path, gone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Forgetter, "remove_files", stop)
        with pytest.raises(KeyboardInterrupt):
            forget(memory, item_id(gone))
    with open_memory(memory) as opened:
        done = opened.forget([item_id(gone)])
    assert (done.item_ids, done.unknown, done.files) == ((item_id(gone),), (), 2)


def test_reports_no_longer_name_it(memory: Path, gone: Path) -> None:
    gone_id = item_id(gone)
    reports = memory / "reports"
    (reports / "a.json").write_text(json.dumps({"failed": {gone_id: "why", "other": None}}))
    (reports / "b.jsonl").write_text(f'{{"item": "{gone_id}"}}\n{{"item": "other"}}\n')
    (reports / "c.html").write_text(f"<p>{gone_id}</p>")
    forget(memory, gone_id)
    assert json.loads((reports / "a.json").read_text()) == {"failed": {"other": None}}
    assert (reports / "b.jsonl").read_text() == '{"item": "other"}\n'
    assert not (reports / "c.html").exists()
