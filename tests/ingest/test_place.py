"""Names and zones of coordinates: rows P6 and T3."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive_mem.ingest.place import FAR_KM, distance_km, nearest, zone


@pytest.mark.parametrize(
    ("latitude", "longitude", "label"),
    [
        (35.0116, 135.7681, "Kyoto, Japan"),
        (48.8584, 2.2945, "Paris, France"),
        (-33.8568, 151.2153, "Sydney, Australia"),
        (52.499, 13.39, "Berlin, Germany"),
        (40.758, -73.985, "New York City, United States"),
        (35.6586, 139.7454, "Tokyo, Japan"),
    ],
)
def test_a_district_is_called_by_its_city(latitude: float, longitude: float, label: str) -> None:
    """The Eiffel tower is in Paris, not in the suburb whose centre is nearer."""
    place = nearest(latitude, longitude)
    assert place.label() == label
    assert place.distance_km < 10


@pytest.mark.parametrize(
    ("latitude", "longitude", "label"),
    [
        (52.56, 13.08, "Falkensee, Germany"),
        (52.4, 13.06, "Potsdam, Germany"),
        (35.4437, 139.638, "Yokohama, Japan"),
        (37.8, -122.27, "Oakland, United States"),
    ],
)
def test_a_town_beside_a_city_keeps_its_name(latitude: float, longitude: float, label: str) -> None:
    assert nearest(latitude, longitude).label() == label


def test_the_date_line_is_no_border() -> None:
    """Labasa lies 81 km away, at 179.4 degrees east; a search in degrees misses it."""
    place = nearest(-16.8, -179.98)
    assert place.near == "Labasa, Fiji"
    assert place.distance_km == pytest.approx(81, abs=1)


@pytest.mark.parametrize(("latitude", "longitude"), [(40.0, -40.0), (90.0, 0.0), (-90.0, 180.0)])
def test_at_sea_and_at_the_poles_it_is_far_from_any_town(latitude: float, longitude: float) -> None:
    """P6: mid-Atlantic is not the Azores; the distance is kept."""
    place = nearest(latitude, longitude)
    assert (place.city, place.country, place.country_code) == (None, None, None)
    assert place.distance_km > FAR_KM
    assert place.label().startswith(f"far from any town, {place.distance_km:.0f} km from ")
    assert zone(latitude, longitude) is None or latitude == -90.0


@pytest.mark.parametrize(
    ("latitude", "longitude", "name"),
    [
        (52.52, 13.405, "Europe/Berlin"),
        (27.7172, 85.324, "Asia/Kathmandu"),
        (-13.8333, -171.75, "Pacific/Apia"),
        (40.0, -40.0, None),
    ],
)
def test_a_zone_is_named_on_land_only(latitude: float, longitude: float, name: str | None) -> None:
    assert zone(latitude, longitude) == name


def test_the_distance_is_that_of_a_great_circle() -> None:
    """Berlin to Tokyo is 8,918 km; across the antimeridian it is short."""
    assert distance_km((52.52, 13.405), (35.6895, 139.6917)) == pytest.approx(8_918, rel=0.002)
    assert distance_km((0.0, 179.9), (0.0, -179.9)) == pytest.approx(22.2, rel=0.01)


@settings(max_examples=60, deadline=None)
@given(st.floats(-90, 90), st.floats(-180, 180))
def test_any_coordinate_has_a_name_and_a_distance(latitude: float, longitude: float) -> None:
    place = nearest(latitude, longitude)
    assert 0 <= place.distance_km <= 20_040
    assert (place.near is not None) == (place.distance_km > FAR_KM)
    assert place.label()
    zone(latitude, longitude)
