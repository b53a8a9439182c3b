"""Builds the archive's media: `python -m sample_archive.build [TARGET]`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from pillow_heif import register_heif_opener

from sample_archive.clips import write_clip
from sample_archive.exifwrite import exif_bytes, sidecar
from sample_archive.plan import Item
from sample_archive.scenes import edited, render
from sample_archive.story import ITEMS, by_key

VERSION = "1"
MARKER = ".sample-archive.json"
DEFAULT_TARGET = Path(__file__).with_name("media")
_TURNS = {
    6: Image.Transpose.ROTATE_90,
    8: Image.Transpose.ROTATE_270,
    3: Image.Transpose.ROTATE_180,
}

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build did: the folder, the items written and left alone, the size of all files."""

    target: Path
    written: int
    kept: int
    size: int


def build(
    target: Path, progress: Progress | None = None, *, only: Collection[str] | None = None
) -> BuildReport:
    """Build the media under a folder; does nothing when this version is already there."""
    items = [item for item in ITEMS if only is None or item.key in only]
    if _complete(target, items):
        return BuildReport(target=target, written=0, kept=len(items), size=_size(target))
    target.mkdir(parents=True, exist_ok=True)
    (target / MARKER).unlink(missing_ok=True)
    _write_all(items, target, progress)
    _write_extras(target)
    _write_marker(target, items)
    return BuildReport(target=target, written=len(items), kept=0, size=_size(target))


def _write_all(items: Sequence[Item], target: Path, progress: Progress | None) -> None:
    with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        futures = [pool.submit(write_item, item, target) for item in items]
        for done, future in enumerate(as_completed(futures), start=1):
            future.result()
            if progress is not None:
                progress(done, len(items))


def write_item(item: Item, target: Path) -> None:
    """Write one item's file, and its sidecar if it has one; the file's time is the capture's."""
    path = target / item.path
    path.parent.mkdir(parents=True, exist_ok=True)
    if item.suffix in {".mp4", ".mov"}:
        write_clip(item, path)
    else:
        path.write_bytes(_picture_bytes(item))
    _stamp(path, item.instant.timestamp())
    if item.special == "takeout" or item.special.startswith("copy:"):
        _write_sidecar(item, path)


def _picture_bytes(item: Item) -> bytes:
    if item.special == "empty":
        return b""
    if item.special.startswith("copy:"):
        return _picture_bytes(by_key()[item.special.removeprefix("copy:")])
    data = _encoded(item, _pixels(item))
    return data[: len(data) * 2 // 5] if item.special == "truncated" else data


def _pixels(item: Item) -> Image.Image:
    """The picture as the sensor stores it: turned away from upright where the EXIF says so."""
    if item.special.startswith("edited:"):
        return edited(_pixels(by_key()[item.special.removeprefix("edited:")]))
    image = render(item.scene, item.size, item.options, item.key)
    return image.transpose(_TURNS[item.orientation]) if item.orientation in _TURNS else image


def _encoded(item: Item, image: Image.Image) -> bytes:
    buffer, exif = BytesIO(), exif_bytes(item)
    if item.suffix == ".png":
        image.save(buffer, "PNG", optimize=False)
    elif item.suffix == ".heic":
        register_heif_opener()
        image.save(buffer, "HEIF", quality=80, exif=exif)
    else:
        image.save(buffer, "JPEG", quality=84, **({"exif": exif} if exif else {}))
    return buffer.getvalue()


def _write_sidecar(item: Item, path: Path) -> None:
    side = path.with_name(path.name + ".supplemental-metadata.json")
    side.write_text(sidecar(item), encoding="utf-8")
    _stamp(side, item.instant.timestamp())


def _write_extras(target: Path) -> None:
    """A hidden file and a file that is no medium, as any phone dump has them."""
    album = '{"title": "Kyoto firsts", "description": "", "access": "protected"}\n'
    extras = {
        "Takeout/Google Photos/Kyoto firsts/metadata.json": album.encode(),
        "DCIM/.thumbdata4--1967290299": b"\x00thumbnails\x00",
        "DCIM/notes.txt": b"Ask Tomas for the other pictures.\n",
    }
    for name, data in extras.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        _stamp(path, 1_700_000_000.0)


def _stamp(path: Path, seconds: float) -> None:
    os.utime(path, (seconds, seconds))


def _sizes(target: Path, items: Collection[Item]) -> dict[str, int]:
    return {item.path: (target / item.path).stat().st_size for item in items}


def _write_marker(target: Path, items: Collection[Item]) -> None:
    body = {"version": VERSION, "files": _sizes(target, items)}
    (target / MARKER).write_text(json.dumps(body, indent=1), encoding="utf-8")


def _complete(target: Path, items: Collection[Item]) -> bool:
    try:
        marker = json.loads((target / MARKER).read_text(encoding="utf-8"))
        files = {item.path: marker["files"].get(item.path) for item in items}
        return bool(marker["version"] == VERSION and files == _sizes(target, items))
    except (OSError, ValueError, KeyError):
        return False


def _size(target: Path) -> int:
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


def _show(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    sys.stderr.write(f"\r{done}/{total} pictures and clips{end}")


def main() -> None:
    """Build into the folder named on the command line, or beside this file."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_TARGET
    report = build(target, _show if sys.stderr.isatty() else None)
    counts = f"{report.written} written, {report.kept} already there, {report.size / 1e6:.1f} MB"
    sys.stdout.write(f"{report.target}: {counts}\n")


if __name__ == "__main__":
    main()
