"""Where what is known of an item disagrees: the owner is followed, and the other is named. Pure."""

from collections.abc import Iterator

from anonymize.compose import compose, join, place_label, say_day
from archive_mem.retrieval.wording import Operation
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["disagreement"]


def disagreement(record: Record, field: Operation) -> SafeText:
    """A sentence that names what was not followed; empty when all agree on what was asked.

    field: WHEN, WHERE or WHO; nothing else can disagree
    """
    parts = _SIDES.get(field, _none)(record)
    return join(" ", list(parts))


def _none(record: Record) -> Iterator[SafeText]:
    yield from ()


def _where(record: Record) -> Iterator[SafeText]:
    town = None if record.place is None else record.place.place
    said = None if record.objective is None else record.objective.place
    if said and town is not None and town.city and not _names(said, (town.city, town.country)):
        yield compose("(The file's own coordinates say {place}.)", place=place_label(town))
    other = None if record.overruled is None else record.overruled.place
    if said and other and other.value.casefold() != said.value.casefold():
        yield compose("(Another annotator says {place}.)", place=other)


def _names(said: SafeText, places: tuple[str | None, ...]) -> bool:
    """Whether one of the places is in the label; a label may be finer or coarser than a town."""
    label = said.value.casefold()
    return any(place is not None and place.casefold() in label for place in places)


def _when(record: Record) -> Iterator[SafeText]:
    other = None if record.overruled is None else record.overruled.captured_at
    if other and record.at is not None and other.date() != record.at.date():
        yield compose("(Another annotator says {day}.)", day=say_day(other))


def _who(record: Record) -> Iterator[SafeText]:
    seen = None if record.description is None else record.description.people_count
    if record.people and seen is not None and seen > len(record.people) + 1:
        yield compose("({seen} faces are seen.)", seen=seen)
    other = () if record.overruled is None else record.overruled.people
    if record.people and other and set(other) != set(record.people):
        yield compose("(Another annotator names {people}.)", people=join(", ", other))


_SIDES = {Operation.WHERE: _where, Operation.WHEN: _when, Operation.WHO: _who}
