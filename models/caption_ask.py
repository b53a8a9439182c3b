"""How a captioner is asked, whatever model answers: the words, one repair, plain words at last."""

import string
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from archive_mem.errors import InvalidReply, ModelError
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.media import Capture, CaptureTime, Precision
from archive_mem.schema.safe import SafeImage
from models.base import ChatReply, RawCaption, Scene
from models.caption_record import parse, plain
from models.messages import Conversation, Message
from models.prompts import prompt
from models.quoting import as_data

__all__ = ["REPLY_TOKENS", "Asker", "ask_for_captions", "conversation_about"]

Asker = Callable[[Sequence[Conversation]], "list[ChatReply | ModelError]"]
"""Asks a model many conversations at once; replies in the same order."""

REPLY_TOKENS = 512

_WRITTEN = {Precision.YEAR: "%Y", Precision.MONTH: "%Y-%m", Precision.DAY: "%Y-%m-%d"}
_LINES = 40


def ask_for_captions(scenes: Sequence[Scene], ask: Asker) -> list[RawCaption | ModelError]:
    """One caption a scene, or why it has none. What has not the form is asked for once more."""
    begun = time.perf_counter()
    asked = [conversation_about(scene) for scene in scenes]
    replies = ask(asked)
    unfit = [n for n, reply in enumerate(replies) if isinstance(reply, ChatReply) and _unfit(reply)]
    second: dict[int, list[ChatReply]] = {n: [] for n in range(len(scenes))}
    for n, reply in zip(
        unfit, ask([_again(asked[n]) for n in unfit]) if unfit else [], strict=True
    ):
        second[n] = [reply] if isinstance(reply, ChatReply) else []
    share = (time.perf_counter() - begun) / max(len(scenes), 1)
    return [_said(reply, second[n], share) for n, reply in enumerate(replies)]


def conversation_about(scene: Scene) -> Conversation:
    """The rules, what is known of the moment, and its pictures."""
    words = prompt("caption")
    rules = string.Template(words.system).substitute(scenarios=", ".join(Scenario))
    known = string.Template(words.user).substitute(known=_known(scene))
    return (
        Message(role="system", parts=(rules,)),
        Message(role="user", parts=(*_shown(scene), known)),
    )


def _unfit(reply: ChatReply) -> bool:
    return parse(reply.text) is None


def _again(asked: Conversation) -> Conversation:
    """Asked once more, without the broken reply, which would only be copied."""
    words = string.Template(prompt("repair").user).substitute(
        asked=asked[-1].parts[-1], why="it is not one JSON object with a caption"
    )
    return (*asked[:-1], replace(asked[-1], parts=(*asked[-1].parts[:-1], words)))


def _said(
    reply: ChatReply | ModelError, again: Sequence[ChatReply], seconds: float
) -> RawCaption | ModelError:
    if isinstance(reply, ModelError):
        return reply
    heard = [reply, *again]
    found = [*map(parse, [each.text for each in heard]), *(plain(each.text) for each in heard)]
    best = next((each for each in found if each is not None), None)
    if best is None:
        return InvalidReply("the captioner's reply has no words that could be a caption")
    tokens = sum(each.prompt_tokens + each.completion_tokens for each in heard)
    return replace(best, seconds=seconds, tokens=tokens)


def _shown(scene: Scene) -> tuple[str | SafeImage, ...]:
    """Frames of a video follow their times, as Qwen3-VL and SmolVLM were trained to read them."""
    if scene.duration is None and len(scene.frames) == 1:
        return scene.frames
    times = scene.times or _spread(scene.duration or 0.0, len(scene.frames))
    pairs = zip(times, scene.frames, strict=True)
    return tuple(part for at, frame in pairs for part in (f"<{at:.1f} seconds>", frame))


def _spread(duration: float, count: int) -> tuple[float, ...]:
    return tuple(duration * n / max(count - 1, 1) for n in range(count))


def _known(scene: Scene) -> str:
    return "\n".join([*_moment(scene.capture), *_length(scene), *_read(scene)])


def _moment(capture: Capture) -> list[str]:
    place = None if capture.place is None else capture.place.place
    label = "" if place is None else place.label()
    when = "unknown" if capture.time is None else _when(capture.time)
    return [f"Taken: {when}", f"Place: {as_data(label) if label else 'unknown'}"]


def _when(time: CaptureTime) -> str:
    return time.local.strftime(_WRITTEN.get(time.precision, "%Y-%m-%d %H:%M"))


def _length(scene: Scene) -> list[str]:
    return [] if scene.duration is None else [f"A video of {scene.duration:.0f} seconds"]


def _read(scene: Scene) -> list[str]:
    """Text that was read before, each line a JSON string: data that cannot end its line."""
    return [f"Text read in it: {as_data(line.value)}" for line in scene.ocr[:_LINES]]
