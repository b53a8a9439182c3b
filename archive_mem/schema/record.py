"""A record: everything that is known of one item, in safe words. What readers and weavers see."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from archive_mem.schema.annotation import Description, ObjectiveLayer, Scenario, SubjectiveLayer
from archive_mem.schema.media import CapturePlace, CaptureTime, MediaKind
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session

__all__ = ["Archive", "Record"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One item with its layers merged for reading.

    item_id: the item
    session_id: the session it belongs to, None before weaving
    name: redacted file name, for people to recognise it
    kind: photo or video
    time: the verified time if an annotator gave one, else the file's
    place: as captured
    place_label: redacted place: the annotator's if given, else "Kyoto, Japan" by coordinates
    albums: redacted album names
    inscription: words that came with the file (sidecar or EXIF description), redacted
    description: what a machine saw, None before it was described
    objective: the newest objective layers merged over annotators, the owner's first, None if none
    overruled: what others wrote where the owner wrote too, None when nobody else did
    subjective: the newest subjective layers merged, None if none
    thumb: path of the thumbnail relative to the memory folder, None when there is none
    same_moment_as: first item of its burst, live pair or near copies, None when it stands alone
    duration: seconds, None for photos
    """

    item_id: str
    session_id: str | None
    name: SafeText
    kind: MediaKind
    time: CaptureTime | None
    place: CapturePlace | None
    place_label: SafeText | None
    albums: tuple[SafeText, ...] = ()
    inscription: SafeText | None = None
    description: Description | None = None
    objective: ObjectiveLayer | None = None
    subjective: SubjectiveLayer | None = None
    thumb: str | None = None
    same_moment_as: str | None = None
    duration: float | None = None
    overruled: ObjectiveLayer | None = None

    @property
    def at(self) -> datetime | None:
        """Wall clock, None when unknown."""
        return None if self.time is None else self.time.local

    def exists_at(self, moment: datetime) -> bool:
        """Whether a question of that wall clock may see it; what has no time always exists."""
        return self.at is None or self.at <= moment

    @property
    def people(self) -> tuple[SafeText, ...]:
        """Placeholders of the people named by the annotators."""
        return () if self.objective is None else self.objective.people

    @property
    def scenario(self) -> Scenario | None:
        """The annotator's scenario, else the machine's guess."""
        if self.objective is not None and self.objective.scenario is not None:
            return self.objective.scenario
        return None if self.description is None else self.description.scenario

    @property
    def ocr_text(self) -> str:
        """All lines seen in the picture, one a line; equal ones once."""
        lines = () if self.description is None else self.description.ocr
        return "\n".join(dict.fromkeys(line.text.value for line in lines))


class Archive(Protocol):
    """What readers may ask of a memory; the catalog is one. Everything comes in order of time."""

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        """Records of the given items (all when None), captured at or before `until`."""
        ...

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        """Sessions with their turns, begun at or before `until`."""
        ...

    def profile_items(self) -> tuple[ProfileItem, ...]:
        """All statements with all mentions."""
        ...
