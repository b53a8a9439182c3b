"""Google Takeout's JSON beside a photo: an instant, a place, a description.

photoTakenTime.timestamp is Unix seconds (UTC), also negative. geoData is what the owner set,
geoDataExif what the file said; 0,0 stands for nothing.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from archive_mem.ingest.metadata.clock import from_unix, refusal_of
from archive_mem.ingest.metadata.coordinates import altitude_of, usable
from archive_mem.ingest.metadata.values import (
    PlaceRead,
    PlaceSource,
    Reads,
    Refusal,
    TimeRead,
    TimeSource,
)

if TYPE_CHECKING:
    from archive_mem.ingest.metadata.takeout_json import Geo, TakeoutPhoto

__all__ = ["MAX_SIDECAR", "album_title", "parse_takeout", "read_takeout"]

MAX_SIDECAR = 2**20


def parse_takeout(text: bytes) -> "TakeoutPhoto | None":
    """The sidecar, None when it is none."""
    from pydantic import ValidationError

    from archive_mem.ingest.metadata.takeout_json import TakeoutPhoto

    try:
        return TakeoutPhoto.model_validate_json(text[:MAX_SIDECAR])
    except ValidationError:
        return None


def album_title(text: bytes) -> str | None:
    """The title in an album's JSON, None without one."""
    album = parse_takeout(text)
    return (album.title.strip() or None) if album is not None else None


def read_takeout(text: bytes, now: datetime) -> Reads:
    """Time, place and description of a sidecar; never raises."""
    photo = parse_takeout(text)
    if photo is None:
        return Reads()
    times, refused = _time(photo, now)
    places, refused_places = _places(photo)
    return Reads(
        times=times,
        places=places,
        refused=refused + refused_places,
        descriptions=(photo.description.strip(),) if photo.description.strip() else (),
    )


def _time(photo: "TakeoutPhoto", now: datetime) -> tuple[tuple[TimeRead, ...], tuple[Refusal, ...]]:
    if photo.taken is None:
        return (), ()
    seconds = photo.taken.timestamp
    local = from_unix(seconds) if seconds else None
    reason = "not set" if local is None else refusal_of(local, now)
    if local is None or reason:
        refusal = Refusal(
            field="time", source=TimeSource.TAKEOUT, value=str(seconds), reason=reason or ""
        )
        return (), (refusal,)
    read = TimeRead(source=TimeSource.TAKEOUT, local=local, confidence=0.8, instant=True)
    return (read,), ()


def _places(photo: "TakeoutPhoto") -> tuple[tuple[PlaceRead, ...], tuple[Refusal, ...]]:
    places: list[PlaceRead] = []
    refused: list[Refusal] = []
    for source, geo in (
        (PlaceSource.TAKEOUT, photo.geo),
        (PlaceSource.TAKEOUT_EXIF, photo.geo_exif),
    ):
        if geo is not None:
            _sort(source, geo, places, refused)
    return tuple(places), tuple(refused)


def _sort(source: PlaceSource, geo: "Geo", places: list[PlaceRead], refused: list[Refusal]) -> None:
    reason = usable(geo.latitude, geo.longitude)
    if reason:
        value = f"{geo.latitude},{geo.longitude}"
        refused.append(Refusal(field="place", source=source, value=value, reason=reason))
        return
    # Takeout writes 0 for an altitude that it does not know.
    altitude = altitude_of(geo.altitude, False) if geo.altitude else None
    places.append(
        PlaceRead(source=source, latitude=geo.latitude, longitude=geo.longitude, altitude=altitude)
    )
