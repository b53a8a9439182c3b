"""Photos dropped for a question: private files that live until the question is answered."""

import re
import secrets
import shutil
import tempfile
import time
import weakref
from collections.abc import AsyncIterable
from pathlib import Path

from archive_mem.errors import UsageError

__all__ = ["LONGEST", "Photos"]

LONGEST = 64 * 2**20
_KEPT_SECONDS = 3600.0
_TOKEN = re.compile(r"[0-9a-f]{32}")
_SUFFIXES = {
    "image/avif": ".avif",
    "image/gif": ".gif",
    "image/heic": ".heic",
    "image/heif": ".heic",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/tiff": ".tif",
    "image/webp": ".webp",
}


class Photos:
    """A folder of its own under the system's temporary one, mode 0700, gone with the process."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="archive-mem-"))
        self._removal = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    async def keep(self, chunks: AsyncIterable[bytes], mime: str) -> str:
        """Store a photo; returns the token that a question names it by. Raises UsageError."""
        if mime not in _SUFFIXES:
            raise UsageError("this is no photo that can be read: use JPEG, PNG, HEIC, WebP or AVIF")
        self.sweep()
        token = secrets.token_hex(16)
        target = self._folder / f"{token}{_SUFFIXES[mime]}"
        try:
            await _write(target, chunks)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        return token

    def path(self, token: str) -> Path | None:
        """The photo of a token, None when there is none."""
        if _TOKEN.fullmatch(token) is None:
            return None
        return next(self._folder.glob(f"{token}.*"), None)

    def drop(self, token: str) -> None:
        """Delete a photo."""
        found = self.path(token)
        if found is not None:
            found.unlink(missing_ok=True)

    def sweep(self, older_than: float = _KEPT_SECONDS) -> None:
        """Delete photos whose question never came; `older_than` in seconds."""
        limit = time.time() - older_than
        for path in self._folder.iterdir():
            if path.stat().st_mtime <= limit:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Delete everything."""
        self._removal()


async def _write(target: Path, chunks: AsyncIterable[bytes]) -> None:
    size = 0
    with target.open("xb") as file:
        async for chunk in chunks:
            size += len(chunk)
            if size > LONGEST:
                raise UsageError(f"the photo is larger than {LONGEST // 2**20} MB")
            file.write(chunk)
    if size == 0:
        raise UsageError("the photo is empty")
