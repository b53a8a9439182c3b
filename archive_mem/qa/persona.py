"""T2, the persona: stable habits, how they changed, and why. Every claim carries its dates."""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum

import numpy as np

from anonymize.compose import compose, excerpt, join, word
from archive_mem.profile.claims import reason
from archive_mem.profile.phrases import day, span_of, times
from archive_mem.profile.relevance import relevance
from archive_mem.profile.stability import PAPER, StabilitySettings, score_profile
from archive_mem.profile.timeline import (
    Period,
    TurningPoint,
    groups,
    held_now,
    periods,
    turning_points,
)
from archive_mem.profile.vectors import Vectors
from archive_mem.qa.base import TierReader
from archive_mem.schema.profile import Category, Mention, Profile, ProfileItem
from archive_mem.schema.qa import Answer, Evidence, Query, Tier, Usage
from archive_mem.schema.record import Archive, Record
from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder

__all__ = ["Aspect", "Persona", "aspect"]

ENOUGH = 0.34
OF_BEST = 0.62
MOST = 6
NOTHING_FOUND = word("Nothing in the archive supports an answer.")

WHY = re.compile(
    r"\b(?:why|reasons?|causes?d?|because|explains?|motivat\w+|led (?:to|me|the|them)|"
    r"what (?:made|makes|prompted|triggered|drove|pushed|convinced|lies behind)|how come|behind)\b",
    re.IGNORECASE,
)
CHANGE = re.compile(
    r"\b(?:chang\w*|over (?:time|the years)|evol\w+|shift\w*|develop\w*|progress\w*|used to|"
    r"switch\w*|before and after|still|anymore|any more|no longer|since when|when did .* "
    r"(?:start|stop|begin|switch|give|quit|move|take|drop)\w*|different\w*|differ|transition\w*|"
    r"history of|trajectory|grown?|become|became|transform\w*|compared (?:to|with))\b",
    re.IGNORECASE,
)


class Aspect(StrEnum):
    """The three subtasks of T2."""

    STABLE = "2.1"
    CHANGED = "2.2"
    REASON = "2.3"


@dataclass(frozen=True, slots=True)
class _Line:
    """One sentence with what it stands on."""

    text: SafeText
    evidence: tuple[Evidence, ...]


def aspect(question: str) -> Aspect:
    """Which subtask a question belongs to, by its wording."""
    if WHY.search(question):
        return Aspect.REASON
    return Aspect.CHANGED if CHANGE.search(question) else Aspect.STABLE


class Persona(TierReader):
    """Answers from the profile as it was known when the question was asked."""

    def __init__(
        self, archive: Archive, embedder: TextEmbedder, stability: StabilitySettings = PAPER
    ) -> None:
        self._archive = archive
        self._vectors = Vectors(embedder)
        self._stability = stability

    def answer(self, query: Query) -> Answer:
        """Plain sentences with dates, or one that abstains."""
        begun = time.perf_counter()
        profile = score_profile(self._archive.profile_items(), query.asked_at, self._stability)
        lines = self._lines(query, profile)
        evidence = _unique(each for line in lines for each in line.evidence)
        return Answer(
            text=join(" ", [line.text for line in lines]) if lines else NOTHING_FOUND,
            evidence=evidence[: query.top_k],
            abstained=not lines,
            tier=Tier.T2,
            usage=Usage(seconds=time.perf_counter() - begun),
        )

    def _lines(self, query: Query, profile: Profile) -> list[_Line]:
        asked = aspect(query.text.value)
        if asked is Aspect.STABLE:
            return self._stable(query, profile)
        chosen = self._groups(query, profile)
        if asked is Aspect.CHANGED:
            return _changed(chosen)
        return self._why(query, chosen)

    def _relevant(self, query: Query, profile: Profile) -> list[tuple[float, ProfileItem]]:
        """Statements near the question, nearest first."""
        items = [item for item, _ in profile.items]
        if not items:
            return []
        near = relevance(self._vectors, [query.text], [item.statement for item in items])[0]
        limit = max(ENOUGH, OF_BEST * float(near.max()))
        order = np.argsort(-near, kind="stable")
        return [(float(near[each]), items[each]) for each in order if near[each] >= limit]

    def _stable(self, query: Query, profile: Profile) -> list[_Line]:
        stability = {item.id: each.ts for item, each in profile.items}
        current = held_now([item for item, _ in profile.items])
        named = _named_category(query.text.value)
        found = self._relevant(query, profile)
        if named is not None:
            found += [(ENOUGH, i) for i, _ in profile.items if i.category is named]
        scored = {
            item.id: (near * (0.5 + 0.5 * stability[item.id]), item)
            for near, item in reversed(found)
            if current[item.id]
        }
        best = sorted(scored.values(), key=lambda pair: (-pair[0], pair[1].id))[:MOST]
        return [_statement(item, score) for score, item in best]

    def _groups(self, query: Query, profile: Profile) -> list[list[Period]]:
        near = {item.id: score for score, item in self._relevant(query, profile)}
        found = groups([item for item, _ in profile.items])
        touched = [
            (max(near.get(item.id, 0.0) for item in group), periods(group)) for group in found
        ]
        ordered = sorted(
            (pair for pair in touched if pair[0] > 0),
            key=lambda pair: (-pair[0] - 0.2 * (len(pair[1]) > 1), pair[1][0].first),
        )
        return [found for _, found in ordered[:MOST]]

    def _why(self, query: Query, chosen: Sequence[list[Period]]) -> list[_Line]:
        points = [point for found in chosen for point in turning_points(found)]
        if not points:
            return []
        point = points[0]
        records = list(self._archive.records(until=query.asked_at))
        causes = self._causes(query, point, records)
        return [_turn(point), *causes]

    def _causes(self, query: Query, point: TurningPoint, records: Sequence[Record]) -> list[_Line]:
        around = [
            (record, text)
            for record in records
            if record.at is not None
            and point.at - timedelta(days=120) <= record.at <= point.at + timedelta(days=60)
            for text in _said(record)
        ]
        if not around:
            return []
        subject = [query.text, point.after.item.statement]
        near = relevance(self._vectors, subject, [text for _, text in around]).max(axis=0)
        scored = [
            (float(close) + (0.4 if reason(text.value) else 0.0), record, text)
            for close, (record, text) in zip(near, around, strict=True)
        ]
        best = sorted(scored, key=lambda each: (-each[0], each[1].item_id))[:3]
        return [_cause(score, record, text) for score, record, text in best if score >= ENOUGH]


