"""Pixels and text that went through anonymisation.

Captioner, embedder, index and chat model accept only these two types, so forgetting to blur or to
redact is a type error. They are made by `archive_mem.schema.minting`, which `anonymize` alone may
import (held by import-linter), and refuse to be made by hand.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SafeImage", "SafeText", "Seal"]


class Seal:
    """What `minting` hands to a constructor to show that anonymisation was done."""

    __slots__ = ()


SEAL = Seal()


def _require(seal: Seal) -> None:
    if seal is not SEAL:
        raise TypeError("safe values are made by anonymize alone")


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeText:
    """Text in which personal details are placeholders.

    value: the text
    """

    value: str
    seal: Seal = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        _require(self.seal)

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again_text, (self.value,)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SafeImage:
    """An upright picture with every found face destroyed.

    pixels: uint8 array of shape (height, width, 3), RGB
    faces: how many faces were blurred
    """

    pixels: NDArray[np.uint8]
    faces: int
    seal: Seal = field(repr=False)

    def __post_init__(self) -> None:
        _require(self.seal)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again_image, (self.pixels, self.faces)


def _again_text(value: str) -> SafeText:
    return SafeText(value=value, seal=SEAL)


def _again_image(pixels: NDArray[np.uint8], faces: int) -> SafeImage:
    return SafeImage(pixels=pixels, faces=faces, seal=SEAL)
