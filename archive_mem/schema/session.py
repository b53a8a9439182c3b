"""Sessions: chronological turns about one moment."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from archive_mem.schema.safe import SafeText

__all__ = ["Granularity", "Session", "Speaker", "Turn"]


class Granularity(StrEnum):
    """How items are grouped: one item a session (the benchmark's), or near items together."""

    RECORD = "record"
    EVENT = "event"


class Speaker(StrEnum):
    """Who speaks in a turn: the archive tells facts, the owner tells experience."""

    ARCHIVE = "archive"
    OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing said about one item; every fact in it comes from the record.

    id: "<session id>:<position>"
    session_id, item_id: what it belongs to
    speaker: archive or owner
    at: wall clock of the item, None when unknown
    text: what is indexed and quoted
    """

    id: str
    session_id: str
    item_id: str
    speaker: Speaker
    at: datetime | None
    text: SafeText


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Turns about one moment, in order.

    id: stable, from the ids of its items
    started, ended: wall clocks of its first and last item, None when unknown
    place_label: such as "Kyoto, Japan"
    item_ids: in order of time
    turns: in order
    """

    id: str
    started: datetime | None
    ended: datetime | None
    place_label: SafeText | None
    item_ids: tuple[str, ...]
    turns: tuple[Turn, ...]
