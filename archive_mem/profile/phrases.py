"""Dates and counts in words."""

from datetime import date, datetime

from anonymize.compose import compose, excerpt, word
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.safe import SafeText

__all__ = ["day", "month", "span_of", "times", "unended"]


def day(at: date | datetime) -> SafeText:
    """Such as "12 March 2024"."""
    return compose("{day} {month} {year}", day=at.day, month=_name(at.month), year=at.year)


def month(at: date | datetime) -> SafeText:
    """Such as "March 2024"."""
    return compose("{month} {year}", month=_name(at.month), year=at.year)


def times(count: int) -> SafeText:
    """Once, twice, or "5 times"."""
    if count < 3:
        return word("once") if count == 1 else word("twice")
    return compose("{count} times", count=count)


def span_of(item: ProfileItem) -> SafeText:
    """Such as "4 times from 3 March 2023 to 9 May 2025"."""
    days = sorted({mention.at.date() for mention in item.mentions})
    if len(days) == 1:
        return compose("on {day}", day=day(days[0]))
    return compose(
        "{times} from {first} to {last}",
        times=times(len(days)),
        first=day(days[0]),
        last=day(days[-1]),
    )


def unended(text: SafeText) -> SafeText:
    """Without the full stop at its end, to be put into a sentence."""
    return excerpt(text, 0, len(text.value.rstrip(". ")))


def _name(number: int) -> SafeText:
    return (
        word("January"),
        word("February"),
        word("March"),
        word("April"),
        word("May"),
        word("June"),
        word("July"),
        word("August"),
        word("September"),
        word("October"),
        word("November"),
        word("December"),
    )[number - 1]
