"""What the pipeline and the readers ask of a model. Only safe pixels and safe text go in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import ModelError
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.media import Capture
from archive_mem.schema.safe import SafeImage, SafeText

__all__ = [
    "Captioner",
    "ChatModel",
    "ChatReply",
    "ChatTurn",
    "ImageEmbedder",
    "OcrReader",
    "RawCaption",
    "RawOcrLine",
    "Reranker",
    "Scene",
    "Tagger",
    "TextEmbedder",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a captioner is given: one or more blurred frames and what is known of the capture.

    frames: one for a photo, several in order of time for a video
    capture: when, where and with what
    ocr: redacted text seen in the frames
    duration: seconds, None for photos
    times: seconds of each frame of a video, empty for photos
    """

    frames: tuple[SafeImage, ...]
    capture: Capture
    ocr: tuple[SafeText, ...] = ()
    duration: float | None = None
    times: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCaption:
    """What a captioner says, before it is redacted.

    caption: one sentence or more
    tags: single words
    people_count: None when not counted
    scenario: a guess, None when none
    short: such as "12 May 2024, Kyoto, eating ramen"
    text: what can be read in it, line by line
    objects: things seen, the most important first
    activity: what is being done
    mood: that of the scene
    seconds: time it took, its share of a batch
    tokens: of prompt and reply together, 0 where no language model was asked
    """

    caption: str
    tags: tuple[str, ...] = ()
    people_count: int | None = None
    scenario: Scenario | None = None
    short: str = ""
    text: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    activity: str = ""
    mood: str = ""
    seconds: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawOcrLine:
    """One line read in a picture, before it is redacted.

    text: as read
    score: 0 to 1
    box: left, top, width, height as fractions of the picture
    """

    text: str
    score: float
    box: tuple[float, float, float, float]


class Captioner(Protocol):
    """Describes scenes. `name` and `prompt_version` go into the record of what was said."""

    name: str
    prompt_version: str
    batch: int
    """Scenes that are worth giving at once."""

    def describe(self, scenes: Sequence[Scene]) -> list[RawCaption | ModelError]:
        """One caption a scene, in order, or why that scene has none: the others go on.

        Raises ModelError when the model as a whole cannot be used.
        """
        ...


class OcrReader(Protocol):
    """Reads text in a picture."""

    name: str

    def read(self, image: SafeImage) -> list[RawOcrLine]:
        """Lines from top to bottom; empty when there is no text."""
        ...


class Tagger(Protocol):
    """Names what is visible, in single words."""

    name: str

    def tags(self, image: SafeImage) -> tuple[str, ...]:
        """Such as ("night", "dark")."""
        ...


class TextEmbedder(Protocol):
    """Turns text into unit vectors."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Array of shape (len(texts), dimension), rows of length 1, in the order given."""
        ...


class Reranker(Protocol):
    """Scores pairs of question and text, such as a cross-encoder from the hub; off by default."""

    name: str

    def scores(self, question: SafeText, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Shape (len(texts),), higher is better."""
        ...


class ImageEmbedder(Protocol):
    """Turns pictures into unit vectors."""

    name: str
    dimension: int

    def embed(self, images: Sequence[SafeImage]) -> NDArray[np.float32]:
        """Array of shape (len(images), dimension), rows of length 1."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """One message to a chat model.

    role: "system", "user" or "assistant"
    text: redacted
    images: blurred pictures that go with it
    """

    role: str
    text: SafeText
    images: tuple[SafeImage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a chat model answered.

    text: its words
    prompt_tokens, completion_tokens: by its own tokenizer
    cut: True when it ended because of max_tokens, not by itself
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    cut: bool = False


class ChatModel(Protocol):
    """Answers a conversation.

    name: the model's, as it goes into records of what it said
    window: tokens that prompt and reply may take together
    """

    name: str

    @property
    def window(self) -> int:
        """Tokens of one conversation, its reply included."""
        ...

    def tokens(self, text: SafeText) -> int:
        """How many tokens a text is: by its own tokenizer, else never too few by much."""
        ...

    def reply(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """One reply. Raises ModelError.

        schema: JSON schema that the reply is asked to follow; a model that cannot be held to one
            may break it, so the reply must be checked
        """
        ...
