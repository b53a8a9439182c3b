"""Which of the read values is believed, and why. Pure: all knowledge comes in as arguments.

The rules, in order:

1. The first source in the order of TimeSource (of PlaceSource) wins.
2. A winner that knows only the day, month or year gives way to a finer value of the same one.
3. The offset is the winner's own; else an exact UTC moment against the wall clock (GPS, container);
   else the zone of the coordinates; else Takeout's moment against the wall clock; else unknown.
4. A wall clock is never moved. A moment in UTC becomes a wall clock by the zone of the coordinates,
   else by a wall clock of the same moment (the file name), else it stays in UTC.
5. Coordinates annotate; an hour that a clock change skips or repeats leaves the offset unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from archive_mem.ingest.metadata.clock import offset_text, step
from archive_mem.ingest.metadata.values import (
    PlaceRead,
    PlaceSource,
    Refusal,
    TimeRead,
    TimeSource,
)
from archive_mem.schema.media import CaptureTime, Precision

__all__ = ["Candidate", "offset_in_zone", "resolve_place", "resolve_time"]

_TIME_RANK = {source: rank for rank, source in enumerate(TimeSource)}
_PLACE_RANK = {source: rank for rank, source in enumerate(PlaceSource)}
_COARSE = (Precision.DAY, Precision.MONTH, Precision.YEAR)
_DIGITS = {Precision.DAY: 10, Precision.MONTH: 7, Precision.YEAR: 4}
# A receiver's fix may be some seconds old when the shutter opens.
_SLACK = timedelta(seconds=120)
_NOT_EXACT = (TimeSource.TAKEOUT, TimeSource.FILE_NAME, TimeSource.FILE_TIME)
_ZONE = "zone of the coordinates"
_UTC = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One value that was found, and what became of it.

    field: "time", "offset", "place" or "altitude"
    source: where it was read
    value: as text
    won: it is the one that is used
    reason: why it won or lost
    """

    field: str
    source: str
    value: str
    won: bool
    reason: str


def resolve_place(
    reads: Sequence[PlaceRead], refused: Sequence[Refusal]
) -> tuple[PlaceRead | None, tuple[Candidate, ...]]:
    """The believed place, and every candidate with its reason."""
    ordered = sorted(reads, key=lambda read: _PLACE_RANK[read.source])
    winner = ordered[0] if ordered else None
    kept = [
        Candidate(
            field="place",
            source=read.source,
            value=_shown_place(read),
            won=read is winner,
            reason="first source that has one" if read is winner else "a source before it has one",
        )
        for read in ordered
    ]
    return winner, (*kept, *_lost(refused, ("place", "altitude")))


def resolve_time(
    reads: Sequence[TimeRead],
    refused: Sequence[Refusal],
    zone: str | None = None,
    duration: float | None = None,
) -> tuple[CaptureTime | None, tuple[Candidate, ...]]:
    """The believed time, and every candidate with its reason.

    zone: IANA zone of the coordinates, None when unknown
    duration: seconds; a container may be stamped when the recording ended
    """
    ordered = sorted(reads, key=lambda read: _TIME_RANK[read.source])
    lost = _lost(refused, ("time", "offset"))
    if not ordered:
        return None, lost
    winner, why = _winner(ordered)
    time = _capture_time(winner, ordered, zone, timedelta(seconds=duration or 0))
    return time, (*_told(ordered, winner, why, time), *lost)


def _winner(ordered: Sequence[TimeRead]) -> tuple[TimeRead, str]:
    winner, why = ordered[0], "first source that has one"
    while finer := next((read for read in ordered if _refines(read, winner)), None):
        winner, why = finer, f"same {winner.precision}, but finer"
    return winner, why


def _refines(read: TimeRead, coarse: TimeRead) -> bool:
    shared = _DIGITS.get(coarse.precision)
    return (
        shared is not None
        and _DIGITS.get(read.precision, 20) > shared
        and read.source is not TimeSource.FILE_TIME
        and not read.instant
        and read.local.isoformat()[:shared] == coarse.local.isoformat()[:shared]
    )


def _capture_time(
    winner: TimeRead, reads: Sequence[TimeRead], zone: str | None, duration: timedelta
) -> CaptureTime:
    if winner.instant:
        return _from_instant(winner, reads, zone, duration)
    offset, source = _offset(winner, reads, zone)
    return _built(winner, winner.local, offset, source, zone)


def _built(
    winner: TimeRead,
    local: datetime,
    offset: timedelta | None,
    offset_source: str | None,
    zone: str | None,
) -> CaptureTime:
    return CaptureTime(
        local=local,
        utc_offset=offset,
        precision=winner.precision,
        source=winner.source,
        confidence=winner.confidence,
        offset_source=offset_source,
        zone=zone,
    )


