"""Forgetting items for good: nothing of them stays in any file of the memory folder.

First the catalog lets go of them, in one transaction that also notes what is left to do; a killed
run is ended by the next one that owns the memory. The originals are not touched.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from anonymize.pseudonyms import PLACEHOLDER, fold
from anonymize.vault import Vault
from archive_mem.catalog import forgotten, items, readings
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.profile_steps import get_value, set_value
from archive_mem.errors import StoreError
from archive_mem.folder import MemoryFolder

__all__ = ["Forgetter", "Forgotten", "Leftover", "keep_listed"]

LEFT_TO_DO = "left to forget"
LISTED = "names listed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """What the catalog no longer has and other files still may.

    item_ids: items that were forgotten
    placeholders: those that their words had
    """

    item_ids: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What came of it.

    item_ids: items that are gone
    unknown: what was asked for and is not in the memory
    files: derivatives and thumbnails that were removed
    annotations: versions of layers that people wrote
    sessions_changed: sessions that were woven anew
    mentions: mentions in the profile that are gone
    placeholders: those that nothing uses any more
    siblings: other items of the same moments; they stay
    """

    item_ids: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    files: int = 0
    annotations: int = 0
    sessions_changed: int = 0
    mentions: int = 0
    placeholders: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()


def keep_listed(catalog: Catalog, vault: Vault, names: Iterable[str]) -> None:
    """Note, by keyed hash, names of the owner's own list: they are hidden for good."""
    with catalog.writing() as connection:
        known = set(get_value(connection, LISTED) or ())
        marks = known | {vault.fingerprint(fold(name)) for name in names}
        set_value(connection, LISTED, sorted(marks))


class Forgetter:
    """Takes items out of one memory. The lock is held by the caller."""

    def __init__(self, catalog: Catalog, vault: Vault, folder: MemoryFolder) -> None:
        self._catalog = catalog
        self._vault = vault
        self._folder = folder

    def resolve(self, named: Iterable[str]) -> dict[str, str | None]:
        """What was typed -> the item: by id, by path, or by path under the ingested root."""
        with self._catalog.reading() as connection:
            return {name: self._resolved(connection, name) for name in named}

    def _resolved(self, connection: Connection, name: str) -> str | None:
        if items.load_item(connection, name) is not None:
            return name
        path = items.known_path(connection, self._vault.fingerprint(str(Path(name).absolute())))
        if path is not None:
            return path.item_id
        return items.path_of_relative(connection, self._vault.fingerprint(name))

    def siblings(self, item_ids: Sequence[str]) -> tuple[str, ...]:
        """Other items of the same moments, as a live photo's video."""
        with self._catalog.reading() as connection:
            together = forgotten.same_moments(connection, item_ids)
        return tuple(sorted(set(together) - set(item_ids)))

    def remove(self, item_ids: Sequence[str]) -> int:
        """Take items out of the catalog; returns how many versions of layers went with them."""
        with self._catalog.writing() as connection:
            before = self._leftover(connection)
            words = {name for each in item_ids for name in _placeholders(connection, each)}
            count = sum(self._remove_one(connection, item_id) for item_id in item_ids)
            after = Leftover(
                item_ids=tuple(sorted({*before.item_ids, *item_ids})),
                placeholders=tuple(sorted({*before.placeholders, *words})),
            )
            set_value(connection, LEFT_TO_DO, _to_json(after))
        return count

    def _remove_one(self, connection: Connection, item_id: str) -> int:
        count = forgotten.count_layers(connection, item_id)
        readings.drop(
            connection, [path.fingerprint for path in items.paths_of(connection, item_id)]
        )
        items.drop(connection, item_id)
        forgotten.remember(connection, self._vault.fingerprint(item_id))
        return count

    def leftover(self) -> Leftover:
        """What an earlier run did not come to."""
        with self._catalog.reading() as connection:
            return self._leftover(connection)

    def _leftover(self, connection: Connection) -> Leftover:
        body = get_value(connection, LEFT_TO_DO)
        return Leftover() if body is None else Leftover(**{k: tuple(v) for k, v in body.items()})

    def remove_files(self, left: Leftover) -> int:
        """Remove derivatives, and ids from reports; returns how many files are gone."""
        for report in self._folder.reports.rglob("*"):
            if report.is_file():
                _clean_report(report, set(left.item_ids))
        return sum(self._remove_derived(item_id) for item_id in left.item_ids)

    def _remove_derived(self, item_id: str) -> int:
        shelf = self._folder.derived / item_id[:2]
        found = [path for path in shelf.glob("*") if item_id in path.name]
        for path in found:
            path.unlink(missing_ok=True)
        if shelf.is_dir() and not any(shelf.iterdir()):
            shelf.rmdir()
        return len(found)

    def prune(self, left: Leftover) -> tuple[str, ...]:
        """Let the vault forget placeholders that nothing uses; the owner's own list stays."""
        with self._catalog.reading() as connection:
            used = {name for text in forgotten.texts(connection) for name in _found(text)}
            listed = set(get_value(connection, LISTED) or ())
        known = self._vault.map()
        in_use = used | {known.merged.get(name, name) for name in used}
        gone = [
            name
            for name in sorted({known.merged.get(name, name) for name in left.placeholders})
            if name in known.entries
            and name not in in_use
            and not listed
            & {self._vault.fingerprint(fold(each)) for each in known.entries[name].names}
        ]
        if gone:
            self._folder.vault_backup.unlink(missing_ok=True)
        for name in gone:
            self._vault.forget(name)
        return tuple(gone)

    def settle(self, left: Leftover) -> None:
        """Write the catalog's file anew without what was freed; then nothing is left to do.

        Raises StoreError while another process reads the old state.
        """
        self._catalog.compact()
        self._note(None)
        try:
            self._catalog.checkpoint()
        except StoreError:
            self._note(_to_json(left))
            raise

    def _note(self, body: dict[str, list[str]] | None) -> None:
        with self._catalog.writing() as connection:
            set_value(connection, LEFT_TO_DO, body)


def _placeholders(connection: Connection, item_id: str) -> set[str]:
    return {name for text in forgotten.texts_of(connection, item_id) for name in _found(text)}


def _found(text: str) -> list[str]:
    return PLACEHOLDER.findall(text)


def _to_json(left: Leftover) -> dict[str, list[str]]:
    return {"item_ids": list(left.item_ids), "placeholders": list(left.placeholders)}


def _clean_report(path: Path, gone: set[str]) -> None:
    """A report without the lines, keys and texts that name a gone item."""
    text = path.read_text("utf-8", "surrogateescape")
    if not _names(text, gone):
        return
    try:
        if path.suffix == ".jsonl":
            kept = "".join(f"{line}\n" for line in text.splitlines() if not _names(line, gone))
        else:
            kept = json.dumps(_without(json.loads(text), gone), indent=1, ensure_ascii=False)
    except ValueError:
        path.unlink()  # no JSON: a page made from it, which can be made again
        return
    path.write_text(kept, "utf-8", "surrogateescape")


def _without(body: Any, gone: set[str]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(body, dict):
        return {k: _without(v, gone) for k, v in body.items() if not _told(k, v, gone)}
    if isinstance(body, list):
        return [_without(value, gone) for value in body if not _told("", value, gone)]
    return body


def _told(key: str, value: Any, gone: set[str]) -> bool:  # noqa: ANN401 - any JSON
    return _names(key, gone) or (isinstance(value, str) and _names(value, gone))


def _names(text: str, gone: set[str]) -> bool:
    return any(item_id in text for item_id in gone)
