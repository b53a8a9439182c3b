"""A plain RAG: every log embedded, Chroma, the nearest twenty."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from anonymize.compose import public
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
from archive_mem.profile.vectors import Vectors
from models import registry

__all__ = ["ChromaRag"]

_BATCH = 1_000


class ChromaRag:
    """MiniLM and Chroma in memory, read by the common reader (MemorySystem)."""

    name = "rag"

    def __init__(self) -> None:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
        self._logs: Any = client.create_collection(
            f"logs-{uuid4().hex}", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )
        self._known = 0
        self._vectors = Vectors(registry.embedder("embedded"))

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Logs:
        """Embed what is new; the number of a log says at which checkpoints it exists."""
        fresh = list(enumerate(logs))[self._known :]
        for start in range(0, len(fresh), _BATCH):
            batch = fresh[start : start + _BATCH]
            self._logs.add(
                ids=[log.id for _, log in batch],
                embeddings=self._vectors.of([public(said(log)) for _, log in batch]),
                metadatas=[{"number": number} for number, _ in batch],
            )
        self._known = len(logs)
        return logs_of(checkpoint, logs)

    def retrieve_context_for_query(self, state: Logs, query: QuerySpec) -> Retrieved:
        """The nearest by cosine among the logs of the snapshot."""
        found = self._logs.query(
            query_embeddings=self._vectors.of([public(query.query or query.question)]),
            n_results=min(TOP_K, len(state.by_id)),
            where={"number": {"$lt": len(state.by_id)}},
            include=["distances"],
        )
        return Retrieved(log_ids=tuple(found["ids"][0]))

    def answer_query(self, state: Logs, query: QuerySpec, context: Retrieved) -> Answered:
        """Read from these."""
        return read_from(state, query, context.log_ids)
