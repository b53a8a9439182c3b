"""What is shown of a memory: rows of items, and the proof of verify."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from anonymize.faces import FaceDetector
from anonymize.vault import Vault
from anonymize.verify import faces_left, scan_derivative
from archive_mem.catalog import annotations, items, ledger, records
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.errors import UnreadableMedia
from archive_mem.ingest.metadata.clock import offset_text
from archive_mem.progress import Track
from archive_mem.schema.record import Record

__all__ = ["item_rows", "verify"]


def item_rows(catalog: Catalog, vault: Vault) -> Iterator[dict[str, Any]]:
    """One row an item, in order of time; failed ones with stage and reason."""
    with catalog.reading() as connection:
        ids = list(items.ids_in_order(connection))
    for item_id in ids:
        yield _item_row(catalog, vault, item_id)


def _item_row(catalog: Catalog, vault: Vault, item_id: str) -> dict[str, Any]:
    with catalog.reading() as connection:
        item = items.load_item(connection, item_id)
        derived = items.load_derived(connection, item_id)
        places = items.paths_of(connection, item_id)
        record = next(records.read(connection, [item_id]), None)
        entries = ledger.entries(connection, item_id)
        layers = annotations.newest_of(connection, item_id)
    if item is None:
        return {"id": item_id, "status": "gone"}
    time = item.capture.time if record is None else record.time
    place = item.capture.place
    status, reason = _status(entries)
    return {
        "id": item_id,
        "paths": [vault.unseal(path.sealed) for path in places],
        "albums": sorted({vault.unseal(p.album_sealed) for p in places if p.album_sealed}),
        "kind": item.kind.value,
        "captured_at": None if time is None else time.local.isoformat(),
        "utc_offset": offset_text(None if time is None else time.utc_offset),
        "latitude": None if place is None else place.latitude,
        "longitude": None if place is None else place.longitude,
        "place": _place(record),
        "derived": None if derived is None else derived.path,
        "faces": None if derived is None else derived.faces,
        "caption": _caption(record),
        "ocr": [] if record is None or not record.ocr_text else record.ocr_text.split("\n"),
        "layers": [
            {
                "layer": annotations.layer_name(note.layer).value,
                "annotator": vault.uncover(note.annotator),
                "version": note.version,
            }
            for note in layers
        ],
        "status": status,
        "reason": reason,
    }


def _status(entries: dict[str, Entry]) -> tuple[str, str | None]:
    for entry in entries.values():
        if entry.outcome is Outcome.FAILED:
            return "failed", f"{entry.stage}: {entry.reason}"
    woven = entries.get("weave")
    if woven is None or woven.outcome is Outcome.STALE:
        return "pending", None
    return "done", None


def _place(record: Record | None) -> str | None:
    return None if record is None or record.place_label is None else record.place_label.value


def _caption(record: Record | None) -> str | None:
    if record is None or record.description is None or record.description.caption is None:
        return None
    return record.description.caption.value


def verify(
    catalog: Catalog,
    root: Path,
    index_missing: Callable[[], int],
    detector: FaceDetector,
    track: Track,
) -> dict[str, Any]:
    """Scan the bytes of every derivative and look for faces again (DESIGN section 5)."""
    with catalog.reading() as connection:
        ids = list(items.ids_in_order(connection))
    leaks: list[str] = []
    left: list[str] = []
    for item_id in track(ids, "Verifying", len(ids)):
        _verify_item(catalog, root, item_id, detector, leaks, left)
    leaks += _strays(catalog, root)
    missing = index_missing()
    return {
        "items": len(ids),
        "leaks": leaks,
        "faces_left": left,
        "index_missing": missing,
        "ok": not leaks and not left and not missing,
    }


def _verify_item(
    catalog: Catalog,
    root: Path,
    item_id: str,
    detector: FaceDetector,
    leaks: list[str],
    left: list[str],
) -> None:
    with catalog.reading() as connection:
        derived = items.load_derived(connection, item_id)
    if derived is None:
        return
    for relative in (derived.path, derived.thumb):
        path = root / relative
        if not path.is_file():
            leaks.append(f"{relative}: it is missing, run ingest again")
            continue
        leaks += [f"{relative}: {leak}" for leak in scan_derivative(path)]
        try:
            found = faces_left(path, detector)
        except UnreadableMedia as error:
            leaks.append(f"{relative}: {error}")
            continue
        if found:
            left.append(f"{relative}: {found}")


def _strays(catalog: Catalog, root: Path) -> list[str]:
    """Files under derived/ that no item accounts for."""
    with catalog.reading() as connection:
        known = {
            name
            for item_id in items.ids_in_order(connection)
            for derived in [items.load_derived(connection, item_id)]
            if derived is not None
            for name in (derived.path, derived.thumb)
        }
    files = (path for path in (root / "derived").rglob("*") if path.is_file())
    strays = sorted(path.relative_to(root).as_posix() for path in files)
    return [f"{name}: no item has this file" for name in strays if name not in known]
