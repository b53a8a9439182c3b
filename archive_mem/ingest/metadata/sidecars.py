"""Which sidecar belongs to which file: Google Takeout's JSON and XMP files.

Takeout names a photo's JSON after its title: "IMG.jpg.json", since 2024
"IMG.jpg.supplemental-metadata.json", clipped to 46 characters before ".json", with the number of a
copy moved behind ("IMG(1).jpg" has "IMG.jpg(1).json"). An edited copy and a live photo's video have
none of their own: they take the original's. An export comes in parts, and the JSON may lie in
another part than its photo, in a folder of the same name.
"""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

__all__ = ["SidecarIndex", "Sidecars", "is_sidecar", "is_year_folder"]

_SUFFIX = ".supplemental-metadata"
_SHORTEST, _LONGEST_BYTES = 40, 51
_COPY = re.compile(r"(?P<base>.*)\((?P<number>\d+)\)", re.DOTALL)
# Words in any script behind a hyphen: "-edited", "-bearbeitet", "-đã chỉnh sửa".
_EDITED = re.compile(r"(?P<base>.+)-[^\W\d_][^\d_()\[\].,-]{1,24}", re.DOTALL)
_APPLE_EDIT = re.compile(r"(?P<head>IMG_)E(?P<number>\d{4,})")
_STILLS = (".heic", ".heif", ".jpg", ".jpeg", ".png", ".webp", ".dng", ".avif")
_MOVIES = (".mov", ".mp4", ".mp", ".m4v")
_ALBUM_NAMES = (
    *("metadata", "Metadaten", "métadonnées", "metadatos", "metadati", "metadados", "metadane"),
    *("metagegevens", "метаданные", "メタデータ", "元数据", "메타데이터", "üstveri"),
)
_YEAR_FOLDER = re.compile(
    r"(photos?|fotos?|foto's|bilder|billeder|kuvat|zdjęcia|фото\w*|fotograf\w*|imagens|imágenes)"
    r"\b.{1,14}\b(18|19|20)\d\d|(18|19|20)\d\d\s?[年년]?.{0,4}(写真|照片|相片|사진)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sidecars:
    """What lies beside a media file.

    takeout: Google Takeout's JSON
    xmp: XMP file
    album: JSON of the album that the file's folder is
    """

    takeout: Path | None = None
    xmp: Path | None = None
    album: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A file name in parts: "IMG(1).jpg" is base "IMG", number "1", suffix ".jpg"."""

    base: str
    number: str
    suffix: str


@dataclass(slots=True)
class _Folder:
    """Sidecars of one folder by their cleaned names."""

    json: dict[str, Path] = field(default_factory=dict)
    xmp: dict[str, Path] = field(default_factory=dict)


def is_sidecar(path: Path) -> bool:
    """A file that says something about another one."""
    return _names_sidecar(path.name)


def _names_sidecar(name: str) -> bool:
    return name.lower().endswith((".json", ".xmp", ".aae"))


def is_year_folder(name: str) -> bool:
    """Takeout's own "Photos from 2023", in the languages of Google Photos; no album."""
    return _YEAR_FOLDER.fullmatch(_clean(name)) is not None


class SidecarIndex:
    """All sidecars under the given folders, ready to be asked about media files."""

    def __init__(self, folders: Mapping[Path, _Folder]) -> None:
        self._folders = folders
        self._any_json = any(folder.json for folder in folders.values())
        self._namesakes: dict[str, list[Path]] = defaultdict(list)
        for folder in sorted(folders):
            self._namesakes[_clean(folder.name)].append(folder)
        self._year_folders = [folder for folder in folders if is_year_folder(folder.name)]

    @classmethod
    def build(cls, paths: Iterable[Path]) -> "SidecarIndex":
        """An index of the sidecars among `paths`, and of those beside the other ones.

        Sidecars in folders without media (another part of an export) must be among `paths`.
        """
        given = set(paths)
        beside = {path.parent for path in given if not is_sidecar(path)}
        listed = {path for folder in beside for path in _listed(folder)}
        folders: dict[Path, _Folder] = {}
        for path in sorted(listed | {path for path in given if is_sidecar(path)}):
            kind = path.suffix.lower()
            if kind in (".json", ".xmp"):
                folder = folders.setdefault(path.parent, _Folder())
                names = folder.json if kind == ".json" else folder.xmp
                names.setdefault(_clean(path.name[: -len(kind)]), path)
        return cls(folders)

    def for_media(self, path: Path) -> Sidecars:
        """The sidecars of a media file."""
        return Sidecars(takeout=self._takeout(path), xmp=self._xmp(path), album=self._album(path))

    def _xmp(self, path: Path) -> Path | None:
        folder = self._folders.get(path.parent)
        if folder is None or not folder.xmp:
            return None
        # "a.jpg.xmp" speaks for a.jpg alone, "a.xmp" for every a.
        names = (_clean(path.name), _clean(path.stem))
        return next((folder.xmp[name] for name in names if name in folder.xmp), None)

    def _takeout(self, path: Path) -> Path | None:
        if not self._any_json:
            return None
        # A sidecar of its own, in whatever part it lies, before that of the original.
        for match in (_own, _original):
            found = self._here(path, match) or self._elsewhere(path, match)
            if found is not None:
                return found
        return None

    def _here(self, path: Path, match: "_Match") -> Path | None:
        folder = self._folders.get(path.parent)
        return match(folder.json, path.name) if folder is not None else None

    def _elsewhere(self, path: Path, match: "_Match") -> Path | None:
        """In the folder of the same name in another part, else, for an album, in a year folder."""
        namesakes = self._namesakes.get(_clean(path.parent.name), [])
        for folders in (namesakes, self._years(path, match)):
            matches = [match(self._folders[folder].json, path.name) for folder in folders]
            found = [sidecar for sidecar in matches if sidecar is not None]
            if found:
                return max(found, key=lambda one: (_in_common(one, path), str(one)))
        return None

    def _years(self, path: Path, match: "_Match") -> list[Path]:
        if is_year_folder(path.parent.name):
            return []
        years = [
            folder
            for folder in self._year_folders
            if folder.parent.name == path.parent.parent.name
            and match(self._folders[folder].json, path.name)
        ]
        # The same name in two years: nothing says which.
        return years if len({folder.name for folder in years}) == 1 else []

    def _album(self, path: Path) -> Path | None:
        folder = self._folders.get(path.parent)
        if folder is None or not folder.json or is_year_folder(path.parent.name):
            return None
        return next((folder.json[name] for name in _ALBUM_NAMES if name in folder.json), None)


def _in_common(one: Path, other: Path) -> int:
    """Number of equal folder names from the end."""
    pairs = zip(reversed(one.parent.parts), reversed(other.parent.parts), strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if _clean(a) != _clean(b)), 100)


