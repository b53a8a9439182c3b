"""The first page, and what the desk knows of the memory."""

from typing import Any

from anonymize.compose import restored
from archive_mem.catalog import items
from archive_mem.catalog.items import Words
from archive_mem.wiring import Memory
from tests.ui.sample import FAILED, NOT_READY, item_id
from ui.timeline import failures_html


def test_what_could_not_be_read_is_listed_with_its_reason(desk: Any) -> None:
    page = failures_html(desk.failures())
    assert "1 file could not be read" in page
    assert FAILED in page
    assert "capture: the file is cut off" in page
    assert "<script" not in page


def test_all_well_is_not_worth_a_line() -> None:
    assert failures_html([]) == ""


def test_only_what_is_anonymised_and_redacted_is_ready(desk: Any) -> None:
    assert desk.is_ready(item_id(0))
    assert not desk.is_ready(NOT_READY)
    assert not desk.is_ready(FAILED)
    assert desk.record(NOT_READY) is None


def test_the_time_line_is_read_again_whenever_the_catalog_has_changed(
    desk: Any, memory: Memory
) -> None:
    for place in ("here", "there", "elsewhere"):
        shelf = desk.shelf()
        assert desk.shelf() is shelf
        with memory.catalog.writing() as connection:
            words = Words(
                name=restored("a.jpg"), place_label=restored(place), inscription=None, albums={}
            )
            items.save_texts(connection, item_id(0), words)
        said = desk.shelf().cells[-1].place
        assert said is not None
        assert said.value == place
