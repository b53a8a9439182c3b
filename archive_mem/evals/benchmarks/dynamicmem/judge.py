"""Core and Detail of single fields: the exact judge, which needs no model. Pure.

Core (0 or 1) says whether the central meaning is there, Detail (0 to 2) how much of its precision,
by DynamicMem's rules: a clock time within 5 minutes is the same core, within 10 half the detail;
weekdays may be written 0 to 6 or by name; of a preference, the direction is core and what it is
preferred to is detail; of other words, half of the reference's are the core.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from archive_mem.evals.benchmarks.dynamicmem.protocol import Json, leaves
from archive_mem.profile.claims import claims
from archive_mem.profile.wording import stems

__all__ = ["Judged", "field_of", "fields_of", "is_same", "said_about"]

_CLOCK = re.compile(
    r"(?<!\d)([01]?\d|2[0-3])[:.]([0-5]\d)(?!\d)(?:\s*([ap])\.?m\b)?", re.IGNORECASE
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = re.compile(
    rf"\b(?:{'|'.join(f'{day[:3]}(?:{day[3:]}s?)?' for day in _DAYS)})\b", re.IGNORECASE
)
_CORE_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One field.

    path: of the field
    core: 0 or 1
    detail: 0, 1 or 2
    """

    path: str
    core: int
    detail: int


def fields_of(reference: Json, said: Json) -> list[Judged]:
    """Every leaf of the reference against what is said at the same path."""
    return [
        Judged(path=path, core=core, detail=detail)
        for path, value in leaves(reference)
        for core, detail in [field_of(path, value, _at(said, path))]
    ]


def field_of(path: str, reference: Json, said: Json) -> tuple[int, int]:
    """(core, detail) of one field; the last word of the path says how it is compared."""
    if said is None or said in ("", [], {}):
        return 0, 0
    name = path.rpartition(".")[2].casefold()
    if isinstance(reference, list):
        return _lists(name, reference, said)
    if _clock(str(reference)) is not None and "time" in name:
        return _times(str(reference), str(said))
    if name == "day_of_week":
        return _all_or_nothing(_weekdays([reference]) == _weekdays([said]))
    if isinstance(reference, bool | int | float):
        return _all_or_nothing(str(reference).casefold() == str(said).strip().casefold())
    if name == "statement":
        return _directions(str(reference), str(said))
    return _words(str(reference), str(said))


def said_about(reference: Json, message: str, path: str) -> tuple[int, int]:
    """(core, detail) of a point in a whole message: the time or the words anywhere in it."""
    if isinstance(reference, list):
        return _lists(path.rpartition(".")[2].casefold(), reference, message)
    if _clock(str(reference)) is not None:
        return max((_times(str(reference), each) for each in _clocks(message)), default=(0, 0))
    return _words(str(reference), message)


def is_same(reference: Json, said: Json) -> bool:
    """Structural exact match, a diagnostic: the same JSON, letters' case and spaces aside."""
    return bool(_plain(reference) == _plain(said))


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return " ".join(value.split()).casefold() if isinstance(value, str) else value


def _at(value: Json, path: str) -> Json:
    if path == "value":
        return value
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _all_or_nothing(right: bool) -> tuple[int, int]:
    return (1, 2) if right else (0, 0)


def _times(reference: str, said: str) -> tuple[int, int]:
    ours, theirs = _clock(said), _clock(reference)
    if ours is None or theirs is None:
        return 0, 0
    gap = min(abs(ours - theirs), 1440 - abs(ours - theirs))
    return int(gap <= 5), 2 if gap == 0 else int(gap <= 10)


def _clock(text: str) -> int | None:
    found = _CLOCK.search(text)
    if found is None:
        return None
    hour, half = int(found[1]), (found[3] or "").lower()
    return (hour % 12 + 12 * (half == "p") if half else hour) * 60 + int(found[2])


def _clocks(message: str) -> list[str]:
    return [found.group() for found in _CLOCK.finditer(message)]


def _lists(name: str, reference: list[Json], said: Json) -> tuple[int, int]:
    """Core where the sets are equal; one member missing of three or more keeps half the detail."""
    given = said if isinstance(said, list) else [said]
    if name == "days_of_week":
        ours, theirs = _weekdays(given), _weekdays(reference)
    else:
        ours, theirs = ({str(_plain(each)) for each in many} for many in (given, reference))
    if ours == theirs:
        return 1, 2
    one_missing = len(theirs) >= 3 and ours < theirs and len(theirs - ours) == 1
    return int(one_missing), int(one_missing)


def _weekdays(values: Iterable[Json]) -> set[str]:
    """As "0" to "6", from numbers and from names in any sentence."""
    found: set[str] = set()
    for value in values:
        text = str(value)
        found.update(re.findall(r"(?<!\d)[0-6](?!\d)", text) if not _DAY.search(text) else ())
        found.update(str(_weekday(match.group())) for match in _DAY.finditer(text))
    return found


def _weekday(name: str) -> int:
    return next(n for n, day in enumerate(_DAYS) if day.startswith(name.casefold()[:3]))


def _words(reference: str, said: str) -> tuple[int, int]:
    wanted, given = stems(reference), stems(said)
    if not wanted:
        return _all_or_nothing(_plain(reference) == _plain(said))
    share = len(wanted & given) / len(wanted)
    core = share >= _CORE_SHARE
    return int(core), 2 if share == 1 else int(core)


def _directions(reference: str, said: str) -> tuple[int, int]:
    """What is preferred is core, and must not be what the answer prefers less."""
    liked, left = _sides(reference)
    ours, against = _sides(said)
    if not liked or _share(liked, ours) < _CORE_SHARE or _share(liked, against) >= 1:
        return 0, 0
    whole = _share(liked, ours) == 1 and _share(left, against) == 1
    return 1, 2 if whole else 1


def _share(wanted: frozenset[str], given: frozenset[str]) -> float:
    return len(wanted & given) / len(wanted) if wanted else 1.0 if not given else 0.0


def _sides(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """(what the text is for, what it is against), by the forms of claims; all for where none."""
    sides: dict[int, set[str]] = {1: set(), -1: set()}
    for claim in claims(text):
        for facet in claim.facets:
            if facet.sign:
                sides[facet.sign] |= stems(text[slice(*facet.span)])
    if not sides[1] and not sides[-1]:
        return frozenset(stems(text)), frozenset()
    return frozenset(sides[1]), frozenset(sides[-1])
