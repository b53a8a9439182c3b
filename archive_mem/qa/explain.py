"""A plan in words and as JSON: what was understood of a question, and which hits fit it. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from archive_mem.qa.recall_filter import fits_people, fits_place, fits_time
from archive_mem.retrieval.plan import Known, Plan
from archive_mem.schema.qa import Tier
from archive_mem.schema.record import Record

__all__ = ["fits_of", "plan_body", "plan_lines"]

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def plan_body(read: Plan, tier: Tier) -> dict[str, Any]:
    """What `--explain --json` prints under "plan"; placeholders only.

    tier: the one that answered, which options or a photo may decide
    """
    return {
        "tier": tier.value,
        "operation": read.operation.value,
        "grouping": read.grouping.value,
        "topic": read.topic.value,
        "times": [
            {
                "from": window.start.isoformat(),
                "to": window.end.isoformat(),
                "words": read.text.value[start:end].strip(),
            }
            for window, (start, end) in zip(read.windows, read.window_spans, strict=True)
        ],
        "recurring": {
            "months": sorted(read.recurring.months),
            "weekdays": [_WEEKDAYS[day] for day in sorted(read.recurring.weekdays)],
            "hours": sorted(read.recurring.hours),
        },
        "event": None if read.anchor is None else read.anchor.text.value,
        "places": list(read.places),
        "unknown_places": [name.value for name in read.elsewhere],
        "abroad": read.abroad,
        "at_home": read.at_home,
        "people": list(read.people),
        "scenario": None if read.scenario is None else read.scenario.value,
        "media": None if read.kind is None else read.kind.value,
    }


def plan_lines(body: Mapping[str, Any]) -> Iterator[str]:
    """The same for the terminal: a line for each thing that was understood."""
    yield f"understood: {body['operation']} of each {body['grouping']}, tier {body['tier']}"
    if body["topic"]:
        yield f"  about      {body['topic']}"
    for each in body["times"]:
        yield f"  time       {each['from']} to {each['to']}  ({each['words']!r})"
    back = {name: values for name, values in body["recurring"].items() if values}
    for name, values in back.items():
        yield f"  {name:<10} {', '.join(map(str, values))}"
    if body["event"]:
        found = "dated by" if body["times"] else "not found in the archive:"
        yield f"  event      {found} {body['event']!r}"
    for name in ("places", "unknown_places", "people"):
        if body[name]:
            yield f"  {name.replace('_', ' '):<10} {', '.join(body[name])}"
    where = [name.replace("_", " ") for name in ("abroad", "at_home") if body[name]]
    if where:
        yield f"  where      {where[0]}"
    for name in ("scenario", "media"):
        if body[name]:
            yield f"  {name:<10} {body[name]}"


def fits_of(record: Record, read: Plan, known: Known) -> dict[str, bool]:
    """Whether the record fits each thing that the question names; nothing for what it does not."""
    named = {
        "time": (bool(read.windows or read.recurring), fits_time(record, read)),
        "place": (
            bool(read.places or read.abroad or read.at_home),
            fits_place(record, read, known),
        ),
        "people": (bool(read.people), fits_people(record, read)),
        "scenario": (read.scenario is not None, record.scenario is read.scenario),
        "media": (read.kind is not None, record.kind is read.kind),
    }
    return {name: fits for name, (asked, fits) in named.items() if asked}
