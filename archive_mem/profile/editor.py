"""What the owner may do with statements of the profile: for the command line and the web page.

Every method takes a statement's id, or the beginning of it, and raises UsageError with one line.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from archive_mem.errors import UsageError
from archive_mem.profile.checkpoints import CatalogCheckpoints
from archive_mem.profile.chrono import ProfileState, wording_id
from archive_mem.profile.edits import Desk, Edit, EditKind, Entry, Piece, laid, pruned
from archive_mem.profile.kept_edits import CatalogEdits
from archive_mem.schema.profile import Category, ProfileItem
from archive_mem.schema.safe import SafeText

__all__ = ["Editor", "Words", "Written"]

SHORTEST_ID = 4
NOTHING_KNOWN = ProfileState(maker="")


class Words(NamedTuple):
    """What is needed of words that the owner types.

    redact: what was typed, with placeholders
    seal, unseal: what was typed, encrypted, and back
    """

    redact: Callable[[str], SafeText]
    seal: Callable[[str], str]
    unseal: Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A decision that is kept.

    id: to take it back by
    kind: what was done
    statement: what it is about, as it is worded now; None where it rests
    saved_at: UTC
    """

    id: int
    kind: EditKind
    statement: SafeText | None
    saved_at: str


class Editor:
    """Keeps decisions and lays them over the profile."""

    def __init__(
        self, checkpoints: CatalogCheckpoints, kept: CatalogEdits, words: Callable[[], Words]
    ) -> None:
        self._checkpoints = checkpoints
        self._kept = kept
        self._words = words

    def merge(self, into: str, other: str) -> ProfileItem:
        """Let a statement take up the mentions of another; its wording stays."""
        desk = self._desk()
        first, second = _found(desk, into), _found(desk, other)
        if first is second:
            raise UsageError(f"{into} and {other} are the same statement")
        sides = desk.item(first).polarity, desk.item(second).polarity
        if sides[0] * sides[1] < 0:
            raise UsageError(f"{into} and {other} contradict each other: correct one of them first")
        return self._decide(
            first,
            Edit(id=0, kind=EditKind.MERGE, about=desk.pieces(first), other=desk.pieces(second)),
        )

    def split(self, item: str, mentions: Sequence[int] = ()) -> ProfileItem:
        """Take mentions (counted from 1) out into a statement of their own.

        Without any, each wording becomes a statement of its own. Returns what is left.
        """
        desk = self._desk()
        entry = _found(desk, item)
        parts = _chosen(desk, entry, mentions) if mentions else _by_wording(entry)
        if not parts:
            raise UsageError(f"{item} has one wording only: say which mentions to take out")
        edit = Edit(id=0, kind=EditKind.SPLIT, about=desk.pieces(entry), parts=parts)
        return self._decide(entry, edit)

    def hide(self, item: str) -> ProfileItem:
        """Leave a statement out of the persona, whatever is added to it later."""
        return self._of_kind(EditKind.HIDE, item)

    def show(self, item: str) -> ProfileItem:
        """Let a hidden statement be part of the persona again."""
        return self._of_kind(EditKind.SHOW, item)

    def correct(
        self, item: str, text: str | None = None, category: Category | None = None
    ) -> ProfileItem:
        """Put a statement into other words, or into another category; names are redacted."""
        if category is None and not (text and text.strip()):
            raise UsageError("a correction needs words or a category")
        desk = self._desk()
        entry = _found(desk, item)
        typed = None if text is None or not text.strip() else text.strip()
        edit = Edit(
            id=0,
            kind=EditKind.CORRECT,
            about=desk.pieces(entry),
            text=None if typed is None else self._words().redact(typed),
            category=category,
        )
        return self._decide(entry, edit, None if typed is None else self._words().seal(typed))

    def hidden(self) -> tuple[ProfileItem, ...]:
        """The statements that are left out, in order of appearance."""
        desk = self._desk()
        return tuple(desk.item(entry) for entry in desk.entries.values() if entry.hidden)

    def decisions(self) -> list[Written]:
        """All decisions, the first one first."""
        desk = self._desk()
        return [_written(desk, edit, at) for edit, at in self._kept.kept()]

    def undo(self, edit_id: int) -> None:
        """Take a decision back, as if it had never been taken."""
        if not self._kept.drop(edit_id):
            raise UsageError(f"there is no decision {edit_id}")

    def forget_what_is_gone(self) -> None:
        """Take out of the decisions what no photo supports any more."""
        edits = self._kept.edits()
        left = pruned(self._state(), edits)
        if left != list(edits):
            self._kept.keep_only(left)

    def redact_again(self) -> None:
        """Redact what was typed anew, now that more names are known."""
        if self._kept.edits():
            words = self._words()
            self._kept.redact_again(lambda sealed: words.redact(words.unseal(sealed)))

    def _of_kind(self, kind: EditKind, item: str) -> ProfileItem:
        desk = self._desk()
        entry = _found(desk, item)
        if entry.hidden is (kind is EditKind.HIDE):
            raise UsageError(f"{item} is {'hidden' if entry.hidden else 'shown'} already")
        return self._decide(entry, Edit(id=0, kind=kind, about=desk.pieces(entry)))

    def _decide(self, entry: Entry, edit: Edit, sealed: str | None = None) -> ProfileItem:
        self._kept.add(edit, sealed)
        desk = self._desk()
        return desk.item(desk.find(edit.about) or entry)

    def _desk(self) -> Desk:
        return laid(self._state(), self._kept.edits())

    def _state(self) -> ProfileState:
        return self._checkpoints.load() or NOTHING_KNOWN


