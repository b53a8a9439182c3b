"""Where the key of the vault comes from: a passphrase, the system's keyring, or a key file.

See docs/adr/0003-vault-key.md for why there is a key file.
"""

import base64
import os
import secrets
from pathlib import Path
from typing import Protocol

from archive_mem.errors import VaultLocked

__all__ = [
    "PASSPHRASE_VARIABLE",
    "KeyFile",
    "KeyRing",
    "KeySource",
    "Passphrase",
    "keyless_source",
    "passphrase_from_environment",
    "source_for",
]

PASSPHRASE_VARIABLE = "ARCHIVE_MEM_PASSPHRASE"  # noqa: S105 - the name of a variable
SERVICE = "archive-mem"
# scrypt at N 2^15, r 8: 32 MB and about a tenth of a second a try (OWASP's lower bound is 2^15).
SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**15, 8, 3


class KeySource(Protocol):
    """Gives the key that wraps a vault's data key; `name` is kept in the vault."""

    name: str

    def create(self, vault_id: str, salt: bytes) -> bytes:
        """A new key, 32 bytes in URL-safe base64. Raises VaultLocked."""
        ...

    def load(self, vault_id: str, salt: bytes) -> bytes:
        """The key of that vault. Raises VaultLocked."""
        ...

    def drop(self, vault_id: str) -> None:
        """Forget the key of that vault, where it is kept at all."""
        ...


class Passphrase:
    """A key made from what a person knows (scrypt). Nothing is kept."""

    name = "passphrase"

    def __init__(self, passphrase: str) -> None:
        if not passphrase:
            raise VaultLocked("the passphrase is empty")
        self._passphrase = passphrase

    def create(self, vault_id: str, salt: bytes) -> bytes:
        """The same as `load`: a passphrase always gives the same key."""
        return self.load(vault_id, salt)

    def load(self, vault_id: str, salt: bytes) -> bytes:
        """The key, from passphrase and salt."""
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

        maker = Scrypt(salt=salt, length=32, n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P)
        return base64.urlsafe_b64encode(maker.derive(self._passphrase.encode()))

    def drop(self, vault_id: str) -> None:
        """Nothing is kept."""


class KeyRing:
    """The keyring of the operating system."""

    name = "keyring"

    @staticmethod
    def usable() -> bool:
        """Whether this machine has a keyring that answers."""
        import keyring
        from keyring.errors import KeyringError

        try:
            backend = keyring.get_keyring()
            if float(backend.priority) < 1:
                return False
            backend.get_password(SERVICE, "probe")
        except (KeyringError, RuntimeError, OSError):
            return False
        return True

    def create(self, vault_id: str, salt: bytes) -> bytes:
        """A random key, kept in the keyring."""
        import keyring
        from keyring.errors import KeyringError

        key = _random_key()
        try:
            keyring.set_password(SERVICE, vault_id, key)
        except KeyringError as error:
            raise VaultLocked("the system's keyring refused the key of the vault") from error
        return key.encode()

    def load(self, vault_id: str, salt: bytes) -> bytes:
        """The key kept in the keyring."""
        import keyring
        from keyring.errors import KeyringError

        try:
            key = keyring.get_password(SERVICE, vault_id)
        except KeyringError as error:
            raise VaultLocked("the system's keyring does not answer") from error
        if key is None:
            raise VaultLocked("the key of this vault is not in the system's keyring")
        return key.encode()

    def drop(self, vault_id: str) -> None:
        """Take the key out of the keyring."""
        import keyring
        from keyring.errors import PasswordDeleteError

        try:
            keyring.delete_password(SERVICE, vault_id)
        except PasswordDeleteError:
            return


class KeyFile:
    """A file that its owner alone can read, away from the memory folder."""

    name = "key file"

    def __init__(self, folder: Path | None = None) -> None:
        """folder: where key files lie; the platform's settings folder by default."""
        self._folder = folder

    def path(self, vault_id: str) -> Path:
        """Where the key of that vault lies."""
        if self._folder is not None:
            return self._folder / f"{vault_id}.key"
        import platformdirs

        return platformdirs.user_config_path("archive-mem") / "keys" / f"{vault_id}.key"

    def create(self, vault_id: str, salt: bytes) -> bytes:
        """A random key in a new file of mode 0600 in a folder of mode 0700."""
        path, key = self.path(vault_id), _random_key()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.parent.chmod(0o700)
            _write_secret(path, key)
        except OSError as error:
            raise VaultLocked(f"the key of the vault cannot be kept in {path.parent}") from error
        return key.encode()

    def load(self, vault_id: str, salt: bytes) -> bytes:
        """The key in the file."""
        path = self.path(vault_id)
        try:
            return path.read_bytes().strip()
        except OSError as error:
            raise VaultLocked(
                f"the key of this vault is missing: {path} (put it back, or restore a backup)"
            ) from error

    def drop(self, vault_id: str) -> None:
        """Remove the file."""
        self.path(vault_id).unlink(missing_ok=True)


def _random_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def _write_secret(path: Path, text: str) -> None:
    draft = path.with_suffix(f".{secrets.token_hex(4)}.part")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def passphrase_from_environment() -> Passphrase | None:
    """The passphrase of ARCHIVE_MEM_PASSPHRASE, None when it is not set or empty."""
    text = os.environ.get(PASSPHRASE_VARIABLE)
    return Passphrase(text) if text else None


def keyless_source() -> KeySource:
    """Where a key is kept when there is no passphrase: the keyring, else a file."""
    return KeyRing() if KeyRing.usable() else KeyFile()


def source_for(name: str) -> KeySource:
    """The source that a vault names. Raises VaultLocked when it needs a passphrase and has none."""
    if name == KeyRing.name:
        return KeyRing()
    if name == KeyFile.name:
        return KeyFile()
    passphrase = passphrase_from_environment()
    if passphrase is None:
        raise VaultLocked(f"the vault is locked: set {PASSPHRASE_VARIABLE} to its passphrase")
    return passphrase
