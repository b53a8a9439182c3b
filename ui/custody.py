"""What the privacy page tells: what lies where, which hosts may be asked, faces by item."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from archive_mem.catalog import items
from archive_mem.errors import UsageError
from ui.deeds import number, text
from ui.desk import Desk
from ui.media import is_item_id

__all__ = ["faces_body", "item_body", "places_body", "region_of"]

_PAGE = 60
_PARTS: tuple[tuple[str, str], ...] = (
    (
        "catalog.sqlite",
        "Captures, captions and layers: placeholders for names, paths encrypted",
    ),
    ("derived", "Pictures and videos with every found face destroyed, and thumbnails"),
    ("chroma", "The index: vectors and words with placeholders"),
    ("vault.sqlite", "Which placeholder stands for which name: encrypted, mode 0600"),
    ("reports", "Counts of ingests and benchmarks, no names, no paths"),
    ("archive.toml", "Settings, no secrets"),
)
_WITH = {"catalog.sqlite": ("-wal", "-shm"), "vault.sqlite": ("-wal", "-shm")}


def places_body(root: Path) -> list[dict[str, Any]]:
    """Every part of the memory folder: name, what it holds, files, bytes, mode."""
    return [
        {"name": name, "holds": holds, **_measure(root, name)}
        for name, holds in _PARTS
        if (root / name).exists()
    ]


def _measure(root: Path, name: str) -> dict[str, Any]:
    paths = [root / name, *(root / f"{name}{more}" for more in _WITH.get(name, ()))]
    sizes = [size for path in paths for size in _sizes(path)]
    mode = (root / name).stat().st_mode & 0o777
    return {"files": len(sizes), "bytes": sum(sizes), "mode": f"{mode:04o}"}


def _sizes(path: Path) -> Iterator[int]:
    if path.is_file():
        yield path.stat().st_size
    elif path.is_dir():
        for folder, _, names in os.walk(path):
            for name in names:
                try:
                    yield (Path(folder) / name).stat().st_size
                except OSError:
                    continue  # it was a draft that is gone by now


def faces_body(desk: Desk, asked: object) -> dict[str, Any]:
    """A page of items with how many faces were destroyed in each.

    asked: {"first": position, "only": "none" or "some"}; anything else gives the first of all
    """
    given = asked if isinstance(asked, dict) else {}
    keeps = _KEEPS.get(str(given.get("only")), _KEEPS["all"])
    with desk.memory.catalog.reading() as connection:
        counts = items.face_counts(connection)
    cells = [c for c in desk.shelf().cells if keeps(counts.get(c.item_id, 0))]
    first = given.get("first")
    start = min(max(first, 0), len(cells)) if type(first) is int else 0
    return {
        "total": len(cells),
        "first": start,
        "items": [
            {"id": c.item_id, "faces": counts.get(c.item_id, 0), "video": c.kind.value == "video"}
            for c in cells[start : start + _PAGE]
        ],
    }


_KEEPS: dict[str, Callable[[int], bool]] = {
    "all": lambda _: True,
    "none": lambda faces: faces == 0,
    "some": lambda faces: faces > 0,
}


def item_body(desk: Desk, asked: object) -> dict[str, Any]:
    """Boxes of one item as shares of the picture, those that were drawn by hand marked."""
    given = asked if isinstance(asked, dict) else {}
    item_id = given.get("id")
    if not isinstance(item_id, str) or not is_item_id(item_id) or not desk.is_ready(item_id):
        raise UsageError("there is no such item")
    with desk.memory.catalog.reading() as connection:
        item = items.load_item(connection, item_id)
        derived = items.load_derived(connection, item_id)
    if item is None or derived is None or not item.width or not item.height:
        return {"id": item_id, "faces": 0, "boxes": []}
    wide, high = item.width, item.height
    boxes = [
        [left / wide, top / high, across / wide, down / high, score >= items.HAND]
        for left, top, across, down, score in derived.boxes
    ]
    return {"id": item_id, "faces": derived.faces, "boxes": boxes}


def region_of(body: dict[str, Any]) -> tuple[str, tuple[float, float, float, float]]:
    """Item and box that were posted. Raises UsageError."""
    item_id = text(body, "id", 16)
    box = body.get("box")
    if not is_item_id(item_id) or not isinstance(box, list) or len(box) != 4:
        raise UsageError("an item and a box are expected")
    left, top, across, down = (number(each, 0.0, 1.0) for each in box)
    return item_id, (left, top, across, down)
