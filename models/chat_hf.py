"""Chat with a language model on this machine through transformers: a folder, a file, a hub name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

from archive_mem.errors import ModelError
from archive_mem.schema.safe import SafeText
from models.base import ChatReply, ChatTurn
from models.embed import quiet_loading

__all__ = ["HfChat"]

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
        self.name = Path(source).name if Path(source).exists() else source
        self._tokenizer, self._model = _load(source)
        self._threads = threads
        self._lock = Lock()
        self._control = _control_tokens(self._tokenizer)

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

        with self._lock, _bounded(self._threads), torch.inference_mode():
            asked = self._encoded(turns).to(self._model.device)
            length = int(asked.shape[1])
            self._check_room(length, max_tokens)
            try:
                out = self._model.generate(
                    asked,
                    attention_mask=torch.ones_like(asked),
                    max_new_tokens=max_tokens,
                    streamer=None if told is None else _streamer(self._tokenizer, told),
                    **self._greedy(),
                )
            except torch.OutOfMemoryError as error:
                raise ModelError(f"{self.name} does not fit into the memory here") from error
        new = out[0, length:].tolist()
        return ChatReply(
            text=self._tokenizer.decode(new, skip_special_tokens=True).strip(),
            prompt_tokens=length,
            completion_tokens=len(new),
            cut=len(new) >= max_tokens and new[-1] not in self._ends(),
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
        """Without the model's control tokens: what a note spells is no end of a message."""
        for token in self._control:
            if token in text:
                text = text.replace(token, f"{token[0]} {token[1:]}")
        return text

    def _greedy(self) -> dict[str, Any]:
        ends = self._ends()
        padding = self._tokenizer.pad_token_id
        return {
            "do_sample": False,
            "temperature": None,
            "top_p": None,
            "top_k": None,
            "pad_token_id": padding if padding is not None else next(iter(ends), 0),
        }

    def _ends(self) -> set[int]:
        said = self._model.generation_config.eos_token_id
        said = self._tokenizer.eos_token_id if said is None else said
        return set(said) if isinstance(said, list | tuple) else {said} - {None}


def _load(source: str) -> tuple[Any, Any]:
    path = Path(source)
    where = (str(path.parent), {"gguf_file": path.name}) if path.suffix == ".gguf" else (source, {})
    with quiet_loading():
        import torch
        from safetensors import SafetensorError

        hub: Any = import_module("transformers")
        device, dtype = _device(torch)
        try:
            tokenizer = hub.AutoTokenizer.from_pretrained(
                where[0], local_files_only=True, **where[1]
            )
            model = hub.AutoModelForCausalLM.from_pretrained(
                where[0], local_files_only=True, dtype=dtype, **where[1]
            )
        except (
            *(OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError),
            *(ImportError, SafetensorError),
        ) as error:
            raise ModelError(_no_model(source, error)) from error
    return tokenizer, model.to(device).eval()


def _no_model(source: str, error: Exception) -> str:
    if isinstance(error, ImportError):
        return f"the chat model {source!r} needs another package ({error.name or error})"
    if Path(source).exists():
        return f"{source}: no chat model that transformers can load ({type(error).__name__})"
    return f"no chat model {source!r} on this machine (download it once: hf download {source})"


def _device(torch: Any) -> tuple[str, Any]:  # noqa: ANN401
    if torch.cuda.is_available():
        return "cuda", torch.bfloat16
    if torch.backends.mps.is_available():
        return "mps", torch.float16
    return "cpu", torch.float32


@contextmanager
def _bounded(threads: int | None) -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    if threads is not None:
        torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _streamer(tokenizer: Any, told: Callable[[str], None]) -> Any:  # noqa: ANN401
    from transformers import TextStreamer

    class Handed(TextStreamer):
        def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
            if text:
                told(text)

    return Handed(tokenizer, skip_prompt=True, skip_special_tokens=True)


def _control_tokens(tokenizer: Any) -> tuple[str, ...]:  # noqa: ANN401
    added = getattr(tokenizer, "added_tokens_decoder", {})
    special = {token.content for token in added.values() if token.special}
    wanted = special | set(tokenizer.all_special_tokens)
    return tuple(sorted((each for each in wanted if len(each) > 1), key=len, reverse=True))


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
