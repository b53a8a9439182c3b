"""Sessions and their turns, and what the index was last given of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from archive_mem.catalog.codec import moment, stamp
from archive_mem.catalog.tables import indexed, session_items, sessions, turns
from archive_mem.schema.session import Session, Speaker, Turn

__all__ = [
    "Woven",
    "any_turn",
    "clear_indexed",
    "drop",
    "fingerprints",
    "mark_indexed",
    "read",
    "replace",
    "session_of",
    "stale_turns",
    "surplus_indexed",
    "turn_ids",
]

_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Woven:
    """A session as the weaver made it.

    session: the session with its turns
    instant: sort key in UTC seconds, None when no item has a time
    fingerprint: changes when a turn or the order changes
    turn_fingerprints: one a turn, changes with its text
    """

    session: Session
    instant: float | None
    fingerprint: str
    turn_fingerprints: tuple[str, ...]


def fingerprints(connection: Connection) -> dict[str, str]:
    """Session id -> fingerprint of what is stored."""
    return {
        row.id: row.fingerprint
        for row in connection.execute(select(sessions.c.id, sessions.c.fingerprint))
    }


def session_of(connection: Connection) -> dict[str, str]:
    """Item id -> session id."""
    rows = connection.execute(select(session_items.c.item_id, session_items.c.session_id))
    return {row.item_id: row.session_id for row in rows}


def drop(connection: Connection, session_ids: Iterable[str]) -> None:
    """Remove sessions with their turns."""
    for session_id in session_ids:
        connection.execute(delete(sessions).where(sessions.c.id == session_id))


def replace(connection: Connection, woven: Woven) -> None:
    """Store a session in place of whatever held its id or its items."""
    session = woven.session
    drop(connection, [session.id])
    connection.execute(delete(session_items).where(session_items.c.item_id.in_(session.item_ids)))
    connection.execute(insert(sessions).values(_session_values(woven)))
    connection.execute(
        insert(session_items),
        [
            {"item_id": item_id, "session_id": session.id, "position": position}
            for position, item_id in enumerate(session.item_ids)
        ],
    )
    if session.turns:
        connection.execute(insert(turns), _turn_values(woven))


def read(
    connection: Connection,
    session_ids: Sequence[str] | None = None,
    until: datetime | None = None,
) -> Iterator[Session]:
    """Sessions in order of time, with their turns."""
    query = select(sessions).order_by(
        sessions.c.instant.is_(None), sessions.c.instant, sessions.c.id
    )
    if session_ids is not None:
        query = query.where(sessions.c.id.in_(list(session_ids)))
    if until is not None:
        query = query.where(sessions.c.started <= stamp(until))
    rows = connection.execute(query).all()
    for start in range(0, len(rows), _PAGE):
        yield from _page(connection, rows[start : start + _PAGE])


def _page(connection: Connection, rows: Sequence[Row[*tuple[Any, ...]]]) -> Iterator[Session]:
    """Sessions with their items and turns, by two queries for all of them."""
    ids = [row.id for row in rows]
    members, spoken = (
        _by_session(connection, session_items, ids),
        _by_session(connection, turns, ids),
    )
    for row in rows:
        yield Session(
            id=row.id,
            started=moment(row.started),
            ended=moment(row.ended),
            place_label=row.place_label,
            item_ids=tuple(member.item_id for member in members[row.id]),
            turns=tuple(_turn(turn) for turn in spoken[row.id]),
        )


def _by_session(
    connection: Connection, table: Table, ids: Sequence[str]
) -> dict[str, list[Row[*tuple[Any, ...]]]]:
    """The rows of each session, in order of position."""
    query = select(table).where(table.c.session_id.in_(ids)).order_by(table.c.position)
    found: dict[str, list[Row[*tuple[Any, ...]]]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.session_id].append(row)
    return found


def any_turn(connection: Connection) -> bool:
    """Whether there is anything to read."""
    return connection.execute(select(turns.c.id).limit(1)).first() is not None


def turn_ids(connection: Connection) -> list[str]:
    """The ids of all turns."""
    return list(connection.execute(select(turns.c.id)).scalars())


def stale_turns(connection: Connection) -> list[tuple[Turn, str]]:
    """Turns that the index does not have as they are now, with their fingerprints."""
    query = (
        select(turns)
        .outerjoin(indexed, indexed.c.turn_id == turns.c.id)
        .where(indexed.c.fingerprint.is_(None) | (indexed.c.fingerprint != turns.c.fingerprint))
        .order_by(turns.c.id)
    )
    return [(_turn(row), row.fingerprint) for row in connection.execute(query)]


def surplus_indexed(connection: Connection) -> list[str]:
    """Ids that the index has and the catalog no longer has."""
    query = (
        select(indexed.c.turn_id)
        .outerjoin(turns, turns.c.id == indexed.c.turn_id)
        .where(turns.c.id.is_(None))
        .order_by(indexed.c.turn_id)
    )
    return list(connection.execute(query).scalars())


def mark_indexed(connection: Connection, given: dict[str, str], gone: Iterable[str] = ()) -> None:
    """Note what the index has now: turn id -> fingerprint."""
    for turn_id, fingerprint in given.items():
        statement = upsert(indexed).values(turn_id=turn_id, fingerprint=fingerprint)
        connection.execute(
            statement.on_conflict_do_update(
                index_elements=["turn_id"], set_={"fingerprint": statement.excluded.fingerprint}
            )
        )
    for turn_id in gone:
        connection.execute(delete(indexed).where(indexed.c.turn_id == turn_id))


def clear_indexed(connection: Connection) -> None:
    """Take it that the index is empty."""
    connection.execute(delete(indexed))


def _session_values(woven: Woven) -> dict[str, Any]:
    session = woven.session
    return {
        "id": session.id,
        "started": stamp(session.started),
        "ended": stamp(session.ended),
        "instant": woven.instant,
        "place_label": session.place_label,
        "fingerprint": woven.fingerprint,
    }


def _turn_values(woven: Woven) -> list[dict[str, Any]]:
    return [
        {
            "id": turn.id,
            "session_id": turn.session_id,
            "item_id": turn.item_id,
            "position": position,
            "speaker": turn.speaker.value,
            "at": stamp(turn.at),
            "text": turn.text,
            "fingerprint": fingerprint,
        }
        for position, (turn, fingerprint) in enumerate(
            zip(woven.session.turns, woven.turn_fingerprints, strict=True)
        )
    ]


def _turn(row: Row[*tuple[Any, ...]]) -> Turn:
    return Turn(
        id=row.id,
        session_id=row.session_id,
        item_id=row.item_id,
        speaker=Speaker(row.speaker),
        at=moment(row.at),
        text=row.text,
    )
