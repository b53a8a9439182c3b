"""The encrypted map of real names and placeholders, one file, shared by processes.

A random data key encrypts everything (Fernet); it is kept wrapped by a key that is not in the
file (`anonymize.keys`). Every change is one short SQLite transaction, so two processes never give
two people one letter, and a killed one leaves the state before or after.
"""

import base64
import hmac
import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from anonymize.derivative import atomic
from anonymize.keys import (
    KeySource,
    keyless_source,
    passphrase_from_environment,
    source_for,
)
from anonymize.pseudonyms import Entry, Kind, Part, PlaceholderMap, fold, group
from archive_mem.errors import VaultError, VaultLocked, WrongPassphrase

__all__ = ["COVERED", "Vault"]

VERSION = "1"
BUSY_SECONDS = 30.0
COVERED = "~"
"""What a covered token begins with."""

Result = TypeVar("Result")
SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    placeholder_mac TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE, sealed TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE names (
    name_mac TEXT PRIMARY KEY, placeholder_mac TEXT NOT NULL REFERENCES entries
) WITHOUT ROWID;
"""


class Vault:
    """Real names behind placeholders. Safe to use from several threads and processes."""

    def __init__(self, path: Path, source: KeySource, about: Mapping[str, str]) -> None:
        """Use `Vault.open`."""
        self.path = path
        self._lock = threading.RLock()
        self._source, self._about = source, dict(about)
        self._unlock(source.load(about["key_id"], base64.b64decode(about["salt"])))
        self._cached: tuple[int, PlaceholderMap] | None = None
        self._connection = _connect(path)

    @classmethod
    def open(cls, path: Path, key: KeySource | None = None, create: bool = True) -> "Vault":
        """The vault at `path`, made when it is missing and `create` is set.

        key: None for ARCHIVE_MEM_PASSPHRASE, else what the vault itself names: the keyring of the
        system, or a key file. Raises VaultLocked, WrongPassphrase, and VaultError for a file that
        is no vault.
        """
        try:
            if not path.exists():
                if not create:
                    raise VaultLocked(f"there is no vault at {path}")
                _create(path, key or passphrase_from_environment() or keyless_source())
            return cls._open_existing(path, key)
        except sqlite3.OperationalError as error:
            raise VaultError(f"the vault cannot be used: {path} ({error})") from error
        except sqlite3.DatabaseError as error:
            raise VaultError(f"this is no vault: {path}") from error

    @classmethod
    def _open_existing(cls, path: Path, key: KeySource | None) -> "Vault":
        with closing(_connect(path)) as connection:
            about = dict(connection.execute("SELECT key, value FROM about"))
        if about.get("version") != VERSION:
            raise VaultError(f"the vault was made by another archive-mem: {path}")
        return cls(path, key or source_for(about["source"]), about)

    def _unlock(self, wrapping_key: bytes) -> None:
        from cryptography.fernet import Fernet, InvalidToken

        try:
            data_key = Fernet(wrapping_key).decrypt(self._about["wrapped_key"].encode())
        except (InvalidToken, ValueError) as error:
            raise WrongPassphrase(f"the {self._source.name} does not open this vault") from error
        self._data_key = data_key
        self._fernet = Fernet(data_key)
        # Its own key for fingerprints: knowing one use of the data key tells nothing of the other.
        self._mac_key = hmac.digest(data_key, b"archive-mem fingerprint", "sha256")
        self._cover_key = hmac.digest(data_key, b"archive-mem cover", "sha512")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> "Vault":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def protection(self) -> str:
        """What its key comes from: "passphrase", "keyring" or "key file"."""
        return self._about["source"]

    def seal(self, text: str) -> str:
        """The text encrypted; two calls give two tokens."""
        return self._fernet.encrypt(text.encode("utf-8", "surrogatepass")).decode()

    def unseal(self, token: str) -> str:
        """The text of a token. Raises VaultError for one that this vault did not make."""
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(token.encode()).decode("utf-8", "surrogatepass")
        except (InvalidToken, ValueError) as error:
            raise VaultError("this was not sealed by this vault") from error

    def cover(self, text: str) -> str:
        """The text encrypted so that equal texts give equal tokens (AES-SIV, RFC 5297).

        For short words that a table is searched by; who sees it learns which rows are equal.
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        data = b"=" + text.encode("utf-8", "surrogatepass")
        sealed = AESSIV(self._cover_key).encrypt(data, [])
        return COVERED + base64.urlsafe_b64encode(sealed).decode()

    def uncover(self, token: str) -> str:
        """The text of a covered token; what this vault did not cover comes back as it is."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        if not token.startswith(COVERED):
            return token
        try:
            sealed = base64.urlsafe_b64decode(token.removeprefix(COVERED))
            data = AESSIV(self._cover_key).decrypt(sealed, [])
        except (InvalidTag, ValueError):
            return token
        return data[1:].decode("utf-8", "surrogatepass")

    def fingerprint(self, text: str) -> str:
        """64 hex digits that are equal for equal texts and tell nothing without the key."""
        data = text.encode("utf-8", "surrogatepass")
        return hmac.digest(self._mac_key, data, "sha256").hex()

    def map(self) -> PlaceholderMap:
        """Everything that is known now, also by other processes."""
        with self._lock:
            return self._current()

    def names(self) -> list[Entry]:
        """All entries in the order in which they were met."""
        return list(self.map().entries.values())

    def placeholder_for(
        self, kind: Kind | str, name: str, *, guess: bool = False, given: bool = False
    ) -> str:
        """The placeholder of a name: always the same one; a new name gets the next letter.

        guess, given: see PlaceholderMap.assign
        """
        kind, now = Kind(kind), self.map()
        known = now.find(kind, name)
        if known is not None and (now.entries[known].given or not given):
            return known
        return self._change(lambda then: then.assign(kind, name, guess=guess, given=given))

    def add_alias(self, placeholder: str, name: str) -> None:
        """Let `name` mean that entry too. Raises VaultError."""
        self._change(lambda now: (now.with_alias(placeholder, name), None))

    def merge(self, keep: str, gone: str) -> None:
        """Let two placeholders be one; `gone` still resolves. Raises VaultError."""
        self._change(lambda now: (now.merge(keep, gone), None))

    def split(self, placeholder: str, names: Sequence[str] = ()) -> str:
        """Let those names be somebody else; without names, undo the newest merge.

        Gives the placeholder of the other. Raises VaultError.
        """
        return self._change(lambda now: now.split(placeholder, names))

    def forget(self, placeholder: str) -> None:
        """Remove an entry for good; its letter is not given out again."""
        self._change(lambda now: (now.without(placeholder), None))

    def reveal(self, text: str) -> str:
        """The text with real names in place of placeholders."""
        return self.map().reveal(text)

    def _change(self, step: Callable[[PlaceholderMap], tuple[PlaceholderMap, Result]]) -> Result:
        try:
            with self._lock:
                with self._transaction():
                    before = self._current()
                    after, result = _stepped(step, before)
                    self._store(before, after)
                    # Read while nobody else can write: later it may be that of another change.
                    revision = self._revision()
                self._cached = (revision, after)
        except sqlite3.OperationalError as error:
            raise VaultError(f"the vault cannot be written: {self.path} ({error})") from error
        return result

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, with no other writer in between."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _revision(self) -> int:
        """Changes when another process has written."""
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _current(self) -> PlaceholderMap:
        revision = self._revision()
        if self._cached is None or self._cached[0] != revision:
            self._cached = (revision, self._load())
        return self._cached[1]

    def _load(self) -> PlaceholderMap:
        rows = self._connection.execute("SELECT sealed FROM entries ORDER BY position")
        entries = [_entry(json.loads(self.unseal(sealed))) for (sealed,) in rows]
        sealed = self._connection.execute("SELECT value FROM about WHERE key = 'state'").fetchone()
        state = json.loads(self.unseal(sealed[0])) if sealed else {"used": {}, "merged": {}}
        return PlaceholderMap(
            entries={entry.placeholder: entry for entry in entries},
            used={Kind(kind): number for kind, number in state["used"].items()},
            merged=state["merged"],
            parts={old: _part(body) for old, body in state.get("parts", {}).items()},
        )

    def _store(self, before: PlaceholderMap, after: PlaceholderMap) -> None:
        for placeholder in before.entries.keys() - after.entries.keys():
            self._delete(placeholder)
        for placeholder, entry in after.entries.items():
            if before.entries.get(placeholder) != entry:
                self._delete_names(placeholder)
                self._write(entry)
        for placeholder, entry in after.entries.items():
            if before.entries.get(placeholder) != entry:
                self._write_names(entry)
        parts = {old: _part_to_json(part) for old, part in after.parts.items()}
        state = {"used": dict(after.used), "merged": dict(after.merged), "parts": parts}
        _put(self._connection, "state", self.seal(json.dumps(state)))

    def _delete(self, placeholder: str) -> None:
        self._delete_names(placeholder)
        self._connection.execute(
            "DELETE FROM entries WHERE placeholder_mac = ?", (self.fingerprint(placeholder),)
        )

    def _delete_names(self, placeholder: str) -> None:
        self._connection.execute(
            "DELETE FROM names WHERE placeholder_mac = ?", (self.fingerprint(placeholder),)
        )

    def _write(self, entry: Entry) -> None:
        self._connection.execute(
            "INSERT INTO entries"
            " VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM entries), ?)"
            " ON CONFLICT (placeholder_mac) DO UPDATE SET sealed = excluded.sealed",
            (self.fingerprint(entry.placeholder), self.seal(json.dumps(_to_json(entry)))),
        )

    def _write_names(self, entry: Entry) -> None:
        owner = self.fingerprint(entry.placeholder)
        macs = {self.fingerprint(f"{group(entry.kind)}\n{fold(name)}") for name in entry.names}
        self._connection.executemany("INSERT INTO names VALUES (?, ?)", [(m, owner) for m in macs])

    def rekey(self, source: KeySource, *, keep_old: bool = False) -> None:
        """Protect the vault by another key: what is encrypted stays, its key is wrapped anew.

        One transaction: a process killed in it leaves the old key or the new one, never neither.
        keep_old: leave the old key where it is kept, for a backup that still needs it
        """
        about, old = _wrapped(self._data_key, source), self._about["key_id"]
        with self._lock:
            with self._transaction():
                for key, value in about.items():
                    _put(self._connection, key, value)
            if not keep_old:
                self._source.drop(old)
            self._source, self._about = source, about

    def backup(self, target: Path) -> None:
        """Write a copy of the vault, as encrypted as the vault; the same key opens it.

        Raises VaultError when it cannot be written.
        """
        try:
            with atomic(target) as draft, closing(sqlite3.connect(draft)) as copy, self._lock:
                self._connection.backup(copy)
        except (OSError, sqlite3.Error) as error:
            raise VaultError(f"the backup cannot be written: {target}") from error


def _to_json(entry: Entry) -> list[Any]:
    return [entry.placeholder, entry.kind, entry.name, list(entry.aliases), entry.given]


def _part_to_json(part: Part) -> list[Any]:
    return [_to_json(part.entry), part.into, list(part.moved), part.kept_given]


def _part(content: list[Any]) -> Part:
    entry, into, moved, kept_given = content
    return Part(entry=_entry(entry), into=into, moved=tuple(moved), kept_given=kept_given)


def _stepped(
    step: Callable[[PlaceholderMap], tuple[PlaceholderMap, Result]], before: PlaceholderMap
) -> tuple[PlaceholderMap, Result]:
    """A change that the owner asked for; what cannot be done is said. Raises VaultError."""
    try:
        return step(before)
    except KeyError as error:
        raise VaultError(f"no such placeholder: {error.args[0]}") from error
    except ValueError as error:
        raise VaultError(str(error)) from error


def _entry(content: list[Any]) -> Entry:
    placeholder, kind, name, aliases, *rest = content
    return Entry(
        placeholder=placeholder,
        kind=Kind(kind),
        name=name,
        aliases=tuple(aliases),
        given=bool(rest and rest[0]),
    )


def _put(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (key, value))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    # One file and a rollback journal, not WAL: a copy of the file is a whole vault at any time.
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _wrapped(data_key: bytes, source: KeySource) -> dict[str, str]:
    from cryptography.fernet import Fernet

    key_id, salt = secrets.token_hex(8), secrets.token_bytes(16)
    wrapped = Fernet(source.create(key_id, salt)).encrypt(data_key)
    return {
        "version": VERSION,
        "source": source.name,
        "key_id": key_id,
        "salt": base64.b64encode(salt).decode(),
        "wrapped_key": wrapped.decode(),
    }


def _create(path: Path, source: KeySource) -> None:
    """Make a whole vault beside `path` and link it in place: nobody ever sees half of one."""
    from cryptography.fernet import Fernet

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    about = _wrapped(Fernet.generate_key(), source)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        draft.touch(mode=0o600, exist_ok=False)
        _fill(draft, about)
        os.link(draft, path)
    except FileExistsError:
        source.drop(about["key_id"])
    finally:
        draft.unlink(missing_ok=True)


def _fill(path: Path, about: Mapping[str, str]) -> None:
    with closing(_connect(path)) as connection:
        connection.executescript(SCHEMA)
        connection.execute("BEGIN")
        for key, value in about.items():
            _put(connection, key, value)
        connection.execute("COMMIT")
