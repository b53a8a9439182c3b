"""The owner's decisions in the catalog. JSON holds safe text only; what was typed is sealed."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from anonymize.compose import restored
from archive_mem.catalog import profile_edits
from archive_mem.catalog.catalog import Catalog
from archive_mem.profile.checkpoints import CatalogCheckpoints
from archive_mem.profile.edits import Edit, EditKind, Piece
from archive_mem.schema.profile import Category
from archive_mem.schema.safe import SafeText

__all__ = ["CatalogEdits", "KeptEdit"]


class KeptEdit(NamedTuple):
    """A decision and when it was taken (UTC)."""

    edit: Edit
    saved_at: str


class CatalogEdits:
    """One row a decision; with every change the profile has a new revision."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._checkpoints = CatalogCheckpoints(catalog)

    def kept(self) -> list[KeptEdit]:
        """All decisions, the first one first."""
        with self._catalog.reading() as connection:
            rows = profile_edits.read(connection)
        return [KeptEdit(_from_json(row.id, row.body), row.saved_at) for row in rows]

    def edits(self) -> tuple[Edit, ...]:
        """All decisions in order."""
        return tuple(kept.edit for kept in self.kept())

    def add(self, edit: Edit, sealed: str | None = None) -> int:
        """Keep a decision, whatever id it has; returns the id it got."""
        with self._catalog.writing() as connection:
            self._checkpoints.renew(connection)
            return profile_edits.add(connection, _to_json(edit), sealed)

    def drop(self, edit_id: int) -> bool:
        """Take a decision back; whether there was one."""
        with self._catalog.writing() as connection:
            self._checkpoints.renew(connection)
            return profile_edits.drop(connection, edit_id)

    def keep_only(self, edits: Iterable[Edit]) -> None:
        """Put these in the place of all that are kept, by id."""
        wanted = {edit.id: _to_json(edit) for edit in edits}
        with self._catalog.writing() as connection:
            for row in profile_edits.read(connection):
                if row.id not in wanted:
                    profile_edits.drop(connection, row.id)
                elif row.body != wanted[row.id]:
                    profile_edits.rewrite(connection, row.id, wanted[row.id])
            self._checkpoints.renew(connection)

    def redact_again(self, redact: Callable[[str], SafeText]) -> None:
        """Word what was typed anew, now that more names are known; `redact` gets it sealed."""
        with self._catalog.reading() as connection:
            typed = [row for row in profile_edits.read(connection) if row.sealed is not None]
        changed = [
            (row.id, row.body | {"text": text.value})
            for row in typed
            for text in [redact(str(row.sealed))]
            if text.value != row.body["text"]
        ]
        if changed:
            with self._catalog.writing() as connection:
                for edit_id, body in changed:
                    profile_edits.rewrite(connection, edit_id, body)
                self._checkpoints.renew(connection)


def _to_json(edit: Edit) -> dict[str, Any]:
    return {
        "kind": edit.kind.value,
        "about": [list(piece) for piece in edit.about],
        "other": [list(piece) for piece in edit.other],
        "parts": [[list(piece) for piece in part] for part in edit.parts],
        "text": None if edit.text is None else edit.text.value,
        "category": None if edit.category is None else edit.category.value,
    }


def _from_json(edit_id: int, body: dict[str, Any]) -> Edit:
    return Edit(
        id=edit_id,
        kind=EditKind(body["kind"]),
        about=_pieces(body["about"]),
        other=_pieces(body["other"]),
        parts=tuple(map(_pieces, body["parts"])),
        text=None if body["text"] is None else restored(body["text"]),
        category=None if body["category"] is None else Category(body["category"]),
    )


def _pieces(body: Iterable[Iterable[str]]) -> tuple[Piece, ...]:
    return tuple(Piece(*each) for each in body)
