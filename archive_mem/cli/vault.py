"""archive-mem vault list | merge | split | reveal | rekey."""

from pathlib import Path

import click

from archive_mem.cli.common import emit, json_option, memory_option

__all__ = ["vault"]


@click.group()
def vault() -> None:
    """Manage the encrypted map of real names and placeholders. For the owner's eyes."""


@vault.command("list")
@memory_option
@json_option
def list_(memory: Path | None, as_json: bool) -> None:
    """List placeholders with the real names behind them."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        for entry in opened.vault.names():
            row = {
                "placeholder": entry.placeholder,
                "kind": str(entry.kind),
                "name": entry.name,
                "aliases": list(entry.aliases),
            }
            if as_json:
                emit(row)
            else:
                also = f"  (also {', '.join(entry.aliases)})" if entry.aliases else ""
                click.echo(f"{entry.placeholder:<20} {entry.name}{also}")


@vault.command()
@click.argument("keep")
@click.argument("gone")
@memory_option
def merge(keep: str, gone: str, memory: Path | None) -> None:
    """Let two placeholders be one person: GONE reads as KEEP from now on."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        opened.vault.merge(keep, gone)
        opened.redact_everything_again()
    click.echo(f"{gone} is {keep} now")


@vault.command()
@click.argument("placeholder")
@click.argument("names", nargs=-1, required=True)
@memory_option
def split(placeholder: str, names: tuple[str, ...], memory: Path | None) -> None:
    """Let NAMES of a placeholder be somebody else."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        other = opened.vault.split(placeholder, list(names))
        opened.redact_everything_again()
    click.echo(f"they are {other} now")


@vault.command()
@click.argument("text")
@memory_option
def reveal(text: str, memory: Path | None) -> None:
    """Print TEXT with real names in place of placeholders."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        click.echo(opened.vault.reveal(text))


@vault.command()
@memory_option
@click.option("--to", type=click.Choice(["passphrase", "machine"]), default="passphrase")
def rekey(memory: Path | None, to: str) -> None:
    """Protect the vault by a new passphrase (asked for), or by this machine's own key."""
    from archive_mem.wiring import open_memory

    with open_memory(memory) as opened:
        current = opened.vault
        new = None
        if to == "passphrase":
            new = click.prompt("New passphrase", hide_input=True, confirmation_prompt=True)
        current.rekey(new)
    click.echo("done; set ARCHIVE_MEM_PASSPHRASE from now on" if new else "done")
