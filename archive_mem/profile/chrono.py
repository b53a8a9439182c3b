"""Algorithm 1: the profile grows session by session, and nothing is overwritten.

The state is a log of decisions. The statements follow from it, so that a late session, a changed
one or a forgotten item is taken up by going back to the step before it and on from there: what
comes out is what building from scratch gives.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Protocol

from archive_mem.profile.candidates import Candidate, Extractor, is_observed
from archive_mem.profile.compare import Comparer, Relation, Verdict
from archive_mem.profile.wording import stems
from archive_mem.schema.profile import Category, Mention, ProfileItem
from archive_mem.schema.record import Archive, Record
from archive_mem.schema.session import Session

__all__ = [
    "CheckpointStore",
    "Decision",
    "ProfileState",
    "Step",
    "absorb",
    "begun",
    "build_profile",
    "empty",
    "fingerprint",
    "mention_order",
    "mentioned",
    "published",
    "restore",
    "wording_id",
]

BATCH = 64
REPEATED_DAYS = 3
REPEATED_WITHIN = timedelta(days=120)
NEAREST = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A candidate and what was made of it.

    candidate: the statement found
    relation: New, Duplicate, Update or Conflict
    item_id: the entry that got the mention (a new one for New and Conflict)
    related_id: for Conflict, the entry that it contradicts
    """

    candidate: Candidate
    relation: Relation
    item_id: str
    related_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One absorbed session.

    session_id: the session
    fingerprint: of all that was looked at; another one means the session changed
    decisions: in order
    """

    session_id: str
    fingerprint: str
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileState:
    """All statements, and how they came about.

    maker: names of extractor and comparer; another one means building again
    steps: in order of time; enough to restore the rest
    items: every entry, seen once or often, in order of appearance
    """

    maker: str
    steps: tuple[Step, ...] = ()
    items: tuple[ProfileItem, ...] = ()


class CheckpointStore(Protocol):
    """Keeps the state between runs."""

    def load(self) -> ProfileState | None:
        """The last saved state, None when there is none."""
        ...

    def save(self, state: ProfileState, session_id: str) -> None:
        """Called after each session; `session_id` is that of the last step.

        Between two calls of one run only the last step is new. After a late or changed session
        the steps from there on are written again: keep those before `len(state.steps) - 1`.
        """
        ...

    def clear(self) -> None:
        """There are no sessions: no step is kept."""
        ...


@dataclass(slots=True)
class _Shelf:
    """The entries while a run goes on, found by id, slot and words.

    items: by id, in order of appearance
    near: ids by (category, slot or stem), in order of appearance
    """

    items: dict[str, ProfileItem] = field(default_factory=dict)
    near: dict[tuple[Category, str], dict[str, None]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def put(self, item: ProfileItem) -> None:
        self.items[item.id] = item
        for key in _keys(item.category, item.slot, item.statement.value):
            self.near[key][item.id] = None

    def neighbours(self, candidate: Candidate) -> list[ProfileItem]:
        """Entries that share the slot or a rare word: a bounded number, however long the profile.

        Every other entry of the category has neither in common and would be called New.
        """
        keys = _keys(candidate.category, candidate.slot, candidate.statement.value)
        shelves = sorted((self.near[key] for key in keys if key in self.near), key=len)
        found: dict[str, None] = {}
        for shelf in shelves:
            found.update(dict.fromkeys(islice(reversed(shelf), NEAREST)))
        return [self.items[item_id] for item_id in sorted(found)]

    def apply(self, decision: Decision) -> None:
        """Take a decision over into the entries."""
        known = self.items.get(decision.item_id)
        self.put(begun(decision) if known is None else mentioned(known, decision))


def empty(extractor: Extractor, comparer: Comparer) -> ProfileState:
    """Before the first session."""
    return ProfileState(maker=f"{extractor.name} {comparer.name}")


def absorb(
    state: ProfileState,
    session: Session,
    records: Sequence[Record],
    extractor: Extractor,
    comparer: Comparer,
) -> ProfileState:
    """The state after one more session; pure. The session is later than those before it."""
    shelf = _shelf_of(state.steps)
    candidates = extractor.extract(session, records)
    comparer.prepare(candidates)
    mark = fingerprint(session, records)
    return _after(state, shelf, session.id, mark, candidates, comparer)


def build_profile(
    archive: Archive, store: CheckpointStore, extractor: Extractor, comparer: Comparer
) -> ProfileState:
    """The state over all sessions of the archive that have a time; saved after each session.

    Continues after the last session that is still as it was. Raises ModelError.
    """
    visits = list(_visits(archive))
    state = _kept(store.load(), empty(extractor, comparer), visits)
    pending = visits[len(state.steps) :]
    shelf = _shelf_of(state.steps)
    if not visits:
        store.clear()
    elif not pending:
        store.save(state, visits[-1].session.id)
    for batch in _batches(pending):
        found = [extractor.extract(visit.session, visit.records) for visit in batch]
        comparer.prepare([candidate for each in found for candidate in each])
        for visit, candidates in zip(batch, found, strict=True):
            state = _after(state, shelf, visit.session.id, visit.fingerprint, candidates, comparer)
            store.save(state, visit.session.id)
    return state


def published(state: ProfileState) -> tuple[ProfileItem, ...]:
    """The statements that make the persona: said ones, and seen ones that repeat.

    A fact that was only seen counts once it was seen on three days within four months.
    """
    return tuple(item for item in state.items if not is_observed(item.slot) or _repeats(item))


def fingerprint(session: Session, records: Sequence[Record]) -> str:
    """Hex digest of all that extraction may look at."""
    digest = hashlib.sha256(session.id.encode())
    for record in sorted(records, key=lambda each: each.item_id):
        for part in _read_by_extraction(record):
            digest.update(str(part).encode())
            digest.update(b"\x1f")
    for turn in session.turns:
        digest.update(turn.text.value.encode())
        digest.update(b"\x1e")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Visit:
    session: Session
    records: tuple[Record, ...]
    fingerprint: str


def _visits(archive: Archive) -> Iterator[_Visit]:
    by_session: dict[str, list[Record]] = defaultdict(list)
    for record in archive.records():
        if record.session_id is not None:
            by_session[record.session_id].append(record)
    for session in sorted(_dated(archive.sessions()), key=_in_time):
        records = tuple(by_session.get(session.id, ()))
        yield _Visit(session=session, records=records, fingerprint=fingerprint(session, records))


def _dated(sessions: Iterable[Session]) -> Iterator[Session]:
    return (session for session in sessions if session.started is not None)


def _in_time(session: Session) -> tuple[str, str]:
    return "" if session.started is None else session.started.isoformat(" "), session.id


def _kept(
    saved: ProfileState | None, fresh: ProfileState, visits: Sequence[_Visit]
) -> ProfileState:
    """The saved state up to the first session that is not as it was."""
    if saved is None or saved.maker != fresh.maker:
        return fresh
    same = 0
    for step, visit in zip(saved.steps, visits, strict=False):
        if (step.session_id, step.fingerprint) != (visit.session.id, visit.fingerprint):
            break
        same += 1
    if same == len(saved.steps):
        return saved
    return restore(fresh.maker, saved.steps[:same])


def restore(maker: str, steps: Sequence[Step]) -> ProfileState:
    """The state that follows from a log of steps; nothing is compared again."""
    shelf = _shelf_of(steps)
    return ProfileState(maker=maker, steps=tuple(steps), items=tuple(shelf.items.values()))


def _after(
    state: ProfileState,
    shelf: _Shelf,
    session_id: str,
    mark: str,
    candidates: Sequence[Candidate],
    comparer: Comparer,
) -> ProfileState:
    decisions = []
    for candidate in candidates:
        decision = _decide(candidate, shelf, comparer)
        shelf.apply(decision)
        decisions.append(decision)
    step = Step(session_id=session_id, fingerprint=mark, decisions=tuple(decisions))
    return replace(state, steps=(*state.steps, step), items=tuple(shelf.items.values()))


def _decide(candidate: Candidate, shelf: _Shelf, comparer: Comparer) -> Decision:
    own = wording_id(candidate)
    if own in shelf.items:
        return Decision(candidate=candidate, relation=Relation.DUPLICATE, item_id=own)
    verdict = comparer.compare(candidate, shelf.neighbours(candidate))
    if verdict.relation in (Relation.DUPLICATE, Relation.UPDATE) and verdict.item_id is not None:
        return Decision(candidate=candidate, relation=verdict.relation, item_id=verdict.item_id)
    return Decision(
        candidate=candidate,
        relation=verdict.relation,
        item_id=own,
        related_id=_known(verdict, shelf),
    )


def _known(verdict: Verdict, shelf: _Shelf) -> str | None:
    return verdict.item_id if verdict.item_id in shelf.items else None


def wording_id(candidate: Candidate) -> str:
    """Names a wording in a category; an entry has the name of the wording it began with."""
    first = f"{candidate.category}\n{candidate.statement.value}"
    return hashlib.sha256(first.encode()).hexdigest()[:16]


def begun(decision: Decision) -> ProfileItem:
    """The entry that a decision begins."""
    candidate = decision.candidate
    return ProfileItem(
        id=decision.item_id,
        category=candidate.category,
        statement=candidate.statement,
        mentions=(candidate.mention,),
        related_id=decision.related_id,
        slot=candidate.slot,
        polarity=candidate.polarity,
    )


def mentioned(item: ProfileItem, decision: Decision) -> ProfileItem:
    """The entry with one more mention; an Update also words it anew."""
    candidate = decision.candidate
    statement = candidate.statement if decision.relation is Relation.UPDATE else item.statement
    if candidate.mention in item.mentions[-8:]:
        return replace(item, statement=statement)
    mentions = sorted((*item.mentions, candidate.mention), key=mention_order)
    return replace(item, statement=statement, mentions=tuple(mentions))


def mention_order(mention: Mention) -> tuple[datetime, str, str]:
    """By time; ties by item, then words."""
    return mention.at, mention.item_id, mention.quote.value


def _shelf_of(steps: Iterable[Step]) -> _Shelf:
    shelf = _Shelf()
    for step in steps:
        for decision in step.decisions:
            shelf.apply(decision)
    return shelf


def _keys(category: Category, slot: str | None, statement: str) -> list[tuple[Category, str]]:
    if is_observed(slot):
        return [(category, f"slot {slot}")]
    words = [(category, f"stem {each}") for each in sorted(stems(statement))]
    return words if slot is None else [(category, f"slot {slot}"), *words]


def _repeats(item: ProfileItem) -> bool:
    days = sorted({mention.at.date() for mention in item.mentions})
    return any(
        last - first <= REPEATED_WITHIN
        for first, last in zip(days, days[REPEATED_DAYS - 1 :], strict=False)
    )


def _batches(visits: Sequence[_Visit]) -> Iterator[Sequence[_Visit]]:
    for start in range(0, len(visits), BATCH):
        yield visits[start : start + BATCH]


def _read_by_extraction(record: Record) -> Iterator[object]:
    yield record.item_id
    yield record.at
    yield record.place_label
    yield record.scenario
    yield from record.people
    yield record.objective
    yield record.subjective
