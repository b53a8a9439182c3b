"""What things are called in a release: names that nobody can link to an original."""

from dataclasses import dataclass

from anonymize.vault import Vault
from archive_mem.schema.media import MediaKind

__all__ = ["ReleaseNames"]

_LENGTH = 16
_FOLDERS = {MediaKind.PHOTO: "media/images", MediaKind.VIDEO: "media/videos"}


@dataclass(frozen=True, slots=True)
class ReleaseNames:
    """Keyed by the vault: the same in every release of one memory, and unlike in two memories.

    An item's own id is the hash of its original's bytes: whoever holds that file could confirm
    from it that it is here.

    vault: holds the key
    """

    vault: Vault

    def item(self, item_id: str) -> str:
        """16 hex digits."""
        return self._keyed("item", item_id)

    def session(self, session_id: str) -> str:
        """Such as "s4f0e...": 17 characters."""
        return f"s{self._keyed('session', session_id)}"

    def statement(self, profile_id: str) -> str:
        """Of an entry of the profile."""
        return f"p{self._keyed('profile', profile_id)}"

    def question(self, question_id: str) -> str:
        """Of a question."""
        return f"q{self._keyed('question', question_id)}"

    def media(self, item_id: str, kind: MediaKind) -> str:
        """Path of a file below the release: "media/images/4f/4f0e....jpg"."""
        return f"{self.folder(kind)}/{self.below(item_id, kind)}"

    def below(self, item_id: str, kind: MediaKind) -> str:
        """The same below its folder; two digits first, for hubs take 10,000 files a folder."""
        name = self.item(item_id)
        return f"{name[:2]}/{name}{'.jpg' if kind is MediaKind.PHOTO else '.mp4'}"

    def folder(self, kind: MediaKind) -> str:
        """The folder of all media of a kind."""
        return _FOLDERS[kind]

    def memory(self) -> str:
        """Tells a release of this memory from one of another."""
        return self._keyed("memory", "")

    def _keyed(self, what: str, name: str) -> str:
        return self.vault.fingerprint(f"release\n{what}\n{name}")[:_LENGTH]
