"""What the archive holds that a question may name."""

from collections import Counter
from collections.abc import Iterable, Sequence

from archive_mem.retrieval.plan import Known
from archive_mem.schema.record import Record

__all__ = ["city_and_country", "known_in", "place_names"]


def known_in(records: Iterable[Record]) -> Known:
    """Places, people and homes of the given records; home is where most of them are."""
    places: set[str] = set()
    people: set[str] = set()
    years: dict[int, list[tuple[str | None, str | None]]] = {}
    codes: Counter[tuple[str, bool]] = Counter()
    for record in records:
        codes.update(_country_and_half(record))
        places |= place_names(record)
        people |= {person.value for person in record.people}
        years.setdefault(record.at.year if record.at else 0, []).append(city_and_country(record))
    home, home_country = _home([where for found in years.values() for where in found])
    home_code, southern = (
        max(codes, key=lambda each: (codes[each], each)) if codes else (None, False)
    )
    return Known(
        home_code=home_code,
        southern=southern,
        places=tuple(sorted(places)),
        people=tuple(sorted(people)),
        home=home,
        home_country=home_country,
        homes={year: _home(found) for year, found in years.items() if len(found) >= _ENOUGH},
    )


def _country_and_half(record: Record) -> list[tuple[str, bool]]:
    """ISO code of the record's country, and whether it lies south of the equator."""
    where = record.place
    code = None if where is None or where.place is None else where.place.country_code
    return [] if where is None or code is None else [(code, where.latitude < 0)]


_ENOUGH = 5
"""So many records of a year say where home was in it."""


def _home(found: Sequence[tuple[str | None, str | None]]) -> tuple[str | None, str | None]:
    cities, countries = zip(*found, strict=True) if found else ((), ())
    return _top(Counter(filter(None, cities))), _top(Counter(filter(None, countries)))


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
