"""T1 and T2 by a chat model: an answer whose every claim carries evidence, or none."""

from collections.abc import Callable, Sequence

from anonymize.compose import word
from anonymize.pseudonyms import PLACEHOLDER
from archive_mem.profile.chat_talk import Unfit, checked
from archive_mem.qa.base import NOTHING_SUPPORTS, TierReader
from archive_mem.qa.reader.gather import interleaved, records_for
from archive_mem.qa.reader.labels import Cited, cited, plain_segments
from archive_mem.qa.reader.prior import salience
from archive_mem.qa.reader.talk import ChatTools, Talk
from archive_mem.schema.qa import Answer, Evidence, Query, Tier
from archive_mem.schema.safe import SafeText
from models.base import ChatTurn
from models.prompts import prompt

__all__ = ["ChatPersona", "ChatRecall"]

ABSENT = "NOT IN THE RECORDS"


class ChatRecall(TierReader):
    """T1: from the records that the embedded reader and the search find.

    tools: the model and what it reads
    rules: the embedded reader of the tier
    """

    def __init__(self, tools: ChatTools, rules: TierReader) -> None:
        self._tools, self._rules = tools, rules

    def answer(self, query: Query) -> Answer:
        """A cited answer, or one that abstains. Raises ModelError."""
        found = self._rules.answer(query)
        passages = records_for(self._tools, query, found.evidence)
        if not passages:
            return found
        talk = Talk(self._tools, prompt("recall"), query, passages)
        return _answered(self._tools, talk, Tier.T1, found.evidence)


class ChatPersona(TierReader):
    """T2: from the profile by its stability, and the records near the question.

    tools: the model and what it reads
    rules: the embedded reader of the tier
    """

    def __init__(self, tools: ChatTools, rules: TierReader) -> None:
        self._tools, self._rules = tools, rules

    def answer(self, query: Query) -> Answer:
        """A cited answer, or one that abstains. Raises ModelError."""
        tools = self._tools
        found = self._rules.answer(query)
        statements = salience(
            tools.archive.profile_items(), query, tools.vectors, tools.settings.prior
        )
        passages = interleaved(statements, records_for(tools, query, found.evidence))
        if not passages:
            return found
        talk = Talk(tools, prompt("persona"), query, passages)
        return _answered(tools, talk, Tier.T2, found.evidence)


def _answered(tools: ChatTools, talk: Talk, tier: Tier, closest: Sequence[Evidence]) -> Answer:
    """What the model says; it abstains where the second reply has no evidence either."""
    try:
        reply = checked(
            tools.model,
            talk.turns,
            lambda said: _read(said, talk, tools.redact),
            talk.spent,
            max_tokens=talk.reply_tokens,
        )
    except Unfit:
        reply = Cited(text="", evidence=(), labels=(), invented=0)
    supported = bool(reply.evidence)
    return Answer(
        text=tools.redact(reply.text) if supported else NOTHING_SUPPORTS,
        evidence=reply.evidence if supported else tuple(closest),
        abstained=not supported,
        tier=tier,
        usage=talk.usage(reply.invented),
        reader=talk.reader,
    )


def _read(said: str, talk: Talk, redact: Callable[[str], SafeText]) -> Cited:
    """The reply with its labels; redacted around them, so that none of them is lost.

    Raises Unfit for one without evidence, unless it says that there is none, and for one with a
    placeholder that the model was not shown: it would stand for somebody else.
    """
    if said.upper().startswith(ABSENT):
        return Cited(text="", evidence=(), labels=(), invented=0)
    if not _placeholders([said]) <= _placeholders(_words(talk.turns)):
        raise Unfit(word("it names somebody or some place that no line has."))
    safe = plain_segments(said, lambda text: redact(text).value if text.strip() else text)
    reply = cited(safe, talk.context)
    if not reply.evidence and ABSENT not in said.upper():
        raise Unfit(
            word(
                "no claim in it has the label of a line, such as [1]. If no line supports an "
                "answer, reply NOT IN THE RECORDS."
            )
        )
    return reply


def _words(turns: Sequence[ChatTurn]) -> list[str]:
    return [turn.text.value for turn in turns]


def _placeholders(texts: Sequence[str]) -> set[str]:
    return {found.group() for text in texts for found in PLACEHOLDER.finditer(text)}