def _listed(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if _names_sidecar(entry.name)]
    except OSError:
        return []


def _clean(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _split(name: str) -> _Name:
    pure = PurePath(name)
    copy = _COPY.fullmatch(pure.stem)
    if copy is None:
        return _Name(base=pure.stem, number="", suffix=pure.suffix)
    return _Name(base=copy["base"], number=copy["number"], suffix=pure.suffix)


_Match = Callable[[Mapping[str, Path], str], Path | None]


def _own(sidecars: Mapping[str, Path], media: str) -> Path | None:
    """The sidecar that was written for a media name; the most literal reading first."""
    name = _clean(media)
    parts = _split(name)
    moved = _titled(sidecars, parts.base + parts.suffix, parts.number)
    # A copy's number may also be part of the title: "IMG(1).jpg.supplemental-metadata.json".
    return sidecars.get(name) or moved or (_titled(sidecars, name, "") if parts.number else None)


def _original(sidecars: Mapping[str, Path], media: str) -> Path | None:
    """The sidecar of the original of an edited copy, or of the still of a live photo's video."""
    parts = _split(_clean(media))
    matches = (_titled(sidecars, title, number) for title, number in _originals(parts))
    return next((match for match in matches if match is not None), None)


def _originals(parts: _Name) -> Iterable[tuple[str, str]]:
    """Titles, with the number of a copy, that the original may have had."""
    stems = [(parts.base, parts.number), *_unedited(parts)]
    yield from ((stem + parts.suffix, number) for stem, number in stems[1:])
    # An export of an edited or live photo may differ in format from its original, and a Pixel
    # calls the still of "a.MP" or "a.MP4" "a.MP.jpg".
    moving = ["", ".MP"] if parts.suffix.lower() in (".mp", ".mp4") else [""]
    for still in _both_cases(_others(parts.suffix)):
        yield from ((stem + more + still, number) for stem, number in stems for more in moving)


def _unedited(parts: _Name) -> Iterable[tuple[str, str]]:
    edited = _EDITED.fullmatch(parts.base)
    if edited is not None:
        # "a(1)-edited.jpg" is of "a(1).jpg", "a-edited(1).jpg", too.
        inner = _split(edited["base"] + parts.suffix)
        yield inner.base, inner.number or parts.number
    apple = _APPLE_EDIT.fullmatch(parts.base)
    if apple is not None:
        yield apple["head"] + apple["number"], parts.number


def _others(suffix: str) -> tuple[str, ...]:
    return _STILLS if suffix.lower() in (*_MOVIES, *_STILLS) else ()


def _both_cases(suffixes: Sequence[str]) -> list[str]:
    return [spelled for suffix in suffixes for spelled in (suffix, suffix.upper())]


def _titled(sidecars: Mapping[str, Path], title: str, number: str) -> Path | None:
    behind = f"({number})" if number else ""
    return next((sidecars[name] for name in _json_names(title, behind) if name in sidecars), None)


def _json_names(title: str, behind: str) -> Iterable[str]:
    """Every name, without ".json", that Takeout gives to the sidecar of a title."""
    yield title + behind
    for length in range(len(_SUFFIX), 0, -1):
        yield title + _SUFFIX[:length] + behind
    if behind:
        yield from (title + behind + _SUFFIX[:length] for length in range(len(_SUFFIX), 0, -1))
    stem = PurePath(title).stem
    yield from (clipped + behind for clipped in _clipped(title))
    yield stem + behind


def _clipped(title: str) -> Iterable[str]:
    """The beginnings of a long title, the longest first; the limit counts letters or bytes."""
    for length in range(len(title) - 1, 0, -1):
        head = title[:length]
        size = len(head.encode("utf-8", "surrogateescape"))
        if size < _SHORTEST:
            return
        if length >= _SHORTEST or size <= _LONGEST_BYTES:
            yield head
