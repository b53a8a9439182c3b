"""T2, the persona: stable habits, how they changed, and why. Every claim carries its dates."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from anonymize.compose import compose, join, say_day, say_month
from archive_mem.profile.candidates import is_observed
from archive_mem.profile.claims import Change, claims, reason
from archive_mem.profile.compare import sides
from archive_mem.profile.moments import Moment, moment_relevance, moments
from archive_mem.profile.phrases import span_of, times, unended
from archive_mem.profile.relevance import item_relevance
from archive_mem.profile.stability import score_profile
from archive_mem.profile.timeline import (
    Period,
    Thread,
    TurningPoint,
    held_now,
    periods,
    threads,
    turning_points,
)
from archive_mem.profile.vectors import Vectors
from archive_mem.profile.weighting import ProfileSettings, Weighting, weight
from archive_mem.profile.wording import normal, stems, weekdays_named
from archive_mem.qa.base import NOTHING_SUPPORTS, TierReader
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.profile import Category, Mention, Profile, ProfileItem
from archive_mem.schema.qa import Answer, Evidence, Query, Tier, Usage
from archive_mem.schema.record import Archive
from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder

__all__ = ["Aspect", "Persona", "aspect"]

Thing = TypeVar("Thing")

DEFAULT = ProfileSettings()

ENOUGH = 0.4
OF_BEST = 0.7
COMPANY = 0.85
BARE = 2
STATEMENTS, MOMENTS, REASONS = 5, 6, 4
BEFORE, AFTER = timedelta(days=150), timedelta(days=45)
TURNING_LIVES = frozenset(
    {Scenario.MEDICAL_CARE, Scenario.SPECIAL_EVENTS, Scenario.WORK_STUDY, Scenario.TRAVEL_MOBILITY}
)

WHY = re.compile(
    r"\b(?:why|reasons?|causes?d?|because|explains?|motivat\w+|led (?:to|me|the|them)"
    r"|what (?:made|makes|prompted|triggered|drove|pushed|convinced)|how come|behind)\b",
    re.IGNORECASE,
)
CHANGED = re.compile(
    r"\b(?:chang\w*|over (?:time|the years)|evol\w+|shift\w*|develop\w*|progress\w*|used to"
    r"|switch\w*|before and after"
    r"|still|any ?more|no longer|since|come and go|came and went"
    r"|trace|journey"
    r"|when did .* (?:start|stop|begin|switch|give|quit|move|take|drop)\w*"
    r"|differ\w*|transition\w*"
    r"|history of|trajectory|grown?|become|became|transform\w*|compared (?:to|with)|moved)\b",
    re.IGNORECASE,
)
AWAY = re.compile(
    r"\b(?:stop\w*|quit|g[ai]ve up|giving up|given up|no longer|leav\w*|left|drop\w*|avoid\w*|lost"
    r"|end\w*|not|n't|abandon\w*|cut\w*|less)\b",
    re.IGNORECASE,
)
DISLIKES = re.compile(r"\b(?:dislik\w*|hate\w*|avoid\w*|not like|don't like|can't stand)\b", re.I)


class Aspect(StrEnum):
    """The three subtasks of T2."""

    STABLE = "2.1"
    CHANGED = "2.2"
    REASON = "2.3"


@dataclass(frozen=True, slots=True)
class _Line:
    """One sentence with what it stands on."""

    text: SafeText
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What is near a question.

    items: statements with their nearness, nearest first
    moments: moments with their nearness, nearest first
    threads: threads of the near statements, nearest first
    stability: what every statement counts by, temporal stability as a rule, by id
    turns: whether what was given up is left out
    nearness: of every moment, by item id
    """

    items: list[tuple[float, ProfileItem]]
    moments: list[tuple[float, Moment]]
    threads: list[Thread]
    stability: Mapping[str, float]
    turns: bool
    nearness: Mapping[str, float]


def aspect(question: str) -> Aspect:
    """Which subtask a question belongs to, by its wording."""
    if WHY.search(question):
        return Aspect.REASON
    return Aspect.CHANGED if CHANGED.search(question) else Aspect.STABLE


