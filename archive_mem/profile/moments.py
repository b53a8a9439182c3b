"""What a person wrote beside their pictures, as moments that can tell of a habit or a reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from anonymize.compose import compose
from archive_mem.profile.phrases import unended
from archive_mem.profile.relevance import relevance, subject_of
from archive_mem.profile.vectors import Vectors
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["Moment", "moment_relevance", "moments"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A dated record with words.

    at: wall clock
    record: the record
    event: what it was, the context where no event is named
    story: the person's own words, None where there are none
    """

    at: datetime
    record: Record
    event: SafeText
    story: SafeText | None

    def told(self) -> SafeText:
        """The event, with the person's words behind it."""
        if self.story is None or self.story == self.event:
            return unended(self.event)
        return compose("{event} (“{story}”)", event=self.event, story=self.story)

    def texts(self) -> tuple[SafeText, ...]:
        """All that may match a question."""
        said = self.record.subjective
        preferences = () if said is None else said.preferences
        story = () if self.story is None else (self.story,)
        return (self.event, *story, *preferences)


def moments(records: Iterable[Record]) -> list[Moment]:
    """Moments of the records that have a time and words, in the order given."""
    return [moment for moment in map(_moment, records) if moment is not None]


def moment_relevance(
    vectors: Vectors, question: SafeText, found: Sequence[Moment]
) -> NDArray[np.float64]:
    """Shape (len(found),): the best match of any of the texts of each."""
    texts = [(row, text) for row, moment in enumerate(found) for text in moment.texts()]
    if not texts:
        return np.zeros(len(found))
    asked = [question, subject_of(question)]
    near = relevance(vectors, asked, [text for _, text in texts]).max(axis=0)
    best = np.zeros(len(found))
    np.maximum.at(best, [row for row, _ in texts], near)
    return best


def _moment(record: Record) -> Moment | None:
    event = None if record.objective is None else record.objective.event
    story = None if record.subjective is None else record.subjective.context
    what = event or story
    if record.at is None or not what:
        return None
    return Moment(at=record.at, record=record, event=what, story=story or None)
