"""Saving a layer from the page, and what is said when somebody else was first."""

from dataclasses import dataclass

from archive_mem.errors import EditConflict
from archive_mem.ingest.notes import TypedObjective, TypedSubjective
from archive_mem.schema.annotation import ObjectiveLayer, SubjectiveLayer
from ui.desk import Desk
from ui.layers import mine

__all__ = ["Outcome", "newest_version", "save_layer"]

Typed = TypedObjective | TypedSubjective
_KINDS = {TypedObjective: ObjectiveLayer, TypedSubjective: SubjectiveLayer}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a save.

    said: a line for the person
    version: what the boxes hold now
    theirs: the version that somebody else saved meanwhile, None when nobody did
    """

    said: str
    version: int
    theirs: int | None = None


def newest_version(desk: Desk, item_id: str, annotator: str, kind: type) -> int:
    """The newest version of a layer by an annotator, 0 for none."""
    note = mine(desk.layers(item_id), annotator, kind)
    return 0 if note is None else note.version


def save_layer(desk: Desk, item_id: str, annotator: str, typed: Typed, base: int) -> Outcome:
    """Save what was typed over version `base`; an empty first layer is not kept.

    Raises VaultError, StoreError.
    """
    kind = _KINDS[type(typed)]
    if base == 0 and not any(typed.model_dump().values()):
        return Outcome(said="Nothing is written yet.", version=0)
    try:
        version = desk.memory.notes.save(item_id, annotator, typed, base)
    except EditConflict:
        theirs = newest_version(desk, item_id, annotator, kind)
        return Outcome(said="Not saved.", version=base, theirs=theirs)
    if version is None:
        newest = newest_version(desk, item_id, annotator, kind)
        return Outcome(said="Nothing has changed.", version=newest)
    desk.catch_up_soon()
    return Outcome(said=f"Saved as version {version}.", version=version)
