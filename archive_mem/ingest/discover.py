"""Which files under the given paths are photos and videos; what is left alone, and why.

Nothing is followed: a link inside a folder is left alone, so loops and ways out of it do not exist.
The order is that of the names' bytes, the same on every machine.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from archive_mem.errors import InputError
from archive_mem.ingest.metadata.sidecars import is_sidecar, is_year_folder
from archive_mem.ingest.sniff import sniff_file

__all__ = ["Discovery", "Found", "discover", "printable"]

_PHOTOS = "jpg jpeg jpe jfif png webp gif bmp tif tiff heic heif hif avif jxl mpo insp psd jp2"
_RAWS = "dng cr2 cr3 nef arw orf rw2 raf pef srw mrw"
_VIDEOS = "mp4 mov m4v 3gp 3g2 avi mkv webm mts m2ts mpg mpeg wmv flv insv"
_MEDIA = frozenset(f".{name}" for name in f"{_PHOTOS} {_RAWS} {_VIDEOS}".split())
_HIDDEN = ("__macosx", "@eadir", "$recycle.bin", "thumbs.db", "desktop.ini")
# What every memory has from its first moment: its derivatives are nobody's photos.
_MEMORY_PARTS = frozenset({"archive.toml", "derived", "reports"})
_NO_ALBUM = re.compile(
    r"(dcim|camera|camera roll|pictures|photos?|images?|videos?|media|takeout|google photos"
    r"|\d{3}[a-z_]{5}|\d{3,8}(apple|_pano)?|\d{1,4}([-_. ]\d{1,2}){0,2}|whatsapp.*)",
    re.IGNORECASE,
)

HIDDEN = "hidden"
LINK = "link"
NOT_A_FILE = "not a file"
NOT_MEDIA = "not a photo or video"
NO_ACCESS = "no permission to look at it"
GONE = "gone before it was looked at"
MEMORY = "a memory of archive-mem"
SIDECAR = "sidecar, read with its photo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A photo or video.

    path: where it lies
    root: the given path that it was found under
    relative: path relative to `root`, with "/", safe to print and to store
    album: name of its folder where that is an album's, None otherwise
    """

    path: Path
    root: Path
    relative: str
    album: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What lies under the given paths.

    files: photos and videos, in the order of the given paths and then of names
    sidecars: files that speak of them
    left: number of files and folders that were left alone, by reason
    """

    files: tuple[Found, ...]
    sidecars: tuple[Path, ...]
    left: Counter[str]


@dataclass(slots=True)
class _Walk:
    """A walk in progress."""

    files: list[Found] = field(default_factory=list)
    sidecars: list[Path] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    seen: set[tuple[int, int]] = field(default_factory=set)
    shelf: tuple[Path, Path, str, str | None] | None = None
    """Folder, root, path within the root, album: of the file before, mostly of the next one too."""


def discover(paths: Sequence[Path]) -> Discovery:
    """Photos and videos under files and folders; raises InputError for a path that is not there.

    A file that is reached twice, by overlapping paths, is found once.
    """
    for path in paths:
        _check(path)
    walk = _Walk()
    for path in paths:
        if path.is_dir():
            _folder(path, path, walk)
        else:
            _file(path, path.parent, walk)
    return Discovery(files=tuple(walk.files), sidecars=tuple(walk.sidecars), left=walk.left)


def _check(path: Path) -> None:
    try:
        path.stat()
    except FileNotFoundError as error:
        raise InputError(printable(path), "there is no such file or folder") from error
    except OSError as error:
        raise InputError(printable(path), error.strerror or "cannot be read") from error


def _folder(folder: Path, root: Path, walk: _Walk) -> None:
    """Walk a folder in the order of names, without recursion: depth is unlimited."""
    waiting = [iter(_entries(folder, walk))]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif _is_folder(entry, walk):
            waiting.append(iter(_entries(Path(entry.path), walk)))
        elif entry.is_file(follow_symlinks=False):
            _file(Path(entry.path), root, walk)


def _entries(folder: Path, walk: _Walk) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as listing:
            found = sorted(listing, key=lambda entry: os.fsencode(entry.name))
    except OSError:
        walk.left[NO_ACCESS] += 1
        return []
    if {entry.name for entry in found} >= _MEMORY_PARTS:
        walk.left[MEMORY] += 1
        return []
    return found


def _is_folder(entry: "os.DirEntry[str]", walk: _Walk) -> bool:
    if entry.is_symlink():
        walk.left[LINK] += 1
    elif not entry.is_dir(follow_symlinks=False):
        if not entry.is_file(follow_symlinks=False):
            walk.left[NOT_A_FILE] += 1
    elif _is_hidden(entry.name):
        walk.left[HIDDEN] += 1
    else:
        return True
    return False


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name.lower() in _HIDDEN


def _file(path: Path, root: Path, walk: _Walk) -> None:
    try:
        _look_at(path, root, walk)
    except FileNotFoundError:
        walk.left[GONE] += 1
    except OSError:
        walk.left[NO_ACCESS] += 1


def _look_at(path: Path, root: Path, walk: _Walk) -> None:
    if _is_hidden(path.name):
        walk.left[HIDDEN] += 1
    elif is_sidecar(path):
        walk.sidecars.append(path)
        walk.left[SIDECAR] += 1
    else:
        _look_at_other(path, path.stat(), root, walk)


def _look_at_other(path: Path, status: os.stat_result, root: Path, walk: _Walk) -> None:
    if not stat.S_ISREG(status.st_mode):
        walk.left[NOT_A_FILE] += 1
    elif path.suffix.lower() not in _MEDIA and not _is_media(path):
        walk.left[NOT_MEDIA] += 1
    elif _first_time(status, walk):
        walk.files.append(_found(path, root, walk))


def _first_time(status: os.stat_result, walk: _Walk) -> bool:
    key = (status.st_dev, status.st_ino)
    # A hard link is another name of the file, not the same path reached twice.
    if status.st_nlink == 1 and key in walk.seen:
        return False
    walk.seen.add(key)
    return True


def _is_media(path: Path) -> bool:
    try:
        return sniff_file(path) is not None
    except OSError:
        return False


def _found(path: Path, root: Path, walk: _Walk) -> Found:
    if walk.shelf is None or walk.shelf[:2] != (path.parent, root):
        folder = path.parent.relative_to(root)
        within = f"{printable(folder)}/" if folder.parts else ""
        walk.shelf = (path.parent, root, within, _album(folder))
    _, _, within, album = walk.shelf
    return Found(path=path, root=root, relative=within + _printable(path.name), album=album)


def printable(path: Path) -> str:
    """A path as text with "/"; bytes that are no UTF-8 are written in hexadecimal."""
    return _printable(path.as_posix())


def _printable(text: str) -> str:
    return text if text.isascii() else os.fsencode(text).decode("utf-8", "backslashreplace")


def _album(folder: Path) -> str | None:
    name = _printable(folder.name)
    if not name or _NO_ALBUM.fullmatch(name) or is_year_folder(name):
        return None
    return name
