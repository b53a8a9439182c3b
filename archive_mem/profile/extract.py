"""The embedded extractor: what a person says of themselves, and what their records show."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from anonymize.compose import excerpt
from archive_mem.profile.candidates import Candidate, Extractor
from archive_mem.profile.claims import Change, Claim, claims
from archive_mem.profile.feelings import feeling
from archive_mem.profile.observe import observed
from archive_mem.profile.topics import Topic, Topics
from archive_mem.profile.vectors import Vectors
from archive_mem.schema.profile import Category, Mention
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session
from models.base import TextEmbedder

__all__ = ["Candidate", "EmbeddedExtractor", "Extractor", "head"]

DEMOGRAPHIC = re.compile(
    r"\b(?:i am|i'm|i've become|i became|i work(?:ed|ing)?) (?:an?|the|as|at|in|for|\d+)\b"
    r"|\bi (?:now )?(?:live|study|was born|grew up|come from)\b|\bi'm from\b"
    r"|\b(?:moved|moving|relocated|relocating) (?:\w+ )?(?:to|into|in with|back|house|home)\b"
    r"|\bmy (?:new )?(?:job|flat|apartment|house|age|nationality|profession)\b",
    re.IGNORECASE,
)
HABITUAL = re.compile(
    r"\b(?:usually|every|each|most (?:days|mornings|evenings|nights|weekends)|routine|ritual"
    r"|daily|weekly|typically|regularly|habit"
    r"|(?:once|twice|times) a (?:day|week|month)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|on weekdays)\b",
    re.IGNORECASE,
)
LIFE_EVENT = re.compile(
    r"\b(?:new job|first day (?:at|of|in)|got the job|promot(?:ed|ion)|laid off|resign(?:ed|ation)"
    r"|retire[ds]?|graduat\w+|married|engaged|wedding|divorc\w+|broke up|separated|was born|newborn"
    r"|baby|pregnan\w+|adopted|passed away|died|funeral|diagnos\w+|surgery|operation|hospital\w*"
    r"|injur\w+|fractur\w+|sprain\w*|broke my|doctor|physiotherap\w+|moved (?:in|to|into|out|house)"
    r"|moving (?:in|to|into|out|house)|new (?:flat|apartment|home|house|city)|allerg\w+|pandemic"
    r"|lockdown|accident|scholarship|exam results|anniversary)\b",
    re.IGNORECASE,
)
FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|we|we're|we've|our)\b", re.IGNORECASE)
ACTIVITY = re.compile(r"\b\w{3,}ing\b|\b(?:play|practi[sc]e|join|lesson|class|club)\w*\b", re.I)
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
SHORTEST = 8


class EmbeddedExtractor(Extractor):
    """Patterns of speech, layers of records, and an embedder for what they are about."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self.name = f"embedded-1/{embedder.name}"
        self._vectors = Vectors(embedder)
        self._topics = Topics(self._vectors)

    def extract(self, session: Session, records: Sequence[Record]) -> list[Candidate]:
        """Candidates of the session's records that have a time, in order of time."""
        timed = sorted(
            ((record.at, record.item_id, record) for record in records if record.at is not None),
            key=lambda each: each[:2],
        )
        return [
            candidate
            for at, _, record in timed
            for candidate in self._of_record(session.id, at, record)
        ]

    def _of_record(self, session_id: str, at: datetime, record: Record) -> Iterator[Candidate]:
        said = record.subjective
        felt = 0
        if said is not None:
            for preference in said.preferences:
                yield from self._statements(preference, session_id, at, record.item_id)
            if said.context:
                yield from self._story(said.context, session_id, at, record.item_id)
            felt = feeling(said.feelings, self._vectors) if said.feelings else 0
        yield from observed(record, session_id, felt)

    def _statements(
        self, text: SafeText, session_id: str, at: datetime, item_id: str
    ) -> Iterator[Candidate]:
        for piece, claim in _pieces(text):
            mention = Mention(at=at, session_id=session_id, item_id=item_id, quote=piece)
            yield self._candidate(piece, claim, mention)

    def _story(
        self, text: SafeText, session_id: str, at: datetime, item_id: str
    ) -> Iterator[Candidate]:
        for found in SENTENCE.finditer(text.value):
            sentence = excerpt(text, *_stripped(text.value, *found.span()))
            if len(sentence.value) < SHORTEST or not FIRST_PERSON.search(sentence.value):
                continue
            mention = Mention(at=at, session_id=session_id, item_id=item_id, quote=sentence)
            claim = _firm_claim(sentence)
            if claim is not None:
                yield self._candidate(sentence, claim, mention)
            elif LIFE_EVENT.search(sentence.value):
                yield self._life_event(sentence, mention)

    def _candidate(self, text: SafeText, claim: Claim, mention: Mention) -> Candidate:
        topic = self._topics.nearest(head(text, claim))
        return Candidate(
            category=_category(text.value, claim, topic),
            statement=text,
            mention=mention,
            slot=None if topic is None else topic.slot,
            polarity=claim.facets[0].sign if claim.facets else 0,
            strength=claim.strength * (0.4 if claim.passing else 1.0),
        )

    def _life_event(self, sentence: SafeText, mention: Mention) -> Candidate:
        topic = self._topics.nearest(sentence)
        demographic = DEMOGRAPHIC.search(sentence.value) is not None
        return Candidate(
            category=Category.DEMOGRAPHICS if demographic else Category.MEANINGFUL_FACTS,
            statement=sentence,
            mention=mention,
            slot=None if topic is None else topic.slot,
        )


def head(text: SafeText, claim: Claim) -> SafeText:
    """The words of the thing that a claim is first of all about."""
    if not claim.facets:
        return text
    return excerpt(text, *claim.facets[0].span)


def _pieces(text: SafeText) -> Iterator[tuple[SafeText, Claim]]:
    """The text with its claim; one piece a clause where several clauses take sides."""
    found = claims(text.value)
    sided = [claim for claim in found if claim.facets and claim.facets[0].sign]
    if len(sided) < 2:
        whole = excerpt(text, *_stripped(text.value, 0, len(text.value)))
        if whole:
            yield from _reread(whole, sided or list(found))
        return
    for claim in sided:
        piece = excerpt(text, *claim.span)
        yield from _reread(piece, list(claims(piece.value)))


def _reread(piece: SafeText, found: list[Claim]) -> Iterator[tuple[SafeText, Claim]]:
    if found:
        yield piece, found[0]


def _firm_claim(sentence: SafeText) -> Claim | None:
    for claim in claims(sentence.value):
        sided = claim.facets and claim.facets[0].sign and not claim.loose
        if sided and not claim.passing:
            return claim
    return None


def _category(text: str, claim: Claim, topic: Topic | None) -> Category:
    sided = bool(claim.facets) and claim.facets[0].sign != 0
    if DEMOGRAPHIC.search(text) and (not sided or claim.change is Change.START):
        return Category.DEMOGRAPHICS
    about = text if not claim.facets else text[slice(*claim.facets[0].span)]
    if topic is not None and topic.activity is Category.HOBBIES and ACTIVITY.search(about):
        return Category.HOBBIES
    if HABITUAL.search(text) and (not sided or len(claim.facets) == 1):
        return Category.BEHAVIORAL_HABITS
    if not sided and LIFE_EVENT.search(text):
        return Category.MEANINGFUL_FACTS
    return Category.PREFERENCES


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, max(start + left, start + len(piece.rstrip()))
