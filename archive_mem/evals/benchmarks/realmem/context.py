"""What a reader is shown: which episodes, and which profile."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from archive_mem.evals.benchmarks.realmem.data import Asked
from archive_mem.index.hybrid import HybridIndex
from archive_mem.profile.stability import Constants
from archive_mem.profile.wording import statement_as_of
from archive_mem.qa.recall import RecallSettings
from archive_mem.retrieval.dating import dated
from archive_mem.retrieval.photos import PhotoFinder
from archive_mem.retrieval.plan import plan
from archive_mem.retrieval.search import Search
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.record import Archive, Record
from archive_mem.schema.safe import SafeImage, SafeText
from archive_mem.schema.session import Session
from models.base import TextEmbedder

__all__ = [
    "EPISODES",
    "Arm",
    "Context",
    "Episodes",
    "Lab",
    "Mode",
    "Shown",
    "context_of",
    "shown_of",
]


class Mode(StrEnum):
    """What is shown of an episode.

    caption: captioned dialogue and metadata
    caption+pixels: the media as well
    pixels: media and metadata, no dialogue
    """

    CAPTION = "caption"
    BOTH = "caption+pixels"
    PIXELS = "pixels"


class Arm(StrEnum):
    """Which profile goes with the episodes.

    none: no profile; what a reader knows it read in the episodes shown
    chrono: statements with their temporal stability
    no-ts: the same statements, all alike
    recency, frequency: the same, weighed by last mention or by count
    """

    NONE = "none"
    CHRONO = "chrono"
    NO_TS = "no-ts"
    RECENCY = "recency"
    FREQUENCY = "frequency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A memory with the parts that the benchmark works with; wiring builds it.

    archive, search, index: records, and how they are found
    embedder: of turns; statement_embedder: of statements
    photos: finds a given photo
    stability: constants of Algorithm 2
    recall: when an answer is supported
    redact: placeholders in place of names
    item_of: item id of a media path or id
    pictures: blurred pixels of an item, empty when it has none
    """

    archive: Archive
    search: Search
    index: HybridIndex
    embedder: TextEmbedder
    statement_embedder: TextEmbedder
    photos: PhotoFinder
    stability: Constants
    recall: RecallSettings
    redact: Callable[[str], SafeText]
    item_of: Callable[[str], str | None]
    pictures: Callable[[str], tuple[SafeImage, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What one question is answered from.

    items: ids of the episodes, best first; None for all of the archive
    arm: the profile
    mode: what is shown of the episodes
    """

    items: tuple[str, ...] | None
    arm: Arm
    mode: Mode


class Episodes(Protocol):
    """Chooses episodes for a question."""

    def __call__(self, lab: Lab, asked: Asked, k: int | None) -> tuple[str, ...] | None:
        """Item ids, best first; None for all. k: how many, None for no limit."""
        ...


def _full(lab: Lab, asked: Asked, k: int | None) -> tuple[str, ...] | None:
    return None


def _oracle(lab: Lab, asked: Asked, k: int | None) -> tuple[str, ...] | None:
    return asked.oracle


def _rag(lab: Lab, asked: Asked, k: int | None) -> tuple[str, ...] | None:
    """The product's own search: vectors, words, time, place and people."""
    if k is None:
        return None
    read = dated(plan(asked.question, asked.asked_at, lab.search.known()), lab.search)
    found = lab.search.search(read.sought, read, k)
    return _after_photo(asked, [each.record.item_id for each in found])


def _bm25(lab: Lab, asked: Asked, k: int | None) -> tuple[str, ...] | None:
    """Words alone."""
    if k is None:
        return None
    stored = lab.index.stored()
    hits = lab.index.by_words(asked.question, len(stored.ids))
    return _after_photo(asked, _first(lab, asked, [hit.id for hit in hits], k))


def _dense(lab: Lab, asked: Asked, k: int | None) -> tuple[str, ...] | None:
    """Vectors alone, as a plain vector store gives them."""
    from archive_mem.index.in_memory import nearest
    from models.embed import embed_question

    if k is None:
        return None
    stored = lab.index.stored()
    asked_for = embed_question(lab.embedder, asked.question)
    hits = nearest(stored.ids, stored.vectors, asked_for, len(stored.ids))
    return _after_photo(asked, _first(lab, asked, [hit.id for hit in hits], k))


EPISODES: Mapping[str, Episodes] = {
    "full-context": _full,
    "oracle": _oracle,
    "rag": _rag,
    "bm25": _bm25,
    "dense": _dense,
}


def _first(lab: Lab, asked: Asked, turns: Sequence[str], k: int) -> list[str]:
    """The first k items of ranked turns that exist when the question is asked."""
    stored = lab.index.stored()
    items = list(dict.fromkeys(stored.items[stored.row_of[turn]] for turn in turns))
    known = {r.item_id for r in lab.archive.records(items) if r.exists_at(asked.asked_at)}
    return [item for item in items if item in known][:k]


def _after_photo(asked: Asked, items: Sequence[str]) -> tuple[str, ...]:
    """The given photo is part of the question, so its record is always shown."""
    given = [] if asked.photo is None else [asked.photo]
    return tuple(dict.fromkeys([*given, *items]))


def context_of(
    lab: Lab, asked: Asked, episodes: str, arm: Arm, mode: Mode, k: int | None
) -> Context:
    """What a question is answered from by one system."""
    return Context(items=EPISODES[episodes](lab, asked, k), arm=arm, mode=mode)


class Shown:
    """The archive as one context shows it (Archive); nothing captured later exists.

    archive: the whole
    context: what is shown of it
    asked_at: when the question is asked
    """

    def __init__(self, archive: Archive, context: Context, asked_at: datetime) -> None:
        self._archive, self._asked_at, self._arm = archive, asked_at, context.arm
        self._items = None if context.items is None else frozenset(context.items)
        self._known = [r.item_id for r in self._read(None) if r.exists_at(asked_at)]

    def _read(self, until: datetime | None) -> Iterator[Record]:
        wanted = None if self._items is None else sorted(self._items)
        return self._archive.records(wanted, until)

    def item_ids(self) -> tuple[str, ...]:
        """In order of time."""
        return tuple(self._known)

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        """Those that are shown."""
        wanted = set(self._known) if item_ids is None else set(self._known) & set(item_ids)
        for record in self._archive.records(sorted(wanted), until) if wanted else ():
            if record.exists_at(self._asked_at):
                yield record

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        """Those with an item that is shown, and of them the turns of such items."""
        shown = set(self._known)
        for session in self._archive.sessions(session_ids, until):
            if shown.isdisjoint(session.item_ids):
                continue
            yield replace(
                session,
                item_ids=tuple(each for each in session.item_ids if each in shown),
                turns=tuple(turn for turn in session.turns if turn.item_id in shown),
            )

    def profile_items(self) -> tuple[ProfileItem, ...]:
        """All statements where there is a profile, else what the shown episodes say."""
        found = self._archive.profile_items()
        if self._arm is not Arm.NONE:
            return found
        shown = set(self._known)
        read = (_as_read_in(item, shown) for item in found)
        return tuple(item for item in read if item is not None)


def shown_of(lab: Lab, context: Context, asked: Asked) -> Shown:
    """The narrowed archive of one question."""
    return Shown(lab.archive, context, asked.asked_at)


def _as_read_in(item: ProfileItem, shown: set[str]) -> ProfileItem | None:
    kept = tuple(mention for mention in item.mentions if mention.item_id in shown)
    if not kept:
        return None
    return replace(item, mentions=kept, statement=statement_as_of(item, kept))
