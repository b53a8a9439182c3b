"""Vectors in Chroma (Apache-2.0), embedded in the process that owns the memory.

Rules that were learnt by measuring (version 1.5.9): `upsert` only, since `add` ignores a known id
silently; batches within the store's own limit; cosine chosen when the collection is made; no
embedding function, since the default one downloads a model; no document, no nested or empty
metadata; one process at a time, since two writers lose vectors (docs/adr/0004); and its graph files
hold memory that was never written to, see `_fill_new_memory`.
"""

import contextlib
import ctypes
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import IndexBroken
from archive_mem.index.base import Hit, IndexRecord, checked
from archive_mem.index.in_memory import nearest

__all__ = ["ChromaIndex"]

_NAME = "turns"
_PAGE = 5_000
_M_PERTURB = -6


class ChromaIndex:
    """All turns of one memory in one collection.

    folder: where Chroma keeps its files; made when missing
    model: name of the embedder whose vectors these are
    dimension: numbers a vector
    """

    def __init__(self, folder: Path, *, model: str, dimension: int) -> None:
        self._folder, self._model, self._dimension = folder, model, dimension
        self._client: Any = None
        self._start()

    def upsert(self, records: Sequence[IndexRecord]) -> None:
        """Put records in by batches; one that raised may be half in: upsert it again."""
        fresh = checked(records, self._dimension)
        with self._using():
            for start in range(0, len(fresh), self._batch):
                self._put(fresh[start : start + self._batch])

    def delete(self, ids: Collection[str]) -> None:
        """Take records out; unknown ids are no error."""
        wanted = sorted(ids)
        with self._using():
            for start in range(0, len(wanted), self._batch):
                self._collection.delete(ids=wanted[start : start + self._batch])

    def query(
        self, vector: NDArray[np.float32], k: int, within: Collection[str] | None = None
    ) -> list[Hit]:
        """The k nearest by cosine, best first; exact when `within` is given."""
        if within is not None:
            return self._exact(vector, k, sorted(set(within)))
        with self._using():
            k = min(k, self._collection.count())
            if k == 0:
                return []
            found = self._collection.query(
                query_embeddings=[np.asarray(vector, np.float32)],
                n_results=k,
                include=["distances"],
            )
        pairs = zip(found["ids"][0], found["distances"][0], strict=True)
        hits = [Hit(id=name, score=1.0 - float(distance)) for name, distance in pairs]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))

    def ids(self) -> set[str]:
        """Ids whose vectors come back whole: `count` stays right when vectors were lost."""
        pages = self._pages(["embeddings"])
        return {name for page in pages for name in _readable(page, self._dimension)}

    def count(self) -> int:
        """How many records Chroma says there are."""
        with self._using():
            return int(self._collection.count())

    def clear(self) -> None:
        """Start again with an empty folder, whatever was in it; other files there stay."""
        self.close()
        for path in _own_files(self._folder):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self._start()

    def compact(self) -> None:
        """Write all files anew: Chroma keeps the numbers of deleted vectors otherwise.

        A killed one leaves an index that lacks turns: build it again from the catalog.
        """
        pages = list(self._pages(["embeddings", "metadatas"]))
        self.clear()
        with self._using():
            for page in pages:
                for start in range(0, len(page["ids"]), self._batch):
                    part = slice(start, start + self._batch)
                    self._collection.upsert(
                        ids=page["ids"][part],
                        embeddings=page["embeddings"][part],
                        metadatas=page["metadatas"][part],
                    )

    def _pages(self, include: list[str]) -> Iterator[Any]:
        with self._using():
            for offset in range(0, self._collection.count(), _PAGE):
                yield self._collection.get(limit=_PAGE, offset=offset, include=include)

    def close(self) -> None:
        """Let go of Chroma's files, so that a next opening reads them afresh."""
        client, self._client = self._client, None
        if client is not None:
            client.close()
            _fill_new_memory(on=False)

    def _start(self) -> None:
        try:
            with _as_broken():
                self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        import chromadb
        from chromadb.config import Settings

        self._folder.mkdir(parents=True, exist_ok=True)
        _fill_new_memory(on=True)
        self._client = chromadb.PersistentClient(
            path=str(self._folder), settings=Settings(anonymized_telemetry=False)
        )
        self._collection = self._client.get_or_create_collection(
            _NAME,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
            metadata={"model": self._model, "dimension": self._dimension},
        )
        self._batch = int(self._client.get_max_batch_size())
        self._agree()

    def _agree(self) -> None:
        about = self._collection.metadata or {}
        if (about.get("model"), about.get("dimension")) != (self._model, self._dimension):
            raise IndexBroken(
                f"the index was made by {about.get('model')}, not {self._model}: "
                "run archive-mem reindex"
            )

    def _put(self, records: list[IndexRecord]) -> None:
        self._collection.upsert(
            ids=[record.id for record in records],
            embeddings=[np.asarray(record.vector, np.float32) for record in records],
            metadatas=[_metadata(record) for record in records],
        )

    def _exact(self, vector: NDArray[np.float32], k: int, wanted: list[str]) -> list[Hit]:
        ids: list[str] = []
        rows: list[NDArray[np.float32]] = []
        with self._using():
            for start in range(0, len(wanted), _PAGE):
                page = self._collection.get(
                    ids=wanted[start : start + _PAGE], include=["embeddings"]
                )
                ids.extend(page["ids"])
                rows.extend(page["embeddings"])
        return nearest(ids, np.asarray(rows, np.float32), vector, k) if ids else []

    @contextmanager
    def _using(self) -> Iterator[None]:
        if self._client is None or not (self._folder / "chroma.sqlite3").exists():
            raise IndexBroken("the index is gone: run archive-mem reindex")
        with _as_broken():
            yield


def _fill_new_memory(*, on: bool) -> None:
    """While Chroma is open, let the C library fill whatever it hands out.

    Chroma writes its HNSW graph to disk with room for more vectors, and that room is memory as
    malloc gave it: whatever this process had freed there before, real names among it, would be in
    the file (seen with 1.5.9). Only glibc can be told so; elsewhere the room stays as it is.
    """
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_PERTURB, 0xFF if on else 0)


def _metadata(record: IndexRecord) -> dict[str, str | float]:
    known: dict[str, str | float] = {"item": record.item_id, "session": record.session_id}
    if record.at is not None:
        known["at"] = float(record.at)
    return known


def _readable(page: Any, dimension: int) -> Iterator[str]:  # noqa: ANN401 - Chroma's own type
    for name, vector in zip(page["ids"], page["embeddings"], strict=True):
        if len(vector) == dimension and np.isfinite(vector).all():
            yield name


def _own_files(folder: Path) -> list[Path]:
    """What Chroma keeps: its database and one folder a segment, not our word index."""
    if not folder.exists():
        return []
    return [
        path for path in folder.iterdir() if path.is_dir() or path.name.startswith("chroma.sqlite3")
    ]


@contextmanager
def _as_broken() -> Iterator[None]:
    """Chroma raises what its Rust core, SQLite and pydantic raise: to a caller all is one."""
    try:
        yield
    except IndexBroken:
        raise
    except Exception as error:
        raise IndexBroken(
            f"the index cannot be used ({type(error).__name__}): run archive-mem reindex"
        ) from error
