"""Which records a plan means, and what counts as one of what is counted. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from archive_mem.retrieval.known import city_and_country, place_names
from archive_mem.retrieval.plan import Known, Plan
from archive_mem.retrieval.wording import Grouping
from archive_mem.schema.media import Precision
from archive_mem.schema.record import Record

__all__ = [
    "Counted",
    "away",
    "fits",
    "fits_people",
    "fits_place",
    "fits_time",
    "grouped",
    "occasions",
    "trips",
    "units",
]

_TRIP_GAP = timedelta(days=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One thing that was counted.

    name: such as "Kyoto", "2023", or the day of an occasion
    records: what shows it, in order of time
    """

    name: str
    records: tuple[Record, ...]


def fits(record: Record, plan: Plan, known: Known) -> bool:
    """True when time, place, people, kind and scenario are what the plan asks for."""
    return (
        fits_time(record, plan)
        and fits_place(record, plan, known)
        and fits_people(record, plan)
        and (plan.kind is None or plan.grouping is not Grouping.ITEM or record.kind is plan.kind)
    )


def fits_time(record: Record, plan: Plan) -> bool:
    """True when the record lies in an asked window and in the recurring times."""
    if not plan.windows and not plan.recurring:
        return True
    if record.at is None:
        return False
    in_window = not plan.windows or any(window.holds(record.at) for window in plan.windows)
    return in_window and _comes_back(record, plan)


def _comes_back(record: Record, plan: Plan) -> bool:
    if not plan.recurring or record.at is None or record.time is None:
        return True
    coarse = record.time.precision in (Precision.DAY, Precision.MONTH, Precision.YEAR)
    return plan.recurring.holds(record.at) and not (coarse and plan.recurring.hours)


def fits_place(record: Record, plan: Plan, known: Known) -> bool:
    """True when it was taken where the plan asks for: a named place, abroad, at home."""
    city, country = city_and_country(record)
    home, home_country = known.home_in(None if record.at is None else record.at.year)
    if plan.abroad and (country is None or country == home_country):
        return False
    if plan.at_home and city != home:
        return False
    names = {name.casefold() for name in place_names(record)}
    return not plan.places or any(place.casefold() in names for place in plan.places)


def fits_people(record: Record, plan: Plan) -> bool:
    """True when everybody whom the plan names is there."""
    there = {person.value.casefold() for person in record.people}
    return all(person.casefold() in there for person in plan.people)


def units(records: Iterable[Record]) -> list[Record]:
    """One record a moment: of a burst, a live pair or near copies only the first given."""
    seen: dict[str, Record] = {}
    for record in records:
        seen.setdefault(record.same_moment_as or record.item_id, record)
    return list(seen.values())


def occasions(records: Sequence[Record]) -> list[Counted]:
    """Days on which something was seen; records without a day count by session."""
    days: dict[str, list[Record]] = {}
    for record in records:
        key = record.session_id if record.at is None else record.at.date().isoformat()
        days.setdefault(key or record.item_id, []).append(record)
    return [Counted(name=name, records=tuple(found)) for name, found in days.items()]


def away(records: Sequence[Record], known: Known) -> list[Record]:
    """Those of no city that was ever home: a stay in the old home town is no trip.

    Records whose city is unknown stay; all do when none else would.
    """
    homes = {known.home, *(city for city, _ in known.homes.values())} - {None}
    far = [record for record in records if city_and_country(record)[0] not in homes]
    return far or list(records)


def trips(records: Sequence[Record]) -> list[Counted]:
    """Runs of days with no gap of more than three."""
    runs: list[list[Record]] = []
    for record in sorted((r for r in records if r.at is not None), key=_moment):
        if runs and _day(record) - _day(runs[-1][-1]) <= _TRIP_GAP:
            runs[-1].append(record)
        else:
            runs.append([record])
    return [Counted(name=_day(run[0]).isoformat(), records=tuple(run)) for run in runs]


def grouped(records: Sequence[Record], grouping: Grouping) -> list[Counted]:
    """Records by what they are counted by, most records first, ties by name."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        for name in _KEYS[grouping](record):
            groups.setdefault(name, []).append(record)
    made = [Counted(name=name, records=tuple(found)) for name, found in groups.items()]
    return sorted(made, key=lambda group: (-len(occasions(group.records)), group.name))


def _moment(record: Record) -> tuple[date, str]:
    return _day(record), record.item_id


def _day(record: Record) -> date:
    return date.max if record.at is None else record.at.date()


def _part(form: str) -> Callable[[Record], list[str]]:
    return lambda record: [] if record.at is None else [form.format(record.at)]


def _known_names(position: int) -> Callable[[Record], list[str]]:
    def read(record: Record) -> list[str]:
        name = city_and_country(record)[position]
        return [name] if name else []

    return read


_KEYS: Mapping[Grouping, Callable[[Record], list[str]]] = {
    Grouping.ITEM: lambda record: [record.item_id],
    Grouping.OCCASION: lambda record: [each.name for each in occasions([record])],
    Grouping.DAY: _part("{0:%Y-%m-%d}"),
    Grouping.YEAR: _part("{0:%Y}"),
    Grouping.MONTH: _part("{0:%Y-%m}"),
    Grouping.WEEKDAY: lambda record: [] if record.at is None else [str(record.at.weekday())],
    Grouping.CITY: _known_names(0),
    Grouping.COUNTRY: _known_names(1),
    Grouping.PERSON: lambda record: [person.value for person in record.people],
    Grouping.SCENARIO: lambda record: [] if record.scenario is None else [record.scenario.value],
}
