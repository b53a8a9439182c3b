"""Logs as sessions, without loss: every turn can be read back into its log."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from anonymize.compose import public
from archive_mem.evals.benchmarks.dynamicmem.protocol import AppLog
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.record import Record
from archive_mem.schema.session import Session, Speaker, Turn

__all__ = ["LogArchive", "said", "unwoven", "woven"]

GAP = timedelta(minutes=30)
"""Calls less than this apart, on one day, are one session."""
_FORM = re.compile(
    r"(?P<app>\".*?\"|null) (?P<api>\".*?\"|null) request (?P<size>\d+) (?P<rest>.*)", re.DOTALL
)


def woven(logs: Sequence[AppLog]) -> tuple[Session, ...]:
    """Sessions in order of time; each log is one turn of one session."""
    in_time = sorted(logs, key=lambda log: (log.at, log.id))
    groups: list[list[AppLog]] = []
    for log in in_time:
        last = groups[-1][-1] if groups else None
        near = last is not None and log.at - last.at <= GAP and log.at.date() == last.at.date()
        if near:
            groups[-1].append(log)
        else:
            groups.append([log])
    return tuple(_session(group) for group in groups)


def said(log: AppLog) -> str:
    """The text of a log's turn: app and call, then request and response as JSON."""
    request = json.dumps(log.request, ensure_ascii=False)
    response = json.dumps(log.response, ensure_ascii=False)
    app, api = (json.dumps(each, ensure_ascii=False) for each in (log.app, log.api))
    return f"{app} {api} request {len(request)} {request} response {response}"


def unwoven(turn: Turn) -> AppLog:
    """The log that a turn was made of. Raises ValueError for another turn."""
    found = _FORM.fullmatch(turn.text.value)
    if found is None or turn.at is None:
        raise ValueError(f"{turn.id} is no turn of a log")
    size, rest = int(found["size"]), found["rest"]
    return AppLog(
        id=turn.item_id,
        at=turn.at,
        app=json.loads(found["app"]),
        api=json.loads(found["api"]),
        request=json.loads(rest[:size]),
        response=json.loads(rest[size:].removeprefix(" response ")),
    )


def _session(logs: Sequence[AppLog]) -> Session:
    name = hashlib.sha256("\n".join(log.id for log in logs).encode()).hexdigest()[:16]
    turns = tuple(
        Turn(
            id=f"{name}:{number}",
            session_id=name,
            item_id=log.id,
            speaker=Speaker.ARCHIVE,
            at=log.at,
            text=public(said(log)),
        )
        for number, log in enumerate(logs)
    )
    return Session(
        id=name,
        started=logs[0].at,
        ended=logs[-1].at,
        place_label=None,
        item_ids=tuple(log.id for log in logs),
        turns=turns,
    )


class LogArchive:
    """Sessions of logs as the profiler reads them (Archive); there are no photos in it."""

    def __init__(self, logs: Sequence[AppLog]) -> None:
        self._sessions = woven(logs)

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        """None: a log has no media."""
        yield from ()

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        """In order of time."""
        for session in self._sessions:
            chosen = session_ids is None or session.id in session_ids
            begun = until is None or (session.started is not None and session.started <= until)
            if chosen and begun:
                yield session

    def profile_items(self) -> tuple[ProfileItem, ...]:
        """None yet."""
        return ()
