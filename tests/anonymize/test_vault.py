"""The vault keeps names, tells nobody, and survives whatever happens in the middle of a write."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anonymize.keys import KeyFile, Passphrase
from anonymize.pseudonyms import Kind
from anonymize.vault import Vault
from anonymize.verify import find_secrets
from archive_mem.errors import VaultError, VaultLocked, WrongPassphrase

WRITER = """
import sys
from pathlib import Path
from anonymize.vault import Vault
from anonymize.keys import KeyFile
vault = Vault.open(Path(sys.argv[1]), KeyFile(Path(sys.argv[2])))
for number in range(int(sys.argv[4])):
    name = f"{sys.argv[3]} {number}"
    print(name + "=" + vault.placeholder_for("person", name), flush=True)
"""


@pytest.fixture
def keys(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path / "keys")


@pytest.fixture
def vault(tmp_path: Path, keys: KeyFile) -> Vault:
    return Vault.open(tmp_path / "memory" / "vault.sqlite", keys)


def writer(vault: Vault, tmp_path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    arguments = [str(vault.path), str(tmp_path / "keys"), name, str(count)]
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, *arguments], stdout=subprocess.PIPE, text=True
    )


def test_a_name_keeps_its_placeholder_over_openings(vault: Vault, keys: KeyFile) -> None:
    first = vault.placeholder_for(Kind.FRIEND, "Sarah Miller")
    vault.close()
    again = Vault.open(vault.path, keys)
    assert again.placeholder_for("person", "sarah miller") == first == "Friend A"
    assert again.reveal("Dinner with Friend A") == "Dinner with Sarah Miller"


def test_nothing_is_in_clear(vault: Vault) -> None:
    vault.placeholder_for(Kind.FRIEND, "Sarah Miller")
    vault.add_alias("Friend A", "Sallykins")
    vault.placeholder_for(Kind.RESTAURANT, "Sakura")
    secrets = ["Sarah", "Miller", "Sallykins", "Sakura", "Friend A"]
    assert find_secrets(vault.path.parent, secrets) == []
    assert vault.path.stat().st_mode & 0o777 == 0o600


def test_the_key_lies_elsewhere_and_for_its_owner_alone(vault: Vault, tmp_path: Path) -> None:
    (key,) = (tmp_path / "keys").iterdir()
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.parent.stat().st_mode & 0o777 == 0o700
    assert not list(vault.path.parent.glob("*.key"))
    assert vault.protection == "key file"


def test_a_lost_key_file_is_one_line(vault: Vault, keys: KeyFile, tmp_path: Path) -> None:
    (key,) = (tmp_path / "keys").iterdir()
    key.unlink()
    with pytest.raises(VaultLocked, match="missing"):
        Vault.open(vault.path, keys)


def test_a_passphrase_opens_and_a_wrong_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vault.sqlite"
    monkeypatch.setenv("ARCHIVE_MEM_PASSPHRASE", "correct horse")
    Vault.open(path).placeholder_for("person", "Tom")
    assert Vault.open(path).reveal("[Person A]") == "Tom"
    monkeypatch.setenv("ARCHIVE_MEM_PASSPHRASE", "wrong horse")
    with pytest.raises(WrongPassphrase, match="does not open"):
        Vault.open(path)
    monkeypatch.delenv("ARCHIVE_MEM_PASSPHRASE")
    with pytest.raises(VaultLocked, match="ARCHIVE_MEM_PASSPHRASE"):
        Vault.open(path)


def test_without_a_passphrase_a_key_file_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARCHIVE_MEM_PASSPHRASE")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    Vault.open(tmp_path / "vault.sqlite").placeholder_for("person", "Tom")
    assert Vault.open(tmp_path / "vault.sqlite").reveal("[Person A]") == "Tom"
    assert len(list((tmp_path / "config" / "archive-mem" / "keys").glob("*.key"))) == 1


def test_a_missing_vault_is_not_made_when_it_must_exist(tmp_path: Path, keys: KeyFile) -> None:
    with pytest.raises(VaultLocked, match="no vault"):
        Vault.open(tmp_path / "vault.sqlite", keys, create=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no database at all, " * 90])
def test_a_file_that_is_no_vault_is_left_alone(
    tmp_path: Path, keys: KeyFile, content: bytes
) -> None:
    path = tmp_path / "vault.sqlite"
    path.write_bytes(content)
    with pytest.raises(VaultError):
        Vault.open(path, keys)
    assert path.read_bytes() == content


def test_a_new_passphrase_replaces_the_old_key(vault: Vault, tmp_path: Path) -> None:
    vault.placeholder_for("person", "Tom")
    vault.rekey(Passphrase("new words"))
    assert list((tmp_path / "keys").iterdir()) == []
    assert Vault.open(vault.path, Passphrase("new words")).reveal("[Person A]") == "Tom"
    with pytest.raises(WrongPassphrase):
        Vault.open(vault.path, Passphrase("old words"))


def test_an_interrupted_change_of_key_leaves_the_old_one(
    vault: Vault, keys: KeyFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.placeholder_for("person", "Tom")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("anonymize.vault._put", fail)
    with pytest.raises(KeyboardInterrupt):
        vault.rekey(Passphrase("new words"))
    assert Vault.open(vault.path, keys).reveal("[Person A]") == "Tom"


def test_a_backup_opens_with_the_same_key(vault: Vault, keys: KeyFile, tmp_path: Path) -> None:
    vault.placeholder_for("person", "Tom Berg")
    vault.backup(tmp_path / "backup.sqlite")
    assert Vault.open(tmp_path / "backup.sqlite", keys).reveal("[Person A]") == "Tom Berg"
    assert (tmp_path / "backup.sqlite").stat().st_mode & 0o777 == 0o600
    assert find_secrets(tmp_path, ["Tom Berg"]) == []


CHANGER = """
import os, signal, sys
from pathlib import Path
import anonymize.vault as module
from anonymize.keys import KeyFile, Passphrase
path, keys, what, at = Path(sys.argv[1]), KeyFile(Path(sys.argv[2])), sys.argv[3], int(sys.argv[4])
vault = module.Vault.open(path, keys)
real, calls = module._put, 0

