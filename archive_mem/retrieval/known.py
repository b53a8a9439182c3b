"""What the archive holds that a question may name."""

from collections import Counter
from collections.abc import Iterable

from archive_mem.retrieval.plan import Known
from archive_mem.schema.record import Record

__all__ = ["known_in", "place_names"]


def known_in(records: Iterable[Record]) -> Known:
    """Places, people and home of the given records; home is where most of them are."""
    places: Counter[str] = Counter()
    people: Counter[str] = Counter()
    cities: Counter[str] = Counter()
    countries: Counter[str] = Counter()
    for record in records:
        places.update(place_names(record))
        people.update(person.value for person in record.people)
        city, country = city_and_country(record)
        cities.update([city] if city else [])
        countries.update([country] if country else [])
    return Known(
        places=tuple(sorted(places)),
        people=tuple(sorted(people)),
        home=_top(cities),
        home_country=_top(countries),
    )


def place_names(record: Record) -> set[str]:
    """Every name of a record's place: its label, the parts of it, and the gazetteer's names."""
    names = set(city_and_country(record))
    if record.place_label is not None:
        label = record.place_label.value
        names.update({label, *(part.strip() for part in label.split(","))})
    return {name for name in names if name and len(name) > 1}


def city_and_country(record: Record) -> tuple[str | None, str | None]:
    """By the owner's label ("Kyoto, Japan") where there is one, else by the gazetteer."""
    town = None if record.place is None else record.place.place
    city, country = (None, None) if town is None else (town.city, town.country)
    if record.place_label is None:
        return city, country
    parts = [part.strip() for part in record.place_label.value.split(",") if part.strip()]
    if len(parts) < 2:
        return city or (parts[0] if parts else None), country
    return parts[-2], parts[-1]


def _top(counts: Counter[str]) -> str | None:
    """The most frequent; ties by name, so that the same archive always has the same home."""
    return min(counts, key=lambda name: (-counts[name], name), default=None)
