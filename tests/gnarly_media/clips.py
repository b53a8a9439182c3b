"""A fifth of a second of video in any container, and what cameras hide in it."""

import io
import struct
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeAlias, cast

import av
import numpy as np
from av.video.stream import VideoStream

__all__ = ["avchd", "avi", "clip"]

_Packet: TypeAlias = "av.Packet[VideoStream]"
_NOTHING: Mapping[str, str] = MappingProxyType({})
_UUID = bytes.fromhex("17ee8c60f84d11d98cd60800200c9a66")


def clip(
    form: str,
    codec: str,
    tags: Mapping[str, str] = _NOTHING,
    changed: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """A grey clip; `changed` rewrites its first coded picture."""
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=form) as container:
        container.metadata.update(tags)
        stream = cast("VideoStream", container.add_stream(codec, rate=10))
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        grey = np.full((48, 64, 3), 128, np.uint8)
        frames = [av.VideoFrame.from_ndarray(grey, format="rgb24") for _ in range(2)]
        packets = [packet for frame in (*frames, None) for packet in stream.encode(frame)]
        for at, packet in enumerate(packets):
            container.mux(packet if at else _rewritten(packet, changed))
    return buffer.getvalue()


def _rewritten(packet: "_Packet", changed: Callable[[bytes], bytes]) -> "_Packet":
    other = cast("_Packet", av.Packet(changed(bytes(packet))))
    other.stream, other.time_base = packet.stream, packet.time_base
    other.pts, other.dts, other.is_keyframe = packet.pts, packet.dts, packet.is_keyframe
    return other


@cache
def _plain_avi() -> bytes:
    return clip("avi", "mpeg4")


def avi(date: str) -> bytes:
    """An AVI with the chunk IDIT in its header."""
    data = _plain_avi()
    text = date.encode() + b"\0" * (2 - len(date) % 2)
    chunk = b"IDIT" + struct.pack("<I", len(text)) + text
    at = data.index(b"LIST")
    size = struct.unpack_from("<I", data, at + 4)[0]
    end = at + 8 + size
    longer = data[: at + 4] + struct.pack("<I", size + len(chunk)) + data[at + 8 : end]
    whole = longer + chunk + data[end:]
    return whole[:4] + struct.pack("<I", len(whole) - 8) + whole[8:]


def avchd(entries: Mapping[int, bytes]) -> bytes:
    """A transport stream whose first picture carries a camcorder's record."""
    listed = b"".join(bytes((tag,)) + value for tag, value in entries.items())
    body = _UUID + b"MDPM" + bytes((len(entries),)) + listed
    message = b"\0\0\0\1\6" + _without_markers(bytes((5, len(body))) + body + b"\x80")
    return clip("mpegts", "libx264", changed=lambda picture: _before_picture(picture, message))


def _before_picture(data: bytes, message: bytes) -> bytes:
    at = data.index(b"\0\0\1\x65")
    return b"\0\0\0\1\x09\xf0" + data[:at] + message + data[at:]


def _without_markers(data: bytes) -> bytes:
    """H.264's own escape: no two zeros before a byte up to 3."""
    out, zeros = bytearray(), 0
    for byte in data:
        if zeros >= 2 and byte <= 3:
            out.append(3)
            zeros = 0
        out.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(out)