class Persona(TierReader):
    """Answers from the profile and the moments as they were known when the question was asked."""

    def __init__(
        self, archive: Archive, embedder: TextEmbedder, settings: ProfileSettings = DEFAULT
    ) -> None:
        self._archive = archive
        self._vectors = Vectors(embedder)
        self._settings = settings

    def answer(self, query: Query) -> Answer:
        """Plain sentences with dates, or one that abstains."""
        begun = time.perf_counter()
        lines = self._lines(query)
        evidence = _unique(each for line in lines for each in line.evidence)
        return Answer(
            text=join(" ", [line.text for line in lines]) if evidence else NOTHING_SUPPORTS,
            evidence=evidence[: query.top_k],
            abstained=not evidence,
            tier=Tier.T2,
            usage=Usage(seconds=time.perf_counter() - begun),
        )

    def _lines(self, query: Query) -> list[_Line]:
        known = self._archive.profile_items()
        items = () if self._settings.weighting is Weighting.NO_PROFILE else known
        profile = score_profile(items, query.asked_at, self._settings.stability)
        found = self._found(query, profile)
        asked = aspect(query.text.value)
        if asked is Aspect.REASON:
            return _why(query, found, moments(self._archive.records(until=query.asked_at)))
        return _changed(found) if asked is Aspect.CHANGED else _stable(query, found)

    def _found(self, query: Query, profile: Profile) -> _Found:
        items = [item for item, _ in profile.items]
        near_items = item_relevance(self._vectors, query.text, items)
        told = moments(self._archive.records(until=query.asked_at))
        near_moments = moment_relevance(self._vectors, query.text, told)
        days = weekdays_named(query.text.value)
        near_items = near_items * [_on_days(item, days) for item in items]
        near_moments = near_moments * [not days or each.at.weekday() in days for each in told]
        near_items = _by_company(items, near_items, told, near_moments)
        best = max([ENOUGH / OF_BEST, *near_items, *near_moments])
        limit = OF_BEST * best
        near = _of_category(query, profile) or _nearest(items, near_items, limit)
        close = _most(near, self._settings.per_category)
        nearness = {item.id: score for score, item in close}
        woven = _near_threads(threads(items, self._vectors), nearness)
        return _Found(
            items=close,
            moments=_nearest(told, near_moments, limit),
            threads=woven,
            stability={
                item.id: weight(each, self._settings.weighting) for item, each in profile.items
            },
            turns=self._settings.weighting.sees_turns,
            nearness={
                moment.record.item_id: float(near)
                for moment, near in zip(told, near_moments, strict=True)
            },
        )


def _nearest(
    things: Sequence[Thing], near: NDArray[np.float64], limit: float
) -> list[tuple[float, Thing]]:
    order = np.argsort(-near, kind="stable")
    return [(float(near[row]), things[row]) for row in order if near[row] >= limit]


def _most(
    near: Sequence[tuple[float, ProfileItem]], per_category: int | None
) -> list[tuple[float, ProfileItem]]:
    """The first of each category."""
    taken: Counter[Category] = Counter()
    kept = []
    for score, item in near:
        taken[item.category] += 1
        if per_category is None or taken[item.category] <= per_category:
            kept.append((score, item))
    return kept


def _on_days(item: ProfileItem, days: frozenset[int]) -> bool:
    """Whether the statement names one of the days, or was mostly made on them and names none."""
    named = weekdays_named(item.statement.value)
    if not days or named:
        return not days or bool(named & days)
    return sum(each.at.weekday() in days for each in item.mentions) > 0.5 * len(item.mentions)


def _by_company(
    items: Sequence[ProfileItem],
    near: NDArray[np.float64],
    told: Sequence[Moment],
    near_moments: NDArray[np.float64],
) -> NDArray[np.float64]:
    """A statement made at a moment that is near the question is near it too."""
    moment = {each.record.item_id: score for each, score in zip(told, near_moments, strict=True)}
    company = [
        0.0
        if is_observed(item.slot)
        else max(moment.get(mention.item_id, 0.0) for mention in item.mentions)
        for item in items
    ]
    return np.maximum(near, COMPANY * np.array(company)) if items else near


def _near_threads(woven: Iterable[Thread], nearness: Mapping[str, float]) -> list[Thread]:
    """Threads with a near statement, nearest first; a thread that turned goes before its like."""
    found = []
    for thread in woven:
        near = max(nearness.get(event.item.id, 0.0) for event in thread.events)
        turned = len(periods(thread)) > 1
        if near:
            found.append((near + 0.1 * turned, thread))
    return [thread for _, thread in sorted(found, key=lambda pair: -pair[0])]


