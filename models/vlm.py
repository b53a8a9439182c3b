"""Captions and chat with pictures by a vision-language model on this machine."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from archive_mem.errors import ModelError
from archive_mem.schema.safe import SafeText
from models.base import ChatReply, ChatTurn, RawCaption, Scene
from models.batches import Batcher
from models.caption_ask import REPLY_TOKENS, ask_for_captions
from models.chat_hf import streamer
from models.hub import out_of_memory
from models.messages import Conversation, conversation_of
from models.prompts import prompt
from models.vision import VisionModel

__all__ = ["HfCaptioner", "HfVisionChat", "replies_in_batches"]

_BATCHES_AHEAD = 4
"""Batches that are given at once, so that pictures of like size can be put together."""


class HfCaptioner:
    """Describes scenes in batches (Captioner).

    vision: the model
    size: scenes in one batch
    reply_tokens: most tokens of one caption
    """

    def __init__(
        self, vision: VisionModel, size: int = 8, reply_tokens: int = REPLY_TOKENS
    ) -> None:
        self.name = f"{vision.name}@{vision.revision}"
        self.prompt_version = prompt("caption").id
        self.batch = size * _BATCHES_AHEAD
        self._ask = replies_in_batches(vision, size, reply_tokens)

    def describe(self, scenes: Sequence[Scene]) -> list[RawCaption | ModelError]:
        """One caption a scene, in order, or why it has none."""
        return ask_for_captions(scenes, self._ask)


class HfVisionChat:
    """Answers conversations with pictures (ChatModel, and `stream`); the same each time."""

    sees_pictures = True

    def __init__(self, vision: VisionModel) -> None:
        self.name = vision.name
        self._vision = vision

    @property
    def window(self) -> int:
        """Tokens of one conversation, pictures and reply included."""
        return self._vision.window

    def tokens(self, text: SafeText) -> int:
        """By the model's own tokenizer."""
        return self._vision.tokens(text.value)

    def reply(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """The most likely reply. A schema cannot be enforced here: check what comes."""
        return self._answer(turns, max_tokens, None)

    def stream(
        self, turns: Sequence[ChatTurn], told: Callable[[str], None], max_tokens: int = 512
    ) -> ChatReply:
        """The same, each piece handed to `told` as it comes."""
        return self._answer(turns, max_tokens, streamer(self._vision.tokenizer, told))

    def _answer(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int,
        streamed: Any,  # noqa: ANN401
    ) -> ChatReply:
        try:
            encoded = self._vision.encoded([conversation_of(turns)])
            return self._vision.replies(encoded, max_tokens, streamed)[0]
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            raise ModelError(f"{self.name} does not fit into the memory here") from error


def replies_in_batches(
    vision: VisionModel, size: int, reply_tokens: int, *, to_the_end: bool = False
) -> Batcher[Conversation, Any, ChatReply]:
    """Asks the model many conversations, those with pictures of like size together."""

    def run(encoded: Any) -> list[ChatReply]:  # noqa: ANN401
        return vision.replies(encoded, reply_tokens, to_the_end=to_the_end)

    return Batcher(size, _pixels, vision.encoded, run)


def _pixels(asked: Conversation) -> float:
    return float(sum(image.pixels.size for each in asked for image in each.images))
