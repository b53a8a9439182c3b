"""Values to JSON and back. JSON in the catalog holds safe text only."""

from datetime import UTC, datetime, timedelta
from typing import Any

from anonymize.compose import restored
from anonymize.devices import public_device
from archive_mem.schema.annotation import (
    Description,
    ObjectiveLayer,
    OcrLine,
    Scenario,
    SubjectiveLayer,
)
from archive_mem.schema.media import Capture, CapturePlace, CaptureTime, PlaceName, Precision
from archive_mem.schema.safe import SafeText

__all__ = [
    "capture_from_json",
    "capture_to_json",
    "description_from_json",
    "description_to_json",
    "layer_from_json",
    "layer_to_json",
    "moment",
    "now",
    "stamp",
]

Json = dict[str, Any]


def now() -> str:
    """The current moment in UTC as ISO text."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def stamp(at: datetime | None) -> str | None:
    """ISO text that sorts as the wall clock does."""
    return None if at is None else at.isoformat(timespec="microseconds")


def moment(text: str | None) -> datetime | None:
    """The datetime of `stamp`."""
    return None if text is None else datetime.fromisoformat(text)


def capture_to_json(capture: Capture) -> Json:
    """All of a capture."""
    return {
        "time": _time_to_json(capture.time),
        "place": _place_to_json(capture.place),
        "device": public_device(capture.device),
    }


def capture_from_json(body: Json) -> Capture:
    """The capture of `capture_to_json`."""
    return Capture(
        time=_time_from_json(body["time"]),
        place=_place_from_json(body["place"]),
        device=body["device"],
    )


def _time_to_json(time: CaptureTime | None) -> Json | None:
    if time is None:
        return None
    offset = None if time.utc_offset is None else time.utc_offset.total_seconds()
    return {
        "local": stamp(time.local),
        "utc_offset": offset,
        "precision": time.precision.value,
        "source": time.source,
        "confidence": time.confidence,
        "offset_source": time.offset_source,
        "zone": time.zone,
    }


def _time_from_json(body: Json | None) -> CaptureTime | None:
    if body is None:
        return None
    offset = body["utc_offset"]
    return CaptureTime(
        local=datetime.fromisoformat(body["local"]),
        utc_offset=None if offset is None else timedelta(seconds=offset),
        precision=Precision(body["precision"]),
        source=body["source"],
        confidence=body["confidence"],
        offset_source=body["offset_source"],
        zone=body["zone"],
    )


def _place_to_json(place: CapturePlace | None) -> Json | None:
    if place is None:
        return None
    return {
        "latitude": place.latitude,
        "longitude": place.longitude,
        "altitude": place.altitude,
        "source": place.source,
        "name": _name_to_json(place.place),
    }


def _place_from_json(body: Json | None) -> CapturePlace | None:
    if body is None:
        return None
    return CapturePlace(
        latitude=body["latitude"],
        longitude=body["longitude"],
        altitude=body["altitude"],
        place=None if body["name"] is None else PlaceName(**body["name"]),
        source=body["source"],
    )


def _name_to_json(name: PlaceName | None) -> Json | None:
    if name is None:
        return None
    return {field: getattr(name, field) for field in PlaceName.__dataclass_fields__}


def description_to_json(description: Description) -> Json:
    """All of a description."""
    return {
        "caption": _text(description.caption),
        "ocr": [[line.text.value, line.score, list(line.box)] for line in description.ocr],
        "tags": list(description.tags),
        "people_count": description.people_count,
        "scenario": description.scenario,
        "short": _text(description.short),
        "text": [text.value for text in description.text],
        "objects": [text.value for text in description.objects],
        "activity": _text(description.activity),
        "mood": _text(description.mood),
        "seconds": description.seconds,
        "tokens": description.tokens,
    }


def description_from_json(producer: str, prompt_version: str, body: Json) -> Description:
    """The description of `description_to_json`; earlier versions had fewer keys."""
    return Description(
        producer=producer,
        prompt_version=prompt_version,
        caption=_safe(body["caption"]),
        ocr=tuple(
            OcrLine(text=restored(text), score=score, box=tuple(box))
            for text, score, box in body["ocr"]
        ),
        tags=tuple(body["tags"]),
        people_count=body["people_count"],
        scenario=None if body["scenario"] is None else Scenario(body["scenario"]),
        short=_safe(body.get("short")),
        text=tuple(restored(text) for text in body.get("text", ())),
        objects=tuple(restored(text) for text in body.get("objects", ())),
        activity=_safe(body.get("activity")),
        mood=_safe(body.get("mood")),
        seconds=body.get("seconds", 0.0),
        tokens=body.get("tokens", 0),
    )


def layer_to_json(layer: ObjectiveLayer | SubjectiveLayer) -> Json:
    """The keys of annotations.jsonl."""
    if isinstance(layer, SubjectiveLayer):
        return {
            "context": _text(layer.context),
            "feelings": _text(layer.feelings),
            "preferences": [text.value for text in layer.preferences],
        }
    return {
        "captured_at": None if layer.captured_at is None else layer.captured_at.isoformat(),
        "place": _text(layer.place),
        "people": [text.value for text in layer.people],
        "scenario": layer.scenario,
        "event": _text(layer.event),
    }


def layer_from_json(name: str, body: Json) -> ObjectiveLayer | SubjectiveLayer:
    """The layer of `layer_to_json`; `name` is "objective" or "subjective"."""
    if name == "subjective":
        return SubjectiveLayer(
            context=_safe(body["context"]),
            feelings=_safe(body["feelings"]),
            preferences=tuple(restored(text) for text in body["preferences"]),
        )
    return ObjectiveLayer(
        captured_at=moment(body["captured_at"]),
        place=_safe(body["place"]),
        people=tuple(restored(text) for text in body["people"]),
        scenario=None if body["scenario"] is None else Scenario(body["scenario"]),
        event=_safe(body["event"]),
    )


def _text(text: SafeText | None) -> str | None:
    return None if text is None else text.value


def _safe(text: str | None) -> SafeText | None:
    return None if text is None else restored(text)
