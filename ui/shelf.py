"""The time line as the grid needs it: light cells in days, newest first. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby

from archive_mem.schema.media import MediaKind
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["Cell", "Day", "Shelf", "cell_of", "days_of", "shelve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One item in the grid.

    item_id: the item
    day: of its wall clock, None when unknown
    clock: such as "12:31", "" when unknown
    kind: photo or video
    duration: seconds, None for photos
    place: redacted place, None when unknown
    caption: redacted caption, None when there is none
    reads: text was read in it
    noted: a person wrote a layer
    scenario: value of Scenario, "" when unknown
    people: placeholders of who is there
    latitude, longitude: degrees, None when unknown
    moment: first item of its burst or near copies, None when it stands alone
    """

    item_id: str
    day: date | None
    clock: str
    kind: MediaKind
    duration: float | None
    place: SafeText | None
    caption: SafeText | None
    reads: bool
    noted: bool
    scenario: str = ""
    people: tuple[SafeText, ...] = ()
    latitude: float | None = None
    longitude: float | None = None
    moment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Neighbours of one day.

    day: None for items without a date
    first: position of its first cell
    count: how many cells
    place: the first place that is known of it
    """

    day: date | None
    first: int
    count: int
    place: SafeText | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """All cells, newest first, items without a date last.

    cells: in order
    days: their days, in the same order
    places: item id -> position
    """

    cells: tuple[Cell, ...]
    days: tuple[Day, ...]
    places: dict[str, int] = field(repr=False)

    def neighbours(self, item_id: str) -> tuple[str | None, str | None]:
        """The items before and after it in time (earlier, later)."""
        place = self.places.get(item_id)
        if place is None:
            return None, None
        earlier = self.cells[place + 1].item_id if place + 1 < len(self.cells) else None
        later = self.cells[place - 1].item_id if place else None
        return earlier, later


def cell_of(record: Record) -> Cell:
    """The light form of a record."""
    description = record.description
    return Cell(
        item_id=record.item_id,
        day=None if record.at is None else record.at.date(),
        clock="" if record.at is None else f"{record.at:%H:%M}",
        kind=record.kind,
        duration=record.duration,
        place=record.place_label,
        caption=None if description is None else description.caption,
        reads=description is not None and bool(description.ocr),
        noted=record.objective is not None or record.subjective is not None,
        scenario=record.scenario or "",
        people=record.people,
        latitude=None if record.place is None else record.place.latitude,
        longitude=None if record.place is None else record.place.longitude,
        moment=record.same_moment_as,
    )


def shelve(records: Iterable[Record]) -> Shelf:
    """Records in order of time to the shelf."""
    cells = tuple(cell_of(record) for record in records)
    dated = sorted((c for c in cells if c.day), key=lambda c: c.day or date.min)
    ordered = (*reversed(dated), *(cell for cell in cells if cell.day is None))
    return Shelf(
        cells=ordered,
        days=tuple(days_of(ordered)),
        places={cell.item_id: place for place, cell in enumerate(ordered)},
    )


def days_of(cells: Sequence[Cell]) -> Iterable[Day]:
    """Neighbours of one day, in the order of the cells."""
    first = 0
    for day, group in groupby(cells, key=lambda cell: cell.day):
        members = list(group)
        place = next((cell.place for cell in members if cell.place), None)
        yield Day(day=day, first=first, count=len(members), place=place)
        first += len(members)
