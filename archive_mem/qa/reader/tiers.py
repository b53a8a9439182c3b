"""Which chat reader answers which tier."""

from archive_mem.qa.base import TierReader
from archive_mem.qa.reader.choice import ChatChoice
from archive_mem.qa.reader.cited import ChatPersona, ChatRecall
from archive_mem.qa.reader.talk import ChatTools
from archive_mem.schema.qa import Tier

__all__ = ["chat_tier"]


def chat_tier(tier: Tier, tools: ChatTools, rules: TierReader) -> TierReader:
    """The chat reader of a tier.

    rules: the embedded reader of the same tier, which finds evidence for it
    """
    match tier:
        case Tier.T1:
            return ChatRecall(tools, rules)
        case Tier.T2:
            return ChatPersona(tools, rules)
    return ChatChoice(tools, rules)