def _of_category(query: Query, profile: Profile) -> list[tuple[float, ProfileItem]]:
    """The statements of a category, where the question names that and little else."""
    if len(stems(query.text.value)) > BARE:
        return []
    for category, pattern in (
        (Category.HOBBIES, r"\bhobb|\bpastime|\b(?:free|spare) time|\bleisure"),
        (Category.BEHAVIORAL_HABITS, r"\bhabit|\broutine|\busual|\btypical|\bregular"),
        (Category.PREFERENCES, r"\bpreferences?\b|\btastes?\b|\blikes and dislikes\b"),
        (
            Category.DEMOGRAPHICS,
            r"\bwhere (?:do|does|have|has|did) .* liv|\bwho (?:am i|is)|\bbackground",
        ),
        (Category.MEANINGFUL_FACTS, r"\bmilestone|\bimportant|\bmeaningful|\blife events?"),
    ):
        if re.search(pattern, query.text.value, re.IGNORECASE):
            return [(ENOUGH, item) for item, _ in profile.items if item.category is category]
    return []


def _stable(query: Query, found: _Found) -> list[_Line]:
    held = held_now(found.threads) if found.turns else {}
    sign = -1 if DISLIKES.search(query.text.value) else 1
    ranked = sorted(
        (
            (_standing(near, item, found, sign), item)
            for near, item in found.items
            if held.get(item.id, True)
        ),
        key=lambda pair: (-pair[0], pair[1].id),
    )
    chosen = ranked[:STATEMENTS]
    lines = [_statement(item, score) for score, item in chosen]
    return [*_summary([item for _, item in chosen], sign), *lines, *_recurring(found)]


def _standing(near: float, item: ProfileItem, found: _Found, sign: int) -> float:
    """Nearness x stability x strength, halved for the side that was not asked for."""
    firm = max((claim.strength for claim in claims(item.statement.value)), default=0.5)
    asked = 0.5 if item.polarity == -sign else 1.0
    return near * (0.4 + 0.6 * found.stability[item.id]) * (0.5 + 0.5 * firm) * asked


def _summary(chosen: Sequence[ProfileItem], sign: int) -> list[_Line]:
    """One sentence of the things liked and not liked, the surest first."""
    taken: dict[str, tuple[SafeText, int]] = {}
    for item in chosen:
        for side in sides(item.statement):
            taken.setdefault(normal(side.text.value), (side.text, side.sign))
    liked = join(", ", [text for text, side in taken.values() if side > 0])
    disliked = join(", ", [text for text, side in taken.values() if side < 0])
    spoken = {
        1: compose("In favour of: {what}.", what=liked) if liked else None,
        -1: compose("Not in favour of: {what}.", what=disliked) if disliked else None,
    }
    return [_Line(text) for text in (spoken[sign], spoken[-sign]) if text is not None]


def _recurring(found: _Found) -> list[_Line]:
    """What was done again and again, with the first, the middle and the last time."""
    told = sorted((moment for _, moment in found.moments), key=lambda moment: moment.at)
    if len(told) < 2:
        return [_told(moment) for moment in told]
    shown = _spread(told, 3)
    text = compose(
        "Seen {times} from {first} to {last}: {examples}.",
        times=times(len(told)),
        first=say_month(told[0].at),
        last=say_month(told[-1].at),
        examples=join("; ", [_dated(moment) for moment in shown]),
    )
    return [_Line(text, tuple(_proof(moment, 0.8) for moment in shown))]


def _changed(found: _Found) -> list[_Line]:
    """Turns first, then the moments that tell the story, in order of time."""
    lines: list[_Line] = []
    told: set[str] = set()
    for thread in found.threads:
        held = periods(thread)
        points = turning_points(held)
        fresh = [point for point in points if point.after.opening.id not in told]
        told.update(point.after.opening.id for point in fresh)
        lines.extend(_turn(point) for point in fresh)
    lines = lines[:STATEMENTS] or [_period(periods(each)[0]) for each in found.threads[:3]]
    story = sorted((moment for _, moment in found.moments), key=lambda moment: moment.at)
    return [*lines, *(_told(moment) for moment in _spread(story, MOMENTS))]


def _why(query: Query, found: _Found, told: Sequence[Moment]) -> list[_Line]:
    point = _asked_turn(query, found)
    if point is None:
        near = sorted((moment for _, moment in found.moments[:REASONS]), key=lambda m: m.at)
        return [_told(moment) for moment in near]
    pivot = point.after.first
    around = [moment for moment in told if pivot - BEFORE <= moment.at <= pivot + AFTER]
    weighed = sorted(
        ((_likelihood(moment, point, found.nearness), moment) for moment in around),
        key=lambda pair: (-pair[0], pair[1].record.item_id),
    )
    likely = [pair for pair in weighed[:REASONS] if pair[0] >= ENOUGH]
    causes = [_cause(score, moment) for score, moment in sorted(likely, key=lambda p: p[1].at)]
    return [_turn(point), *causes, *_against(point, found)]


