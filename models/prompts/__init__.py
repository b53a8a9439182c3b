"""The words that are sent to language models: text files with a version, shipped with the program.

A file is named NAME.VERSION.txt and has two parts, `=== system` and `=== user`, in which `$word`
stands for what is put in. A changed wording is a new file, so that what was said under an old one
can still be read.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import NewType

__all__ = ["Prompt", "Template", "prompt"]

Template = NewType("Template", str)
"""Words of the program itself with `$word` gaps; made here alone."""

_PARTS = re.compile(r"\A=== system\n(?P<system>.*?)\n?=== user\n(?P<user>.*?)\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One version of one prompt.

    name: such as "recall"
    version: counted from 1
    system: rules for the model
    user: what is asked, with gaps
    """

    name: str
    version: int
    system: Template
    user: Template

    @property
    def id(self) -> str:
        """Such as "recall@1", for records of what was said with it."""
        return f"{self.name}@{self.version}"


@lru_cache(maxsize=64)
def prompt(name: str, version: int | None = None) -> Prompt:
    """A prompt by name, the newest version unless one is given. Raises KeyError."""
    versions = {
        int(each.name.split(".")[1]): each
        for each in files(__name__).iterdir()
        if re.fullmatch(rf"{re.escape(name)}\.\d+\.txt", each.name)
    }
    wanted = max(versions, default=0) if version is None else version
    if wanted not in versions:
        raise KeyError(f"no prompt {name!r} in version {wanted}")
    parts = _PARTS.match(versions[wanted].read_text("utf-8"))
    if parts is None:
        raise KeyError(f"prompt {name!r} in version {wanted} has no parts")
    return Prompt(
        name=name,
        version=wanted,
        system=Template(parts["system"].strip()),
        user=Template(parts["user"].strip()),
    )
