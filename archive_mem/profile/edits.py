"""What the owner decides by hand: statements merged, taken apart, hidden, shown, put right. Pure.

A decision names wordings, not entries: a wording is the same however the profile is built, so that
a decision holds after a late session, a forgotten photo, or building from scratch. It is laid over
what Algorithm 1 made, in the order in which decisions were taken; one whose wordings are all gone
rests. What is added later under a known wording follows it.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from archive_mem.profile.chrono import (
    Decision,
    ProfileState,
    begun,
    mention_order,
    mentioned,
    wording_id,
)
from archive_mem.profile.claims import polarity
from archive_mem.schema.profile import Category, Mention, ProfileItem
from archive_mem.schema.safe import SafeText

__all__ = ["Desk", "Edit", "EditKind", "Entry", "Piece", "edited", "laid", "pruned"]


class EditKind(StrEnum):
    """What can be decided."""

    MERGE = "merge"
    SPLIT = "split"
    HIDE = "hide"
    SHOW = "show"
    CORRECT = "correct"


class Piece(NamedTuple):
    """Uses of a wording: all of them, or those of one item alone."""

    wording: str
    item_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One decision.

    id: grows with every decision
    kind: what is done
    about: what is in the entry it is about, its name first
    other: for merge, what is in the entry that is taken up
    parts: for split, what leaves, each part for an entry of its own
    text: for correct, the owner's words, None to leave them
    category: for correct, where it belongs, None to leave it
    """

    id: int
    kind: EditKind
    about: tuple[Piece, ...]
    other: tuple[Piece, ...] = ()
    parts: tuple[tuple[Piece, ...], ...] = ()
    text: SafeText | None = None
    category: Category | None = None


@dataclass(slots=True)
class Entry:
    """An entry while decisions are laid over it.

    id: of the entry
    lead: decisions of Algorithm 1 that word it
    joined: those of entries that were merged into it by hand; they give mentions only
    text, category: the owner's, None where they were left
    hidden: whether it is no part of the persona
    """

    id: str
    lead: list[Decision] = field(default_factory=list)
    joined: list[Decision] = field(default_factory=list)
    text: SafeText | None = None
    category: Category | None = None
    hidden: bool = False

    def decisions(self) -> list[Decision]:
        """All that it stands on."""
        return [*self.lead, *self.joined]


def edited(state: ProfileState, edits: Sequence[Edit]) -> ProfileState:
    """The state whose items are as the owner decided; hidden ones are left out."""
    if not edits:
        return state
    desk = laid(state, edits)
    shown = (entry for entry in desk.entries.values() if not entry.hidden)
    return replace(state, items=tuple(map(desk.item, shown)))


def pruned(state: ProfileState, edits: Iterable[Edit]) -> list[Edit]:
    """The decisions without what the state no longer has; those with nothing left are dropped.

    They do the same as before: a wording that is gone had no effect.
    """
    uses = {piece for step in state.steps for d in step.decisions for piece in _pieces(d)}
    return [kept for edit in edits if (kept := _pruned(edit, uses)) is not None]


def _pruned(edit: Edit, uses: set[Piece]) -> Edit | None:
    parts = (tuple(piece for piece in part if piece in uses) for part in edit.parts)
    kept = replace(
        edit,
        about=tuple(piece for piece in edit.about if piece in uses),
        other=tuple(piece for piece in edit.other if piece in uses),
        parts=tuple(part for part in parts if part),
    )
    empty = not kept.about or (edit.other and not kept.other) or (edit.parts and not kept.parts)
    return None if empty else kept


def _pieces(decision: Decision) -> tuple[Piece, Piece]:
    wording = wording_id(decision.candidate)
    return Piece(wording), Piece(wording, decision.candidate.mention.item_id)


