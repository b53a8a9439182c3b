"""Weaving records to turns by template: every fact, time and preference comes from the record."""

import hashlib
from collections.abc import Iterator, Mapping

from anonymize.compose import NOTHING, compose, join, say_clock, say_day, word
from archive_mem.catalog.sessions import Woven
from archive_mem.ingest.sessions import Group
from archive_mem.schema.annotation import Description, ObjectiveLayer, Scenario, SubjectiveLayer
from archive_mem.schema.media import CaptureTime, MediaKind, Precision
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session, Speaker, Turn

__all__ = ["WEAVE_VERSION", "weave"]

WEAVE_VERSION = "1"

_OCR_CHARACTERS = 400
"""A turn stays well inside the 256 tokens that a small text encoder reads."""

_SCENARIO_WORDS = {
    Scenario.LEISURE_ENTERTAINMENT: word("leisure and entertainment"),
    Scenario.NATURE_OUTDOOR: word("nature and outdoors"),
    Scenario.HOME_ROUTINE: word("home routine"),
    Scenario.SOCIAL_INTERACTION: word("social interaction"),
    Scenario.FASHION: word("fashion"),
    Scenario.SPORTS_PHYSICAL: word("sports and exercise"),
    Scenario.SPECIAL_EVENTS: word("special event"),
    Scenario.TRAVEL_MOBILITY: word("travel"),
    Scenario.WORK_STUDY: word("work and study"),
    Scenario.MEDICAL_CARE: word("medical care"),
}


def weave(group: Group, records: Mapping[str, Record]) -> Woven:
    """The session of a group; `records` holds every item of it."""
    members = [records[point.item_id] for point in group.points]
    spoken = [
        (record, speaker, text) for record in members for speaker, text in _speak(record) if text
    ]
    turns = tuple(
        Turn(
            id=f"{group.session_id}:{position}",
            session_id=group.session_id,
            item_id=record.item_id,
            speaker=speaker,
            at=record.at,
            text=text,
        )
        for position, (record, speaker, text) in enumerate(spoken)
    )
    return _woven(group, members, turns)


def _woven(group: Group, members: list[Record], turns: tuple[Turn, ...]) -> Woven:
    times = [record.at for record in members if record.at is not None]
    session = Session(
        id=group.session_id,
        started=min(times, default=None),
        ended=max(times, default=None),
        place_label=next((r.place_label for r in members if r.place_label), None),
        item_ids=tuple(record.item_id for record in members),
        turns=turns,
    )
    marks = tuple(_digest(turn.item_id, str(turn.at), turn.text.value) for turn in turns)
    return Woven(
        session=session,
        instant=group.points[0].instant,
        fingerprint=_digest(*session.item_ids, *marks),
        turn_fingerprints=marks,
    )


def _speak(record: Record) -> Iterator[tuple[Speaker, SafeText]]:
    stamp = _stamp(record)
    yield Speaker.ARCHIVE, join(" ", [stamp, *_facts(record)])
    for lines in _ocr_pieces(record):
        yield Speaker.ARCHIVE, compose("{stamp} Text seen in it: {lines}", stamp=stamp, lines=lines)
    if record.subjective is not None:
        for text in _experience(record.subjective):
            yield Speaker.OWNER, join(" ", [stamp, text])


def _stamp(record: Record) -> SafeText:
    when = word("Undated") if record.time is None else _when(record.time)
    if record.place_label is None:
        return compose("[{when}]", when=when)
    return compose("[{when}, {where}]", when=when, where=record.place_label)


def _when(time: CaptureTime) -> SafeText:
    clock = time.precision.has_clock
    day = say_day(time.local, weekday=clock or time.precision is Precision.DAY)
    return compose("{day} {clock}", day=day, clock=say_clock(time.local)) if clock else day


def _facts(record: Record) -> Iterator[SafeText]:
    if record.objective is not None:
        yield from _objective(record.objective)
    if record.inscription:
        yield compose("Noted on it: {text}.", text=record.inscription)
    if record.description is not None and record.description.caption:
        yield record.description.caption
        yield from _details(record.description)
    elif record.kind is MediaKind.VIDEO:
        yield word("A video.")
    if record.albums:
        yield compose("Album: {names}.", names=join(", ", record.albums))


def _details(said: Description) -> Iterator[SafeText]:
    """What a vision-language model named beside its caption."""
    if said.activity:
        yield compose("Activity: {text}.", text=said.activity)
    if said.objects:
        yield compose("Objects: {texts}.", texts=join(", ", said.objects))
    if said.mood:
        yield compose("Mood of the scene: {text}.", text=said.mood)


def _objective(layer: ObjectiveLayer) -> Iterator[SafeText]:
    if layer.event:
        yield compose("Event: {event}", event=_sentence(layer.event))
    if layer.people:
        yield compose("With {people}.", people=join(", ", layer.people))
    if layer.scenario is not None:
        yield compose("Scenario: {name}.", name=_SCENARIO_WORDS[layer.scenario])


def _sentence(text: SafeText) -> SafeText:
    return text if text.value.endswith((".", "!", "?", "。")) else compose("{text}.", text=text)


def _experience(layer: SubjectiveLayer) -> Iterator[SafeText]:
    felt = compose("I felt {feelings}.", feelings=layer.feelings) if layer.feelings else NOTHING
    yield join(" ", [layer.context or NOTHING, felt])
    yield join(" ", [_sentence(text) for text in layer.preferences])


def _ocr_pieces(record: Record) -> Iterator[SafeText]:
    lines = () if record.description is None else _lines(record.description)
    piece: list[SafeText] = []
    length = 0
    for line in lines:
        if piece and length + len(line.value) > _OCR_CHARACTERS:
            yield join(" / ", piece)
            piece, length = [], 0
        piece.append(line)
        length += len(line.value)
    if piece:
        yield join(" / ", piece)


def _lines(said: Description) -> list[SafeText]:
    """What the text reader read, then what only the vision-language model did."""
    read = [line.text for line in said.ocr]
    known = " ".join(line.value for line in read).casefold()
    return [*read, *(line for line in said.text if line.value.casefold() not in known)]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:24]
