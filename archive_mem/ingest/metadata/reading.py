"""A file and what lies beside it, read and resolved to one media item. Never raises for content."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from archive_mem.errors import UnreadableMedia
from archive_mem.ingest import place
from archive_mem.ingest.fingerprint import item_id
from archive_mem.ingest.metadata.filename import read_name
from archive_mem.ingest.metadata.files import read_file
from archive_mem.ingest.metadata.resolve import Candidate, resolve_place, resolve_time
from archive_mem.ingest.metadata.sidecars import Sidecars
from archive_mem.ingest.metadata.takeout import MAX_SIDECAR, album_title, read_takeout
from archive_mem.ingest.metadata.values import (
    PlaceRead,
    Reads,
    TimeRead,
    TimeSource,
    joined,
)
from archive_mem.ingest.metadata.xmp import read_xmp
from archive_mem.ingest.sniff import Format, sniff_file
from archive_mem.schema.media import Capture, CapturePlace, MediaItem, MediaKind

__all__ = ["Reading", "named", "read"]

_UNKNOWN = "application/octet-stream"
_BY_CAMERAS = frozenset(
    (
        *("olympus digital camera", "sony dsc", "samsung", "samsung camera pictures", "dcim"),
        *("minolta digital camera", "konica minolta digital camera", "digital camera", "default"),
        *("exif_jpeg_picture", "my beautiful picture", "untitled", "binary comment", "jpeg"),
        *("camera", "processed with vsco", "screenshot", "ascii", "hdr", "oznor", "dav", "mde"),
    )
)
_VIDEO_NAMES = (".mp4", ".mov", ".m4v", ".3gp", ".avi", ".mkv", ".webm", ".mts", ".mpg", ".wmv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is known of one file.

    item: None when not even its bytes could be read
    error: why the file is not whole, or cannot be read
    candidates: every value with its source, and why it won or lost
    descriptions: raw texts by people: not safe, for redaction only
    albums: names of the albums that the file is in
    content_id: Apple's ContentIdentifier, which a still and its live video share
    """

    item: MediaItem | None
    error: str | None = None
    candidates: tuple[Candidate, ...] = ()
    descriptions: tuple[str, ...] = ()
    albums: tuple[str, ...] = ()
    content_id: str | None = None


def read(
    path: Path,
    sidecars: Sidecars | None = None,
    *,
    albums: tuple[str, ...] = (),
    name_places: bool = True,
    now: datetime | None = None,
) -> Reading:
    """Read one file. `now` is naive UTC, for refusing dates in the future.

    With `name_places` False the place has coordinates only: see `named`.
    """
    now = now or datetime.now(UTC).replace(tzinfo=None)
    try:
        identity, form = item_id(path), sniff_file(path)
        own = Reads(damage=_unknown(path)) if form is None else read_file(path, form, now)
        beside = _beside(path, sidecars or Sidecars(), now)
    except UnreadableMedia as error:
        return Reading(item=None, error=str(error), albums=albums)
    except OSError as error:
        return Reading(item=None, error=f"cannot be read: {error.strerror}", albums=albums)
    albums = _with_album(albums, sidecars)
    reading = _resolved(identity, form, path, joined(own, *beside), albums)
    return named(reading) if name_places else reading


def _unknown(path: Path) -> str:
    return "empty file" if path.stat().st_size == 0 else "not a known image or video format"


def _beside(path: Path, sidecars: Sidecars, now: datetime) -> tuple[Reads, ...]:
    parts = [read_name(path.name, now), _file_time(path)]
    if sidecars.xmp is not None:
        parts.append(read_xmp(_bytes_of(sidecars.xmp), now, sidecar=True))
    if sidecars.takeout is not None:
        parts.append(read_takeout(_bytes_of(sidecars.takeout), now))
    return tuple(parts)


def _with_album(albums: tuple[str, ...], sidecars: Sidecars | None) -> tuple[str, ...]:
    """The album's own title says more than its folder, whose name is cleaned and clipped."""
    if sidecars is None or sidecars.album is None:
        return albums
    title = album_title(_bytes_of(sidecars.album))
    return albums if title is None else (title,)


def _bytes_of(sidecar: Path) -> bytes:
    try:
        with sidecar.open("rb") as file:
            return file.read(MAX_SIDECAR)
    except OSError:
        return b""


def _file_time(path: Path) -> Reads:
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(tzinfo=None, microsecond=0)
    read = TimeRead(source=TimeSource.FILE_TIME, local=changed, confidence=0.1, instant=True)
    return Reads(times=(read,))


def _resolved(
    identity: str, form: Format | None, path: Path, reads: Reads, albums: tuple[str, ...]
) -> Reading:
    where, place_candidates = resolve_place(reads.places, reads.refused)
    zone = place.zone(where.latitude, where.longitude) if where is not None else None
    time, time_candidates = resolve_time(reads.times, reads.refused, zone, reads.duration)
    capture = Capture(time=time, place=_place(where), device=reads.device)
    return Reading(
        item=_item(identity, form, path, reads, capture),
        error=reads.damage,
        candidates=time_candidates + place_candidates,
        descriptions=tuple(text for text in reads.descriptions if _by_people(text)),
        albums=albums,
        content_id=reads.content_id,
    )


def _by_people(text: str) -> bool:
    """Whether a description was written by a person; cameras fill it with their own name."""
    letters = sum(character.isalpha() for character in text)
    return letters >= 2 and text.strip().lower() not in _BY_CAMERAS


def _place(read: PlaceRead | None) -> CapturePlace | None:
    if read is None:
        return None
    return CapturePlace(
        latitude=read.latitude,
        longitude=read.longitude,
        altitude=read.altitude,
        place=None,
        source=read.source,
    )


def _item(
    identity: str, form: Format | None, path: Path, reads: Reads, capture: Capture
) -> MediaItem:
    width, height = _upright(reads)
    kind = _kind_by_name(path) if form is None else form.kind
    return MediaItem(
        id=identity,
        kind=kind,
        mime=_UNKNOWN if form is None else form.mime,
        width=width,
        height=height,
        duration=reads.duration if kind is MediaKind.VIDEO else None,
        capture=capture,
        note=reads.note,
    )


def _kind_by_name(path: Path) -> MediaKind:
    return MediaKind.VIDEO if path.suffix.lower() in _VIDEO_NAMES else MediaKind.PHOTO


def _upright(reads: Reads) -> tuple[int | None, int | None]:
    turned = reads.quarter_turn or (reads.orientation or 1) >= 5
    size = (reads.width or None, reads.height or None)
    return (size[1], size[0]) if turned else size


def named(reading: Reading) -> Reading:
    """The same reading with the name of its place."""
    item = reading.item
    if item is None or item.capture.place is None or item.capture.place.place is not None:
        return reading
    where = item.capture.place
    town = place.nearest(where.latitude, where.longitude)
    capture = replace(item.capture, place=replace(where, place=town))
    return replace(reading, item=replace(item, capture=capture))