def _asked_turn(query: Query, found: _Found) -> TurningPoint | None:
    """The turn of the nearest thread that goes the way the question says."""
    away = AWAY.search(query.text.value) is not None
    points = [point for thread in found.threads for point in turning_points(periods(thread))]
    fitting = [point for point in points if (point.after.stance == "against") == away]
    said = [point for point in fitting if _explicit(point)]
    return next(iter(said or fitting or points), None)


def _explicit(point: TurningPoint) -> bool:
    found = claims(point.after.opening.statement.value)
    return any(claim.change is not Change.NONE for claim in found)


def _likelihood(moment: Moment, point: TurningPoint, nearness: Mapping[str, float]) -> float:
    """Nearness in meaning and time, a given reason, and a part of life where things turn."""
    given = any(reason(text.value) for text in moment.texts())
    turning = moment.record.scenario in TURNING_LIVES
    days = abs((moment.at - point.after.first).total_seconds()) / 86_400
    closeness = 0.25 * float(np.exp(-days / 60))
    near = nearness.get(moment.record.item_id, 0.0)
    return near + 0.2 * given + 0.15 * turning + closeness


def _against(point: TurningPoint, found: _Found) -> list[_Line]:
    """What was still said for the old stance afterwards."""
    before = point.before
    if before is None:
        return []
    late = [
        event.mention
        for thread in found.threads
        for event in thread.events
        if event.item.id == before.item.id and event.mention.at > point.after.first
    ]
    return [
        _Line(
            compose(
                "Against it speaks “{quote}” on {at}.", quote=mention.quote, at=say_day(mention.at)
            ),
            _evidence((mention,), 0.3),
        )
        for mention in late[:1]
    ]


def _statement(item: ProfileItem, score: float) -> _Line:
    text = compose("“{what}” ({when}).", what=item.statement, when=span_of(item))
    return _Line(text, _evidence((item.mentions[0], item.mentions[-1]), score))


def _period(period: Period) -> _Line:
    text = compose(
        "Since {first}: “{what}” ({times}, last on {last}).",
        first=say_day(period.first),
        what=period.item.statement,
        times=times(len(period.mentions)),
        last=say_day(period.last),
    )
    return _Line(text, _evidence((period.mentions[0], period.mentions[-1]), 1.0))


def _turn(point: TurningPoint) -> _Line:
    after, before = point.after, point.before
    new = compose(
        "Around {at}: “{what}” ({times}, last on {last})",
        at=say_day(point.at),
        what=after.opening.statement,
        times=times(len(after.mentions)),
        last=say_day(after.last),
    )
    proof = (after.mentions[0], after.mentions[-1])
    if before is None:
        return _Line(compose("{new}.", new=new), _evidence(proof, 1.0))
    old = compose("“{what}” ({when})", what=before.item.statement, when=_when(before))
    text = compose("{new}; before that {old}.", new=new, old=old)
    return _Line(text, _evidence((before.mentions[-1], *proof), 1.0))


def _when(period: Period) -> SafeText:
    return compose("{first} to {last}", first=say_month(period.first), last=say_month(period.last))


def _told(moment: Moment) -> _Line:
    text = compose("{at}: {what}.", at=say_day(moment.at), what=moment.told())
    return _Line(text, (_proof(moment, 0.7),))


def _cause(score: float, moment: Moment) -> _Line:
    text = compose("A likely reason, {at}: {what}.", at=say_day(moment.at), what=moment.told())
    return _Line(text, (_proof(moment, score),))


def _dated(moment: Moment) -> SafeText:
    return compose("{what} ({at})", what=unended(moment.event), at=say_day(moment.at))


def _spread(told: Sequence[Moment], most: int) -> list[Moment]:
    """The first, the last, and others evenly between."""
    places = np.unique(np.linspace(0, len(told) - 1, min(most, len(told))).round().astype(int))
    return [told[int(place)] for place in places] if told else []


def _proof(moment: Moment, score: float) -> Evidence:
    record = moment.record
    return Evidence(
        item_id=record.item_id,
        session_id=record.session_id,
        at=moment.at,
        quote=moment.story or moment.event,
        score=score,
    )


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
    """Each quote once, with its best score, in order of use."""
    kept: dict[tuple[str, str], Evidence] = {}
    for each in found:
        key = (each.item_id, each.quote.value)
        known = kept.get(key, each)
        kept[key] = replace(known, score=max(known.score, each.score))
    return tuple(kept.values())
