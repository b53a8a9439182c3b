"""Captions and tags without a language model: only what is measured or known is said."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import ModelError
from archive_mem.schema.media import Capture, CaptureTime, Precision
from archive_mem.schema.safe import SafeImage
from models.base import RawCaption, Scene

__all__ = ["EmbeddedCaptioner", "EmbeddedTagger"]

_WRITTEN = {
    Precision.YEAR: "in {0:%Y}",
    Precision.MONTH: "in {0:%B %Y}",
    Precision.DAY: "on {0.day} {0:%B %Y}",
}
_HUES = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink")
_HUE_EDGES = (15, 45, 70, 165, 195, 260, 290, 345)
_SMALL_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class EmbeddedTagger:
    """Light, colour and shape of a picture, from its pixels alone."""

    name = "embedded-1"

    def tags(self, image: SafeImage) -> tuple[str, ...]:
        """Such as ("dark", "colourful", "mostly blue", "portrait")."""
        pixels = _thinned(image.pixels)
        found = (_light(pixels), _colour(pixels), _main_hue(pixels), _shape(image.pixels))
        return tuple(tag for tag in found if tag)


class EmbeddedCaptioner:
    """One honest sentence: kind, light, colour, faces seen, time and place of the capture."""

    name = "embedded-1"
    prompt_version = ""
    batch = 16

    def __init__(self) -> None:
        self._tagger = EmbeddedTagger()

    def describe(self, scenes: Sequence[Scene]) -> list[RawCaption | ModelError]:
        """One caption a scene, in order."""
        return [self._caption(scene) for scene in scenes]

    def _caption(self, scene: Scene) -> RawCaption:
        faces = max((frame.faces for frame in scene.frames), default=0)
        seen = self._tagger.tags(scene.frames[len(scene.frames) // 2]) if scene.frames else ()
        tags = (*seen, *_part_of_day(scene.capture.time))
        return RawCaption(caption=_sentence(scene, seen, faces), tags=tags, people_count=faces)


def _sentence(scene: Scene, tags: Sequence[str], faces: int) -> str:
    adjectives = [tag for tag in tags if not tag.startswith("mostly")]
    colour = [tag for tag in tags if tag.startswith("mostly")]
    what = " ".join([", ".join(adjectives), _kind(scene)]).strip()
    after = [*colour, *_faces(faces), *_text_seen(scene), *_when_and_where(scene.capture)]
    return ", ".join([f"{_article(what)} {what}", *after]) + "."


def _kind(scene: Scene) -> str:
    if scene.duration is None:
        return "photo"
    return f"video of {max(round(scene.duration), 1)} seconds"


def _article(words: str) -> str:
    return "An" if words[:1] in "aeiou" else "A"


def _faces(count: int) -> list[str]:
    if count == 0:
        return []
    number = _SMALL_COUNTS[count] if count < len(_SMALL_COUNTS) else str(count)
    return [f"{number} {'face' if count == 1 else 'faces'} seen"]


def _text_seen(scene: Scene) -> list[str]:
    return ["with readable text"] if scene.ocr else []


def _when_and_where(capture: Capture) -> list[str]:
    said = []
    if capture.time is not None:
        said.append(f"taken {_written(capture.time)}")
    if capture.place is not None and capture.place.place is not None:
        label = capture.place.place.label()
        said.extend([f"near {label}"] if label else [])
    return said


def _written(time: CaptureTime) -> str:
    form = _WRITTEN.get(time.precision, "on {0.day} {0:%B %Y} at {0:%H:%M}")
    return form.format(time.local)


def _part_of_day(time: CaptureTime | None) -> tuple[str, ...]:
    if time is None or time.precision in _WRITTEN:
        return ()
    return (_hour_name(time.local),)


def _hour_name(local: datetime) -> str:
    for before, name in ((5, "night"), (12, "morning"), (17, "afternoon"), (21, "evening")):
        if local.hour < before:
            return name
    return "night"


def _thinned(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """At most about 128 x 128 of the pixels, as (n, 3) in [0, 1]."""
    height, width = pixels.shape[:2]
    step_y, step_x = max(height // 128, 1), max(width // 128, 1)
    thinned: NDArray[np.float32] = pixels[::step_y, ::step_x].reshape(-1, 3).astype(np.float32)
    return thinned / np.float32(255)


def _light(pixels: NDArray[np.float32]) -> str:
    luminance = float((pixels @ np.array([0.2126, 0.7152, 0.0722], np.float32)).mean())
    if luminance < 0.25:
        return "dark"
    return "bright" if luminance > 0.65 else ""


def _colour(pixels: NDArray[np.float32]) -> str:
    spread = float((pixels.max(axis=1) - pixels.min(axis=1)).mean())
    if spread < 0.04:
        return "black and white"
    return "colourful" if spread > 0.3 else ""


def _main_hue(pixels: NDArray[np.float32]) -> str:
    """Such as "mostly green", when over half of the picture is of one clear hue."""
    spread = pixels.max(axis=1) - pixels.min(axis=1)
    clear = pixels[spread > 0.15]
    if len(clear) * 2 < len(pixels):
        return ""
    counts = np.bincount(_hue_slots(clear), minlength=len(_HUES))
    best = int(counts.argmax())
    return f"mostly {_HUES[best]}" if counts[best] * 2 > len(pixels) else ""


def _hue_slots(pixels: NDArray[np.float32]) -> NDArray[np.int64]:
    red, green, blue = pixels.T
    degrees = np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue)) % 360
    slots: NDArray[np.int64] = np.searchsorted(_HUE_EDGES, degrees, side="right") % len(_HUES)
    return slots


def _shape(pixels: NDArray[np.uint8]) -> str:
    height, width = pixels.shape[:2]
    ratio = width / height
    if ratio >= 2.5:
        return "panoramic"
    if 0.95 < ratio < 1.05:
        return "square"
    return "landscape" if ratio > 1 else "portrait"
