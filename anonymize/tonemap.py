"""High dynamic range frames brought to what ordinary screens show.

Transfer functions and matrix from ITU-R BT.2100 (PQ, HLG) and BT.2087 (BT.2020 to BT.709).
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["HLG", "PQ", "is_hdr", "to_standard"]

PQ = 16
"""FFmpeg's number of SMPTE ST 2084."""
HLG = 18
"""FFmpeg's number of ARIB STD-B67."""
WHITE = 203.0
"""Nits of diffuse white (BT.2408)."""
BT2020_TO_709 = np.array(
    [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]],
    dtype=np.float32,
)


def is_hdr(transfer: int) -> bool:
    """Whether frames with that transfer characteristic must be tone-mapped."""
    return transfer in (PQ, HLG)


def to_standard(rgb: NDArray[np.uint16], transfer: int) -> NDArray[np.uint8]:
    """16-bit BT.2020 RGB of shape (height, width, 3) as 8-bit BT.709."""
    light = _linear(transfer)[rgb] @ BT2020_TO_709.T
    light = np.clip(light, 0, None)
    # Reinhard's curve with a white of six times diffuse white: highlights bend, faces keep.
    mapped = light * (1 + light / 36) / (1 + light)
    lifted = np.clip(mapped * 1.6, 0, 1)
    return np.asarray(np.rint(255 * lifted ** (1 / 2.2)), dtype=np.uint8)


@cache
def _linear(transfer: int) -> NDArray[np.float32]:
    """Light over diffuse white for each of 65,536 codes."""
    code = np.linspace(0, 1, 1 << 16)
    light = _pq(code) if transfer == PQ else _hlg(code)
    return (light / WHITE).astype(np.float32)


def _pq(code: NDArray[np.float64]) -> NDArray[np.float64]:
    m1, m2, c1, c2, c3 = 0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875
    power = code ** (1 / m2)
    light = 10000 * (np.maximum(power - c1, 0) / (c2 - c3 * power)) ** (1 / m1)
    return np.asarray(light, dtype=np.float64)


def _hlg(code: NDArray[np.float64]) -> NDArray[np.float64]:
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = np.where(code <= 0.5, code**2 / 3, (np.exp((code - c) / a) + b) / 12)
    return np.asarray(1000 * scene**1.2, dtype=np.float64)
