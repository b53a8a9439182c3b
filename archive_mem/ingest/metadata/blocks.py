"""Where a file keeps its metadata: found by walking its structure, without decoding a pixel.

The walkers stop at the first thing that makes no sense and report it as damage; what came before
it is kept. Every walk is bounded in steps and in bytes.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

__all__ = [
    "MAX_BLOCK",
    "MAX_STEPS",
    "XMP_HEADER",
    "Blocks",
    "Draft",
    "exactly",
    "file_size",
    "steps",
    "tiff_start",
]

MAX_BLOCK = 16 * 2**20
MAX_STEPS = 20_000
XMP_HEADER = b"http://ns.adobe.com/xap/1.0/\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """Raw metadata of one file.

    exif: TIFF structures; of a tag that two of them have, the first counts
    xmp: XMP packets
    iptc: IPTC-IIM records
    text_time: a creation time in plain text (PNG)
    width, height: pixels as stored
    quarter_turn: the container itself swaps width and height when it shows the picture
    orientation: the container's own, 1 to 8, where it counts and that of EXIF doesn't
    note: what is special about the file
    damage: why the file is not whole
    """

    exif: tuple[BinaryIO, ...] = ()
    xmp: tuple[bytes, ...] = ()
    iptc: bytes | None = None
    text_time: str | None = None
    width: int | None = None
    height: int | None = None
    quarter_turn: bool = False
    orientation: int | None = None
    note: str | None = None
    damage: str | None = None


@dataclass(slots=True)
class Draft:
    """Blocks while a walker gathers them.

    extended_xmp: parts of long XMP packets by their digest
    exif_goes_on: the last EXIF segment was full: the next one may continue it
    """

    exif: list[bytes] = field(default_factory=list)
    xmp: list[bytes] = field(default_factory=list)
    iptc: bytes | None = None
    extended_xmp: dict[bytes, bytearray] = field(default_factory=dict)
    exif_goes_on: bool = False
    text_time: str | None = None
    size: tuple[int | None, int | None] = (None, None)
    note: str | None = None
    damage: str | None = None

    def blocks(self) -> Blocks:
        """What was gathered."""
        return Blocks(
            exif=tuple(map(io.BytesIO, self.exif)),
            xmp=tuple(self.xmp),
            iptc=self.iptc,
            text_time=self.text_time,
            width=self.size[0],
            height=self.size[1],
            note=self.note,
            damage=self.damage,
        )


def tiff_start(payload: bytes) -> bytes | None:
    """The TIFF structure in an EXIF payload, whatever headers stand before it; None without one."""
    starts = [payload.find(magic, 0, 64) for magic in (b"II*\0", b"MM\0*")]
    found = [start for start in starts if start >= 0]
    return payload[min(found) :] if found else None


def exactly(file: BinaryIO, size: int) -> bytes | None:
    """The next `size` bytes, None when there are fewer or `size` is beyond reason."""
    if size > MAX_BLOCK:
        return None
    data = file.read(size)
    return data if len(data) == size else None


def file_size(file: BinaryIO) -> int:
    """Bytes of an open file."""
    here = file.tell()
    end = file.seek(0, 2)
    file.seek(here)
    return end


def steps() -> Iterator[int]:
    """A bounded count, for walks through untrusted structures."""
    return iter(range(MAX_STEPS))
