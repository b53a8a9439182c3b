"""What people and machines say about an item: layers, versioned and append-only."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from archive_mem.schema.safe import SafeText

__all__ = [
    "OWNER",
    "Annotation",
    "Description",
    "LayerName",
    "ObjectiveLayer",
    "OcrLine",
    "Scenario",
    "SubjectiveLayer",
]


OWNER = "owner"
"""The annotator who gave no name: whose memory it is. Their word goes before all others'."""


class Scenario(StrEnum):
    """The ten scenarios of daily life (ReaLMem)."""

    LEISURE_ENTERTAINMENT = "leisure_entertainment"
    NATURE_OUTDOOR = "nature_outdoor"
    HOME_ROUTINE = "home_routine"
    SOCIAL_INTERACTION = "social_interaction"
    FASHION = "fashion"
    SPORTS_PHYSICAL = "sports_physical"
    SPECIAL_EVENTS = "special_events"
    TRAVEL_MOBILITY = "travel_mobility"
    WORK_STUDY = "work_study"
    MEDICAL_CARE = "medical_care"


class LayerName(StrEnum):
    """The two layers a person writes."""

    OBJECTIVE = "objective"
    SUBJECTIVE = "subjective"


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveLayer:
    """Verified facts, placeholders in place of personal details.

    captured_at: corrected wall clock (aware if an offset was given), None to keep the file's own
    place: such as "Kyoto, Japan"
    people: placeholders of who is there
    scenario: one of ten
    event: such as "lunch at [Restaurant B]"
    """

    captured_at: datetime | None = None
    place: SafeText | None = None
    people: tuple[SafeText, ...] = ()
    scenario: Scenario | None = None
    event: SafeText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectiveLayer:
    """First-person experience.

    context: what was going on
    feelings: such as "relaxed"
    preferences: statements such as "I prefer light broth to rich broth"
    """

    context: SafeText | None = None
    feelings: SafeText | None = None
    preferences: tuple[SafeText, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One version of one layer of one item by one annotator.

    item_id: the item
    annotator: name of the annotator, "owner" by default
    version: 1, 2, ... per (item, layer, annotator)
    saved_at: UTC
    layer: the content
    """

    item_id: str
    annotator: str
    version: int
    saved_at: datetime
    layer: ObjectiveLayer | SubjectiveLayer


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    """One line of text seen in a picture.

    text: redacted text
    score: 0 to 1
    box: left, top, width, height as fractions of the picture
    """

    text: SafeText
    score: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a machine says about an item: an annotation by a producer.

    producer: model id and revision, such as "embedded"
    prompt_version: version of the prompt, "" for none
    caption: one honest sentence
    ocr: lines of text seen in it
    tags: such as "night", "indoor"
    people_count: people seen, None when not counted
    scenario: a guess, None when none
    short: such as "12 May 2024, Kyoto, eating ramen"
    text: what a language model read in it, line by line; nobody knows where it stands
    objects: things seen, the most important first
    activity: what is being done
    mood: that of the scene
    seconds: time taken
    tokens: of a language model, prompt and reply together
    """

    producer: str
    prompt_version: str = ""
    caption: SafeText | None = None
    ocr: tuple[OcrLine, ...] = ()
    tags: tuple[str, ...] = ()
    people_count: int | None = None
    scenario: Scenario | None = None
    short: SafeText | None = None
    text: tuple[SafeText, ...] = ()
    objects: tuple[SafeText, ...] = ()
    activity: SafeText | None = None
    mood: SafeText | None = None
    seconds: float = field(default=0.0, compare=False)
    tokens: int = field(default=0, compare=False)
