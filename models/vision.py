"""A vision-language model of transformers on this machine: loaded, asked, and read out.

The recipe: pictures alone (a processor's part for videos wants torchvision and is left out, frames
are shown as pictures), left padding, capped pixels, control tokens in words made harmless, no code
that comes with a model is run, nothing is downloaded.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import Any

from archive_mem.errors import ModelError
from archive_mem.schema.safe import SafeImage
from models.base import ChatReply
from models.embed import quiet_loading
from models.hub import (
    bounded,
    control_tokens,
    device,
    ends_of,
    greedy,
    load_errors,
    missing,
    name_of,
    revision_of,
)
from models.messages import Conversation, Message
from models.quoting import without_tokens

__all__ = ["PIXELS", "VisionModel", "is_vision_model"]

PIXELS = 1_003_520
"""About a thousand tokens of Qwen3-VL, each of 32 x 32 pixels."""

_LONGEST_RATIO = 50
"""Qwen's processor refuses 200; beyond 50 nothing is left to see on the short side."""

_USUAL_WINDOW = 8192


class VisionModel:
    """One model with its processor; safe to use from several threads, one at a time.

    source: a folder, or a hub name that was downloaded before
    threads: CPU threads, None for torch's own choice
    pixels: most pixels of one picture; frames that are shown together share three times as many
    weights: False builds the architecture with random weights: for measuring speed alone
    """

    def __init__(
        self,
        source: str,
        threads: int | None = None,
        pixels: int = PIXELS,
        *,
        weights: bool = True,
    ) -> None:
        self.name = name_of(source)
        self.pixels = pixels
        self._config, self._processor, self._model = _load(source, weights=weights)
        self.revision = revision_of(source, self._config)
        self._threads = threads
        self._lock = Lock()

    @cached_property
    def window(self) -> int:
        """Tokens of one conversation, pictures and reply included."""
        text = self._config.get_text_config()
        return int(getattr(text, "max_position_embeddings", None) or _USUAL_WINDOW)

    @property
    def tokenizer(self) -> Any:  # noqa: ANN401
        """The model's own."""
        return self._processor.tokenizer

    @property
    def parameters(self) -> int:
        """How many numbers it has learnt."""
        return sum(each.numel() for each in self._model.parameters())

    @property
    def dtype(self) -> str:
        """Such as "bfloat16"."""
        return str(self._model.dtype).removeprefix("torch.")

    @cached_property
    def _control(self) -> tuple[str, ...]:
        return control_tokens(self.tokenizer)

    def tokens(self, text: str) -> int:
        """By the model's own tokenizer."""
        plain = without_tokens(text, self._control)
        return len(self.tokenizer(plain, add_special_tokens=False)["input_ids"])

    def encoded(self, asked: Sequence[Conversation]) -> Any:  # noqa: ANN401
        """Tensors of a batch, shape (len(asked), n), shorter ones padded on the left."""
        from jinja2 import TemplateError

        try:
            return self._templated(asked)
        except TemplateError:
            return self._templated([_without_system(each) for each in asked])

    def _templated(self, asked: Sequence[Conversation]) -> Any:  # noqa: ANN401
        return self._processor.apply_chat_template(
            [
                [self._shown(message, _room(each, self.pixels)) for message in each]
                for each in asked
            ],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            processor_kwargs={"padding": True, "padding_side": "left", "return_tensors": "pt"},
        )

    def _shown(self, message: Message, pixels: int) -> dict[str, Any]:
        return {"role": message.role, "content": [self._part(p, pixels) for p in message.parts]}

    def _part(self, part: str | SafeImage, pixels: int) -> dict[str, Any]:
        if isinstance(part, str):
            return {"type": "text", "text": without_tokens(part, self._control)}
        return {"type": "image", "image": _fitted(part, pixels)}

    def replies(
        self,
        encoded: Any,  # noqa: ANN401
        max_tokens: int,
        streamer: Any = None,  # noqa: ANN401
        *,
        to_the_end: bool = False,
    ) -> list[ChatReply]:
        """The most likely reply of each row, the same each time.

        to_the_end: go on to `max_tokens` whatever is said: for measuring speed alone
        Raises ModelError for a prompt that leaves no room; what else is raised is for the batch.
        """
        import torch

        length = int(encoded["input_ids"].shape[1])
        if length + max_tokens > self.window:
            raise ModelError(f"{self.name} reads {self.window} tokens; {length} are too many")
        least = {"min_new_tokens": max_tokens} if to_the_end else {}
        with self._lock, bounded(self._threads), torch.inference_mode():
            out = self._model.generate(
                **encoded.to(self._model.device, self._model.dtype),
                max_new_tokens=max_tokens,
                streamer=streamer,
                **least,
                **greedy(self._model, self.tokenizer),
            )
        asked = encoded["attention_mask"].sum(dim=1).tolist()
        return [self._reply(*each) for each in zip(asked, out[:, length:].tolist(), strict=True)]

    def _reply(self, asked: int, new: list[int]) -> ChatReply:
        tokenizer = self.tokenizer
        ends = ends_of(self._model, tokenizer)
        ended = next((n for n, token in enumerate(new) if token in ends), None)
        said = new if ended is None else new[:ended]
        return ChatReply(
            text=tokenizer.decode(said, skip_special_tokens=True).strip(),
            prompt_tokens=int(asked),
            completion_tokens=len(said),
            cut=ended is None,
        )