def _from_instant(
    winner: TimeRead, reads: Sequence[TimeRead], zone: str | None, duration: timedelta
) -> CaptureTime:
    offset, source = _offset_of_instant(winner, reads, zone, duration)
    sure = winner if source != _UTC else replace(winner, confidence=_unsure(winner.confidence))
    return _built(sure, winner.local + offset, offset, source, zone)


def _unsure(confidence: float) -> float:
    """The moment is known, but not what a clock on the wall said: it may be another day."""
    return min(confidence, 0.6)


def _offset_of_instant(
    winner: TimeRead, reads: Sequence[TimeRead], zone: str | None, duration: timedelta
) -> tuple[timedelta, str]:
    if zone is not None:
        moment = winner.local.replace(tzinfo=UTC)
        offset = moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta(0)
        return offset, _ZONE
    for read in reads:
        # A file name is stamped at the start of a recording, a container often at its end.
        if read.source is TimeSource.FILE_NAME and read.precision not in _COARSE:
            offset_by_name = _by_name(read, winner, duration)
            if offset_by_name is not None:
                return offset_by_name, f"{read.source} against {winner.source}"
    return timedelta(0), _UTC


def _by_name(name: TimeRead, winner: TimeRead, duration: timedelta) -> timedelta | None:
    starts = (winner.local, winner.local - duration)
    offsets = (step(name.local - start, _SLACK) for start in starts)
    return None if name.instant else next((value for value in offsets if value is not None), None)


def _offset(
    winner: TimeRead, reads: Sequence[TimeRead], zone: str | None
) -> tuple[timedelta | None, str | None]:
    if winner.offset is not None:
        return winner.offset, winner.offset_source
    if winner.precision in _COARSE or winner.source is TimeSource.FILE_TIME:
        return None, None
    exact = [read for read in reads if read.instant and read.source not in _NOT_EXACT]
    takeout = [read for read in reads if read.source is TimeSource.TAKEOUT]
    in_zone = offset_in_zone(winner.local, zone) if zone is not None else None
    return (
        _by_moment(winner, exact)
        or ((in_zone, _ZONE) if in_zone is not None else None)
        or _by_moment(winner, takeout, trust_zero=False)
        or (None, None)
    )


def _by_moment(
    winner: TimeRead, moments: Sequence[TimeRead], trust_zero: bool = True
) -> tuple[timedelta, str] | None:
    # Google takes a wall clock without a zone for UTC: its +00:00 proves nothing.
    for moment in moments:
        offset = step(winner.local - moment.local, _SLACK)
        if offset is not None and (trust_zero or offset):
            return offset, f"{moment.source} against {winner.source}"
    return None


def offset_in_zone(local: datetime, zone: str) -> timedelta | None:
    """Offset of a wall clock in a zone; None for an hour that a clock change skips or repeats.

    >>> offset_in_zone(datetime(2012, 7, 10, 15), "Europe/Berlin")
    datetime.timedelta(seconds=7200)
    """
    place = ZoneInfo(zone)
    early, late = (local.replace(tzinfo=place, fold=fold).utcoffset() for fold in (0, 1))
    # Before standard time, zones keep local mean time to the second: no clock showed that.
    if early is None or early != late or early % timedelta(minutes=1):
        return None
    return early


def _told(
    ordered: Sequence[TimeRead], winner: TimeRead, why: str, time: CaptureTime
) -> tuple[Candidate, ...]:
    times = [
        Candidate(
            field="time",
            source=read.source,
            value=_shown_time(read),
            won=read is winner,
            reason=why if read is winner else "a source before it has one",
        )
        for read in ordered
    ]
    if time.utc_offset is None or time.offset_source is None:
        return tuple(times)
    offset = Candidate(
        field="offset",
        source=time.offset_source,
        value=offset_text(time.utc_offset) or "",
        won=True,
        reason="given with the time" if winner.offset is not None else "found from other values",
    )
    return (*times, offset)


def _lost(refused: Sequence[Refusal], fields: tuple[str, ...]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            field=refusal.field,
            source=refusal.source,
            value=refusal.value,
            won=False,
            reason=f"refused: {refusal.reason}",
        )
        for refusal in refused
        if refusal.field in fields
    )


def _shown_time(read: TimeRead) -> str:
    if read.precision in _COARSE:
        return read.local.isoformat()[: _DIGITS[read.precision]]
    zone = "Z" if read.instant else offset_text(read.offset) or ""
    return f"{read.local.isoformat()}{zone}"


def _shown_place(read: PlaceRead) -> str:
    height = "" if read.altitude is None else f", {read.altitude:g} m"
    return f"{read.latitude:.6f}, {read.longitude:.6f}{height}"
