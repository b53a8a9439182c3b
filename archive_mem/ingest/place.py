"""Names and time zones of coordinates, offline. Towns: GeoNames (CC BY 4.0)."""

import math
from functools import cache
from typing import TYPE_CHECKING

from archive_mem.schema.media import PlaceName

if TYPE_CHECKING:
    from timezonefinder import TimezoneFinder

__all__ = ["FAR_KM", "distance_km", "nearest", "zone"]

FAR_KM = 50.0
_EARTH_KM = 6371.0088


def distance_km(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle distance of two (latitude, longitude) pairs in degrees (haversine)."""
    lat_a, lon_a, lat_b, lon_b = map(math.radians, (*a, *b))
    half = (
        math.sin((lat_b - lat_a) / 2) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    )
    return 2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def nearest(latitude: float, longitude: float) -> PlaceName:
    """The nearest town; beyond FAR_KM only its name and distance are kept, in `near`."""
    import reverse_geocode

    found = reverse_geocode.get((latitude, longitude))
    distance = distance_km((latitude, longitude), (found["latitude"], found["longitude"]))
    if distance > FAR_KM:
        near = ", ".join(part for part in (found.get("city"), found.get("country")) if part)
        return PlaceName(
            city=None,
            region=None,
            country=None,
            country_code=None,
            distance_km=distance,
            near=near,
        )
    return PlaceName(
        city=found.get("city"),
        region=found.get("state") or found.get("county"),
        country=found.get("country"),
        country_code=found.get("country_code"),
        distance_km=distance,
    )


def zone(latitude: float, longitude: float) -> str | None:
    """IANA zone such as "Europe/Berlin"; None at sea, where ships keep their own time."""
    name: str | None = _finder().timezone_at(lat=latitude, lng=longitude)
    return None if name is None or name.startswith("Etc/") else name


@cache
def _finder() -> "TimezoneFinder":
    from timezonefinder import TimezoneFinder

    # In memory: the mapped files would be closed noisily when the process ends.
    return TimezoneFinder(in_memory=True)
