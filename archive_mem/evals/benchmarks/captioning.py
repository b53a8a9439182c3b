"""How fast a vision-language model describes pictures here, by batch and by size of picture."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from anonymize.cards import cards
from archive_mem.errors import ModelError, UsageError
from archive_mem.schema.media import Capture
from models.base import ChatReply, Scene
from models.caption_ask import conversation_about
from models.device_use import DeviceUse
from models.random_vlm import write_architecture
from models.vision import VisionModel
from models.vlm import replies_in_batches

__all__ = ["Speed", "Sweep", "open_model", "run"]

_NOWHERE = Capture(time=None, place=None, device=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What is tried.

    batches: pictures shown at once
    pixels: most pixels of each
    pictures: how many are described in each run
    tokens: most tokens of a caption
    to_the_end: every caption has just so many tokens, whatever the model says
    """

    batches: tuple[int, ...] = (1, 4, 8)
    pixels: tuple[int, ...] = (1_003_520,)
    pictures: int = 16
    tokens: int = 128
    to_the_end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """One run.

    batch: pictures at once, as asked
    fitting_batch: what was left of it after running out of memory
    pixels: most pixels of each picture
    pictures: described
    failed: not described
    seconds: for all, the first batch that warms up not counted
    pictures_per_second: described
    prompt_tokens: read, pictures included
    new_tokens: written
    new_tokens_per_second: written
    peak_mebibytes: most memory of the device, or of this process on a CPU
    """

    batch: int
    fitting_batch: int
    pixels: int
    pictures: int
    failed: int
    seconds: float
    pictures_per_second: float
    prompt_tokens: int
    new_tokens: int
    new_tokens_per_second: float
    peak_mebibytes: int


def open_model(name: str | None, random_weights: str | None) -> tuple[VisionModel, float]:
    """The model, and the seconds that it took to load.

    name: hf:MODEL, downloaded before
    random_weights: an architecture of `models.random_vlm` instead, or a folder with a config.json
    Raises UsageError, ModelError.
    """
    if (name is None) == (random_weights is None):
        raise UsageError("give --captioner hf:MODEL, or --random-weights NAME")
    begun = time.perf_counter()
    model = _named(name) if name is not None else _random(str(random_weights))
    return model, time.perf_counter() - begun


def run(
    model: VisionModel,
    load_seconds: float,
    sweep: Sweep,
    track: Callable[[Sequence[tuple[int, int]], str], Any],
) -> dict[str, Any]:
    """A report of every batch size at every picture size."""
    use = DeviceUse()
    plan = list(product(sweep.pixels, sweep.batches))
    runs = [_measured(model, sweep, use, *each) for each in track(plan, "Describing")]
    return {
        "name": "caption",
        "model": model.name,
        "parameters": model.parameters,
        "device": use.name,
        "dtype": model.dtype,
        "load_seconds": round(load_seconds, 2),
        "random_weights": sweep.to_the_end,
        "runs": [asdict(each) for each in runs],
    }


def _named(name: str) -> VisionModel:
    scheme, _, source = name.partition(":")
    if scheme != "hf" or not source:
        raise UsageError(f"{name!r} is no model on this machine; give hf:MODEL")
    return VisionModel(source)


def _random(name: str) -> VisionModel:
    if (Path(name) / "config.json").is_file():
        return VisionModel(name, weights=False)
    with TemporaryDirectory() as folder:
        return VisionModel(str(write_architecture(name, Path(folder) / name)), weights=False)


def _measured(model: VisionModel, sweep: Sweep, use: DeviceUse, pixels: int, batch: int) -> Speed:
    model.pixels = pixels
    ask = replies_in_batches(model, batch, sweep.tokens, to_the_end=sweep.to_the_end)
    asked = [
        conversation_about(Scene(frames=(card,), capture=_NOWHERE))
        for card in cards(sweep.pictures, pixels)
    ]
    ask(asked[:batch])
    use.reset()
    begun = time.perf_counter()
    replies = ask(asked)
    seconds = time.perf_counter() - begun
    return _speed(replies, seconds, use.peak_mebibytes(), pixels, batch, ask.size)


def _speed(
    replies: Sequence[ChatReply | ModelError],
    seconds: float,
    peak: int,
    pixels: int,
    batch: int,
    fitting: int,
) -> Speed:
    said = [each for each in replies if isinstance(each, ChatReply)]
    new = sum(each.completion_tokens for each in said)
    return Speed(
        batch=batch,
        fitting_batch=fitting,
        pixels=pixels,
        pictures=len(said),
        failed=len(replies) - len(said),
        seconds=round(seconds, 3),
        pictures_per_second=round(len(said) / seconds, 3),
        prompt_tokens=sum(each.prompt_tokens for each in said),
        new_tokens=new,
        new_tokens_per_second=round(new / seconds, 1),
        peak_mebibytes=peak,
    )
