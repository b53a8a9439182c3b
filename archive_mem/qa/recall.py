"""Tier 1 without a language model: plan, find, read the fields, count, and quote the records."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from anonymize.compose import compose, excerpt, join
from archive_mem.qa.base import NOTHING_SUPPORTS
from archive_mem.qa.recall_conflict import disagreement
from archive_mem.qa.recall_figures import by_figure, by_occasion, comparison
from archive_mem.qa.recall_filter import away, fits, fits_time, units
from archive_mem.qa.recall_one import tell_one
from archive_mem.qa.recall_order import in_order
from archive_mem.qa.recall_sides import alternatives, either
from archive_mem.qa.recall_text import answering_rows, asks_figure, says_figure
from archive_mem.qa.recall_whole import WHOLE, Told, compared, tell_all
from archive_mem.qa.recall_words import dated_story, listed, said_place, story, when_and_where
from archive_mem.retrieval.dating import dated
from archive_mem.retrieval.known import city_and_country
from archive_mem.retrieval.photos import PhotoFinder, PhotoMatch
from archive_mem.retrieval.plan import Plan, plan
from archive_mem.retrieval.search import Found, Search
from archive_mem.retrieval.topic import Coverage, coverage
from archive_mem.retrieval.wording import Operation, asks_trips
from archive_mem.schema.annotation import OcrLine
from archive_mem.schema.qa import Answer, Evidence, Query, Tier, Usage
from archive_mem.schema.record import Archive, Record
from archive_mem.schema.safe import SafeText

__all__ = ["Recall", "RecallSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """When an answer is thought to be supported.

    share: share of the question's telling words (rare ones weigh more) that a record must have
    cosine: or the cosine that its best turn must have with the question
    both: or share and cosine together
    fitting: the same together where the record fits the asked time, place or people
    shown: how many things are told at most when a question asks what happened
    """

    share: float = 0.5
    cosine: float = 0.45
    both: float = 0.62
    fitting: float = 0.35
    shown: int = 5

    @classmethod
    def for_cosine(cls, sure: float | None) -> "RecallSettings":
        """For an embedder whose related texts have other cosines than all-MiniLM-L6-v2's.

        sure: the cosine that unrelated pairs hardly reach, None for the usual one
        """
        return cls() if sure is None else cls(cosine=sure, both=0.5 + 0.27 * sure)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """An answer before it is wrapped: text and what it stands on, in order of use."""

    text: SafeText
    evidence: tuple[Evidence, ...]
    abstained: bool = False


class Recall:
    """Answers questions of fact from records (TierReader).

    archive: records and sessions
    search: over the same archive
    photos: finds a given photo, None where no photos can be given
    settings: when an answer is supported
    """

    def __init__(
        self,
        archive: Archive,
        search: Search,
        photos: PhotoFinder | None = None,
        settings: RecallSettings | None = None,
    ) -> None:
        self._archive, self._search, self._photos = archive, search, photos
        self._settings = settings or RecallSettings()

    def answer(self, query: Query) -> Answer:
        """A short answer with evidence, or one that abstains with the closest finds."""
        started = perf_counter()
        read = dated(plan(query.text, query.asked_at, self._search.known()), self._search)
        draft = self._from_photo(read, query) or self._draft(read, query.top_k)
        return Answer(
            text=draft.text,
            evidence=draft.evidence,
            abstained=draft.abstained,
            tier=Tier.T1,
            usage=Usage(seconds=perf_counter() - started),
        )

    def _draft(self, read: Plan, k: int) -> _Draft:
        if self._is_of_unknown_place(read):
            return self._nothing(read, k)
        if read.operation is Operation.COMPARE:
            return _drafted(self._compared(read)) or self._nothing(read, k)
        if read.operation in (Operation.ORDER, Operation.FIGURE):
            by = self._in_order if read.operation is Operation.ORDER else self._by_figure
            draft = _drafted(by(read))
            if draft is not None:
                return draft
        share = coverage(self._search, read)
        if read.operation in WHOLE:
            matching = self._matching(read, share)
            if asks_trips(read.text.value):
                matching = away(matching, self._search.known())
            return _drafted(tell_all(read, matching)) or self._nothing(read, k)
        if not share.words and _is_filtered(read):
            return self._told(read, self._matching(read, share)) or self._nothing(read, k)
        return self._single(read, share, k)

    def _is_of_unknown_place(self, read: Plan) -> bool:
        """True for "in Paris" when no record is there and no turn tells of it."""
        return any(not self._search.items_holding(name) for name in read.elsewhere)

    def _compared(self, read: Plan) -> Told | None:
        sides = [
            (name, self._matching(side, coverage(self._search, side)))
            for name, side in alternatives(read)
        ]
        return compared(sides) if any(found for _, found in sides) and len(sides) > 1 else None

    def _in_order(self, read: Plan) -> Told | None:
        """Which of two came first, each by the earliest record that tells of it."""
        sides = [(name, self._earliest(name, read)) for name in either(read.text)]
        return in_order([(name, record) for name, record in sides if record is not None])

    def _earliest(self, name: SafeText, read: Plan) -> Record | None:
        about = plan(name, read.asked_at, self._search.known())
        share = coverage(self._search, about)
        dated = [record for record in self._matching(about, share) if record.at is not None]
        if dated:
            return dated[0]
        found = self._best(about, share, self._search.search(about.sought, about, 5))
        return None if found is None or found.record.at is None else found.record

    def _by_figure(self, read: Plan) -> Told | None:
        """Which was faster, cheaper, hotter: of the sides that are named, else of all days."""
        asked = comparison(read.topic.value)
        if asked is None:
            return None
        start, end = asked.span
        topic = read.topic
        parts = [excerpt(topic, 0, start), excerpt(topic, end, len(topic.value))]
        about = replace(read, topic=join(" ", parts))
        sides = [
            (name, self._matching(side, coverage(self._search, side)))
            for name, side in (alternatives(about) if _OR.search(read.text.value) else ())
        ]
        if len(sides) > 1:
            return by_figure(asked, sides)
        return by_figure(asked, by_occasion(self._matching(about, coverage(self._search, about))))

    def _matching(self, read: Plan, share: Coverage) -> list[Record]:
        """All records that the question means, one a moment, in order of time."""
        known = self._search.known()
        found = self._records(self._about(read, share))
        return units(r for r in found if r.exists_at(read.asked_at) and fits(r, read, known))

    def _records(self, wanted: set[str] | None) -> Iterable[Record]:
        if wanted is None:
            return self._archive.records()
        return self._archive.records(sorted(wanted)) if wanted else ()

    def _about(self, read: Plan, share: Coverage) -> set[str] | None:
        """Items that have the topic's words; by meaning when no item has any; None for all."""
        if not share.words:
            return None
        best = max(share.share.values(), default=0.0)
        if best < self._settings.share:
            return self._alike(read)
        least = max(self._settings.share, 0.8 * best)
        sure = {item for item, value in share.share.items() if value >= least - 1e-9}
        partly = {item for item, value in share.share.items() if value >= 0.4}
        return sure | (partly & self._alike(read, 0.4 / 0.45)) if partly - sure else sure

    def _alike(self, read: Plan, part: float = 1.0) -> set[str]:
        scored = self._search.score(read.topic, read)
        cosines = zip(scored.items(), scored.parts.dense.tolist(), strict=True)
        return {item for item, cosine in cosines if cosine >= part * self._settings.cosine}

    def _single(self, read: Plan, share: Coverage, k: int) -> _Draft:
        """Questions about one moment: search, take the best that fits, read its fields."""
        found = self._search.search(read.sought, read, max(k, 5))
        chosen = self._best(read, share, found)
        shown = self._with_figure(read, share, found, chosen)
        if shown:
            ordered = [*shown, *(each for each in found if each not in shown)]
            return _from_text(read, ordered, shown)
        if chosen is None:
            return _abstained(found)
        ordered = [chosen, *(each for each in found if each is not chosen)]
        if read.operation is Operation.WHAT_TEXT:
            fitting = [each for each in ordered if self._fits(each.record, read)]
            return _from_text(read, ordered, fitting or ordered)
        return _Draft(
            text=_with_text(read, chosen.record, _told_one(read, chosen.record)),
            evidence=tuple(_evidence(each) for each in ordered[:k]),
        )

    def _with_figure(
        self, read: Plan, share: Coverage, found: Sequence[Found], chosen: Found | None
    ) -> list[Found]:
        """Pictures that say "42 C" to "how hot"; none where the chosen record's note says it."""
        asked = read.text.value
        if read.operation is not Operation.WHAT or not asks_figure(asked):
            return []
        if chosen is not None and says_figure(asked, story(chosen.record).value):
            return []
        as_text = replace(read, operation=Operation.WHAT_TEXT)
        return [
            each
            for each in found
            if self._supports(each, as_text, share)
            and fits_time(each.record, read)
            and any(says_figure(asked, line.text.value) for line in _lines(each.record))
        ]

    def _best(self, read: Plan, share: Coverage, found: Sequence[Found]) -> Found | None:
        """The first that fits all that is asked, well supported ones before others.

        Places and people may give way, times may not: what lies outside an asked time is no
        answer.
        """
        able = [each for each in found if self._supports(each, read, share)]
        in_time = [each for each in able if fits_time(each.record, read)]
        fitting = [each for each in in_time if self._fits(each.record, read)]
        sure = [each for each in fitting if self._is_sure(each, share)]
        return next(iter(sure or fitting or in_time), None)

    def _fits(self, record: Record, read: Plan) -> bool:
        """Also where the place is only told of: the ticket to Porto was not seen in Porto."""
        known = self._search.known()
        if fits(record, read, known):
            return True
        told = any(record.item_id in self._search.items_holding(name) for name in read.place_words)
        return told and fits(record, replace(read, places=()), known)

    def _is_sure(self, each: Found, share: Coverage) -> bool:
        value = share.share.get(each.record.item_id, 0.0)
        return value >= self._settings.share or _cosine(each) >= self._settings.cosine

    def _supports(self, each: Found, read: Plan, share: Coverage) -> bool:
        if not share.words:
            return _is_filtered(read)
        value, cosine = share.share.get(each.record.item_id, 0.0), _cosine(each)
        if read.operation is Operation.WHAT_TEXT:
            enough = value > 0 or cosine >= self._settings.cosine
            return bool(each.record.ocr_text) and enough
        named = bool(read.windows or read.places or read.people)
        fitting = named and self._fits(each.record, read)
        both = self._settings.fitting if fitting else self._settings.both
        return self._is_sure(each, share) or value + cosine >= both

    def _told(self, read: Plan, records: Sequence[Record]) -> _Draft | None:
        """Questions that only say when, where or with whom: all that fits is told."""
        if not records:
            return None
        text = _ALL_OF[read.operation](records) if read.operation in _ALL_OF else None
        stories = _stories_of(records, self._settings.shown)
        return _Draft(
            text=stories if text is None else compose("{text}. {more}", text=text, more=stories),
            evidence=tuple(_quoted(record) for record in records),
        )

    def _nothing(self, read: Plan, k: int) -> _Draft:
        return _abstained(self._search.search(read.sought, read, k))

    def _from_photo(self, read: Plan, query: Query) -> _Draft | None:
        """Find the given photo, then answer about it, its place or its moment."""
        if query.photo is None or self._photos is None:
            return None
        match = self._photos.find(query.photo, query.asked_at)
        if match is None:
            return _abstained([])
        if read.operation in WHOLE:
            draft = _drafted(tell_all(read, self._like_given(read, match.record)))
            if draft is not None:
                return replace(draft, evidence=_first(_matched(match), draft.evidence))
        if read.operation is Operation.WHAT_TEXT and match.record.ocr_text:
            return _text_of(read, match)
        moment = self._moment(read, match.record)
        evidence = (_matched(match), *(_quoted(record) for record in moment))
        return _Draft(text=tell_one(read, match.record, read.operation), evidence=evidence)

    def _like_given(self, read: Plan, given: Record) -> list[Record]:
        """Records of the given photo's people or place, for "how often have I been here"."""
        people = tuple(person.value for person in given.people)
        city = city_and_country(given)[0]
        if people and _THEM.intersection(read.text.value.casefold().replace("?", " ").split()):
            read = replace(read, people=people)
        elif city is not None and not read.places:
            read = replace(read, places=(city,))
        return self._matching(read, coverage(self._search, read))

    def _moment(self, read: Plan, given: Record) -> list[Record]:
        if given.session_id is None:
            return []
        ids = [item for s in self._archive.sessions([given.session_id]) for item in s.item_ids]
        near = self._archive.records(ids)
        return [r for r in near if r.exists_at(read.asked_at) and r.item_id != given.item_id]


