"""The two layers as boxes to fill in: values in, typed layers out. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from archive_mem.errors import UsageError
from archive_mem.ingest.notes import TypedObjective, TypedSubjective
from archive_mem.schema.annotation import Annotation, ObjectiveLayer, Scenario, SubjectiveLayer
from ui.desk import Show
from ui.words import lines_of, parse_when, scenario_name, when_field

__all__ = [
    "NOT_SAID",
    "SCENARIOS",
    "ObjectiveBoxes",
    "SubjectiveBoxes",
    "annotator_name",
    "mine",
    "objective_boxes",
    "subjective_boxes",
    "typed_objective",
    "typed_subjective",
]

NOT_SAID = "Not said"
SCENARIOS: tuple[tuple[str, str], ...] = (
    (NOT_SAID, ""),
    *((scenario_name(each), each.value) for each in Scenario),
)
_LONGEST = 20_000
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveBoxes:
    """What stands in the boxes of the objective layer.

    when: "2023-05-14 12:31", with an offset if one is known
    place: where
    people: one a line
    scenario: a value of Scenario, "" for none
    event: what happened
    version: what the boxes were filled from, 0 for nothing
    """

    when: str = ""
    place: str = ""
    people: str = ""
    scenario: str = ""
    event: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectiveBoxes:
    """What stands in the boxes of the subjective layer.

    context, feelings: as typed
    preferences: one a line
    version: what the boxes were filled from, 0 for nothing
    """

    context: str = ""
    feelings: str = ""
    preferences: str = ""
    version: int = 0


def mine(layers: Sequence[Annotation], annotator: str, kind: type) -> Annotation | None:
    """The newest version of a layer by one annotator."""
    return next(
        (each for each in layers if each.annotator == annotator and isinstance(each.layer, kind)),
        None,
    )


def objective_boxes(note: Annotation | None, show: Show) -> ObjectiveBoxes:
    """A saved layer in its boxes."""
    if note is None or not isinstance(note.layer, ObjectiveLayer):
        return ObjectiveBoxes()
    layer = note.layer
    return ObjectiveBoxes(
        when=when_field(layer.captured_at),
        place=show(layer.place or ""),
        people="\n".join(show(each) for each in layer.people),
        scenario=layer.scenario or "",
        event=show(layer.event or ""),
        version=note.version,
    )


def subjective_boxes(note: Annotation | None, show: Show) -> SubjectiveBoxes:
    """A saved layer in its boxes."""
    if note is None or not isinstance(note.layer, SubjectiveLayer):
        return SubjectiveBoxes()
    layer = note.layer
    return SubjectiveBoxes(
        context=show(layer.context or ""),
        feelings=show(layer.feelings or ""),
        preferences="\n".join(show(each) for each in layer.preferences),
        version=note.version,
    )


def typed_objective(boxes: ObjectiveBoxes, now: datetime) -> TypedObjective:
    """The layer that the boxes say. Raises UsageError for what cannot be meant."""
    return TypedObjective(
        captured_at=parse_when(boxes.when, now),
        place=_said(boxes.place),
        people=lines_of(_bounded(boxes.people), separators=",;"),
        scenario=_scenario(boxes.scenario),
        event=_said(boxes.event),
    )


def typed_subjective(boxes: SubjectiveBoxes) -> TypedSubjective:
    """The layer that the boxes say. Raises UsageError for what is far too long."""
    return TypedSubjective(
        context=_said(boxes.context),
        feelings=_said(boxes.feelings),
        preferences=lines_of(_bounded(boxes.preferences)),
    )


def annotator_name(text: str | None) -> str:
    """The name under which layers are saved. Raises UsageError."""
    name = " ".join((text or "").split())
    if not name:
        raise UsageError("say who is writing: your name, or owner")
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(f"a name of at most {_LONGEST_NAME} letters is enough")
    return name


def _scenario(value: str | None) -> Scenario | None:
    if not value:
        return None
    try:
        return Scenario(value)
    except ValueError as error:
        raise UsageError("there is no such scenario") from error


def _said(text: str | None) -> str | None:
    return _bounded(text).strip() or None


def _bounded(text: str | None) -> str:
    if text is not None and len(text) > _LONGEST:
        raise UsageError(f"more than {_LONGEST} letters in one box")
    return text or ""