@dataclass(slots=True)
class Desk:
    """Entries while decisions are laid over them.

    entries: by id, in order of appearance
    used: by piece, how often each entry uses it
    became: id of an entry that was merged away -> that which took it up
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    used: dict[Piece, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    became: dict[str, str] = field(default_factory=dict)

    def add(self, entry_id: str, decisions: Iterable[Decision]) -> None:
        """Let an entry stand on more decisions; it is made where there is none."""
        if entry_id not in self.entries:
            self.entries[entry_id] = Entry(id=entry_id)
            self.became.pop(entry_id, None)
        for decision in decisions:
            self.entries[entry_id].lead.append(decision)
            self._count(entry_id, decision, 1)

    def find(self, pieces: Iterable[Piece]) -> Entry | None:
        """The entry of the first piece that is still used: that of its name, or mostly used."""
        for piece in pieces:
            where = +self.used[piece] if piece in self.used else Counter()
            if piece.wording in where:
                return self.entries[piece.wording]
            if where:
                return self.entries[min(where, key=lambda name: (-where[name], name))]
        return None

    def pieces(self, entry: Entry) -> tuple[Piece, ...]:
        """What is in an entry, so that `find` comes back to it; its name first."""
        found: dict[Piece, None] = {}
        for decision in entry.decisions():
            whole, single = _pieces(decision)
            alone = len(+self.used[whole]) == 1 or whole.wording == entry.id
            found[whole if alone else single] = None
        return tuple(sorted(found, key=lambda piece: piece.wording != entry.id))

    def take(self, entry: Entry, leaves: Callable[[Decision], bool]) -> list[Decision]:
        """Take decisions out of an entry that keeps others."""
        taken = [each for each in entry.decisions() if leaves(each)]
        entry.lead = [each for each in entry.lead if not leaves(each)]
        entry.joined = [each for each in entry.joined if not leaves(each)]
        if not entry.lead:
            entry.lead, entry.joined = entry.joined, []
        for decision in taken:
            self._count(entry.id, decision, -1)
        return sorted(taken, key=lambda each: mention_order(each.candidate.mention))

    def unite(self, entry: Entry, other: Entry) -> None:
        """Let one entry take another one up."""
        entry.joined += other.decisions()
        for decision in other.decisions():
            self._count(other.id, decision, -1)
            self._count(entry.id, decision, 1)
        self.became[other.id] = entry.id
        del self.entries[other.id]

    def item(self, entry: Entry) -> ProfileItem:
        """The statement that an entry gives."""
        item = replace(begun(entry.lead[0]), id=entry.id)
        for decision in entry.lead[1:]:
            item = mentioned(item, decision)
        if entry.joined:
            item = replace(item, mentions=_all_mentions(entry))
        related = self._related(item)
        item = replace(item, related_id=related, category=entry.category or item.category)
        if entry.text is None:
            return item
        side = polarity(entry.text.value)
        return replace(item, statement=entry.text, polarity=side, settled=True)

    def _count(self, entry_id: str, decision: Decision, by: int) -> None:
        for piece in _pieces(decision):
            self.used[piece][entry_id] += by

    def _related(self, item: ProfileItem) -> str | None:
        related = item.related_id
        while related is not None and related not in self.entries:
            related = self.became.get(related)
        return None if related == item.id else related


def laid(state: ProfileState, edits: Sequence[Edit]) -> Desk:
    """The entries that Algorithm 1 made, with the decisions laid over them in order."""
    desk = Desk()
    for step in state.steps:
        for decision in step.decisions:
            desk.add(decision.item_id, [decision])
    for edit in sorted(edits, key=lambda each: each.id):
        entry = desk.find(edit.about)
        if entry is not None:
            _lay(desk, entry, edit)
    return desk


def _lay(desk: Desk, entry: Entry, edit: Edit) -> None:
    match edit.kind:
        case EditKind.MERGE:
            other = desk.find(edit.other)
            if other is not None and other is not entry:
                desk.unite(entry, other)
        case EditKind.SPLIT:
            for part in edit.parts:
                _split(desk, entry, part)
        case EditKind.HIDE | EditKind.SHOW:
            entry.hidden = edit.kind is EditKind.HIDE
        case EditKind.CORRECT:
            entry.text, entry.category = edit.text or entry.text, edit.category or entry.category


def _split(desk: Desk, entry: Entry, part: Sequence[Piece]) -> None:
    def leaves(decision: Decision) -> bool:
        return any(piece in part for piece in _pieces(decision))

    if all(leaves(decision) for decision in entry.decisions()):
        return
    taken = desk.take(entry, leaves)
    if taken:
        desk.add(_name(part, entry, taken), taken)


def _name(part: Sequence[Piece], entry: Entry, taken: Sequence[Decision]) -> str:
    """A whole wording names its entry, as in Algorithm 1; part of one gets a name of its own."""
    whole, single = _pieces(taken[0])
    if whole in part and whole.wording != entry.id:
        return whole.wording
    return hashlib.sha256("\n".join(map(str, single)).encode()).hexdigest()[:16]


def _all_mentions(entry: Entry) -> tuple[Mention, ...]:
    found = dict.fromkeys(each.candidate.mention for each in entry.decisions())
    return tuple(sorted(found, key=mention_order))
