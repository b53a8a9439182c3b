"""archive-mem verify."""

from pathlib import Path

import click

from archive_mem.cli.common import bars, emit, json_option, memory_option

__all__ = ["verify"]


@click.command()
@memory_option
@json_option
def verify(memory: Path | None, as_json: bool) -> int:
    """Look at the bytes of every derivative for metadata, and again for faces."""
    from archive_mem.wiring import open_memory

    with open_memory(memory, track=bars) as opened:
        proof = opened.verify()
    if as_json:
        emit(proof)
    else:
        _print(proof)
    return 0 if proof["ok"] else 1


def _print(proof: dict[str, object]) -> None:
    click.echo(f"{proof['items']} items checked")
    for name in ("leaks", "faces_left"):
        found = proof[name]
        if isinstance(found, list):
            click.echo(f"{name.replace('_', ' ')}: {len(found)}")
            for line in found:
                click.echo(f"  {line}")
    click.echo(f"missing from the index: {proof['index_missing']}")
    click.echo("all clean" if proof["ok"] else "NOT clean")