def _found(desk: Desk, name: str) -> Entry:
    """The entry whose id begins so."""
    if name in desk.entries:
        return desk.entries[name]
    fitting = [key for key in desk.entries if key.startswith(name)]
    if len(name) < SHORTEST_ID or not fitting:
        raise UsageError(f"there is no statement {name!r}: archive-mem profile shows their ids")
    if len(fitting) > 1:
        raise UsageError(f"{len(fitting)} statements have an id that begins with {name!r}")
    return desk.entries[fitting[0]]


def _by_wording(entry: Entry) -> tuple[tuple[Piece, ...], ...]:
    wordings = dict.fromkeys(wording_id(each.candidate) for each in entry.decisions())
    stays = entry.id if entry.id in wordings else next(iter(wordings))
    return tuple((Piece(each),) for each in wordings if each != stays)


def _chosen(desk: Desk, entry: Entry, numbers: Sequence[int]) -> tuple[tuple[Piece, ...], ...]:
    """One part: whole wordings where all their mentions were chosen, else those mentions alone."""
    mentions = desk.item(entry).mentions
    wrong = next((n for n in numbers if not 1 <= n <= len(mentions)), None)
    if wrong is not None:
        raise UsageError(f"{entry.id[:8]} has mentions 1 to {len(mentions)}, not {wrong}")
    chosen = {mentions[number - 1] for number in numbers}
    if chosen == set(mentions):
        raise UsageError("all mentions were named: nothing would be left")
    uses = [(wording_id(d.candidate), d.candidate.mention) for d in entry.decisions()]
    staying = Counter(wording for wording, mention in uses if mention not in chosen)
    pieces = {
        Piece(wording, mention.item_id)
        if staying[wording] or wording == entry.id
        else Piece(wording)
        for wording, mention in uses
        if mention in chosen
    }
    return (tuple(sorted(pieces, key=str)),)


def _written(desk: Desk, edit: Edit, saved_at: str) -> Written:
    entry = desk.find(edit.about)
    statement = None if entry is None else desk.item(entry).statement
    return Written(id=edit.id, kind=edit.kind, statement=statement, saved_at=saved_at)
