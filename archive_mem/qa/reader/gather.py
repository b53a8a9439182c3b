"""The records a chat reader is shown: what the rules stand on, then what the search finds."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from archive_mem.qa.reader.context import Passage, of_record
from archive_mem.qa.reader.talk import ChatTools
from archive_mem.retrieval.dating import dated
from archive_mem.retrieval.plan import plan
from archive_mem.schema.qa import Evidence, Query
from archive_mem.schema.record import Record
from archive_mem.schema.session import Turn

__all__ = ["interleaved", "records_for"]


def records_for(tools: ChatTools, query: Query, found: Sequence[Evidence]) -> list[Passage]:
    """A passage an item with everything woven of it, the most important first.

    found: evidence of the embedded reader, which counts and lists over the whole archive
    """
    first: dict[str, Evidence] = {}
    for each in (*found, *_searched(tools, query)):
        first.setdefault(each.item_id, each)
    records = {each.item_id: each for each in tools.archive.records(list(first), query.asked_at)}
    records |= _undated(tools, [each for each in first if each not in records])
    turns = _turns(tools, records.values())
    return [
        of_record(records[item_id], turns[item_id], evidence)
        for item_id, evidence in first.items()
        if item_id in records
    ]


def interleaved(statements: Sequence[Passage], records: Sequence[Passage]) -> list[Passage]:
    """Two statements, a record, and so on, so that neither takes all the room."""
    left = iter(records)
    mixed: list[Passage] = []
    for place, statement in enumerate(statements, 1):
        mixed.append(statement)
        record = next(left, None) if place % 2 == 0 else None
        mixed.extend([] if record is None else [record])
    return [*mixed, *left]


def _searched(tools: ChatTools, query: Query) -> list[Evidence]:
    read = dated(plan(query.text, query.asked_at, tools.search.known()), tools.search)
    return [
        Evidence(
            item_id=each.record.item_id,
            session_id=each.session_id,
            at=each.record.at,
            quote=each.turn.text,
            score=each.score,
            why=each.parts,
        )
        for each in tools.search.search(read.sought, read, tools.settings.records)
    ]


def _undated(tools: ChatTools, item_ids: Sequence[str]) -> dict[str, Record]:
    """What has no time always exists."""
    if not item_ids:
        return {}
    return {each.item_id: each for each in tools.archive.records(item_ids) if each.at is None}


def _turns(tools: ChatTools, records: Iterable[Record]) -> dict[str, list[Turn]]:
    ids = sorted({each.session_id for each in records if each.session_id is not None})
    turns: dict[str, list[Turn]] = defaultdict(list)
    for session in tools.archive.sessions(ids) if ids else ():
        for turn in session.turns:
            turns[turn.item_id].append(turn)
    return turns
