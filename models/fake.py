"""Models that need no weights: for tests, for slow machines, and for trying things out.

They do what they say, the same each time: the embedder hashes words, the captioner names size and
light, the reader reads nothing, the chat model quotes (`models.fake_chat`).
"""

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import ModelError
from archive_mem.schema.safe import SafeImage, SafeText
from models.base import RawCaption, RawOcrLine, Scene
from models.fake_chat import FakeChat, ScriptedChat

__all__ = ["FakeCaptioner", "FakeChat", "FakeEmbedder", "FakeOcr", "ScriptedChat"]


class FakeEmbedder:
    """Words and their three-letter pieces hashed to signed slots: alike words, alike vectors."""

    def __init__(self, dimension: int = 64) -> None:
        self.name = f"fake-hash-{dimension}"
        self.dimension = dimension

    def embed(self, texts: Sequence[SafeText]) -> NDArray[np.float32]:
        """Array of shape (len(texts), dimension), rows of length 1, in the order given."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            self._add(row, text.value)
            length = float(np.linalg.norm(row))
            if length == 0.0:
                row[0] = length = 1.0
            row /= length
        return rows

    def _add(self, row: NDArray[np.float32], text: str) -> None:
        for word in re.findall(r"\w+", text.casefold()):
            row[_slot(word, self.dimension)] += 2 * _sign(word)
            for start in range(len(word) - 2):
                piece = word[start : start + 3]
                row[_slot(piece, self.dimension)] += 0.5 * _sign(piece)


class FakeCaptioner:
    """Says the size and how bright the first frame is."""

    name = "fake"
    prompt_version = "1"
    batch = 16

    def describe(self, scenes: Sequence[Scene]) -> list[RawCaption | ModelError]:
        """One caption a scene, in order."""
        return [self._caption(scene) for scene in scenes]

    def _caption(self, scene: Scene) -> RawCaption:
        frame = scene.frames[0]
        height, width = frame.pixels.shape[:2]
        light = "bright" if float(frame.pixels.mean()) >= 128 else "dark"
        return RawCaption(
            caption=f"A {light} picture of {width} x {height} pixels.",
            tags=(light,),
            people_count=max(each.faces for each in scene.frames),
        )


class FakeOcr:
    """Reads nothing, or the lines that it was made with."""

    name = "fake"

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self._lines = tuple(lines)

    def read(self, image: SafeImage) -> list[RawOcrLine]:
        """The given lines, spread from top to bottom."""
        step = 1 / max(len(self._lines), 1)
        return [
            RawOcrLine(text=text, score=1.0, box=(0.0, position * step, 1.0, step))
            for position, text in enumerate(self._lines)
        ]


def _slot(piece: str, dimension: int) -> int:
    return crc32(piece.encode()) % dimension


def _sign(piece: str) -> float:
    return 1.0 if crc32(b"sign" + piece.encode()) & 1 else -1.0
