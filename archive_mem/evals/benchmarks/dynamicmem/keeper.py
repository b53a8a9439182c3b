"""The process that holds gold: it tells what may be seen, and scores. `python -m` runs it."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from archive_mem.errors import UsageError
from archive_mem.evals.benchmarks.dynamicmem.data import (
    GoldItem,
    Person,
    people_of,
    read_person,
)
from archive_mem.evals.benchmarks.dynamicmem.protocol import Json
from archive_mem.evals.benchmarks.dynamicmem.scoring import Verdict, judged_exactly, verdict
from archive_mem.evals.benchmarks.dynamicmem.wire import packed, serve
from archive_mem.evals.dataset import data_hash

if TYPE_CHECKING:
    from archive_mem.evals.benchmarks.dynamicmem.chat_judge import ChatJudge

__all__ = ["Keeper", "main"]


class Keeper:
    """Answers the bench; nothing of gold is in its answers but scores."""

    def __init__(self) -> None:
        self._homes: dict[str, Path] = {}
        self._person: Person | None = None
        self._judge: ChatJudge | None = None
        self._told: list[dict[str, Json]] = []

    def handle(self, do: str, said: dict[str, Json]) -> Mapping[str, Json]:
        """One request."""
        handlers: dict[str, Callable[..., Mapping[str, Json]]] = {
            "generate": self.generate,
            "open": self.open,
            "person": self.person,
            "oracle": self.oracle,
            "score": self.score,
            "write": self.write,
        }
        return handlers[do](**said)

    def generate(self, folder: str, users: int, seed: int) -> Mapping[str, Json]:
        """People who do not exist, as files."""
        from archive_mem.evals.benchmarks.dynamicmem.generate.packs import write_users

        return {"people": len(write_users(Path(folder), users, seed))}

    def open(self, folder: str, judge: str) -> Mapping[str, Json]:
        """Who is there, a hash of the files, and the judge's name. Raises InputError."""
        self._homes = {home.name: home for home in people_of(Path(folder))}
        files = [file for home in self._homes.values() for file in sorted(home.glob("*.json"))]
        hashes = {str(n): data_hash([file]) for n, file in enumerate(files)}
        if judge != "exact":
            self._judge = _chat_judge(judge)
        name = "exact-1" if self._judge is None else self._judge.name
        return {"people": list(self._homes), "sha256": data_hash([], hashes), "judge": name}

    def person(self, id: str) -> Mapping[str, Json]:
        """What may be seen of one person, and the group that each question's score goes to."""
        person = self._read(id)
        return {
            "logs": [packed(log) for log in person.logs],
            "checkpoints": [packed(each) for each in person.checkpoints],
            "queries": {cut: [packed(q) for q in qs] for cut, qs in person.queries.items()},
            "groups": {
                cut: [f"{q.task} {person.gold[cut, q.id].kind}" for q in queries]
                for cut, queries in person.queries.items()
            },
            "problems": [f"{each.where}: {each.what}" for each in person.problems],
        }

    def oracle(self, person: str, checkpoint: str, query: str) -> Mapping[str, Json]:
        """Ids of the gold evidence, for the oracle alone."""
        return {"evidence": list(self._read(person).gold[checkpoint, query].evidence)}

    def score(
        self, person: str, checkpoint: str, query: str, value: Json, evidence: Sequence[str]
    ) -> Mapping[str, Json]:
        """The verdict on one answer."""
        gold = self._read(person).gold[checkpoint, query]
        asked = next(q for q in self._read(person).queries[checkpoint] if q.id == query)
        judge = self._judge
        fields, gate = (
            judged_exactly(gold, value)
            if judge is None
            else judge.judged(asked.question, gold, value)
        )
        found = verdict(gold, value, evidence, fields, gate)
        self._note(person, checkpoint, query, gold, value, found)
        return {**asdict(found), "judge_tokens": 0 if judge is None else judge.tokens}

    def write(self, file: str) -> Mapping[str, Json]:
        """Gold beside every answer scored since the start, for people; after all is asked."""
        with Path(file).open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in self._told)
        count, self._told = len(self._told), []
        return {"rows": count}

    def _read(self, name: str) -> Person:
        if self._person is None or self._person.id != name:
            self._person = read_person(self._homes[name])
        return self._person

    def _note(
        self, person: str, cut: str, query: str, gold: GoldItem, value: Json, found: Verdict
    ) -> None:
        self._told.append(
            {
                "person": person,
                "checkpoint": cut,
                "query": query,
                "reference": gold.reference,
                "said": value,
                "value": found.value,
                "failure": found.failure,
            }
        )


def _chat_judge(name: str) -> "ChatJudge":
    from archive_mem.evals.benchmarks.dynamicmem.chat_judge import ChatJudge
    from models import registry

    model = registry.chat_model(name)
    if model is None:
        raise UsageError("the embedded reader is no judge; give exact or a chat model")
    return ChatJudge(model)


def _close_memory() -> None:
    """On Linux, other processes of this user may not read this one's memory (root may)."""
    if sys.platform == "linux":
        import ctypes

        pr_set_dumpable = 4
        ctypes.CDLL(None).prctl(pr_set_dumpable, 0, 0, 0, 0)


def main() -> None:
    """Serve until the bench ends."""
    _close_memory()
    serve(Keeper().handle)


if __name__ == "__main__":
    main()
