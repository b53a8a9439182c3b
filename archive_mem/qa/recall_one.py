"""Answers from one record: when, where, who, what. Pure."""

from anonymize.compose import compose, join, word
from archive_mem.qa.recall_words import said_place, said_time, story, when_and_where, who
from archive_mem.retrieval.plan import Plan
from archive_mem.retrieval.wording import Operation, asks_clock, asks_weekday
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["tell_one"]


def tell_one(read: Plan, record: Record, field: Operation) -> SafeText:
    """The field that was asked for; where the record lacks it, all that it has.

    field: WHEN, WHERE, WHO, EVER; anything else asks what happened
    """
    asked = read.text.value
    when = said_time(record.time, clock=asks_clock(asked), weekday=asks_weekday(asked))
    where = said_place(record)
    if field is Operation.WHEN and when:
        return _with_story(join(" ", [when, where]), record)
    if field is Operation.WHERE and where:
        return _with_story(join(" ", [where, when]), record)
    if field is Operation.WHO and who(record):
        there = compose("{who}, {when}", who=who(record), when=when_and_where(record))
        return _with_story(there, record)
    if field is Operation.EVER:
        return _with_story(join(" ", [word("yes,"), when, where]), record)
    return _told(record)


def _with_story(answer: SafeText, record: Record) -> SafeText:
    return compose("{answer}: {what}", answer=answer, what=story(record))


def _told(record: Record) -> SafeText:
    when = when_and_where(record)
    if not when:
        return story(record)
    return compose("{what} ({when})", what=story(record), when=when)