_OR = re.compile(r"\bor\b|\bthan\b|\bvs\b", re.IGNORECASE)
_THEM = frozenset(
    {"them", "they", "him", "her", "he", "she", "person", "people", "who", "together"}
)


def _drafted(told: Told | None) -> _Draft | None:
    if told is None:
        return None
    return _Draft(text=told.text, evidence=tuple(_quoted(record) for record in told.records))


def _abstained(closest: Sequence[Found]) -> _Draft:
    text = NOTHING_SUPPORTS
    if closest:
        near = dated_story(closest[0].record)
        text = compose("{nothing} The closest that was found: {near}", nothing=text, near=near)
    return _Draft(
        text=text,
        evidence=tuple(_evidence(each) for each in closest),
        abstained=True,
    )


def _evidence(found: Found) -> Evidence:
    return Evidence(
        item_id=found.record.item_id,
        session_id=found.session_id,
        at=found.record.at,
        quote=found.turn.text,
        score=found.score,
        why=found.parts,
    )


def _quoted(record: Record) -> Evidence:
    return Evidence(
        item_id=record.item_id,
        session_id=record.session_id,
        at=record.at,
        quote=dated_story(record),
        score=1.0,
        why=(("counted", 1.0),),
    )


def _matched(match: PhotoMatch) -> Evidence:
    quoted = _quoted(match.record)
    return replace(quoted, score=match.score, why=((match.likeness.value, match.score),))


