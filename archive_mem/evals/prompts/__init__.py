"""Prompts of readers and judges, one file each; a changed one gets a new version in its name."""

from functools import lru_cache
from importlib.resources import files

from anonymize.compose import public
from archive_mem.schema.safe import SafeText

__all__ = ["prompt"]


@lru_cache
def prompt(name: str) -> SafeText:
    """The text of `<name>.txt`, words of the program itself."""
    return public((files(__name__) / f"{name}.txt").read_text("utf-8").strip())
