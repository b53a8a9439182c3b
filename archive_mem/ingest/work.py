"""What goes through the stages: one file on its way to becoming a memory."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from anonymize.faces import FaceDetector
from archive_mem.catalog.items import Derived
from archive_mem.catalog.ledger import Entry
from archive_mem.ingest.metadata import Sidecars
from archive_mem.schema.media import MediaItem
from models.base import Captioner, OcrReader, RawCaption, RawOcrLine, Tagger

__all__ = ["RawDescription", "Tools", "Work"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawDescription:
    """What the models said, before redaction. Kept encrypted, so redaction can be done again.

    producer, prompt_version: who said it
    caption: the captioner's words
    lines: text read in the picture
    tags: single words
    """

    producer: str
    prompt_version: str
    caption: RawCaption
    lines: tuple[RawOcrLine, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One file and what was made of it so far.

    path: where it lies
    item_id: hash of its content
    sidecars: files that speak of it
    root: the memory folder
    item: what it is, None before it was read
    texts: words that came with it, raw
    albums: albums that its sidecars name, raw
    content_id: shared by a still and its live video, None for most
    derived: what anonymisation made, None before
    description: what the models said, None before
    entries: outcomes of the stages that ran
    """

    path: Path
    item_id: str
    sidecars: Sidecars
    root: Path
    item: MediaItem | None = None
    texts: tuple[str, ...] = ()
    albums: tuple[str, ...] = ()
    content_id: str | None = None
    derived: Derived | None = None
    description: RawDescription | None = None
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What the stages work with; built once a process.

    detector: finds faces
    captioner, ocr, tagger: describe blurred pictures
    derived_side, derived_quality, thumb_side: how derivatives are written
    frame_progress: told (frames done, frames in all or None) during a video
    """

    detector: FaceDetector
    captioner: Captioner
    ocr: OcrReader
    tagger: Tagger
    derived_side: int
    derived_quality: int
    thumb_side: int
    frame_progress: Callable[[int, int | None], None] | None = None