def _cosine(found: Found) -> float:
    return dict(found.parts)["dense"]


def _first(first: Evidence, rest: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return (first, *(each for each in rest if each.item_id != first.item_id))


def _with_text(read: Plan, record: Record, told: SafeText) -> SafeText:
    """What is asked may stand in the picture only: its rows that have words of the question."""
    if read.operation is not Operation.WHAT or not record.ocr_text:
        return told
    rows, _ = answering_rows(read.topic.value, _lines(record))
    return compose("{told} It reads: {rows}", told=told, rows=join(" / ", rows))


def _from_text(read: Plan, ordered: Sequence[Found], fitting: Sequence[Found]) -> _Draft:
    """The rows of text that answer best, over the pictures that were found."""
    asked = read.topic.value
    rated = [
        (*answering_rows(asked, _lines(each.record)), place, each)
        for place, each in enumerate(fitting)
        if each.record.ocr_text
    ]
    # A better row counts for less the further down its picture was found.
    rows, _, _, best = max(rated, key=lambda rate: (rate[1] - 0.15 * rate[2], -rate[2]))
    rest = [each for each in ordered if each is not best]
    return _Draft(
        text=_said_rows(rows, best.record),
        evidence=(replace(_evidence(best), quote=join(" / ", rows)), *map(_evidence, rest)),
    )


def _told_one(read: Plan, record: Record) -> SafeText:
    """The answer by the owner's word, and what disagrees with it."""
    told = tell_one(read, record, read.operation)
    return join(" ", [told, disagreement(record, read.operation)])


def _text_of(read: Plan, match: PhotoMatch) -> _Draft:
    rows, _ = answering_rows(read.topic.value, _lines(match.record))
    quoted = replace(_matched(match), quote=join(" / ", rows))
    return _Draft(text=_said_rows(rows, match.record), evidence=(quoted,))


def _said_rows(rows: Sequence[SafeText], record: Record) -> SafeText:
    when = when_and_where(record)
    said = join(" / ", rows)
    return compose("{said} (seen {when})", said=said, when=when) if when else said


def _lines(record: Record) -> tuple[OcrLine, ...]:
    return () if record.description is None else record.description.ocr


def _places_of(records: Sequence[Record]) -> SafeText | None:
    places = dict.fromkeys(said_place(record) for record in records)
    known = [place for place in places if place]
    return listed(known) if known else None


def _people_of(records: Sequence[Record]) -> SafeText | None:
    people = list(dict.fromkeys(person for record in records for person in record.people))
    return compose("with {people}", people=listed(people)) if people else None


def _days_of(records: Sequence[Record]) -> SafeText | None:
    days = dict.fromkeys(when_and_where(record) for record in records if record.time is not None)
    return listed(list(days)) if days else None


def _stories_of(records: Sequence[Record], shown: int) -> SafeText:
    lines = [dated_story(record) for record in records]
    told = join(" ", lines[:shown])
    if len(lines) <= shown:
        return told
    return compose("{told} And {more} more.", told=told, more=len(lines) - shown)


_ALL_OF = {
    Operation.WHERE: _places_of,
    Operation.WHO: _people_of,
    Operation.WHEN: _days_of,
}


def _is_filtered(read: Plan) -> bool:
    return bool(
        read.windows
        or read.recurring
        or read.places
        or read.people
        or read.abroad
        or read.at_home
        or read.kind is not None
    )
