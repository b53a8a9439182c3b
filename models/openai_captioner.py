"""Captions by a vision-language model on a server that speaks the OpenAI protocol."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from archive_mem.errors import ModelError
from models.base import ChatReply, RawCaption, Scene
from models.caption_ask import REPLY_TOKENS, ask_for_captions
from models.caption_record import CaptionForm
from models.messages import Conversation
from models.openai_compatible import OpenAiChat
from models.prompts import prompt
from models.replies import strict_schema

__all__ = ["OpenAiCaptioner"]


class OpenAiCaptioner:
    """Captions by a model on a server, several scenes at the same time (Captioner).

    chat: the model
    """

    def __init__(self, chat: OpenAiChat, together: int = 4) -> None:
        self.name = chat.name
        self.prompt_version = prompt("caption").id
        self.batch = 2 * together
        self._chat = chat
        self._together = together
        self._schema = strict_schema(CaptionForm)

    def describe(self, scenes: Sequence[Scene]) -> list[RawCaption | ModelError]:
        """One caption a scene, in order, or why it has none."""
        return ask_for_captions(scenes, self._ask)

    def _ask(self, asked: Sequence[Conversation]) -> list[ChatReply | ModelError]:
        with ThreadPoolExecutor(self._together) as pool:
            return list(pool.map(self._one, asked))

    def _one(self, said: Conversation) -> ChatReply | ModelError:
        try:
            return self._chat.answer(said, REPLY_TOKENS, self._schema)
        except ModelError as error:
            return error
