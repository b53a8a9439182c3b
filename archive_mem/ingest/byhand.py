"""Faces that no detector found and a person marks: destroyed in the derivative at once, for good.

The box is kept with the item's other boxes; when the picture is made anew from its original, the
step that fills personal details (covering.py) destroys it again before anybody may look.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from anonymize.cover import Region, cover_faces
from anonymize.faces import FaceDetector
from archive_mem.catalog import items
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.items import HAND, Derived
from archive_mem.errors import UsageError

__all__ = ["hand_regions", "hide_face"]

_LEAST = 0.004
"""Of a side: what is smaller was a slip of the hand."""


def hand_regions(derived: Derived, width: int | None, height: int | None) -> tuple[Region, ...]:
    """The boxes that a person drew, as shares of the picture; width and height of the original."""
    if not width or not height:
        return ()
    return tuple(
        (left / width, top / height, across / width, down / height)
        for left, top, across, down, score in derived.boxes
        if score >= HAND
    )


def hide_face(
    catalog: Catalog,
    root: Path,
    detector: FaceDetector,
    quality: int,
    item_id: str,
    region: Region,
) -> int:
    """Destroy a region in picture and thumbnail; returns how many faces are hidden in it now.

    region: left, top, width, height as shares of the picture; the pipeline must be owned
    Raises UsageError for what cannot be meant, DamagedMedia, FacesNotChecked.
    """
    with catalog.reading() as connection:
        item = items.load_item(connection, item_id)
        derived = items.load_derived(connection, item_id)
    if item is None or derived is None or not item.width or not item.height:
        raise UsageError("there is no such picture")
    if not derived.path.endswith(".jpg"):
        raise UsageError("in a video no box can be drawn; forget it if it must not be seen")
    box = _box(region, item.width, item.height)
    faces = derived.faces + 1
    for path in (derived.path, derived.thumb):
        cover_faces(root / path, [region], faces, detector, quality)
    with catalog.writing() as connection:
        kept = replace(derived, faces=faces, boxes=(*derived.boxes, box))
        items.save_derived(connection, item_id, kept)
    return faces


def _box(region: Region, width: int, height: int) -> tuple[float, float, float, float, float]:
    left, top, across, down = region
    if not _is_inside(region) or across < _LEAST or down < _LEAST:
        raise UsageError("draw a box inside the picture")
    return (left * width, top * height, across * width, down * height, HAND)


def _is_inside(region: Iterable[float]) -> bool:
    left, top, across, down = region
    return min(left, top) >= 0 and left + across <= 1.0001 and top + down <= 1.0001
