import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from anonymize.compose import word
from archive_mem.catalog import annotations, items, ledger, sessions
from archive_mem.catalog.annotations import Draft
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.engine import HEAD
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.catalog.tables import metadata
from archive_mem.errors import EditConflict, MemoryTooNew, StoreError
from archive_mem.schema.annotation import ObjectiveLayer, SubjectiveLayer
from archive_mem.schema.media import Capture, CaptureTime, MediaItem, MediaKind, Precision

ITEM = "00000000000000aa"


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(tmp_path / "catalog.sqlite")


def photo(item_id: str = ITEM, at: datetime | None = datetime(2023, 5, 14, 12, 31)) -> MediaItem:
    time = None
    if at is not None:
        time = CaptureTime(
            local=at, utc_offset=None, precision=Precision.SECOND, source="test", confidence=1.0
        )
    return MediaItem(
        id=item_id,
        kind=MediaKind.PHOTO,
        mime="image/jpeg",
        width=40,
        height=30,
        duration=None,
        capture=Capture(time=time, place=None, device=None),
    )


def put(catalog: Catalog, item: MediaItem) -> None:
    with catalog.writing() as connection:
        items.save_item(connection, item, 0.0, None)


def draft(text: str, base: int | None = None, annotator: str = "owner") -> Draft:
    return Draft(
        item_id=ITEM,
        annotator=annotator,
        layer=SubjectiveLayer(context=word(text)),
        sealed=f"sealed {text}",
        fingerprint=text,
        base_version=base,
    )


def save(catalog: Catalog, note: Draft) -> int | None:
    with catalog.writing() as connection:
        return annotations.save(connection, note)


def test_migrations_make_the_tables_that_the_code_uses(catalog: Catalog) -> None:
    with catalog.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_memory_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    Catalog(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(MemoryTooNew, match="newer archive-mem"):
        Catalog(path)
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
    raw.close()


def test_a_file_that_is_no_catalog_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    path.write_bytes(b"not a database, but long enough to be looked at" * 20)
    with pytest.raises(StoreError, match="cannot be opened"):
        Catalog(path)


def test_opening_twice_migrates_once(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    Catalog(path).close()
    again = Catalog(path)
    with again.reading() as connection:
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    assert version == HEAD


def test_an_item_comes_back_as_it_was(catalog: Catalog) -> None:
    put(catalog, photo())
    with catalog.reading() as connection:
        assert items.load_item(connection, ITEM) == photo()


def test_only_safe_text_is_stored(catalog: Catalog) -> None:
    put(catalog, photo())
    words = items.Words(name="Sarah.jpg", place_label=None, inscription=None, albums={})  # type: ignore[arg-type]
    with pytest.raises(Exception, match="SafeText"), catalog.writing() as connection:
        items.save_texts(connection, ITEM, words)


def test_the_same_words_again_change_nothing(catalog: Catalog) -> None:
    put(catalog, photo())
    assert save(catalog, draft("one")) == 1
    assert save(catalog, draft("one")) is None
    assert save(catalog, draft("two")) == 2


def test_a_version_is_never_overwritten(catalog: Catalog) -> None:
    put(catalog, photo())
    save(catalog, draft("one"))
    save(catalog, draft("two"))
    with catalog.reading() as connection:
        said = [note.layer for note in annotations.history(connection, ITEM)]
    assert said == [SubjectiveLayer(context=word("one")), SubjectiveLayer(context=word("two"))]


def test_an_edit_of_an_old_version_is_a_conflict(catalog: Catalog) -> None:
    put(catalog, photo())
    save(catalog, draft("one"))
    save(catalog, draft("theirs", base=1))
    with pytest.raises(EditConflict, match="version 2"):
        save(catalog, draft("mine", base=1))


def test_annotators_do_not_overwrite_each_other(catalog: Catalog) -> None:
    put(catalog, photo())
    assert save(catalog, draft("one", annotator="a")) == 1
    assert save(catalog, draft("one", annotator="b")) == 1


def test_a_corrected_time_is_the_time(catalog: Catalog) -> None:
    put(catalog, photo())
    right = datetime(2019, 1, 2, 3, 4)
    note = Draft(
        item_id=ITEM,
        annotator="owner",
        layer=ObjectiveLayer(captured_at=right),
        sealed="",
        fingerprint="x",
        instant=5.0,
    )
    save(catalog, note)
    with catalog.reading() as connection:
        row = connection.exec_driver_sql("SELECT local, instant FROM items").one()
    assert row.local == "2019-01-02T03:04:00.000000"
    assert row.instant == 5.0


def test_a_new_stage_version_takes_the_place_of_the_old(catalog: Catalog) -> None:
    put(catalog, photo())
    with catalog.writing() as connection:
        for version in ("1", "2"):
            ledger.write(
                connection,
                Entry(item_id=ITEM, stage="capture", version=version, outcome=Outcome.DONE),
            )
        entries = ledger.entries(connection, ITEM)
    assert entries["capture"].version == "2"


def test_what_is_stale_waits(catalog: Catalog) -> None:
    put(catalog, photo())
    done = Entry(item_id=ITEM, stage="pseudonymise", version="1", outcome=Outcome.DONE)
    with catalog.writing() as connection:
        assert ledger.waiting(connection, "pseudonymise", "1") == [ITEM]
        ledger.write(connection, done)
        assert ledger.waiting(connection, "pseudonymise", "1") == []
        ledger.make_stale(connection, ITEM, "pseudonymise")
        assert ledger.waiting(connection, "pseudonymise", "1") == [ITEM]


def test_an_item_is_not_read_before_its_last_privacy_stage(catalog: Catalog) -> None:
    put(catalog, photo())
    assert list(catalog.records()) == []


def test_bytes_that_changed_keep_what_people_said(catalog: Catalog) -> None:
    new = "00000000000000bb"
    put(catalog, photo())
    put(catalog, photo(new))
    save(catalog, draft("kept"))
    with catalog.writing() as connection:
        items.replace_item(connection, ITEM, new)
        assert items.load_item(connection, ITEM) is None
        assert [note.item_id for note in annotations.newest(connection)] == [new]


def test_a_failed_transaction_leaves_nothing(catalog: Catalog) -> None:
    class StopError(Exception):
        pass

    def half_way() -> None:
        with catalog.writing() as connection:
            items.save_item(connection, photo(), 0.0, None)
            raise StopError

    with pytest.raises(StopError):
        half_way()
    with catalog.reading() as connection:
        assert items.count(connection) == 0
        assert sessions.fingerprints(connection) == {}


def test_a_full_disk_is_one_line(catalog: Catalog) -> None:
    with catalog.writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        with catalog.writing() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            for number in range(2000):
                items.save_item(connection, photo(f"{number:016x}"), 0.0, "x" * 500)

    with pytest.raises(StoreError, match="cannot be written"):
        fill()
