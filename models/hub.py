"""What all models of transformers share: device, errors as one line, control tokens, threads."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from archive_mem.errors import ModelError

__all__ = [
    "bounded",
    "control_tokens",
    "device",
    "ends_of",
    "greedy",
    "load_errors",
    "missing",
    "name_of",
    "out_of_memory",
    "revision_of",
]


def name_of(source: str) -> str:
    """As it goes into records: the hub name, or the last part of a path."""
    return Path(source).name if Path(source).exists() else source


def device(torch: Any) -> tuple[str, Any]:  # noqa: ANN401
    """Where a model runs here, and in which numbers."""
    if torch.cuda.is_available():
        return "cuda", torch.bfloat16
    if torch.backends.mps.is_available():
        return "mps", torch.float16
    return "cpu", torch.float32


def load_errors() -> tuple[type[Exception], ...]:
    """What loading a damaged or foreign folder may raise."""
    from safetensors import SafetensorError

    return (
        *(OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError),
        *(ImportError, SafetensorError),
    )


def missing(kind: str, source: str, error: Exception) -> ModelError:
    """Why a model cannot be loaded, in one line."""
    if isinstance(error, ImportError):
        return ModelError(f"the {kind} {source!r} needs another package ({error.name or error})")
    if Path(source).exists():
        return ModelError(
            f"{source}: no {kind} that transformers can load ({type(error).__name__})"
        )
    return ModelError(
        f"no {kind} {source!r} on this machine (download it once: hf download {source})"
    )


def revision_of(source: str, config: Any) -> str:  # noqa: ANN401
    """Commit of the hub, else a digest of the folder's files by name and size, 12 hex digits."""
    commit = getattr(config, "_commit_hash", None)
    if commit:
        return str(commit)[:12]
    digest = hashlib.sha256()
    for path in sorted(each for each in Path(source).glob("*") if each.is_file()):
        digest.update(f"{path.name} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes() if path.suffix == ".json" else b"")
    return digest.hexdigest()[:12]


def out_of_memory(error: Exception) -> bool:
    """Whether it says that the device, or this machine, has no room left."""
    text = str(error).casefold()
    return (
        type(error).__name__ == "OutOfMemoryError"
        or isinstance(error, MemoryError)
        or (
            isinstance(error, RuntimeError)
            and ("out of memory" in text or "allocate memory" in text)
        )
    )


@contextmanager
def bounded(threads: int | None) -> Iterator[None]:
    """No more than so many threads of torch inside the block."""
    import torch

    before = torch.get_num_threads()
    if threads is not None:
        torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def control_tokens(tokenizer: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Spellings that the tokenizer reads as one sign of its own, the longest first."""
    added = getattr(tokenizer, "added_tokens_decoder", {})
    wanted = {token.content for token in added.values()} | set(tokenizer.all_special_tokens)
    telling = (each for each in wanted if len(each) > 1 and not each.isalnum())
    return tuple(sorted(telling, key=lambda each: (-len(each), each)))


def ends_of(model: Any, tokenizer: Any) -> set[int]:  # noqa: ANN401
    """Tokens that end a reply."""
    told = model.generation_config.eos_token_id
    told = tokenizer.eos_token_id if told is None else told
    return set(told) if isinstance(told, list | tuple) else {told} - {None}


def greedy(model: Any, tokenizer: Any) -> dict[str, Any]:  # noqa: ANN401
    """Settings of `generate` for the most likely reply, the same each time."""
    padding = tokenizer.pad_token_id
    ends = ends_of(model, tokenizer)
    return {
        "do_sample": False,
        "temperature": None,
        "top_p": None,
        "top_k": None,
        "pad_token_id": padding if padding is not None else next(iter(ends), 0),
    }
