"""The gate of a release: what is known to be personal, and the check that none of it goes out."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from anonymize.vault import Vault
from archive_mem.catalog import annotations, items
from archive_mem.catalog.catalog import Catalog
from archive_mem.errors import PrivacyError
from archive_mem.release.card import Counts, card
from archive_mem.release.scan import ByteScan
from archive_mem.release.sweep import Sweep
from archive_mem.schema.annotation import OWNER, Scenario
from archive_mem.schema.media import Precision
from archive_mem.schema.profile import Category
from archive_mem.schema.session import Speaker

__all__ = ["Gate"]

_TELLING = 8
"""A file name without its ending tells something from so many characters on, if one is a digit."""

_TEXTS = frozenset({".jsonl", ".json", ".md"})
_WORD = re.compile(r"\S+")
_FIXED = frozenset(
    each.value for words in (Speaker, Scenario, Precision, Category) for each in words
)
"""Words of the program itself, whoever may be called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What must be in no byte of a release.

    sweep: finds names, numbers and coordinates in texts
    ids: items and sessions of the memory, which anybody could compute from the originals
    noise: finds all of them in the bytes of pictures and videos
    """

    sweep: Sweep
    ids: ByteScan
    noise: ByteScan

    @classmethod
    def of(cls, catalog: Catalog, vault: Vault) -> "Gate":
        """The gate of a memory: everything that its vault and its catalog know."""
        files, ids, places = _known(catalog, vault)
        entries = vault.names()
        names = [name for entry in entries for name in entry.names]
        return cls(
            sweep=Sweep(entries, files, places),
            ids=ByteScan(ids),
            noise=ByteScan([*names, *files, *ids, *map(str, _coordinates(places))]),
        )

    def check(self, root: Path, files: Iterable[Path]) -> None:
        """Raise PrivacyError when a file holds something personal; it is not repeated."""
        for file in files:
            text = file.suffix in _TEXTS or not file.suffix
            if self.ids.finds(file) or (self._in_text(file) if text else self.noise.finds(file)):
                name = file.relative_to(root).as_posix()
                raise PrivacyError(
                    f"{name} would hold a personal detail, so nothing was written; "
                    "run archive-mem ingest again, which replaces names that were learned later"
                )

    def _in_text(self, file: Path) -> bool:
        if file.suffix == ".jsonl":
            return any(self.sweep.finds(each) for each in _values(file) if each not in _FIXED)
        if file.suffix == ".md":
            return self.sweep.finds(_own_words(file))
        return False


def _known(
    catalog: Catalog, vault: Vault
) -> tuple[list[str], list[str], list[tuple[float, float]]]:
    """File names and annotators; ids of items and sessions; coordinates."""
    files: set[str] = set()
    ids: list[str] = []
    places: list[tuple[float, float]] = []
    with catalog.reading() as connection:
        for item_id in items.ids_in_order(connection):
            ids.append(item_id)
            for path in items.paths_of(connection, item_id):
                files.update(_telling(PurePath(vault.unseal(path.sealed))))
            item = items.load_item(connection, item_id)
            if item is not None and item.capture.place is not None:
                places.append((item.capture.place.latitude, item.capture.place.longitude))
        written = map(vault.uncover, annotations.annotators(connection))
        files |= {who for who in written if who != OWNER}
    ids += [session.id for session in catalog.sessions()]
    return sorted(files), ids, places


def _telling(path: PurePath) -> Iterator[str]:
    """A name without an ending may be any word."""
    if path.suffix:
        yield path.name
    if len(path.stem) >= _TELLING and any(map(str.isdigit, path.stem)):
        yield path.stem


def _coordinates(places: Iterable[tuple[float, float]]) -> Iterator[float]:
    return (degrees for pair in places for degrees in pair)


def _values(file: Path) -> Iterator[str]:
    """Every string of every line that is not a key."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield from _strings(json.loads(line))


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _own_words(file: Path) -> str:
    """The words of a card that are not those of every card: a friend may be called Rose or May."""
    usual = set(_WORD.findall(card(Counts(), shifted=True) + card(Counts(), shifted=False)))
    lines = file.read_text("utf-8").splitlines()
    return "\n".join(
        " ".join(word for word in _WORD.findall(line) if word not in usual) for line in lines
    )
