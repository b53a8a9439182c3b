"""Pictures that show nobody: drawn from a seed, for measuring and for trying a model."""

from collections.abc import Iterator

import numpy as np

from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage

__all__ = ["cards"]

_RATIOS = (4 / 3, 3 / 4, 16 / 9, 1.0, 3 / 2)


def cards(count: int, pixels: int) -> Iterator[SafeImage]:
    """`count` pictures of about so many pixels each, in the shapes that cameras take."""
    for number in range(count):
        ratio = _RATIOS[number % len(_RATIOS)]
        height = max(round((pixels / ratio) ** 0.5), 1)
        yield _card(max(round(height * ratio), 1), height, number)


def _card(width: int, height: int, seed: int) -> SafeImage:
    """Boxes of colour over a slope of light: compressed as a photo is, not as noise."""
    made = np.random.default_rng(seed)
    slope = np.linspace(40, 215, width)[None, :, None] + np.zeros((height, 1, 3))
    for _ in range(6):
        top, left = made.integers(0, height), made.integers(0, width)
        shape = slice(top, top + height // 4), slice(left, left + width // 4)
        slope[shape] = made.integers(0, 255, 3)
    return mint_image(slope.astype(np.uint8), 0)
