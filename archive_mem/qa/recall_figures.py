"""Figures of records: what "how hot" asks for, and which of two was faster or cheaper. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anonymize.compose import compose, excerpt, join
from archive_mem.qa.recall_filter import occasions
from archive_mem.qa.recall_text import rows
from archive_mem.qa.recall_whole import Told
from archive_mem.qa.recall_words import when_and_where
from archive_mem.retrieval.times import COUNT, read_count
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["Comparison", "by_figure", "by_occasion", "comparison"]

_TOTAL = re.compile(r"\btotal\b|\bsum\b|合計|合计", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measure:
    """One kind of figure.

    said: finds it in a text; the named group of each unit's number
    sizes: size of each unit, by its group
    """

    said: re.Pattern[str]
    sizes: dict[str, float]


def _units(**units: tuple[str, float]) -> _Measure:
    number = COUNT.replace("count", "{name}").replace(r"\d{1,3}", r"\d+(?:[.,]\d+)?")
    each = (
        rf"(?<![\w.,:]){number.replace('{name}', name)}[ -]?(?:{words})(?![\w/])"
        for name, (words, _) in units.items()
    )
    return _Measure(
        said=re.compile("|".join(each), re.IGNORECASE),
        sizes={name: size for name, (_, size) in units.items()},
    )


_CLOCKED = _Measure(
    said=re.compile(r"(?<![\d:])(?P<hours>\d{1,2}):(?P<minutes>\d{2}):(?P<seconds>\d{2})(?![\d:])"),
    sizes={"hours": 3600.0, "minutes": 60.0, "seconds": 1.0},
)
_LASTING = _units(
    days=("days?", 86_400.0), hours=("h|hrs?|hours?", 3600.0), minutes=("min|mins|minutes?", 60.0)
)
_LENGTH = _units(
    km=("km|kilomet(?:re|er)s?", 1000.0),
    miles=("mi|miles?", 1609.0),
    metres=("m|met(?:re|er)s?", 1),
)
_MASS = _units(kg=("kg|kilos?|kilograms?", 1000.0), grams=("g|grams?", 1.0), pounds=("lbs?", 454.0))
_HEAT = _units(degrees=(r"[°º] ?c?|c|degrees(?: celsius)?", 1.0))
_PRICE = _Measure(
    said=re.compile(
        r"(?:[€$£¥] ?(?P<before>\d[\d,.]*\d|\d))|(?<![\w.,:])(?P<after>\d[\d,.]*\d|\d) ?"
        r"(?:€|£|¥|eur|usd|gbp|jpy|chf|euros?|yen|dollars?|pounds?|円|元)(?!\w)"
        r"|(?<![\w.,:])(?P<plain>\d+[.,]\d{2})(?![\d.,:%])",
        re.IGNORECASE,
    ),
    sizes={"before": 1.0, "after": 1.0, "plain": 1.0},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What "faster" asks for.

    span: characters of the question that say so
    measures: kinds of figures, the first that both sides have is taken
    least: the smaller one is meant
    """

    span: tuple[int, int]
    measures: tuple[_Measure, ...]
    least: bool


_ADJECTIVES: tuple[tuple[str, tuple[_Measure, ...], bool], ...] = (
    (r"faster|quicker|fastest|quickest", (_CLOCKED, _LASTING), True),
    (r"slower|slowest", (_CLOCKED, _LASTING), False),
    (r"cheaper|cheapest|less expensive|cost (?:me )?less", (_PRICE,), True),
    (r"(?:more|most) expensive|dearer|pricier|cost (?:me )?(?:more|most)", (_PRICE,), False),
    (r"longer|farther|further|farthest", (_LENGTH, _LASTING, _CLOCKED), False),
    (r"shorter|shortest|nearer|closer", (_LENGTH, _LASTING, _CLOCKED), True),
    (r"hotter|warmer|hottest|warmest", (_HEAT,), False),
    (r"colder|cooler|coldest|coolest", (_HEAT,), True),
    (r"heavier|heaviest", (_MASS,), False),
    (r"lighter|lightest", (_MASS,), True),
)


def comparison(question: str) -> Comparison | None:
    """What is compared, by the first such word; None when there is none."""
    for words, measures, least in _ADJECTIVES:
        match = re.search(rf"\b(?:{words})\b", question, re.IGNORECASE)
        if match is not None:
            return Comparison(span=match.span(), measures=measures, least=least)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    """A figure as it was read.

    value: in the smallest unit of its kind
    said: as it stands in the record
    record: where it stands
    """

    value: float
    said: SafeText
    record: Record


def by_figure(
    asked: Comparison, sides: Sequence[tuple[SafeText | None, Sequence[Record]]]
) -> Told | None:
    """The side that wins, with both figures; None unless two sides have a figure of one kind.

    sides: name, or None to call it by its day, and its records
    """
    for measure in asked.measures:
        found = [(name, _best(asked, measure, records)) for name, records in sides]
        rated = [(name, figure) for name, figure in found if figure is not None]
        if len(rated) > 1:
            return _told(asked, rated)
    return None


def by_occasion(records: Sequence[Record]) -> list[tuple[None, Sequence[Record]]]:
    """Each day as a side of its own."""
    return [(None, group.records) for group in occasions(records)]


def _told(asked: Comparison, rated: Sequence[tuple[SafeText | None, _Figure]]) -> Told:
    ordered = sorted(rated, key=lambda each: each[1].value, reverse=not asked.least)
    best, *others = [
        (name or when_and_where(figure.record), figure.said) for name, figure in ordered
    ]
    against = join(", ", [compose("{said} ({name})", said=s, name=n) for n, s in others])
    text = compose("{name}: {said}, against {rest}", name=best[0], said=best[1], rest=against)
    return Told(text=text, records=tuple(figure.record for _, figure in ordered))


def _best(asked: Comparison, measure: _Measure, records: Sequence[Record]) -> _Figure | None:
    """Of a price the total, else the highest; else the one that serves the question best."""
    found = [figure for record in records for figure in _figures(record, measure)]
    if measure is _PRICE:
        totals = [figure for figure in found if _TOTAL.search(figure.said.value)]
        return max(totals or found, key=_value, default=None)
    return (min if asked.least or measure is _CLOCKED else max)(found, key=_value, default=None)


def _value(figure: _Figure) -> float:
    return figure.value


def _figures(record: Record, measure: _Measure) -> Iterator[_Figure]:
    for text in _texts(record):
        for match in measure.said.finditer(text.value):
            value = sum(
                measure.sizes[name] * _number(said)
                for name, said in match.groupdict().items()
                if said is not None
            )
            whole = measure is _PRICE and _TOTAL.search(text.value)
            said = text if whole else excerpt(text, *match.span())
            yield _Figure(value=value, said=said, record=record)


def _texts(record: Record) -> Iterator[SafeText]:
    """What was seen in the picture row by row, and what the owner wrote."""
    if record.description is not None:
        yield from rows(record.description.ocr)
    if record.objective is not None and record.objective.event:
        yield record.objective.event
    if record.subjective is not None and record.subjective.context:
        yield record.subjective.context


def _number(said: str) -> float:
    """Such as 12, twelve, 1,840, 9.80 or 9,80: two digits after the last mark are a fraction."""
    if not said[:1].isdigit():
        return float(read_count(said.casefold()))
    head, mark, tail = said.replace(",", ".").rpartition(".")
    if not mark:
        return float(said)
    whole = head.replace(".", "")
    return float(f"{whole}{tail}") if len(tail) == 3 else float(f"{whole}.{tail}")
