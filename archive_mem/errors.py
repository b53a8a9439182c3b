"""Every error that archive-mem raises on purpose.

ArchiveMemError                 exit 1, one line
├── UsageError                  exit 2: the command line or a setting is wrong
├── InputError                  a path or file that a person gave cannot be used
│   └── NothingToIngest         no media under the given paths
├── MediaError                  one item cannot be read; recorded, the run goes on
│   ├── UnreadableMedia         no bytes, no permission, or no known format
│   └── DamagedMedia            the format is known, the content is broken
├── PrivacyError                a privacy stage failed; nothing goes on from there
│   ├── FacesNotChecked         faces could not be looked for, or one was left
│   ├── DerivativeLeak          a derivative carries what it must not
│   └── VaultError              the map of real names cannot be used
│       ├── VaultLocked         no key was given
│       └── WrongPassphrase     the given key does not open it
├── StoreError                  the memory folder cannot be used
│   ├── MemoryMissing           there is no memory at that path
│   ├── MemoryBusy              another process owns the pipeline and the index
│   ├── MemoryTooNew            made by a newer archive-mem
│   ├── EditConflict            somebody else saved this layer first
│   └── IndexBroken             the index does not agree with the catalog
└── ModelError                  a model cannot be loaded or did not answer
    ├── MissingExtra            an optional part is not installed; says the pip line
    └── InvalidReply            a model's reply does not have the asked form
"""

from pathlib import Path

__all__ = [
    "ArchiveMemError",
    "DamagedMedia",
    "DerivativeLeak",
    "EditConflict",
    "FacesNotChecked",
    "IndexBroken",
    "InputError",
    "InvalidReply",
    "MediaError",
    "MemoryBusy",
    "MemoryMissing",
    "MemoryTooNew",
    "MissingExtra",
    "ModelError",
    "NothingToIngest",
    "PrivacyError",
    "StoreError",
    "UnreadableMedia",
    "UsageError",
    "VaultError",
    "VaultLocked",
    "WrongPassphrase",
]


class ArchiveMemError(Exception):
    """Base of all; its text is the one line a user sees."""

    exit_code = 1


class UsageError(ArchiveMemError):
    """The command line or a setting is wrong."""

    exit_code = 2


class InputError(ArchiveMemError):
    """A path or file that a person gave cannot be used."""

    def __init__(self, path: Path | str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = str(path)
        self.reason = reason


class NothingToIngest(InputError):
    """No media lie under the given paths."""


class MediaError(ArchiveMemError):
    """One item cannot be read. The message is the reason alone: it is stored and printed."""


class UnreadableMedia(MediaError):
    """No bytes, no permission, or no known format."""


class DamagedMedia(MediaError):
    """The format is known, but the content is broken."""


class PrivacyError(ArchiveMemError):
    """A privacy stage failed; nothing goes on from there."""


class FacesNotChecked(PrivacyError):
    """Faces could not be looked for, or one was left after the blur."""


class DerivativeLeak(PrivacyError):
    """A derivative carries metadata or a face."""


class VaultError(PrivacyError):
    """The map of real names and placeholders cannot be used."""


class VaultLocked(VaultError):
    """No key was given."""


class WrongPassphrase(VaultError):
    """The given key does not open the vault."""


class StoreError(ArchiveMemError):
    """The memory folder cannot be used."""


class MemoryMissing(StoreError):
    """There is no memory at that path."""


class MemoryBusy(StoreError):
    """Another process owns the pipeline and the index."""


class MemoryTooNew(StoreError):
    """The memory was made by a newer archive-mem."""


class EditConflict(StoreError):
    """Somebody else saved a newer version of this layer."""


class IndexBroken(StoreError):
    """The index does not agree with the catalog."""


class ModelError(ArchiveMemError):
    """A model cannot be loaded or did not answer."""


class MissingExtra(ModelError):
    """An optional part is not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an optional part: pip install 'archive-mem[{extra}]'")
        self.extra = extra


class InvalidReply(ModelError):
    """A model's reply does not have the asked form."""
