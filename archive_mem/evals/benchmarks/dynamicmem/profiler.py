"""ChronoProfiler over logs: what a call shows of a person, as statements with dated mentions.

Algorithm 1 runs as it does over photos; extractor and comparer are those of logs. A statement is
one value of one field of one call, or an offer that was not taken.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from anonymize.compose import public
from archive_mem.evals.benchmarks.dynamicmem.protocol import AppLog, Json, leaves
from archive_mem.evals.benchmarks.dynamicmem.weave import LogArchive, unwoven
from archive_mem.profile.candidates import Candidate
from archive_mem.profile.chrono import ProfileState, build_profile
from archive_mem.profile.compare import Relation, Verdict
from archive_mem.profile.wording import stems
from archive_mem.schema.profile import Category, Mention, ProfileItem
from archive_mem.schema.record import Record
from archive_mem.schema.session import Session, Turn

__all__ = ["DECLINED", "SEEN", "LogComparer", "LogExtractor", "is_set", "one_thing", "profile_of"]

SEEN, DECLINED = "habit:seen:", "habit:declined:"
_SETS = frozenset(
    {"set", "update", "change", "register", "add", "choose", "edit", "switch", "save"}
)
_LONGEST = 120
_NO_VALUE = re.compile(r"(?:^|[._])(?:id|ids|uuid|token|timestamp|url|status)$", re.IGNORECASE)
_HALF = 0.5


class LogExtractor:
    """Candidates of a session of logs (Extractor)."""

    name = "app-logs-1"

    def extract(self, session: Session, records: Sequence[Record]) -> list[Candidate]:
        """One for each value of a request, and one for each offer that was not taken."""
        return [each for turn in session.turns for each in _of_turn(turn)]


class LogComparer:
    """Verdicts on values (Comparer): the same words, other words for it, or another value."""

    name = "app-logs-1"

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        """Nothing is slow."""

    def compare(self, candidate: Candidate, entries: Sequence[ProfileItem]) -> Verdict:
        """Of what a call sets, another value is a conflict; else it is one more thing done."""
        alike = [each for each in entries if each.slot == candidate.slot]
        value = candidate.mention.quote.value
        sets = candidate.category is Category.DEMOGRAPHICS
        for entry in alike:
            if not sets and one_thing(value, entry.mentions[0].quote.value):
                return Verdict(relation=Relation.DUPLICATE, item_id=entry.id)
        if sets and alike:
            newest = max(alike, key=lambda each: each.mentions[-1].at)
            return Verdict(relation=Relation.CONFLICT, item_id=newest.id)
        return Verdict(relation=Relation.NEW)


class _Kept:
    """Holds the state between checkpoints (CheckpointStore)."""

    def __init__(self, state: ProfileState | None) -> None:
        self.state = state

    def load(self) -> ProfileState | None:
        return self.state

    def save(self, state: ProfileState, session_id: str) -> None:
        self.state = state

    def clear(self) -> None:
        self.state = None


def profile_of(logs: Sequence[AppLog], before: ProfileState | None = None) -> ProfileState:
    """The profile of logs; goes on from `before` where its sessions are still the same."""
    return build_profile(LogArchive(logs), _Kept(before), LogExtractor(), LogComparer())


def is_set(slot: str) -> bool:
    """Whether a slot is of a call that sets something, such as update_profile."""
    call = slot.rpartition(":")[2].split("/")[1]
    return bool(_SETS & set(re.split(r"[^a-z]+", _snake(call))))


@lru_cache(maxsize=65_536)
def one_thing(left: str, right: str) -> bool:
    """Whether two names mean one routine: one holds all words of the other, or half are shared."""
    ours, theirs = stems(left), stems(right)
    if not ours or not theirs:
        return left.casefold() == right.casefold()
    return ours <= theirs or theirs <= ours or len(ours & theirs) / len(ours | theirs) >= _HALF


def _of_turn(turn: Turn) -> Iterator[Candidate]:
    log = unwoven(turn)
    for path, value in _values(log.request):
        slot = f"{SEEN}{log.app}/{log.api}/{path}"
        category = Category.DEMOGRAPHICS if is_set(slot) else Category.BEHAVIORAL_HABITS
        yield _candidate(turn, log.at, category, slot, value, 1)
        for offer in _not_taken(log.response, value):
            declined = f"{DECLINED}{log.app}/{log.api}/{path}"
            yield _candidate(turn, log.at, Category.PREFERENCES, declined, offer, -1)


def _candidate(
    turn: Turn, at: datetime, category: Category, slot: str, value: str, sign: int
) -> Candidate:
    mention = Mention(at=at, session_id=turn.session_id, item_id=turn.item_id, quote=public(value))
    return Candidate(
        category=category,
        statement=public(f"{slot}: {value}"),
        mention=mention,
        slot=slot,
        polarity=sign,
    )


def _values(request: Json) -> Iterator[tuple[str, str]]:
    for path, value in leaves(request):
        kept = value if isinstance(value, list) else [value]
        if _NO_VALUE.search(_snake(path)):
            continue
        for each in kept:
            text = str(each).strip()
            if isinstance(each, str | int | float) and text and len(text) <= _LONGEST:
                yield path, text


def _not_taken(response: Json, taken: str) -> list[str]:
    """The rest of a list in the response that holds what was taken."""
    for _, value in leaves(response):
        offers = [_name(each) for each in value] if isinstance(value, list) else []
        if taken in offers:
            return [each for each in offers if each not in (taken, "")]
    return []


def _name(offer: Json) -> str:
    if isinstance(offer, dict):
        named = [offer[key] for key in ("name", "title", "option", "value") if key in offer]
        return str(named[0]) if named else ""
    return str(offer)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
