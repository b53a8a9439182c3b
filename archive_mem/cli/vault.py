"""archive-mem vault list | merge | split | reveal | rekey."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from archive_mem.cli.common import WORDS, emit, json_option, memory_option, note

if TYPE_CHECKING:
    from anonymize.keys import KeySource
    from anonymize.pseudonyms import Entry
    from archive_mem.wiring import Memory

__all__ = ["vault"]

NEW_PASSPHRASE = "ARCHIVE_MEM_NEW_PASSPHRASE"  # noqa: S105 - the name of a variable


@click.group()
def vault() -> None:
    """Manage the encrypted map of real names and placeholders. For the owner's eyes."""


@vault.command("list")
@memory_option
@json_option
@click.option("--reveal", is_flag=True, help="With the real names.")
def list_(memory: Path | None, as_json: bool, reveal: bool) -> None:
    """List placeholders: what each is and how many names it has."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        known = opened.vault.map()
        for entry in known.entries.values():
            merged = [old for old, now in known.merged.items() if now == entry.placeholder]
            row = _row(entry, merged, reveal)
            if as_json:
                emit(row)
            else:
                click.echo(_line(entry, merged, reveal))


def _row(entry: "Entry", merged: Sequence[str], reveal: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "placeholder": entry.placeholder,
        "kind": str(entry.kind),
        "names": len(entry.names),
        "merged": list(merged),
    }
    return row | {"name": entry.name, "aliases": list(entry.aliases)} if reveal else row


def _line(entry: "Entry", merged: Sequence[str], reveal: bool) -> str:
    also = f"  (was {', '.join(merged)}, too)" if merged else ""
    if reveal:
        return f"{entry.placeholder:<20} {' | '.join(entry.names)}{also}"
    count = len(entry.names)
    return f"{entry.placeholder:<20} {count} name{'s' if count > 1 else ''}{also}"


@vault.command()
@click.argument("keep")
@click.argument("gone")
@memory_option
def merge(keep: str, gone: str, memory: Path | None) -> None:
    """Let two placeholders be one: GONE reads as KEEP from now on; `split KEEP` undoes it."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        opened.vault.merge(keep, gone)
        _bring_in_step(opened)
    click.echo(f"{gone} is {keep} now")


@vault.command()
@click.argument("placeholder")
@click.argument("names", nargs=-1, type=WORDS)
@memory_option
def split(placeholder: str, names: tuple[str, ...], memory: Path | None) -> None:
    """Undo the last merge into PLACEHOLDER, or let NAMES of it be somebody else."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        other = opened.vault.split(placeholder, names)
        _bring_in_step(opened)
    click.echo(f"{placeholder} is two now: the other one is {other}")


def _bring_in_step(opened: "Memory") -> None:
    """Texts, sessions, index and profile; what is not done now is done by the next ingest."""
    if not opened.catch_up_if_free():
        note("another archive-mem is working on this memory; the texts follow when it has ended")


@vault.command()
@click.argument("text", type=WORDS)
@memory_option
def reveal(text: str, memory: Path | None) -> None:
    """Print TEXT, such as one placeholder, with real names in place of placeholders."""
    from anonymize.pseudonyms import PLACEHOLDER
    from archive_mem.errors import VaultError
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        shown = opened.vault.reveal(text)
    if shown == text and PLACEHOLDER.fullmatch(text):
        raise VaultError(f"no such placeholder: {text}")
    click.echo(shown)


@vault.command()
@memory_option
@click.option("--to", type=click.Choice(["passphrase", "machine"]), default="passphrase")
@click.option("--to-keyring", is_flag=True, help="The key goes into the system's keyring.")
def rekey(memory: Path | None, to: str, to_keyring: bool) -> None:
    """Protect the vault by a new passphrase, or by this machine's own key.

    The passphrase is that of ARCHIVE_MEM_NEW_PASSPHRASE, else it is asked for.
    """
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        current = opened.vault
        source = _new_source("keyring" if to_keyring else to)
        backup = opened.folder.vault_backup
        current.backup(backup)
        current.rekey(source, keep_old=True)
        click.echo(f"done; the vault is protected by a {current.protection} now")
    note(f"{backup} opens by the key of before: delete it when the new one has proven itself")


def _new_source(to: str) -> "KeySource":
    """The key to come. Raises UsageError, VaultLocked when there is no keyring."""
    from anonymize.keys import KeyRing, Passphrase, keyless_source
    from archive_mem.errors import VaultLocked

    if to == "machine":
        return keyless_source()
    if to == "keyring":
        if not KeyRing.usable():
            raise VaultLocked("this machine has no keyring that answers; nothing was changed")
        return KeyRing()
    return Passphrase(_new_passphrase())


def _new_passphrase() -> str:
    from archive_mem.errors import UsageError

    text = os.environ.get(NEW_PASSPHRASE)
    if text:
        return text
    if not sys.stdin.isatty():
        raise UsageError(
            f"no terminal to ask for the new passphrase: set {NEW_PASSPHRASE}, or use --to-keyring"
        )
    typed: str = click.prompt("New passphrase", hide_input=True, confirmation_prompt=True)
    return typed