def put(connection, key, value):
    global calls
    calls += 1
    if calls == at:
        os.kill(os.getpid(), signal.SIGKILL)
    real(connection, key, value)

module._put = put
if what == "rekey":
    vault.rekey(Passphrase("new words"))
else:
    vault.merge("[Person A]", "[Person B]")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("what", "at"), [("rekey", 1), ("rekey", 4), ("rekey", 99), ("merge", 1)])
def test_a_process_killed_while_changing_leaves_before_or_after(
    vault: Vault, keys: KeyFile, tmp_path: Path, what: str, at: int
) -> None:
    for name in ("Tom Berg", "Ben"):
        vault.placeholder_for("person", name)
    vault.close()
    arguments = [str(vault.path), str(tmp_path / "keys"), what, str(at)]
    killed = subprocess.run([sys.executable, "-c", CHANGER, *arguments], check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    key = Passphrase("new words") if at == 99 else keys
    again = Vault.open(vault.path, key)
    assert again.reveal("[Person A], [Person B]") == "Tom Berg, Ben"
    assert again.placeholder_for("person", "Lea") == "[Person C]"


def test_a_backup_opens_by_the_key_of_before(vault: Vault, keys: KeyFile, tmp_path: Path) -> None:
    vault.placeholder_for("person", "Tom Berg")
    vault.backup(tmp_path / "backup.sqlite")
    vault.rekey(Passphrase("new words"), keep_old=True)
    assert Vault.open(tmp_path / "backup.sqlite", keys).reveal("[Person A]") == "Tom Berg"


def test_equal_words_are_covered_alike_and_come_back(vault: Vault, keys: KeyFile) -> None:
    token = vault.cover("Ann Lee \udcff")
    again = Vault.open(vault.path, keys)
    assert again.cover("Ann Lee \udcff") == token
    assert again.uncover(token) == "Ann Lee \udcff"
    assert vault.cover("Ann Lea") != token
    assert "Ann" not in token
    assert [vault.uncover(text) for text in ("owner", "~bob", "~", "")] == [
        "owner",
        "~bob",
        "~",
        "",
    ]


def test_what_was_typed_is_sealed_and_comes_back(vault: Vault) -> None:
    text = "Ann\u2019s note \U0001f600 \udcff"
    assert vault.unseal(vault.seal(text)) == text
    assert vault.seal(text) != vault.seal(text)
    assert vault.fingerprint(text) == vault.fingerprint(text) != vault.fingerprint("other")
    with pytest.raises(VaultError, match="not sealed"):
        vault.unseal("gAAAAA")


def test_two_vaults_give_different_fingerprints(vault: Vault, tmp_path: Path) -> None:
    other = Vault.open(tmp_path / "other.sqlite", Passphrase("x"))
    assert other.fingerprint("Tom") != vault.fingerprint("Tom")


def test_merge_split_and_forget_are_kept(vault: Vault, keys: KeyFile) -> None:
    for name in ("Tom Berg", "Tommy", "Ben"):
        vault.placeholder_for("person", name)
    vault.merge("[Person A]", "[Person B]")
    again = Vault.open(vault.path, keys)
    assert again.placeholder_for("person", "Tommy") == "[Person A]"
    assert again.split("[Person A]", ["Tommy"]) == "[Person B]"
    assert vault.placeholder_for("person", "Tommy") == "[Person B]"
    vault.forget("[Person C]")
    assert [entry.name for entry in again.names()] == ["Tom Berg", "Tommy"]
    with pytest.raises(VaultError, match="no such placeholder"):
        vault.merge("[Person A]", "[Person Z]")


def test_two_processes_never_give_two_people_one_letter(vault: Vault, tmp_path: Path) -> None:
    running = [writer(vault, tmp_path, name, 40) for name in ("Ann", "Bob")]
    lines = [line for each in running for line in each.communicate(timeout=120)[0].splitlines()]
    given = dict(line.split("=") for line in lines)
    assert len(given) == len(set(given.values())) == 80
    assert {entry.name: entry.placeholder for entry in vault.names()} == given


def test_a_process_killed_while_writing_loses_nothing_it_promised(
    vault: Vault, keys: KeyFile, tmp_path: Path
) -> None:
    promised: dict[str, str] = {}
    for round_ in range(4):
        process = writer(vault, tmp_path, f"Kim{round_}", 100000)
        assert process.stdout is not None
        promised.update([process.stdout.readline().strip().split("=")])
        time.sleep(0.05 * round_)
        os.kill(process.pid, signal.SIGKILL)
        rest = process.communicate(timeout=60)[0]
        promised.update(line.split("=") for line in rest.splitlines() if line.endswith("]"))
        again = Vault.open(vault.path, keys)
        kept = {entry.name: entry.placeholder for entry in again.names()}
        assert promised.items() <= kept.items()
        assert len(set(kept.values())) == len(kept)
    with sqlite3.connect(vault.path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
