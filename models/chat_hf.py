"""Chat with a language model on this machine through transformers: a folder, a file, a hub name."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

from archive_mem.errors import ModelError
from archive_mem.schema.safe import SafeText
from models.base import ChatReply, ChatTurn
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
    out_of_memory,
)
from models.quoting import without_tokens

__all__ = ["HfChat", "streamer"]

_USUAL_WINDOW = 4096
_ABSURD_WINDOW = 10_000_000
"""Tokenizers without a limit say 10 to the power of 30."""


class HfChat:
    """A text model of transformers (ChatModel, and `stream`); it answers the same each time.

    source: a folder, a .gguf file, or a hub name that was downloaded before: nothing is downloaded
        here, and no code that comes with a model is run
    threads: CPU threads, None for torch's own choice
    """

    def __init__(self, source: str, threads: int | None = None) -> None:
        self.name = name_of(source)
        self._tokenizer, self._model = _load(source)
        self._threads = threads
        self._lock = Lock()
        self._control = control_tokens(self._tokenizer)

    @property
    def window(self) -> int:
        """What model and tokenizer say, the smaller one."""
        said = (
            getattr(self._model.config, "max_position_embeddings", None),
            getattr(self._tokenizer, "model_max_length", None),
        )
        known = [int(each) for each in said if each and each < _ABSURD_WINDOW]
        return min(known, default=_USUAL_WINDOW)

    def tokens(self, text: SafeText) -> int:
        """By the model's own tokenizer."""
        plain = self._plain(text.value)
        return len(self._tokenizer(plain, add_special_tokens=False)["input_ids"])

    def reply(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """The most likely reply. A schema cannot be enforced here: check what comes."""
        return self._generate(turns, max_tokens, None)

    def stream(
        self, turns: Sequence[ChatTurn], told: Callable[[str], None], max_tokens: int = 512
    ) -> ChatReply:
        """The same, each piece handed to `told` as it comes."""
        return self._generate(turns, max_tokens, told)

    def _generate(
        self, turns: Sequence[ChatTurn], max_tokens: int, told: Callable[[str], None] | None
    ) -> ChatReply:
        import torch

        with self._lock, bounded(self._threads), torch.inference_mode():
            asked = self._encoded(turns).to(self._model.device)
            length = int(asked.shape[1])
            self._check_room(length, max_tokens)
            try:
                out = self._model.generate(
                    asked,
                    attention_mask=torch.ones_like(asked),
                    max_new_tokens=max_tokens,
                    streamer=None if told is None else streamer(self._tokenizer, told),
                    **greedy(self._model, self._tokenizer),
                )
            except RuntimeError as error:
                if not out_of_memory(error):
                    raise
                raise ModelError(f"{self.name} does not fit into the memory here") from error
        new = out[0, length:].tolist()
        return ChatReply(
            text=self._tokenizer.decode(new, skip_special_tokens=True).strip(),
            prompt_tokens=length,
            completion_tokens=len(new),
            cut=len(new) >= max_tokens and new[-1] not in ends_of(self._model, self._tokenizer),
        )

    def _check_room(self, length: int, max_tokens: int) -> None:
        if length + max_tokens > self.window:
            raise ModelError(
                f"{self.name} reads {self.window} tokens; {length} of question and evidence and "
                f"{max_tokens} of reply are too many"
            )

    def _encoded(self, turns: Sequence[ChatTurn]) -> Any:  # noqa: ANN401
        """Shape (1, n): the conversation as the model's template writes it."""
        if any(turn.images for turn in turns):
            raise ModelError(f"{self.name} reads no pictures")
        said = [{"role": turn.role, "content": self._plain(turn.text.value)} for turn in turns]
        if not getattr(self._tokenizer, "chat_template", None):
            return self._tokenizer(_script(said), return_tensors="pt")["input_ids"]
        from jinja2 import TemplateError

        try:
            return self._templated(said)
        except TemplateError:
            return self._templated(_without_system(said))

    def _templated(self, said: list[dict[str, str]]) -> Any:  # noqa: ANN401
        return self._tokenizer.apply_chat_template(
            said, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        )["input_ids"]

    def _plain(self, text: str) -> str:
        """Without the model's control tokens."""
        return without_tokens(text, self._control)


def _load(source: str) -> tuple[Any, Any]:
    path = Path(source)
    where = (str(path.parent), {"gguf_file": path.name}) if path.suffix == ".gguf" else (source, {})
    with quiet_loading():
        import torch

        hub: Any = import_module("transformers")
        where_to, dtype = device(torch)
        try:
            tokenizer = hub.AutoTokenizer.from_pretrained(
                where[0], local_files_only=True, **where[1]
            )
            model = hub.AutoModelForCausalLM.from_pretrained(
                where[0], local_files_only=True, dtype=dtype, **where[1]
            )
        except load_errors() as error:
            raise missing("chat model", source, error) from error
    return tokenizer, model.to(where_to).eval()


def streamer(tokenizer: Any, told: Callable[[str], None]) -> Any:  # noqa: ANN401
    """Hands each piece of a reply to `told` as it is generated."""
    from transformers import TextStreamer

    class Handed(TextStreamer):
        def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
            if text:
                told(text)

    return Handed(tokenizer, skip_prompt=True, skip_special_tokens=True)


def _script(said: Sequence[Mapping[str, str]]) -> str:
    """For a model without a template of its own."""
    lines = [f"{each['role'].capitalize()}: {each['content']}" for each in said]
    return "\n\n".join([*lines, "Assistant:"])


def _without_system(said: list[dict[str, str]]) -> list[dict[str, str]]:
    """For templates that refuse the role "system": its words begin the first message."""
    rules = "\n\n".join(each["content"] for each in said if each["role"] == "system")
    rest = [dict(each) for each in said if each["role"] != "system"]
    rest[0]["content"] = f"{rules}\n\n{rest[0]['content']}"
    return rest
