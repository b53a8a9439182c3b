"""Grouping items to sessions: pure, and the same whatever order the items come in."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from archive_mem.catalog.items import Point
from archive_mem.ingest import place
from archive_mem.schema.session import Granularity

__all__ = ["Group", "GroupingRule", "distance_km", "group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupingRule:
    """When a new session begins.

    granularity: one item a session, or events
    gap_seconds: a longer pause begins a new event
    km: a longer way since the last known place begins a new event
    """

    granularity: Granularity
    gap_seconds: float
    km: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The items of one session.

    session_id: from the ids of its items
    points: in order of time
    """

    session_id: str
    points: tuple[Point, ...]


def group(points: Iterable[Point], rule: GroupingRule) -> list[Group]:
    """Sessions in order of time. Every item is in exactly one; one moment is never torn apart."""
    if rule.granularity is Granularity.RECORD:
        return [_named([point]) for point in sorted(points, key=_order)]
    groups: list[list[Point]] = []
    for cluster in _moments(points):
        if groups and _same_event(groups[-1], cluster, rule):
            groups[-1].extend(cluster)
        else:
            groups.append(list(cluster))
    return [_named(sorted(members, key=_order)) for members in groups]


def distance_km(one: Point, other: Point) -> float | None:
    """Great-circle distance, None when a place is unknown."""
    here, there = _place(one), _place(other)
    return None if here is None or there is None else place.distance_km(here, there)


def _place(point: Point) -> tuple[float, float] | None:
    if point.latitude is None or point.longitude is None:
        return None
    return point.latitude, point.longitude


def _order(point: Point) -> tuple[bool, float, str]:
    return (point.instant is None, point.instant or 0.0, point.item_id)


def _moments(points: Iterable[Point]) -> list[list[Point]]:
    clusters: dict[str, list[Point]] = {}
    for point in sorted(points, key=_order):
        clusters.setdefault(point.moment, []).append(point)
    return list(clusters.values())


def _same_event(members: Sequence[Point], cluster: Sequence[Point], rule: GroupingRule) -> bool:
    ended = max((point.instant for point in members if point.instant is not None), default=None)
    begun = cluster[0].instant
    if ended is None or begun is None or begun - ended > rule.gap_seconds:
        return False
    return _near(members, cluster, rule.km)


def _near(members: Sequence[Point], cluster: Sequence[Point], km: float) -> bool:
    here = next((point for point in cluster if point.latitude is not None), None)
    there = next((point for point in reversed(members) if point.latitude is not None), None)
    if here is None or there is None:
        return True
    far = distance_km(here, there)
    return far is None or far <= km


def _named(members: Sequence[Point]) -> Group:
    digest = hashlib.sha256(",".join(point.item_id for point in members).encode())
    return Group(session_id=f"s{digest.hexdigest()[:15]}", points=tuple(members))
