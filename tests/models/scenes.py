"""Scenes for tests of captioners, and checkpoints of no meaning that are built once."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from archive_mem.schema.media import Capture, CapturePlace, CaptureTime, PlaceName, Precision
from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage
from models.base import Scene
from models.random_vlm import write_tiny
from models.vision import VisionModel

__all__ = ["GOOD", "NOWHERE", "picture", "scene", "tiny"]

GOOD = (
    '{"short": "12 May 2024, Kyoto, eating ramen", "caption": "Two bowls of ramen on a counter.", '
    '"text": ["OPEN 11-22"], "objects": ["bowl", "counter"], "people": 2, "activity": "eating", '
    '"scenario": "leisure_entertainment", "mood": "relaxed"}'
)
NOWHERE = Capture(time=None, place=None, device=None)
SOMEWHERE = Capture(
    time=CaptureTime(
        local=datetime(2024, 5, 12, 18, 30),
        utc_offset=None,
        precision=Precision.MINUTE,
        source="test",
        confidence=1.0,
        offset_source=None,
        zone=None,
    ),
    place=CapturePlace(
        latitude=35.0,
        longitude=135.8,
        altitude=None,
        source="test",
        place=PlaceName(
            city="Kyoto", region=None, country="Japan", country_code="JP", distance_km=1.0
        ),
    ),
    device=None,
)


def picture(height: int = 64, width: int = 64, seed: int = 0) -> SafeImage:
    """Noise."""
    noise = np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8)
    return mint_image(noise, 0)


def scene(frames: Sequence[SafeImage] | None = None, capture: Capture = SOMEWHERE) -> Scene:
    """A photo, unless there are several frames."""
    return Scene(frames=tuple(frames or (picture(),)), capture=capture)


@cache
def tiny(name: str = "tiny-qwen3-vl") -> VisionModel:
    """A tiny random model, made and loaded once a process."""
    return VisionModel(str(write_tiny(name, Path(mkdtemp()) / name)), threads=1, pixels=4096)