def _named_category(question: str) -> Category | None:
    for category, pattern in (
        (Category.HOBBIES, r"\bhobb|\bpastime|\bfree time|\bspare time|\bleisure"),
        (Category.BEHAVIORAL_HABITS, r"\bhabit|\broutine|\busual|\btypical|\bregular"),
        (Category.PREFERENCES, r"\bpreferences?\b|\btastes?\b|\blikes and dislikes\b"),
        (Category.DEMOGRAPHICS, r"\bwhere (?:do|does) .* live|\bwho (?:am i|is)|\bbackground"),
        (Category.MEANINGFUL_FACTS, r"\bmilestone|\bimportant|\bmeaningful|\blife events?"),
    ):
        if re.search(pattern, question, re.IGNORECASE):
            return category
    return None


def _statement(item: ProfileItem, score: float) -> _Line:
    text = compose("“{what}” ({when}).", what=item.statement, when=span_of(item))
    return _Line(text, _evidence((item.mentions[0], item.mentions[-1]), score))


def _changed(chosen: Sequence[list[Period]]) -> list[_Line]:
    lines: list[_Line] = []
    for found in chosen:
        points = turning_points(found)
        if len(found) == 1 and not points:
            lines.append(_period(found[0], word("Since")))
            continue
        if len(found) > 1:
            lines.append(_period(found[0], word("From")))
        lines.extend(_turn(point) for point in points)
    return lines[:MOST]


def _period(period: Period, since: SafeText) -> _Line:
    text = compose(
        "{since} {first}: “{what}” ({times}, last on {last}).",
        since=since,
        first=day(period.first),
        what=period.item.statement,
        times=times(len(period.mentions)),
        last=day(period.last),
    )
    return _Line(text, _evidence((period.mentions[0], period.mentions[-1]), 1.0))


def _turn(point: TurningPoint) -> _Line:
    after = point.after
    text = compose(
        "Around {at} this changed to “{what}” ({times} from {first} to {last}).",
        at=day(point.at),
        what=after.item.statement,
        times=times(len(after.mentions)),
        first=day(after.first),
        last=day(after.last),
    )
    before = () if point.before is None else (point.before.mentions[-1],)
    return _Line(text, _evidence((*before, after.mentions[0], after.mentions[-1]), 1.0))


def _said(record: Record) -> list[SafeText]:
    said = record.subjective
    if said is None:
        return []
    context = [] if not said.context else [said.context]
    return [*context, *said.preferences]


def _cause(score: float, record: Record, text: SafeText) -> _Line:
    span = reason(text.value)
    quoted = text if span is None else excerpt(text, 0, span.end)
    at = record.at
    if at is None:
        return _Line(compose("“{what}”.", what=quoted), ())
    line = compose("A likely reason, on {at}: “{what}”.", at=day(at), what=quoted)
    evidence = Evidence(
        item_id=record.item_id, session_id=record.session_id, at=at, quote=text, score=score
    )
    return _Line(line, (evidence,))


def _evidence(mentions: Sequence[Mention], score: float) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            item_id=mention.item_id,
            session_id=mention.session_id,
            at=mention.at,
            quote=mention.quote,
            score=score,
        )
        for mention in mentions
    )


def _unique(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    kept: dict[tuple[str, str], Evidence] = {}
    for each in found:
        key = (each.item_id, each.quote.value)
        known = kept.get(key)
        kept[key] = each if known is None else replace(known, score=max(known.score, each.score))
    return tuple(kept.values())
