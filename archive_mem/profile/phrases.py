"""Counts and spans of time in words."""

from anonymize.compose import compose, excerpt, say_day, word
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.safe import SafeText

__all__ = ["span_of", "times", "unended"]


def times(count: int) -> SafeText:
    """Once, twice, or "5 times"."""
    if count < 3:
        return word("once") if count == 1 else word("twice")
    return compose("{count} times", count=count)


def span_of(item: ProfileItem) -> SafeText:
    """Such as "4 times from 3 March 2023 to 9 May 2025"."""
    days = sorted({mention.at.date() for mention in item.mentions})
    if len(days) == 1:
        return compose("on {day}", day=say_day(days[0]))
    return compose(
        "{times} from {first} to {last}",
        times=times(len(days)),
        first=say_day(days[0]),
        last=say_day(days[-1]),
    )


def unended(text: SafeText) -> SafeText:
    """Without the full stop at its end, to be put into a sentence."""
    return excerpt(text, 0, len(text.value.rstrip(". ")))
