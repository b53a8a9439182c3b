"""The only makers of SafeImage and SafeText. Only `anonymize` imports this module."""

import numpy as np
from numpy.typing import NDArray

from archive_mem.schema.safe import SEAL, SafeImage, SafeText

__all__ = ["mint_image", "mint_text"]


def mint_text(value: str) -> SafeText:
    """Mark `value` as redacted."""
    return SafeText(value=value, seal=SEAL)


def mint_image(pixels: NDArray[np.uint8], faces: int) -> SafeImage:
    """Mark RGB `pixels` of shape (height, width, 3) as blurred; `faces` counts the blurred ones."""
    return SafeImage(pixels=pixels, faces=faces, seal=SEAL)
