"""Systems that look logs up and read only these: BM25, and the oracle that is told which."""

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from archive_mem.evals.benchmarks.dynamicmem.knowledge import knowledge_of, words_of
from archive_mem.evals.benchmarks.dynamicmem.protocol import (
    Answered,
    AppLog,
    Checkpoint,
    QuerySpec,
    Retrieved,
)
from archive_mem.evals.benchmarks.dynamicmem.reading import answered
from archive_mem.evals.benchmarks.dynamicmem.weave import said

__all__ = ["TOP_K", "Bm25", "Logs", "Oracle", "drawn", "logs_of", "read_from"]

TOP_K = 20
_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """A snapshot that is nothing but the logs so far.

    as_of: of the checkpoint
    by_id: the logs, in order
    """

    as_of: datetime
    by_id: dict[str, AppLog]


def logs_of(checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Logs:
    """The snapshot of a checkpoint."""
    return Logs(as_of=checkpoint.at, by_id={log.id: log for log in logs})


def drawn(log_id: str) -> str:
    """An order of ids that has nothing to do with time, the same in every run."""
    return hashlib.sha256(log_id.encode()).hexdigest()


def read_from(state: Logs, query: QuerySpec, log_ids: Sequence[str]) -> Answered:
    """What can be read from these logs alone, in order of time."""
    found = sorted((state.by_id[each] for each in log_ids), key=lambda log: (log.at, log.id))
    return answered(knowledge_of(found, state.as_of), query)


class Bm25:
    """The nearest logs by words (Robertson's BM25), read by the common reader (MemorySystem)."""

    name = "bm25"

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> "_Index":
        """Words of every log, counted."""
        return _Index(logs_of(checkpoint, logs))

    def retrieve_context_for_query(self, state: "_Index", query: QuerySpec) -> Retrieved:
        """The best twenty."""
        return Retrieved(log_ids=state.best(words_of(f"{query.question} {query.query}"), TOP_K))

    def answer_query(self, state: "_Index", query: QuerySpec, context: Retrieved) -> Answered:
        """Read from these."""
        return read_from(state.logs, query, context.log_ids)


class Oracle:
    """Gold evidence and nothing else: how good the reader is when retrieval is (MemorySystem)."""

    name = "oracle"

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Logs:
        """The logs."""
        return logs_of(checkpoint, logs)

    def retrieve_context_for_query(self, state: Logs, query: QuerySpec) -> Retrieved:
        """What the keeper told."""
        return Retrieved(log_ids=tuple(each for each in query.oracle if each in state.by_id))

    def answer_query(self, state: Logs, query: QuerySpec, context: Retrieved) -> Answered:
        """Read from these."""
        return read_from(state, query, context.log_ids)


class _Index:
    """BM25 over the words of logs; of equals, neither the newer nor the older comes first."""

    def __init__(self, logs: Logs) -> None:
        self.logs = logs
        self._words = {each.id: Counter(_tokens(each)) for each in logs.by_id.values()}
        self._lengths = {log_id: sum(words.values()) for log_id, words in self._words.items()}
        self._mean = sum(self._lengths.values()) / max(1, len(self._lengths))
        self._in = Counter(word for words in self._words.values() for word in words)

    def best(self, words: frozenset[str], k: int) -> tuple[str, ...]:
        """Ids of the best k with any of the words."""
        scores = {log_id: self._score(log_id, words) for log_id in self._words}
        found = sorted((i for i in scores if scores[i] > 0), key=lambda i: (-scores[i], drawn(i)))
        return tuple(found[:k])

    def _score(self, log_id: str, words: frozenset[str]) -> float:
        counted = self._words[log_id]
        length = _K1 * (1 - _B + _B * self._lengths[log_id] / self._mean)
        return sum(
            self._rarity(word) * n * (_K1 + 1) / (n + length)
            for word in words
            if (n := counted[word])
        )

    def _rarity(self, word: str) -> float:
        n = self._in[word]
        return math.log(1 + (len(self._words) - n + 0.5) / (n + 0.5))


def _tokens(log: AppLog) -> list[str]:
    return list(words_of(said(log)))
