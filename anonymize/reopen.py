"""Blurred pixels read back from the derivatives that this package wrote: safe by where they lie."""

from pathlib import Path

import numpy as np

from archive_mem.errors import DamagedMedia
from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage

__all__ = ["reopen_frames", "reopen_picture"]

FRAMES = 6


def reopen_picture(path: Path, faces: int) -> SafeImage:
    """A derived JPEG as pixels; `faces` as it was counted. Raises DamagedMedia."""
    from PIL import Image

    try:
        with Image.open(path) as picture:
            return mint_image(np.asarray(picture.convert("RGB"), dtype=np.uint8), faces)
    except (OSError, ValueError) as error:
        raise DamagedMedia("its derivative cannot be read: run ingest again") from error


def reopen_frames(
    path: Path, faces: int, count: int = FRAMES
) -> tuple[tuple[float, SafeImage], ...]:
    """Up to `count` frames of a derived video, evenly spread, with their seconds.

    Raises DamagedMedia.
    """
    import av

    try:
        with av.open(path) as container:
            times = [float(frame.time or 0.0) for frame in container.decode(video=0)]
        wanted = {times[index] for index in _spread(len(times), count)}
        with av.open(path) as container:
            return tuple(
                (
                    float(frame.time or 0.0),
                    mint_image(np.asarray(frame.to_ndarray(format="rgb24"), dtype=np.uint8), faces),
                )
                for frame in container.decode(video=0)
                if float(frame.time or 0.0) in wanted
            )
    except (av.FFmpegError, OSError, ValueError, IndexError) as error:
        raise DamagedMedia("its derivative cannot be read: run ingest again") from error


def _spread(length: int, count: int) -> list[int]:
    return sorted(
        {round(index * (length - 1) / max(1, count - 1)) for index in range(min(count, length))}
    )
