"""Four short videos with a tone, written with PyAV."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.video.stream import VideoStream
from PIL import Image

from sample_archive.plan import Item
from sample_archive.scenes import render

RATE, FPS = 22050, 12
_QUARTER_TURN = struct.pack(">9i", 0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000)
_SECONDS = {"waves": 3.0, "pan": 2.5, "spin": 3.0, "face": 3.0}
# where the window starts (fractions of the clip), how far it goes, how it sways, how much it sees
_WANDER = {
    "waves": (0.0, 0.45, 0.5, 0.15, 1.0),
    "pan": (0.0, 0.45, 1.0, 0.1, 1.0),
    "face": (0.35, 0.12, 0.25, 0.12, 1.3),
}
_TONES = {"waves": 110.0, "pan": 330.0, "spin": 220.0, "face": 440.0}


# With AVX-512 the bytes of x264's macroblock tree differ from one encoding to the next.
_X264 = {"crf": "26", "preset": "veryfast", "threads": "1", "x264-params": "mbtree=0"}


def write_clip(item: Item, path: Path) -> None:
    """Write the video of an item."""
    kind = "mov" if item.suffix == ".mov" else "mp4"
    with av.open(str(path), "w", format=kind, options={"movflags": "use_metadata_tags"}) as out:
        out.metadata.update(_metadata(item))
        video, audio = _streams(out, item)
        _encode(out, video, _pictures(item))
        _encode_tone(out, audio, _TONES[item.special], _SECONDS[item.special])
    if item.special == "spin":
        turn_flag(path)


def _metadata(item: Item) -> dict[str, str]:
    utc = item.instant.strftime("%Y-%m-%dT%H:%M:%S.000000Z")
    if "quicktime" not in item.stamps:
        return {"creation_time": utc}
    spot = item.spot
    where = f"{spot.latitude:+08.4f}{spot.longitude:+09.4f}{spot.altitude:+08.3f}/"
    return {
        "creation_time": utc,
        "com.apple.quicktime.creationdate": item.aware.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "com.apple.quicktime.location.ISO6709": where,
        "com.apple.quicktime.make": "Orchard",
        "com.apple.quicktime.model": "Phone 14",
    }


def _streams(out: OutputContainer, item: Item) -> tuple[VideoStream, AudioStream]:
    video = out.add_stream("libx264", rate=FPS, options=_X264)
    video.width, video.height = item.size
    video.pix_fmt = "yuv420p"
    video.codec_context.time_base = Fraction(1, FPS)
    audio = out.add_stream("aac", rate=RATE)
    audio.codec_context.layout = "mono"
    return video, audio


def _encode(out: OutputContainer, stream: VideoStream, pictures: Iterator[Image.Image]) -> None:
    for index, picture in enumerate(pictures):
        pixels = np.asarray(picture, dtype=np.uint8)
        frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
        frame.pts, frame.time_base = index, Fraction(1, FPS)
        out.mux(stream.encode(frame))
    out.mux(stream.encode())


def _encode_tone(out: OutputContainer, stream: AudioStream, pitch: float, seconds: float) -> None:
    clock = np.arange(round(seconds * RATE)) / RATE
    wave = 0.2 * np.sin(2 * np.pi * pitch * clock) * (0.6 + 0.4 * np.sin(2 * np.pi * 1.5 * clock))
    samples = (wave * 32767).astype(np.int16)
    for start in range(0, len(samples), 1024):
        frame = av.AudioFrame.from_ndarray(
            samples[None, start : start + 1024], format="s16", layout="mono"
        )
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        out.mux(stream.encode(frame))
    out.mux(stream.encode())


def _pictures(item: Item) -> Iterator[Image.Image]:
    width, height = item.size
    large = render(item.scene, (width * 2, height * 2), item.options, item.key)
    steps = round(_SECONDS[item.special] * FPS)
    for step in range(steps):
        yield _frame(item, large, step / steps)


def _frame(item: Item, large: Image.Image, t: float) -> Image.Image:
    """A window that wanders over the large picture, or the picture turning."""
    if item.special == "spin":
        view = large.rotate(-360 * t, Image.Resampling.BILINEAR)
    else:
        view = large.crop(_window(item, t))
    return view.resize(item.size, Image.Resampling.LANCZOS)


def _window(item: Item, t: float) -> tuple[int, int, int, int]:
    width, height = item.size
    x, y, along, sway, scale = _WANDER[item.special]
    left = round(width * (x + along * t))
    top = round(height * (y + sway * float(np.sin(t * 9))))
    return left, top, left + round(width * scale), top + round(height * scale)


def turn_flag(path: Path) -> None:
    """Mark the first track as turned by a quarter, in its header's matrix."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd", data.rindex(b"moov")) + 4
    matrix = at + (52 if data[at] == 1 else 40)
    data[matrix : matrix + 36] = _QUARTER_TURN
    path.write_bytes(bytes(data))
