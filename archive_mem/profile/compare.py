"""How a candidate stands to what is known: New, Duplicate, Update or Conflict."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from anonymize.compose import excerpt
from archive_mem.profile.candidates import Candidate, is_event, is_observed
from archive_mem.profile.claims import Change, claims
from archive_mem.profile.topics import EXCLUSIVE
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.wording import more_specific, normal, stems
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder

__all__ = [
    "Comparer",
    "EmbeddedComparer",
    "Relation",
    "Side",
    "Verdict",
    "condition",
    "matches",
    "sides",
]


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
SAME_SUBJECT = 0.82
SAME_WORDS = 0.66
ALIKE = 0.45
HALF, CLOSE = 0.5, 0.65
SAME_CONDITION = 0.5
SAME_EVENT = 0.6
ONLY_WHEN = re.compile(
    r"(?:when|whenever|if|while|unless|as soon as|on (?:\w+ )?(?:hot|cold|warm|rainy|sunny|snowy)"
    r"|in the (?:rain|snow|heat))\b",
    re.IGNORECASE,
)


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
            if is_event(candidate.slot) or not is_observed(candidate.slot)
            for text in _texts(candidate.statement)
        )

    def compare(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
        """Facts that were seen are compared by slot; what was said, by subject and side."""
        if not entries:
            return NEW
        if is_event(candidate.slot):
            return self._by_event(candidate, entries)
        if is_observed(candidate.slot):
            return _by_slot(candidate, entries)
        said = [entry for entry in entries if not is_observed(entry.slot)]
        return self._by_subject(candidate, said) if said else NEW

    def _by_event(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
        """Events of one kind are told in ever new words: the nearest one will do."""
        texts = [entry.statement for entry in entries]
        closeness = self._vectors.similarity([candidate.statement], texts)[0]
        best = int(np.argmax(closeness))
        if closeness[best] < SAME_EVENT:
            return NEW
        return Verdict(relation=Relation.DUPLICATE, item_id=entries[best].id)

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
        alike = closeness >= SAME_STATEMENT and not candidate.polarity and not entry.polarity
        if agreement > 0 or alike:
            return Verdict(relation=_refined(candidate, entry), item_id=entry.id), weight
        if candidate.slot in EXCLUSIVE and candidate.slot == entry.slot and not candidate.polarity:
            return Verdict(relation=Relation.CONFLICT, item_id=entry.id), closeness
        return NEW, 0.0

    def _agreement(self, left: SafeText, right: SafeText) -> tuple[int, float]:
        """-1 where they oppose each other on a subject, 1 where they agree on every subject."""
        ours, theirs = sides(left), sides(right)
        if not ours or not theirs:
            return 0, 0.0
        match = matches(self._vectors, ours, theirs)
        signs = np.outer([side.sign for side in ours], [side.sign for side in theirs])
        opposed = float(np.where(signs < 0, match, 0.0).max())
        agreed = np.where(signs > 0, match, 0.0)
        if opposed > float(agreed.max()):
            return (-1, opposed) if self._oppose(left, right) else (0, 0.0)
        all_shared = bool((agreed.max(axis=1) > 0).all() and (agreed.max(axis=0) > 0).all())
        if all_shared and self._go_together(left, right):
            return 1, float(agreed.max())
        return 0, float(agreed.max())

    def _oppose(self, left: SafeText, right: SafeText) -> bool:
        """Rain and sun are no contradiction; a stop is one, whatever it is said beside."""
        one_sided = (condition(left) is None) != (condition(right) is None)
        if one_sided:
            return _stops(left) or _stops(right)
        return self._same_condition(left, right)

    def _go_together(self, left: SafeText, right: SafeText) -> bool:
        """One statement may say when, the other not, unless it says "only when"."""
        found = [each for each in (condition(left), condition(right)) if each is not None]
        if len(found) == 1:
            return not ONLY_WHEN.match(found[0].value)
        return self._same_condition(left, right)

    def _same_condition(self, left: SafeText, right: SafeText) -> bool:
        ours, theirs = condition(left), condition(right)
        if ours is None or theirs is None:
            return ours is theirs
        if _shared(ours.value, theirs.value) > 0:
            return True
        return float(self._vectors.similarity([ours], [theirs])[0, 0]) >= SAME_CONDITION


def condition(statement: SafeText) -> SafeText | None:
    """When the statement holds: "when it rains"; None where it says nothing of that."""
    for claim in claims(statement.value):
        if claim.condition is not None:
            return excerpt(statement, *claim.condition)
    return None


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


def matches(vectors: Vectors, ours: Sequence[Side], theirs: Sequence[Side]) -> NDArray[np.float64]:
    """Shape (len(ours), len(theirs)): how surely two sides are taken on one subject, else 0."""
    close = vectors.similarity([s.text for s in ours], [s.text for s in theirs])
    found = np.zeros(close.shape)
    for row, column in np.argwhere(close >= ALIKE):
        near = float(close[row, column])
        found[row, column] = _match(ours[row].text.value, theirs[column].text.value, near)
    return found


def _texts(statement: SafeText) -> Iterable[SafeText]:
    yield statement
    yield from (side.text for side in sides(statement))
    when = condition(statement)
    if when is not None:
        yield when


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


def _stops(statement: SafeText) -> bool:
    return any(claim.change in (Change.STOP, Change.SWITCH) for claim in claims(statement.value))


@lru_cache(maxsize=262_144)
def _shared(left: str, right: str) -> float:
    """1 where the stems of one phrase contain the other's, else the share of all stems."""
    ours, theirs = stems(left), stems(right)
    if not ours or not theirs:
        return 0.0
    contained = ours <= theirs or theirs <= ours
    return 1.0 if contained else len(ours & theirs) / len(ours | theirs)


def _match(left: str, right: str, closeness: float) -> float:
    """How surely two phrases name one subject, 0 when they do not."""
    shared = _shared(left, right)
    enough = (
        closeness >= SAME_SUBJECT
        or (shared >= SAME_WORDS and closeness >= ALIKE)
        or (shared >= HALF and closeness >= CLOSE)
    )
    return 0.5 * closeness + 0.5 * shared if enough else 0.0
