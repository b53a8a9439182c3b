"""A small memory with things planted in it that no release may show."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from anonymize.faces import FaceDetector
from anonymize.pseudonyms import Kind
from archive_mem.catalog import items
from archive_mem.errors import ArchiveMemError
from archive_mem.ingest.notes import TypedObjective, TypedSubjective
from archive_mem.progress import silent
from archive_mem.release.export import Choices, Exporter, Released, Source
from archive_mem.schema.media import CapturePlace, PlaceName
from archive_mem.wiring import Memory
from tests.anonymize.doubles import NoFaces
from tests.ui.sample import item_id, make_memory

PERSON, EMAIL, ANNOTATOR = "Philippa Quenby", "philippa@quenby.example", "Ursula Vantongeren"
PLANTED = (
    *(PERSON, "Quenby", EMAIL, ANNOTATOR, "Vantongeren"),
    *("IMG_0.jpg", "Jane Roe", "35.011636", "135.768029", "SN-4711-0815"),
    *(item_id(number) for number in range(1, 12)),
)
LATE = "A walk with Philippa Quenby, who was not known yet."


def small(folder: Path) -> Memory:
    """A memory of six items, the first of which has everything that must not go out."""
    memory = make_memory(folder, 6)
    memory.vault.placeholder_for(Kind.FRIEND, PERSON, given=True)
    memory.vault.placeholder_for(Kind.EMAIL, EMAIL)
    _place_precisely(memory)
    _say_late(memory)
    memory.notes.save(
        item_id(0),
        ANNOTATOR,
        TypedObjective(people=[PERSON], event=f"lunch with {PERSON} on 5 March 2022"),
    )
    memory.notes.save(
        item_id(3), "owner", TypedSubjective(context=f"Write to {EMAIL}.", feelings="calm")
    )
    return memory


def _place_precisely(memory: Memory) -> None:
    town = PlaceName(city="Kyoto", region=None, country="Japan", country_code="JP", distance_km=0.1)
    place = CapturePlace(
        latitude=35.011636, longitude=135.768029, altitude=51.0, place=town, source="EXIF GPS"
    )
    with memory.catalog.writing() as connection:
        item = items.load_item(connection, item_id(0))
        assert item is not None
        assert item.capture.time is not None
        moved = replace(item, capture=replace(item.capture, place=place, device="SN-4711-0815"))
        local = item.capture.time.local - timedelta(hours=9)
        items.save_item(connection, moved, local.timestamp(), None)


def _say_late(memory: Memory) -> None:
    """Captions that were redacted before what is in them was known."""
    said = ("Like IMG_0.jpg again.", LATE, "The spot is 35.011636, 135.768029.")
    for number, caption in enumerate(said, 3):
        with memory.catalog.writing() as connection:
            found = items.latest_description(connection, item_id(number))
            assert found is not None
            body = {"caption": caption, "ocr": [], "tags": [], "people_count": 1}
            items.set_description_body(connection, found[0], {**body, "scenario": None})


def release(
    memory: Memory,
    folder: Path,
    *,
    shift_times: bool = False,
    questions: Path | None = None,
    detector: FaceDetector | None = None,
) -> Released:
    """Export without a detector of a second a picture."""
    source = Source(
        root=memory.folder.root,
        catalog=memory.catalog,
        vault=memory.vault,
        redact=lambda text: memory.redactor.redact(text).text,
        item_of=memory.notes.item_of,
        profile_as_of=memory.profile,
        detector=detector or NoFaces(),
        track=silent,
    )
    choices = Choices(shift_times=shift_times, questions=questions)
    return Exporter(source, choices).export(folder)


def refused(memory: Memory, folder: Path, **asked: Any) -> str:
    """The one line that says why there is no release."""
    try:
        release(memory, folder, **asked)
    except ArchiveMemError as error:
        return str(error)
    raise AssertionError("it was released")


def rows(file: Path) -> list[dict[str, Any]]:
    """Lines of a JSON file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def write_rows(file: Path, lines: Sequence[dict[str, Any]]) -> Path:
    """The other way round."""
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return file


def content(folder: Path) -> dict[str, bytes]:
    """Every file by its path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
