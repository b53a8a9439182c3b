"""The folder of a release: made beside its place, and put there in one step when it is whole."""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from typing import Any, TextIO

from archive_mem.errors import DerivativeLeak, InputError

__all__ = ["Draft", "Target", "of_the_draft"]

_MARK, _SUMS, _CARD = "release.json", "SHA256SUMS", "README.md"
_FORMAT = 1
_BLOCK = 1 << 20


class _CannotWrite(Exception):
    """A file of the draft cannot be written; other errors of files are not of the release."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def of_the_draft() -> Iterator[None]:
    """What is done to files of the draft: an error there is the release's own."""
    try:
        yield
    except OSError as error:
        raise _CannotWrite(error) from error


@dataclass(slots=True)
class Draft:
    """A release that is being written.

    root: the folder
    sums: digest by path below it
    """

    root: Path
    sums: dict[str, str] = field(default_factory=dict)

    def text(self, name: str, text: str) -> None:
        """Write a small file."""
        with self.lines(name) as file, of_the_draft():
            file.write(text)

    def replace_text(self, name: str, text: str) -> None:
        """Write a small file in place of one that is there."""
        (self.root / name).unlink()
        self.text(name, text)

    @contextmanager
    def lines(self, name: str) -> Iterator[TextIO]:
        """A file to write lines to."""
        with of_the_draft():
            path = self._at(name)
            file = path.open("x", encoding="utf-8", newline="\n")
        try:
            yield file
        finally:
            with of_the_draft():
                file.close()
        with of_the_draft():
            self.sums[name] = _digest(path)

    def copy(self, source: Path, name: str) -> Path:
        """Copy a file and read it again. Raises DerivativeLeak if it did not arrive whole."""
        with of_the_draft():
            path = self._at(name)
            shutil.copyfile(source, path)
            self.sums[name] = _digest(path)
        if self.sums[name] != _digest(source):
            raise DerivativeLeak(f"{name}: the copy is not what was copied")
        return path

    def finish(self) -> None:
        """Write the list of digests."""
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self.sums.items()))
        (self.root / _SUMS).write_text(lines, "utf-8")

    def files(self) -> list[Path]:
        """All files so far, in order."""
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    def _at(self, name: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@dataclass(frozen=True, slots=True)
class Target:
    """Where a release of one memory goes.

    path: the folder, not a link
    mark: tells releases of this memory from others
    """

    path: Path
    mark: str

    @classmethod
    def check(cls, path: Path, memory: Path, mark: str) -> "Target":
        """The place, if a release may go there. Raises InputError.

        It must not be inside the memory, and hold nothing but an earlier release of this memory.
        """
        place, home = path.expanduser().resolve(), memory.resolve()
        if place == home or home in place.parents:
            raise InputError(path, "a release cannot lie inside the memory")
        if place.exists() and not place.is_dir():
            raise InputError(path, "this is no folder")
        target = cls(place, mark)
        target._put_back()
        if place.is_dir() and any(place.iterdir()):
            target._require_own()
        return target

    def _require_own(self) -> None:
        """Raise unless every file here was written by an earlier release of this memory."""
        if _mark_of(self.path) != self.mark:
            raise InputError(self.path, "it holds other files; give an empty or a new folder")
        known = self._sums()
        for file in (each for each in self.path.rglob("*") if not each.is_dir()):
            name = file.relative_to(self.path).as_posix()
            if name != _SUMS and name not in known:
                raise InputError(self.path, f"{name} is not of the earlier release; move it away")
        card = self.path / _CARD
        if card.is_file() and _digest(card) != known.get(_CARD):
            raise InputError(self.path, f"{_CARD} was edited; move it away first")

    def _sums(self) -> dict[str, str]:
        try:
            lines = (self.path / _SUMS).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(self.path, f"its {_SUMS} cannot be read; move it away") from error
        pairs = (line.partition("  ") for line in lines)
        return {name: digest for digest, _, name in pairs}

    def signed_licence(self, stub: str) -> str | None:
        """The licence of the earlier release, once its owner has made another text of the stub."""
        file = self.path / "LICENSE"
        if not file.is_file():
            return None
        text = file.read_text("utf-8", "replace")
        return None if text == stub else text

    @contextmanager
    def draft(self, about: dict[str, Any]) -> Iterator[Draft]:
        """A folder beside the place, which takes it at the end; on any error it vanishes.

        A killed run leaves the place as it was; what it left beside is removed by the next one.
        Raises InputError when it cannot be written.
        """
        self._sweep()
        root = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.part")
        draft = Draft(root)
        body = {"format": _FORMAT, "archive": self.mark, **about}
        try:
            with of_the_draft():
                root.mkdir(mode=0o700, parents=True)
                draft.text(_MARK, json.dumps(body, indent=1, sort_keys=True) + "\n")
            yield draft
            with of_the_draft():
                draft.finish()
                self._swap(root)
        except _CannotWrite as error:
            raise self._refusal(error.error) from error.error
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def _refusal(self, error: OSError) -> InputError:
        reason = error.strerror or type(error).__name__
        return InputError(self.path, f"the release cannot be written ({reason})")

    def _swap(self, root: Path) -> None:
        for file in [path for path in root.rglob("*") if path.is_file()]:
            _flush(file)
        old = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.old")
        if self.path.exists():
            self.path.rename(old)
        try:
            root.rename(self.path)
        except OSError:
            if old.exists():
                old.rename(self.path)
            raise
        shutil.rmtree(old, ignore_errors=True)

    def _sweep(self) -> None:
        """Remove what killed runs of this memory left beside the place."""
        for ending in ("part", "old"):
            for left in self._beside(ending):
                shutil.rmtree(left, ignore_errors=True)
        for left in self._named("part"):
            with suppress(OSError):
                left.rmdir()  # killed before its first file: only an empty folder goes

    def _put_back(self) -> None:
        """A run that was killed between its two last steps had moved the earlier release away."""
        left = self._beside("old")
        if left and not self.path.exists():
            left[-1].rename(self.path)

    def _beside(self, ending: str) -> list[Path]:
        """Folders of this memory's own, never another's."""
        return [folder for folder in self._named(ending) if _mark_of(folder) == self.mark]

    def _named(self, ending: str) -> list[Path]:
        return sorted(self.path.parent.glob(f".{escape(self.path.name)}.*.{ending}"))


def _mark_of(folder: Path) -> str | None:
    """Which memory the release in a folder is of, None when there is none."""
    try:
        body = json.loads((folder / _MARK).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return body.get("archive") if isinstance(body, dict) else None


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