def is_vision_model(source: str) -> bool:
    """Whether a folder or downloaded hub name holds a model that reads pictures."""
    with quiet_loading():
        hub: Any = import_module("transformers")
        mapping: Any = import_module("transformers.models.auto.modeling_auto")
        try:
            config = hub.AutoConfig.from_pretrained(source, local_files_only=True)
        except load_errors():
            return False
    return type(config) in mapping.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING


def _load(source: str, *, weights: bool) -> tuple[Any, Any, Any]:
    with quiet_loading():
        import torch

        hub: Any = import_module("transformers")
        where, dtype = device(torch)
        how = {"dtype": dtype, "attn_implementation": _attention(where)}
        try:
            config = hub.AutoConfig.from_pretrained(source, local_files_only=True)
            reader = _images_only(config).from_pretrained(source, local_files_only=True)
            made = hub.AutoModelForImageTextToText
            if weights:
                model = made.from_pretrained(source, local_files_only=True, **how)
            else:
                with torch.device(where):
                    model = made.from_config(config, **how)
        except load_errors() as error:
            raise missing("model that reads pictures", source, error) from error
    return config, reader, model.to(where).eval()


def _attention(where: str) -> str:
    return "flash_attention_2" if where == "cuda" and find_spec("flash_attn") else "sdpa"


def _images_only(config: Any) -> Any:  # noqa: ANN401
    """The model's processor class, without its part for videos."""
    mapping: Any = import_module("transformers.models.auto.processing_auto")
    found = mapping.PROCESSOR_MAPPING[type(config)]
    attributes = found.get_attributes()
    if "video_processor" not in attributes:
        return found
    place = attributes.index("video_processor")

    class ImagesOnly(found):  # type: ignore[misc, valid-type]
        @classmethod
        def get_attributes(cls) -> list[str]:
            return [each for each in attributes if each != "video_processor"]

        @classmethod
        def _get_arguments_from_pretrained(cls, *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ANN401
            made = super()._get_arguments_from_pretrained(*args, **kwargs)
            return [*made[:place], None, *made[place:]]

    return ImagesOnly


def _room(asked: Conversation, pixels: int) -> int:
    """Pixels that each picture of a conversation may have."""
    count = sum(len(message.images) for message in asked)
    return pixels if count <= 1 else min(pixels, 3 * pixels // count)


def _fitted(image: SafeImage, pixels: int) -> Any:  # noqa: ANN401
    """The picture with at most so many pixels, and no longer than 50 times its width."""
    from PIL import Image

    picture = Image.fromarray(image.pixels)
    width, height = picture.size
    scale = min((pixels / (width * height)) ** 0.5, 1.0)
    picture = picture.resize((max(round(width * scale), 1), max(round(height * scale), 1)))
    width, height = picture.size
    least = -(-max(width, height) // _LONGEST_RATIO)
    if min(width, height) >= least:
        return picture
    wide = Image.new("RGB", (max(width, least), max(height, least)), (127, 127, 127))
    wide.paste(picture, ((wide.width - width) // 2, (wide.height - height) // 2))
    return wide


def _without_system(asked: Conversation) -> Conversation:
    """For templates that refuse the role "system": its words begin the first message."""
    rules = tuple(each.text for each in asked if each.role == "system")
    first, *rest = (each for each in asked if each.role != "system")
    return (Message(role=first.role, parts=(*rules, *first.parts)), *rest)
