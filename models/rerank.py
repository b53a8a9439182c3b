"""A cross-encoder that reads question and text together: slower than vectors, and finer."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import ModelError
from archive_mem.schema.safe import SafeText
from models.embed import quiet_loading

__all__ = ["HubReranker"]

_BATCH = 16


class HubReranker:
    """Any sentence-transformers cross-encoder: a folder, or a hub name that was downloaded before.

    Nothing is downloaded here: archive-mem never opens a connection by itself. Raises ModelError
    when the model is not here, or gives more than one number for a pair.
    """

    def __init__(self, name: str) -> None:
        self.name = Path(name).name if Path(name).is_dir() else name
        with quiet_loading():
            import sentence_transformers

            try:
                self._model = sentence_transformers.CrossEncoder(
                    name, device="cpu", local_files_only=True
                )
            except (OSError, ValueError, KeyError, ImportError) as error:
                raise ModelError(
                    f"no cross-encoder {name!r} on this machine "
                    f"(download it once: hf download {name})"
                ) from error
        if self._model.num_labels != 1:
            raise ModelError(
                f"{self.name} gives {self._model.num_labels} numbers for a question and a text: "
                "a reranker gives one"
            )

    def scores(self, question: SafeText, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Shape (len(texts),), higher is better; texts beyond the model's window are cut."""
        if not texts:
            return np.zeros(0, np.float32)
        scores = self._model.predict(
            [(question.value, text.value) for text in texts],
            batch_size=_BATCH,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(scores, np.float32)
