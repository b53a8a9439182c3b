"""How a candidate stands to what is known: New, Duplicate, Update or Conflict."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from anonymize.compose import excerpt
from archive_mem.profile.candidates import Candidate, is_observed
from archive_mem.profile.claims import claims
from archive_mem.profile.topics import EXCLUSIVE
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.wording import more_specific, normal, stems
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder

__all__ = ["Comparer", "EmbeddedComparer", "Relation", "Side", "Verdict", "sides"]


class Relation(StrEnum):
    """The four outcomes of Algorithm 1."""

    NEW = "new"
    DUPLICATE = "duplicate"
    UPDATE = "update"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An outcome.

    relation: one of four
    item_id: the entry that is meant, None for New
    """

    relation: Relation
    item_id: str | None = None


class Side(NamedTuple):
    """A thing that a statement takes a side on.

    text: its words
    sign: 1 for, -1 against, 0 neither
    """

    text: SafeText
    sign: int


class Comparer(Protocol):
    """Compares. `name` changes when its verdicts may change: then all is built again."""

    name: str

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        """Told what will be compared, to do slow work in one go."""
        ...

    def compare(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
        """The verdict on a candidate; `entries` are those near it in its category."""
        ...


NEW = Verdict(relation=Relation.NEW)
SAME_STATEMENT = 0.86
SAME_SUBJECT = 0.62
SAME_WORDS = 0.5


class EmbeddedComparer(Comparer):
    """Embedding similarity of subjects, the side taken on them, and the slot."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self.name = f"embedded-1/{embedder.name}"
        self._vectors = Vectors(embedder)

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        """Embed the statements and their subjects in one batch."""
        self._vectors.prepare(
            text
            for candidate in candidates
            if not is_observed(candidate.slot)
            for text in _texts(candidate.statement)
        )

    def compare(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
        """Facts that were seen are compared by slot; what was said, by subject and side."""
        if not entries:
            return NEW
        if is_observed(candidate.slot):
            return _by_slot(candidate, entries)
        said = [entry for entry in entries if not is_observed(entry.slot)]
        return self._by_subject(candidate, said) if said else NEW

    def _by_subject(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
        texts = [entry.statement for entry in entries]
        closeness = self._vectors.similarity([candidate.statement], texts)[0]
        conflict: tuple[float, Verdict] = (0.0, NEW)
        for position in np.argsort(-closeness, kind="stable"):
            verdict, weight = self._pair(candidate, entries[position], float(closeness[position]))
            if verdict.relation in (Relation.DUPLICATE, Relation.UPDATE):
                return verdict
            if verdict.relation is Relation.CONFLICT and weight > conflict[0]:
                conflict = (weight, verdict)
        return conflict[1]

    def _pair(
        self, candidate: Candidate, entry: ProfileItem, closeness: float
    ) -> tuple[Verdict, float]:
        agreement, weight = self._agreement(candidate.statement, entry.statement)
        if agreement < 0:
            return Verdict(relation=Relation.CONFLICT, item_id=entry.id), weight
        same = candidate.polarity == entry.polarity
        if same and agreement > 0 and closeness >= SAME_SUBJECT:
            return Verdict(relation=_refined(candidate, entry), item_id=entry.id), weight
        if same and closeness >= SAME_STATEMENT and agreement >= 0 and not candidate.polarity:
            return Verdict(relation=_refined(candidate, entry), item_id=entry.id), closeness
        if candidate.slot in EXCLUSIVE and candidate.slot == entry.slot and not candidate.polarity:
            return Verdict(relation=Relation.CONFLICT, item_id=entry.id), closeness
        return NEW, 0.0

    def _agreement(self, left: SafeText, right: SafeText) -> tuple[int, float]:
        """-1 when they take opposite sides on one subject, 1 when they agree on all they share."""
        ours, theirs = sides(left), sides(right)
        if not ours or not theirs:
            return 0, 0.0
        close = self._vectors.similarity([s.text for s in ours], [s.text for s in theirs])
        agreed, opposed = 0.0, 0.0
        for row, mine in enumerate(ours):
            for column, other in enumerate(theirs):
                match = _match(mine.text.value, other.text.value, float(close[row, column]))
                product = mine.sign * other.sign
                agreed = max(agreed, match if product > 0 else 0.0)
                opposed = max(opposed, match if product < 0 else 0.0)
        if opposed > agreed:
            return -1, opposed
        both = len(ours) == len(theirs)
        return (1, agreed) if agreed and both else (0, agreed)


def sides(statement: SafeText) -> tuple[Side, ...]:
    """What a statement is for and against, over all its clauses."""
    return tuple(
        Side(excerpt(statement, *span), sign) for span, sign in _signed_spans(statement.value)
    )


@lru_cache(maxsize=65_536)
def _signed_spans(text: str) -> tuple[tuple[tuple[int, int], int], ...]:
    return tuple(
        ((facet.span.start, facet.span.end), facet.sign)
        for claim in claims(text)
        for facet in claim.facets
        if facet.sign
    )


def _texts(statement: SafeText) -> Iterable[SafeText]:
    yield statement
    for side in sides(statement):
        yield side.text


def _by_slot(candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
    wording = normal(candidate.statement.value)
    same = [entry for entry in entries if entry.slot == candidate.slot]
    for entry in same:
        if normal(entry.statement.value) == wording:
            return Verdict(relation=Relation.DUPLICATE, item_id=entry.id)
    rivals = [entry for entry in same if _rivals(candidate, entry)]
    if not rivals:
        return NEW
    newest = max(rivals, key=lambda entry: (entry.mentions[-1].at, entry.id))
    return Verdict(relation=Relation.CONFLICT, item_id=newest.id)


def _rivals(candidate: Candidate, entry: ProfileItem) -> bool:
    return candidate.slot in EXCLUSIVE or candidate.polarity * entry.polarity < 0


def _refined(candidate: Candidate, entry: ProfileItem) -> Relation:
    finer = more_specific(entry.statement, candidate.statement)
    return Relation.UPDATE if finer else Relation.DUPLICATE


@lru_cache(maxsize=262_144)
def _shared(left: str, right: str) -> float:
    """Share of the content stems that two phrases have in common, by the shorter one."""
    ours, theirs = stems(left), stems(right)
    smaller = min(len(ours), len(theirs))
    return len(ours & theirs) / smaller if smaller else 0.0


def _match(left: str, right: str, closeness: float) -> float:
    """How surely two phrases name one subject, 0 when they do not."""
    shared = _shared(left, right)
    enough = closeness >= SAME_STATEMENT or (
        shared >= SAME_WORDS and closeness >= SAME_SUBJECT - 0.1
    )
    return 0.5 * closeness + 0.5 * shared if enough else 0.0
