"""The context that a chat reader sees: passages with labels, within a budget of tokens.

Every word of it that came out of a photo, a file or a note is quoted data between delimiters
(`profile.chat_talk.fenced`); what a label such as [3] stands for is known here alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from anonymize.compose import NOTHING, compose, excerpt, join, quoted, say_day, word
from archive_mem.profile.chat_talk import fenced
from archive_mem.profile.phrases import span_of
from archive_mem.schema.profile import Category, ProfileItem, Stability
from archive_mem.schema.qa import Evidence
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Turn

__all__ = ["Context", "Passage", "build", "of_record", "of_statement"]

Tokens = Callable[[SafeText], int]

_FENCE = 40
"""Tokens of the two marks and of the line on what was left out."""

_LABEL = 6
_SHARE = 3
_KINDS = {
    Category.DEMOGRAPHICS: word("who they are"),
    Category.PREFERENCES: word("preference"),
    Category.BEHAVIORAL_HABITS: word("habit"),
    Category.HOBBIES: word("hobby"),
    Category.MEANINGFUL_FACTS: word("fact of life"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One line for the reader.

    head: words of the program: kind, dates
    said: what was read or written, not quoted yet
    proof: what a label on it stands for
    short: how it is told as a reason
    key: where it stands among those shown: statements first, then records by time
    """

    head: SafeText
    said: tuple[SafeText, ...]
    proof: tuple[Evidence, ...]
    short: SafeText
    key: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What was put together.

    text: to go into the prompt
    passages: those shown; label n is passages[n - 1]
    left_out: how many did not fit
    """

    text: SafeText
    passages: tuple[Passage, ...]
    left_out: int

    def has(self, label: int) -> bool:
        """Whether a passage has that label."""
        return 0 < label <= len(self.passages)

    def passage(self, label: int) -> Passage:
        """The passage of a label that is there."""
        return self.passages[label - 1]


def build(passages: Sequence[Passage], room: int, tokens: Tokens) -> Context:
    """The first passages that fit into `room` tokens, ordered by key; a long one is shortened.

    passages: the most important first
    """
    kept: list[Passage] = []
    left = room - _FENCE
    for passage in passages:
        fitting = _shortened(passage, max(min(left, room // _SHARE) - _LABEL, 0), tokens)
        if fitting is not None:
            left -= tokens(_line(fitting)) + _LABEL
            kept.append(fitting)
    kept.sort(key=lambda each: each.key)
    lines = [
        compose("[{n}] {line}", n=number, line=_line(passage))
        for number, passage in enumerate(kept, 1)
    ]
    hidden = len(passages) - len(kept)
    return Context(text=_whole(lines, hidden), passages=tuple(kept), left_out=hidden)


def of_record(record: Record, turns: Iterable[Turn], found: Evidence) -> Passage:
    """All that was woven of an item.

    found: how the search came to it; what its label stands for
    """
    at = "9999" if record.at is None else record.at.isoformat()
    day = word("undated") if record.at is None else say_day(record.at)
    return Passage(
        head=word("record"),
        said=_without_stamps([turn.text for turn in turns]) or (found.quote,),
        proof=(found,),
        short=compose("{what} ({day})", what=found.quote, day=day),
        key=("2", at, record.item_id),
    )


def of_statement(item: ProfileItem, stability: Stability, *, with_stability: bool) -> Passage:
    """A statement of the profile with its stability; its label stands for first and last mention.

    with_stability: False for the ablation that hides it
    """
    firm = compose(", stability {ts}", ts=_rounded(stability.ts)) if with_stability else NOTHING
    kind, when = _KINDS[item.category], span_of(item)
    head = compose("{kind}{firm}, {when}", kind=kind, firm=firm, when=when)
    ends = dict.fromkeys((item.mentions[-1], item.mentions[0]))
    return Passage(
        head=head,
        said=(item.statement,),
        proof=tuple(
            Evidence(
                item_id=mention.item_id,
                session_id=mention.session_id,
                at=mention.at,
                quote=mention.quote,
                score=stability.ts,
            )
            for mention in ends
        ),
        short=compose("{what} ({when})", what=item.statement, when=when),
        key=("1", item.category.value, f"{1 - stability.ts:.6f}", item.id),
    )


def _rounded(value: float) -> SafeText:
    hundredths = round(value * 100)
    whole, rest = divmod(hundredths, 100)
    return compose("{whole}.{tens}{ones}", whole=whole, tens=rest // 10, ones=rest % 10)


def _line(passage: Passage) -> SafeText:
    said = join(" ", [quoted(text) for text in passage.said])
    return compose("{head}: {said}", head=passage.head, said=said)


def _whole(lines: Sequence[SafeText], hidden: int) -> SafeText:
    if not lines:
        return NOTHING
    if not hidden:
        return fenced(lines)
    more = compose("{count} more were found and are not shown.", count=hidden)
    return join("\n", [fenced(lines), more])


def _shortened(passage: Passage, limit: int, tokens: Tokens) -> Passage | None:
    """The passage within `limit` tokens; None where hardly a word of it would be left."""
    if tokens(_line(passage)) <= limit:
        return passage
    length = sum(len(text.value) for text in passage.said)
    while length > 40:
        length = length * 2 // 3
        shorter = _cut(passage, length)
        if tokens(_line(shorter)) <= limit:
            return shorter
    return None


def _cut(passage: Passage, length: int) -> Passage:
    kept: list[SafeText] = []
    for text in passage.said:
        if length <= 0:
            break
        whole = len(text.value) <= length
        kept.append(text if whole else compose("{text} …", text=excerpt(text, 0, length)))
        length -= len(text.value)
    return Passage(
        head=passage.head,
        said=tuple(kept),
        proof=passage.proof,
        short=passage.short,
        key=passage.key,
    )


def _without_stamps(texts: Sequence[SafeText]) -> tuple[SafeText, ...]:
    """Each turn begins with the same "[day, place]"; once is enough."""
    if not texts or not texts[0].value.startswith("["):
        return tuple(texts)
    stamp = texts[0].value.partition("] ")[0] + "] "
    return (
        texts[0],
        *(
            excerpt(text, len(stamp), len(text.value)) if text.value.startswith(stamp) else text
            for text in texts[1:]
        ),
    )
