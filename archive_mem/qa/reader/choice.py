"""T3 by a chat model: the profile as a salience prior, a full order of the options."""

from collections.abc import Mapping, Sequence

from anonymize.compose import compose, join
from archive_mem.errors import InvalidReply
from archive_mem.profile.chat_talk import Unfit, checked
from archive_mem.qa.base import NOTHING_SUPPORTS, TierReader
from archive_mem.qa.reader.context import Context
from archive_mem.qa.reader.order import Order, option_lines, order_schema, read_order
from archive_mem.qa.reader.prior import salience
from archive_mem.qa.reader.talk import ChatTools, Talk
from archive_mem.schema.qa import Answer, Evidence, Query, RankedOption, Ranking, Tier
from archive_mem.schema.safe import SafeText
from models.prompts import prompt

__all__ = ["ChatChoice"]

_REASONS = 2
"""Of each side, as the embedded reader gives."""


class ChatChoice(TierReader):
    """T3: options in order of likelihood.

    tools: the model and what it reads
    rules: the embedded reader of the tier, which answers where there is no profile
    """

    def __init__(self, tools: ChatTools, rules: TierReader) -> None:
        self._tools, self._rules = tools, rules

    def answer(self, query: Query) -> Answer:
        """All options in order. Raises ModelError, InvalidReply when no ranking can be had."""
        tools = self._tools
        passages = salience(
            tools.archive.profile_items(), query, tools.vectors, tools.settings.prior
        )
        if not passages or len(query.options) < 2:
            return self._rules.answer(query)
        options, count = option_lines(query.options), len(query.options)
        talk = Talk(tools, prompt("choice"), query, passages, options=options, count=count)
        return _ranked(query, self._order(talk, count), talk)

    def _order(self, talk: Talk, count: int) -> Order:
        try:
            return checked(
                self._tools.model,
                talk.turns,
                lambda said: read_order(said, count, talk.context),
                talk.spent,
                max_tokens=talk.reply_tokens,
                schema=order_schema(),
            )
        except Unfit as unfit:
            raise InvalidReply(
                f"{self._tools.model.name} gave no ranking of all options, also when asked again"
            ) from unfit


def _ranked(query: Query, order: Order, talk: Talk) -> Answer:
    last = max(len(order.places) - 1, 1)
    ranking = Ranking(
        options=tuple(
            RankedOption(
                option=query.options[place],
                score=1 - position / last,
                reasons=_reasons(order, place, talk.context),
            )
            for position, place in enumerate(order.places)
        )
    )
    evidence = _evidence(order, talk.context)
    return Answer(
        text=_sentence(ranking) if evidence else NOTHING_SUPPORTS,
        evidence=evidence[: query.top_k],
        abstained=not evidence,
        tier=Tier.T3,
        usage=talk.usage(order.invented),
        ranking=ranking,
        reader=talk.reader,
    )


def _reasons(order: Order, place: int, context: Context) -> tuple[SafeText, ...]:
    """The statements that were cited, not the model's words about them."""
    return (
        *(compose("+ {what}", what=context.passage(n).short) for n in _some(order.pro, place)),
        *(compose("- {what}", what=context.passage(n).short) for n in _some(order.con, place)),
    )


def _some(side: Mapping[int, Sequence[int]], place: int) -> Sequence[int]:
    return side.get(place, ())[:_REASONS]


def _evidence(order: Order, context: Context) -> tuple[Evidence, ...]:
    """What was cited, by the place of the option it speaks of."""
    labels = dict.fromkeys(
        label
        for place in order.places
        for label in (*order.pro.get(place, ()), *order.con.get(place, ()))
    )
    proofs = (each for label in labels for each in context.passage(label).proof)
    return tuple({(each.item_id, each.quote.value): each for each in proofs}.values())


def _sentence(ranking: Ranking) -> SafeText:
    first = ranking.options[0]
    return join(
        " ",
        [
            compose("Most likely: {best}.", best=first.option.text),
            join(" ", [compose("{reason}.", reason=each) for each in first.reasons[:1]]),
            compose(
                "In order: {order}.",
                order=join(", ", [each.option.text for each in ranking.options]),
            ),
        ],
    )
