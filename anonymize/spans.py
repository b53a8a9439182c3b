"""Pieces of a text that must not be shown, as plain values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anonymize.pseudonyms import PEOPLE, VENUES, Kind

__all__ = ["Span", "settled"]


@dataclass(frozen=True, slots=True)
class Span:
    """A personal detail in a text.

    start, end: characters
    kind: what it is
    score: how sure, 0 to 1; the owner's list is 1
    name: the name to look up, where it differs from the text (an alias, a cut-off genitive)
    """

    start: int
    end: int
    kind: Kind
    score: float
    name: str | None = None


def settled(spans: Iterable[Span]) -> list[Span]:
    """Spans without overlap, in order.

    The surer one wins, then the longer. A winning person grows over a losing one ("Sarah" of the
    owner's list over "Sarah Miller"); what another loser covers beyond the winner stays hidden as
    a span of its own.
    """
    kept: list[Span] = []
    found = list(spans)
    venues = [span for span in found if span.kind in VENUES]
    for span in sorted(
        _outside_venues(found, venues),
        key=lambda each: (-each.score, each.start - each.end, each.start),
    ):
        rivals = [other for other in kept if _touch(span, other)]
        if not rivals:
            kept += [span] if span.start < span.end else []
        elif span.kind is Kind.PERSON:
            kept = _grown(kept, rivals, span)
        else:
            kept += _outside(span, rivals)
    return sorted(kept, key=lambda each: each.start)


def _outside_venues(found: Iterable[Span], venues: Sequence[Span]) -> list[Span]:
    """Without the people that only a venue's name speaks of ("Chez Lucie"), except listed ones."""
    return [
        span
        for span in found
        if span.kind is not Kind.PERSON
        or span.score >= 1
        or not any(_within(span, venue) for venue in venues)
    ]


def _within(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end


def _touch(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end


def _grown(kept: list[Span], rivals: list[Span], span: Span) -> list[Span]:
    """The only rival made as long as both, if it is a person too and nobody else is touched."""
    if len(rivals) > 1 or rivals[0].kind not in PEOPLE:
        return kept
    rival = rivals[0]
    longer = replace(rival, start=min(rival.start, span.start), end=max(rival.end, span.end))
    return [longer if each is rival else each for each in kept]


def _outside(span: Span, rivals: list[Span]) -> list[Span]:
    """The parts of a span that no rival covers."""
    pieces = [(span.start, span.end)]
    for other in rivals:
        pieces = [
            cut
            for start, end in pieces
            for cut in ((start, min(end, other.start)), (max(start, other.end), end))
            if cut[0] < cut[1]
        ]
    return [replace(span, start=start, end=end) for start, end in pieces]
