"""A small archive in memory: records made by hand, sessions woven of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from anonymize.compose import join
from archive_mem.index.base import IndexRecord
from archive_mem.index.hybrid import HybridIndex
from archive_mem.index.in_memory import InMemoryIndex
from archive_mem.index.lexical import LexicalIndex
from archive_mem.schema.annotation import (
    Description,
    ObjectiveLayer,
    OcrLine,
    Scenario,
    SubjectiveLayer,
)
from archive_mem.schema.media import CapturePlace, CaptureTime, MediaKind, PlaceName, Precision
from archive_mem.schema.minting import mint_text
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session, Speaker, Turn
from models.base import TextEmbedder

__all__ = ["FakeArchive", "index_of", "make_record", "session_of"]


class FakeArchive:
    """The Archive protocol over given records; one session a record unless sessions are given."""

    def __init__(
        self,
        records: Sequence[Record],
        sessions: Sequence[Session] | None = None,
        profile: Sequence[ProfileItem] = (),
    ) -> None:
        made = [session_of([record]) for record in records] if sessions is None else sessions
        of_item = {item: session.id for session in made for item in session.item_ids}
        placed = [replace(r, session_id=of_item.get(r.item_id)) for r in records]
        self._records = sorted(placed, key=lambda r: (r.at or datetime(9999, 12, 31), r.item_id))
        self._sessions = sorted(made, key=lambda s: (s.started or datetime(9999, 12, 31), s.id))
        self._profile = tuple(profile)

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        wanted = None if item_ids is None else set(item_ids)
        for record in self._records:
            late = until is not None and (record.at is None or record.at > until)
            if not late and (wanted is None or record.item_id in wanted):
                yield record

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        wanted = None if session_ids is None else set(session_ids)
        for session in self._sessions:
            late = until is not None and (session.started is None or session.started > until)
            if not late and (wanted is None or session.id in wanted):
                yield session

    def profile_items(self) -> tuple[ProfileItem, ...]:
        return self._profile

    def with_profile(self, profile: Sequence[ProfileItem]) -> "FakeArchive":
        return FakeArchive(self._records, self._sessions, profile)


def make_record(
    item_id: str,
    at: datetime | None = None,
    *,
    city: str | None = None,
    country: str | None = None,
    event: str | None = None,
    people: Sequence[str] = (),
    context: str | None = None,
    feelings: str | None = None,
    preferences: Sequence[str] = (),
    ocr: Sequence[str] = (),
    caption: str | None = None,
    scenario: Scenario | None = None,
    kind: MediaKind = MediaKind.PHOTO,
    duration: float | None = None,
    same_moment_as: str | None = None,
    people_count: int | None = None,
    thumb: str | None = None,
    precision: Precision = Precision.SECOND,
) -> Record:
    """A record of plain words."""
    return Record(
        item_id=item_id,
        session_id=None,
        name=mint_text(f"{item_id}.jpg"),
        kind=kind,
        time=None if at is None else _time(at, precision),
        place=None if city is None else _place(city, country),
        place_label=None if city is None else mint_text(f"{city}, {country}"),
        description=Description(
            producer="test",
            caption=_text(caption),
            ocr=tuple(_line(text, row, len(ocr)) for row, text in enumerate(ocr)),
            people_count=people_count,
        ),
        objective=ObjectiveLayer(
            people=tuple(mint_text(name) for name in people), scenario=scenario, event=_text(event)
        ),
        subjective=SubjectiveLayer(
            context=_text(context),
            feelings=_text(feelings),
            preferences=tuple(mint_text(each) for each in preferences),
        ),
        thumb=thumb,
        same_moment_as=same_moment_as,
        duration=duration,
    )


def session_of(records: Sequence[Record]) -> Session:
    """One session of the given records, with turns like those of an ingest."""
    session_id = f"s-{records[0].item_id}"
    said = [(record, speaker, text) for record in records for speaker, text in _speak(record)]
    times = [record.at for record in records if record.at is not None]
    return Session(
        id=session_id,
        started=min(times, default=None),
        ended=max(times, default=None),
        place_label=records[0].place_label,
        item_ids=tuple(record.item_id for record in records),
        turns=tuple(
            Turn(
                id=f"{session_id}:{position}",
                session_id=session_id,
                item_id=record.item_id,
                speaker=speaker,
                at=record.at,
                text=text,
            )
            for position, (record, speaker, text) in enumerate(said)
        ),
    )


def _speak(record: Record) -> Iterator[tuple[Speaker, SafeText]]:
    stamp = mint_text(f"[{record.at or 'Undated'}, {record.place_label or ''}]")
    facts = [stamp]
    if record.objective is not None:
        facts.extend([record.objective.event] if record.objective.event else [])
        facts.extend(mint_text(f"With {person}.") for person in record.people)
    if record.description is not None and record.description.caption:
        facts.append(record.description.caption)
    yield Speaker.ARCHIVE, join(" ", facts)
    if record.ocr_text:
        yield Speaker.ARCHIVE, join(" ", [stamp, mint_text(f"Text seen in it: {record.ocr_text}")])
    if record.subjective is not None:
        own = [record.subjective.context, record.subjective.feelings]
        told = [text for text in [*own, *record.subjective.preferences] if text]
        if told:
            yield Speaker.OWNER, join(" ", [stamp, *told])


def _text(value: str | None) -> SafeText | None:
    return None if value is None else mint_text(value)


def _time(at: datetime, precision: Precision) -> CaptureTime:
    return CaptureTime(
        local=at, utc_offset=timedelta(0), precision=precision, source="test", confidence=1.0
    )


def _place(city: str, country: str | None) -> CapturePlace:
    town = PlaceName(city=city, region=None, country=country, country_code=None, distance_km=0.5)
    return CapturePlace(latitude=1.0, longitude=2.0, altitude=None, place=town, source="test")


def _line(text: str, row: int, rows: int) -> OcrLine:
    return OcrLine(text=mint_text(text), score=0.9, box=(0.1, row / rows, 0.8, 0.8 / rows))


def index_of(archive: FakeArchive, folder: Path, embedder: TextEmbedder) -> HybridIndex:
    """The turns of an archive, indexed."""
    words = LexicalIndex(
        folder / "lexical.sqlite", model=embedder.name, dimension=embedder.dimension
    )
    index = HybridIndex(InMemoryIndex(embedder.dimension), words)
    turns = [turn for session in archive.sessions() for turn in session.turns]
    vectors = embedder.embed([turn.text for turn in turns])
    index.upsert(
        [
            IndexRecord(
                id=turn.id,
                item_id=turn.item_id,
                session_id=turn.session_id,
                text=turn.text,
                vector=vector,
                at=None if turn.at is None else turn.at.replace(tzinfo=UTC).timestamp(),
            )
            for turn, vector in zip(turns, vectors, strict=True)
        ]
    )
    return index
