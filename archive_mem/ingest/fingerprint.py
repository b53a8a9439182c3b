"""The identity of an item: what its bytes are, wherever they lie."""

import hashlib
from pathlib import Path

from archive_mem.errors import UnreadableMedia

__all__ = ["ID_DIGITS", "item_id"]

ID_DIGITS = 16


def item_id(path: Path) -> str:
    """First 16 hex digits of the SHA-256 of the file; raises UnreadableMedia."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:ID_DIGITS]
    except OSError as error:
        raise UnreadableMedia(f"cannot be read: {error.strerror}") from error
