"""Words and vectors of turns in one SQLite file: BM25 through FTS5, and exact vectors for readers.

The file is in WAL mode: one process writes, others read at once and never wait (docs/adr/0004).
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import IndexBroken, StoreError
from archive_mem.index.base import Hit, IndexRecord, checked
from archive_mem.index.forms import alike, forms
from archive_mem.index.recent import Recent
from archive_mem.index.words import indexed_words, phrase_words, query_words
from archive_mem.schema.safe import SafeText

__all__ = ["LexicalIndex", "Stored"]

_FORMAT = "1"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS turns (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, item TEXT NOT NULL, session TEXT NOT NULL,
    at REAL, words TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (row INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5(
    words, content='turns', content_rowid='row', columnsize=1,
    tokenize='porter unicode61 remove_diacritics 2');
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stored:
    """Every turn at once, row by row in order of id.

    ids, items, sessions: one string a row
    item_numbers, session_numbers: the same as integers from 0
    before, after: row of the turn before and after in the same session, -1 for none
    at: float64 of shape (n,), NaN where unknown
    vectors: float32 of shape (n, dimension)
    row_of: id -> row
    item_number_of: item -> its number
    keys, key_rows: SQLite's own numbers of the turns, ascending, and the row of each
    """

    ids: tuple[str, ...]
    items: tuple[str, ...]
    sessions: tuple[str, ...]
    item_numbers: NDArray[np.int64]
    session_numbers: NDArray[np.int64]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    at: NDArray[np.float64]
    vectors: NDArray[np.float32]
    row_of: dict[str, int]
    item_number_of: dict[str, int]
    keys: NDArray[np.int64]
    key_rows: NDArray[np.int64]


class LexicalIndex:
    """BM25 over the words of turns, and their vectors for exact search.

    path: the file; made when missing, unless read_only
    model: name of the embedder whose vectors these are
    dimension: numbers a vector
    read_only: never writes; for processes that do not own the index
    """

    def __init__(self, path: Path, *, model: str, dimension: int, read_only: bool = False) -> None:
        self._path, self._model, self._dimension = path, model, dimension
        self._lock = RLock()
        self._stale = False
        self._cache: tuple[int, Stored] | None = None
        self._recent: tuple[int, Recent] | None = None
        self._start(read_only)

    def upsert(self, records: Sequence[IndexRecord]) -> None:
        """Put records in, in place of those with the same ids, in one transaction."""
        fresh = checked(records, self._dimension)
        with self._writing() as cursor:
            self._remove(cursor, [record.id for record in fresh])
            for record in fresh:
                self._insert(cursor, record)

    def delete(self, ids: Collection[str]) -> None:
        """Take records out and wipe their words from the file."""
        with self._writing() as cursor:
            self._remove(cursor, list(ids))
        self.purge()

    def purge(self) -> None:
        """Rewrite the word lists so that nothing of replaced or deleted texts is left."""
        if not self._stale:
            return
        with self._writing() as cursor:
            cursor.execute("INSERT INTO terms(terms) VALUES ('optimize')")
        with self._lock, _as_broken(self._path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._stale = False

    def compact(self) -> None:
        """Write the file anew, so that nothing deleted is in it or in its log."""
        self._stale = True
        self.purge()
        with self._lock, _as_broken(self._path):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def search(self, text: SafeText, k: int, within: Collection[str] | None = None) -> list[Hit]:
        """The k best by BM25 (k1 1.2, b 0.75), best first, ties by id."""
        rare, common = self._parted(_with_forms(query_words(text.value)))
        if not rare or k < 1:
            return []
        asked = " OR ".join(f'"{word}"' for word in rare)
        if within is None:
            rows = self._rows(_BEST, (asked, k))
        else:
            wanted = set(within)
            rows = [row for row in self._rows(_ALL, (asked,)) if row[0] in wanted]
        hits = [Hit(id=name, score=-float(rank)) for name, rank in rows]
        if common and hits:
            hits = self._with_common(hits, common)
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]

    def holding(self, phrase: SafeText) -> NDArray[np.int64]:
        """Rows of `stored()` whose turns have the words of the phrase next to each other.

        A phrase of one word is also found in other words for it: "ate", "eat"; "mum", "mother".
        """
        words = phrase_words(phrase.value)
        if not words:
            return np.zeros(0, np.int64)
        with self._lock:  # no write of this process may come between the two
            return self._seen().rows(words, self._holding)

    def stored(self) -> Stored:
        """Every turn with its vector; read again only when somebody wrote to the file."""
        with self._lock, _as_broken(self._path):
            version = self._version()
            if self._cache is None or self._cache[0] != version:
                self._cache = (version, self._read_all())
            return self._cache[1]

    def ids(self) -> set[str]:
        """Ids that have words and a vector."""
        return {row[0] for row in self._rows("SELECT id FROM turns JOIN vectors USING (row)")}

    def count(self) -> int:
        """How many turns there are."""
        return int(self._rows("SELECT count(*) FROM turns")[0][0])

    def clear(self) -> None:
        """Make the file anew, also when it is broken or of another embedder."""
        with self._lock:
            self.close()
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._start(read_only=False)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()
            self._cache = self._recent = None

    def _start(self, read_only: bool) -> None:
        with _as_broken(self._path):
            self._connect(read_only)
            try:
                self._prepare(read_only)
                self._agree()
            except BaseException:
                self._connection.close()
                raise

    def _connect(self, read_only: bool) -> None:
        if read_only and not self._path.exists():
            raise IndexBroken("there is no index yet: run archive-mem reindex")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        mode = "ro" if read_only else "rwc"
        self._connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=10,
            isolation_level=None,
            check_same_thread=False,
        )

    def _prepare(self, read_only: bool) -> None:
        if not read_only:
            for setting in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
                self._connection.execute(f"PRAGMA {setting}").fetchall()
            self._connection.executescript(_SCHEMA)

    def _agree(self) -> None:
        """A new file is marked with format, embedder and dimension; another's is refused."""
        expected = {
            "format": _FORMAT,
            "model": self._model,
            "dimension": str(self._dimension),
        }
        found = dict(self._connection.execute("SELECT name, value FROM about").fetchall())
        if not found:
            self._connection.executemany("INSERT INTO about VALUES (?, ?)", expected.items())
        elif found != expected:
            raise IndexBroken(
                f"the index was made by {found.get('model')}, not {self._model}: "
                "run archive-mem reindex"
            )

    def _remove(self, cursor: sqlite3.Cursor, ids: list[str]) -> None:
        for name in ids:
            known = cursor.execute("SELECT row, words FROM turns WHERE id = ?", (name,)).fetchone()
            if known is None:
                continue
            self._stale = True
            cursor.execute("INSERT INTO terms(terms, rowid, words) VALUES ('delete', ?, ?)", known)
            cursor.execute("DELETE FROM turns WHERE row = ?", known[:1])
            cursor.execute("DELETE FROM vectors WHERE row = ?", known[:1])

    def _insert(self, cursor: sqlite3.Cursor, record: IndexRecord) -> None:
        words = indexed_words(record.text.value)
        cursor.execute(
            "INSERT INTO turns(id, item, session, at, words) VALUES (?, ?, ?, ?, ?)",
            (record.id, record.item_id, record.session_id, record.at, words),
        )
        row = cursor.lastrowid
        cursor.execute("INSERT INTO terms(rowid, words) VALUES (?, ?)", (row, words))
        vector = np.asarray(record.vector, np.float16).tobytes()
        cursor.execute("INSERT INTO vectors VALUES (?, ?)", (row, vector))

    def _parted(self, words: list[str]) -> tuple[list[str], list[str]]:
        """Words to look for, and in a large archive those that one turn in twenty has.

        BM25 looks at every turn that has one of its words: the common ones cost most of the time
        and find nothing by themselves. They only add to what the others found; when there are no
        others, they are looked for.
        """
        with self._lock:
            seen = self._seen()
            if seen.total < _LARGE:
                return words, []
            common = [word for word in words if seen.common(word, self._common)]
        rare = [word for word in words if word not in common]
        return (rare, common) if rare else (words, [])

    def _common(self, word: str) -> bool:
        least = self._seen().total // _COMMON
        counted = self._rows(
            "SELECT count(*) FROM (SELECT 1 FROM terms WHERE terms MATCH ? LIMIT ?)",
            (f'"{word}"', least),
        )
        return int(counted[0][0]) >= least

    def _with_common(self, hits: list[Hit], words: Sequence[str]) -> list[Hit]:
        """Plus the weight of each common word that a hit has, once, as in a turn of mean length."""
        with self._lock:
            stored = self.stored()
            held = [self._seen().rows(word, self._holding) for word in words]
        rows = np.array([stored.row_of[hit.id] for hit in hits], np.int64)
        added = np.zeros(len(hits), np.float64)
        for having in held:
            has = np.zeros(len(stored.ids), bool)
            has[having] = True
            added += _rarity(len(stored.ids), len(having)) * has[rows]
        return [
            Hit(id=hit.id, score=hit.score + more)
            for hit, more in zip(hits, added.tolist(), strict=True)
        ]

    def _holding(self, words: str) -> NDArray[np.int64]:
        stored = self.stored()
        either = " OR ".join(f'"{each}"' for each in (words, *alike(words)))
        found = self._rows(_HOLDING, (either,))
        numbers = np.fromiter((row[0] for row in found), np.int64, len(found))
        at = np.minimum(np.searchsorted(stored.keys, numbers), max(len(stored.keys) - 1, 0))
        known = stored.keys[at] == numbers if len(stored.keys) else np.zeros(0, bool)
        return np.sort(stored.key_rows[at[known]]) if len(known) else numbers

    def _seen(self) -> Recent:
        """What was counted since the last write to the file, by whichever process."""
        with self._lock, _as_broken(self._path):
            version = self._version()
            if self._recent is None or self._recent[0] != version:
                self._recent = (version, Recent(self.count()))
                self._warm(self._recent[1])
            return self._recent[1]

    def _warm(self, seen: Recent) -> None:
        """Read the rows of words that many turns of a sample have, before a question waits."""
        if seen.total < _LARGE:
            return
        keys = self.stored().keys
        sample = keys[:: max(len(keys) // _SAMPLE, 1)].tolist()
        marks = ",".join("?" * len(sample))
        texts = self._rows(f"SELECT words FROM turns WHERE row IN ({marks})", sample)  # noqa: S608
        counted = Counter(word for (text,) in texts for word in set(query_words(text)))
        for word, count in counted.items():
            if _COMMON * count >= len(texts) and seen.common(word, self._common):
                seen.rows(word, self._holding)

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        with self._lock, _as_broken(self._path):
            return self._connection.execute(sql, values).fetchall()

    def _version(self) -> int:
        """Changes with every commit, of this process or another."""
        outside = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return hash((outside, self._connection.total_changes))

    def _read_all(self) -> Stored:
        rows = self._connection.execute(
            "SELECT id, item, session, at, vector, row FROM turns JOIN vectors USING (row)"
            " ORDER BY id"
        ).fetchall()
        ids, items, sessions, times, blobs, keys = zip(*rows, strict=True) if rows else ((),) * 6
        row_of = {name: row for row, name in enumerate(ids)}
        item_number_of: dict[str, int] = {}
        packed = np.frombuffer(b"".join(blobs), np.float16).reshape(-1, self._dimension)
        return Stored(
            ids=ids,
            items=items,
            sessions=sessions,
            at=np.array([np.nan if at is None else at for at in times], np.float64),
            vectors=packed.astype(np.float32),
            row_of=row_of,
            keys=np.sort(np.array(keys, np.int64)),
            key_rows=np.argsort(np.array(keys, np.int64)),
            item_numbers=_numbers(items, item_number_of),
            item_number_of=item_number_of,
            session_numbers=_numbers(sessions, {}),
            before=_beside(ids, sessions, row_of, -1),
            after=_beside(ids, sessions, row_of, 1),
        )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        with self._lock, _as_broken(self._path):
            cursor = self._connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
            except BaseException:
                cursor.execute("ROLLBACK")
                raise
            cursor.execute("COMMIT")


def _with_forms(words: Sequence[str]) -> list[str]:
    """Each word with its other forms, which no stemmer joins."""
    return list(dict.fromkeys(each for word in words for each in (word, *forms(word))))


def _rarity(total: int, having: int) -> float:
    """BM25's weight of a word, as FTS5 counts it."""
    return max(math.log((total - having + 0.5) / (having + 0.5)), 1e-6)


def _numbers(names: Sequence[str], known: dict[str, int]) -> NDArray[np.int64]:
    """Each name as an integer by first appearance; `known` is filled with them."""
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)


def _beside(
    ids: Sequence[str], sessions: Sequence[str], row_of: Mapping[str, int], step: int
) -> NDArray[np.int64]:
    """Row of the turn `step` positions on in the same session ("<session id>:<position>")."""
    pairs = zip(ids, sessions, strict=True)
    names = (f"{session}:{int(name.rpartition(':')[2]) + step}" for name, session in pairs)
    return np.array([row_of.get(name, -1) for name in names], np.int64)


_LARGE = 5_000
_COMMON = 20
_SAMPLE = 300
_BEST = """SELECT id, rank FROM (
    SELECT rowid AS row, rank FROM terms WHERE terms MATCH ? ORDER BY rank, rowid LIMIT ?)
    JOIN turns USING (row)"""
_ALL = """SELECT id, rank FROM (SELECT rowid AS row, rank FROM terms WHERE terms MATCH ?)
    JOIN turns USING (row)"""

_HOLDING = "SELECT rowid FROM terms WHERE terms MATCH ?"


@contextmanager
def _as_broken(path: Path) -> Iterator[None]:
    """SQLite's own errors as ours: a full disk is not a broken index, all else is."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "full" in str(error) or "locked" in str(error):
            raise StoreError(f"{path.name}: {error}") from error
        raise IndexBroken(f"the word index cannot be used ({error})") from error
    except sqlite3.DatabaseError as error:
        raise IndexBroken(f"the word index cannot be used ({error})") from error
