"""Lines of the release: what is known of an item, a session, a statement, in words that may go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from archive_mem.ingest.metadata.clock import offset_text
from archive_mem.ingest.place import city_centre
from archive_mem.release.names import ReleaseNames
from archive_mem.release.words import Cleaner
from archive_mem.schema.annotation import Annotation, ObjectiveLayer, SubjectiveLayer
from archive_mem.schema.media import CapturePlace, Precision
from archive_mem.schema.profile import ProfileItem, Stability
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session

__all__ = ["Row", "Rows", "relative_year"]

Row = dict[str, Any]
_DEGREES = 2
"""About a kilometre: no finer than the centre of a town is anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Makes the lines.

    names: what things are called
    cleaner: cleans texts and times
    has: whether an item is in the release; no line points to one that is not
    """

    names: ReleaseNames
    cleaner: Cleaner
    has: Callable[[str], bool]

    def item(self, record: Record, year: int | None, faces: int) -> Row:
        """A line of metadata.jsonl; year: 1 for the first twelve months of the archive."""
        said = record.description
        return {
            "file_name": self.names.below(record.item_id, record.kind),
            "id": self.names.item(record.item_id),
            "session": self._session_of(record),
            "captured_at": self.cleaner.captured(record.time),
            "utc_offset": offset_text(None if record.time is None else record.time.utc_offset),
            "precision": None if record.time is None else _precision(record.time.precision),
            "year": year,
            "place": self._text(record, "place", record.place_label),
            **self._where(record),
            "scenario": None if record.scenario is None else record.scenario.value,
            "caption": self._text(record, "caption", None if said is None else said.caption),
            "ocr": [] if said is None else self._texts(record, "ocr", [x.text for x in said.ocr]),
            "tags": [] if said is None else self._texts(record, "tags", said.tags),
            "people_count": None if said is None else said.people_count,
            "inscription": self._text(record, "inscription", record.inscription),
            "albums": self._texts(record, "albums", record.albums),
            "duration": None if record.duration is None else round(record.duration, 1),
            "faces_blurred": faces,
            "same_moment_as": self._moment_of(record),
        }

    def _session_of(self, record: Record) -> str | None:
        return None if record.session_id is None else self.names.session(record.session_id)

    def _moment_of(self, record: Record) -> str | None:
        first = record.same_moment_as
        return None if first is None or not self.has(first) else self.names.item(first)

    def _where(self, record: Record) -> Row:
        """City and country, and the coordinates of the city's centre, never of the item."""
        nothing = {"country": None, "country_code": None, "latitude": None, "longitude": None}
        place = record.place
        if place is None or place.place is None or place.place.city is None:
            return nothing
        city = self._text(record, "city", place.place.city)
        country = self._text(record, "country", place.place.country)
        if city is None or country is None:
            return nothing
        return {
            "country": country,
            "country_code": self._text(record, "country code", place.place.country_code),
            **self._centre(place),
        }

    def _centre(self, place: CapturePlace) -> Row:
        centre = city_centre(place.latitude, place.longitude)
        if centre is None:
            return {"latitude": None, "longitude": None}
        return {"latitude": round(centre[0], _DEGREES), "longitude": round(centre[1], _DEGREES)}

    def _text(self, record: Record, name: str, text: SafeText | str | None) -> str | None:
        return self.cleaner.text(text, record.item_id, name, record.at)

    def _texts(self, record: Record, name: str, texts: Sequence[SafeText | str]) -> list[str]:
        return self.cleaner.texts(texts, record.item_id, name, record.at)

    # ------------------------------------------------------------------------------- layers

    def layers(self, record: Record, annotator: str, notes: Sequence[Annotation]) -> Row:
        """A line of annotations.jsonl, in the form that `annotate import` reads.

        notes: the newest layers of one annotator; annotator: what it is called here
        """
        row: Row = {
            "media": self.names.media(record.item_id, record.kind),
            "annotator": annotator,
        }
        for note in notes:
            if isinstance(note.layer, ObjectiveLayer):
                row["objective"] = self._objective(record, note.layer)
            else:
                row["subjective"] = self._subjective(record, note.layer)
        return row

    def _objective(self, record: Record, layer: ObjectiveLayer) -> Row:
        return {
            "captured_at": self.cleaner.moment(layer.captured_at),
            "place": self._text(record, "annotated place", layer.place),
            "people": self._texts(record, "people", layer.people),
            "scenario": None if layer.scenario is None else layer.scenario.value,
            "event": self._text(record, "event", layer.event),
        }

    def _subjective(self, record: Record, layer: SubjectiveLayer) -> Row:
        return {
            "context": self._text(record, "context", layer.context),
            "feelings": self._text(record, "feelings", layer.feelings),
            "preferences": self._texts(record, "preferences", layer.preferences),
        }

    # ----------------------------------------------------------------- sessions and profile

    def session(self, session: Session) -> Row | None:
        """A line of sessions.jsonl; a turn whose words are withheld is left out.

        None when no item of it is in the release.
        """
        turns = [
            {
                "item": self.names.item(turn.item_id),
                "speaker": turn.speaker.value,
                "at": self.cleaner.moment(turn.at),
                "text": self.cleaner.text(turn.text, turn.item_id, "turn", turn.at),
            }
            for turn in session.turns
            if self.has(turn.item_id)
        ]
        present = [each for each in session.item_ids if self.has(each)]
        first = present[0] if present else ""
        if not present:
            return None
        return {
            "id": self.names.session(session.id),
            "started": self.cleaner.moment(session.started),
            "ended": self.cleaner.moment(session.ended),
            "place": self.cleaner.text(
                session.place_label, first, "place of the session", session.started
            ),
            "items": [self.names.item(each) for each in present],
            "turns": [turn for turn in turns if turn["text"] is not None],
        }

    def statement(self, item: ProfileItem, stability: Stability) -> Row | None:
        """A line of profile.jsonl; None when it is withheld, or nothing in the release says it."""
        present = [each for each in item.mentions if self.has(each.item_id)]
        if not present:
            return None
        last = present[-1]
        said = self.cleaner.text(item.statement, last.item_id, "statement", last.at)
        if said is None:
            return None
        related = item.related_id
        return {
            "id": self.names.statement(item.id),
            "category": item.category.value,
            "statement": said,
            "polarity": item.polarity,
            "related_id": None if related is None else self.names.statement(related),
            "mentions": [
                {
                    "at": self.cleaner.moment(each.at),
                    "session": self.names.session(each.session_id),
                    "item": self.names.item(each.item_id),
                    "quote": self.cleaner.text(each.quote, each.item_id, "quote", each.at),
                }
                for each in present
            ],
            "sup": round(stability.sup, 3),
            "dur": round(stability.dur, 3),
            "rec": round(stability.rec, 3),
            "ts": round(stability.ts, 3),
        }


def _precision(precision: Precision) -> str:
    """Parts of a second are cut off: they would tell an original by its clock alone."""
    return (Precision.SECOND if precision is Precision.SUBSECOND else precision).value


def relative_year(first: datetime, at: datetime) -> int:
    """1 for the twelve months from the first item on, 2 for the next ones, and so on."""
    before = (at.month, at.day, at.time()) < (first.month, first.day, first.time())
    return max(1, at.year - first.year - before + 1)
