"""One message to a model that reads words and pictures, below the line of what is safe.

Everything in it came out of a Scene or a ChatTurn, which hold safe pixels and safe text alone, or
is a sentence of the program itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from archive_mem.schema.safe import SafeImage
from models.base import ChatTurn

__all__ = ["Conversation", "Message", "conversation_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What one side says.

    role: "system", "user" or "assistant"
    parts: words and pictures in the order in which they are read
    """

    role: str
    parts: tuple[str | SafeImage, ...]

    @property
    def text(self) -> str:
        """The words alone."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> tuple[SafeImage, ...]:
        """The pictures alone."""
        return tuple(part for part in self.parts if isinstance(part, SafeImage))


Conversation = tuple[Message, ...]


def conversation_of(turns: Sequence[ChatTurn]) -> Conversation:
    """Turns as messages; the pictures of a turn come before its words."""
    return tuple(Message(role=turn.role, parts=(*turn.images, turn.text.value)) for turn in turns)
