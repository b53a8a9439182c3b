"""A small archive in memory, and a store of checkpoints, for tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from anonymize.compose import restored
from archive_mem.profile.checkpoint import state_from_json, step_to_json
from archive_mem.profile.chrono import ProfileState, build_profile, published
from archive_mem.profile.compare import EmbeddedComparer
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.schema.annotation import ObjectiveLayer, Scenario, SubjectiveLayer
from archive_mem.schema.media import CaptureTime, MediaKind, Precision
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.record import Record
from archive_mem.schema.session import Session
from models.base import TextEmbedder
from models.fake import FakeEmbedder

__all__ = ["Checkpoints", "World", "built", "moment", "profiled"]


def moment(
    at: str,
    *preferences: str,
    context: str = "",
    feelings: str = "",
    place: str = "",
    people: Sequence[str] = (),
    scenario: Scenario | None = None,
    event: str = "",
    item: str = "",
) -> Record:
    """A record of one item with both layers, in a session of its own."""
    when = datetime.fromisoformat(at)
    name = item or f"item-{at}"
    return Record(
        item_id=name,
        session_id=f"session-{name}",
        name=restored(f"{name}.jpg"),
        kind=MediaKind.PHOTO,
        time=CaptureTime(
            local=when, utc_offset=None, precision=Precision.SECOND, source="test", confidence=1.0
        ),
        place=None,
        place_label=restored(place) if place else None,
        objective=ObjectiveLayer(
            place=restored(place) if place else None,
            people=tuple(restored(person) for person in people),
            scenario=scenario,
            event=restored(event) if event else None,
        ),
        subjective=SubjectiveLayer(
            context=restored(context) if context else None,
            feelings=restored(feelings) if feelings else None,
            preferences=tuple(restored(each) for each in preferences),
        ),
    )


@dataclass
class World:
    """An archive of records, one a session, in order of time."""

    all_records: list[Record] = field(default_factory=list)
    items: tuple[ProfileItem, ...] = ()

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        for record in sorted(self.all_records, key=lambda each: (str(each.at), each.item_id)):
            early = until is None or (record.at is not None and record.at <= until)
            if early and (item_ids is None or record.item_id in item_ids):
                yield record

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        for record in self.records(until=until):
            session_id = record.session_id or ""
            if session_ids is None or session_id in session_ids:
                yield Session(
                    id=session_id,
                    started=record.at,
                    ended=record.at,
                    place_label=record.place_label,
                    item_ids=(record.item_id,),
                    turns=(),
                )

    def profile_items(self) -> tuple[ProfileItem, ...]:
        return self.items


class Checkpoints:
    """Keeps steps as JSON; may break after a number of sessions."""

    def __init__(self, breaks_after: int | None = None) -> None:
        self.maker = ""
        self.bodies: list[dict[str, object]] = []
        self.saves = 0
        self.breaks_after = breaks_after

    def load(self) -> ProfileState | None:
        return state_from_json(self.maker, self.bodies) if self.bodies else None

    def save(self, state: ProfileState, session_id: str) -> None:
        assert state.steps[-1].session_id == session_id
        if self.breaks_after is not None and self.saves == self.breaks_after:
            raise KeyboardInterrupt
        self.maker = state.maker
        self.bodies = [*self.bodies[: len(state.steps) - 1], step_to_json(state.steps[-1])]
        self.saves += 1

    def clear(self) -> None:
        self.bodies = []


def built(
    world: World, store: Checkpoints | None = None, embedder: TextEmbedder | None = None
) -> ProfileState:
    """The state of the profile of a world."""
    by = embedder or FakeEmbedder()
    kept = Checkpoints() if store is None else store
    return build_profile(world, kept, EmbeddedExtractor(by), EmbeddedComparer(by))


def profiled(*records: Record, embedder: TextEmbedder | None = None) -> World:
    """A world with its profile built."""
    world = World(list(records))
    world.items = published(built(world, embedder=embedder))
    return world
