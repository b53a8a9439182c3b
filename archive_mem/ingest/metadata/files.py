"""One file's own metadata: the reader of its format, then the rules that belong to the format."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from archive_mem.ingest.metadata.avi import read_avi
from archive_mem.ingest.metadata.blocks import Blocks
from archive_mem.ingest.metadata.chunks import bmp_blocks, gif_blocks, png_blocks, webp_blocks
from archive_mem.ingest.metadata.clock import parse_mail_date, parse_stamp, refusal_of
from archive_mem.ingest.metadata.exif import read_exif
from archive_mem.ingest.metadata.heif import heif_blocks
from archive_mem.ingest.metadata.iptc import read_iptc
from archive_mem.ingest.metadata.jpeg import jpeg_blocks
from archive_mem.ingest.metadata.jpeg2000 import jpeg2000_blocks
from archive_mem.ingest.metadata.psd import psd_blocks
from archive_mem.ingest.metadata.quicktime import read_movie_time, read_other_video, read_quicktime
from archive_mem.ingest.metadata.raw import (
    cr3_blocks,
    jxl_blocks,
    mrw_blocks,
    raf_blocks,
    tiff_blocks,
)
from archive_mem.ingest.metadata.values import Reads, TimeRead, TimeSource, joined
from archive_mem.ingest.metadata.xmp import read_xmp
from archive_mem.ingest.sniff import AVI, Family, Format

__all__ = ["from_blocks", "read_file"]

_WALKERS: Mapping[Family, Callable[[BinaryIO], Blocks]] = {
    Family.JPEG: jpeg_blocks,
    Family.PNG: png_blocks,
    Family.WEBP: webp_blocks,
    Family.GIF: gif_blocks,
    Family.BMP: bmp_blocks,
    Family.TIFF: tiff_blocks,
    Family.HEIF: heif_blocks,
    Family.JXL: jxl_blocks,
    Family.CR3: cr3_blocks,
    Family.RAF: raf_blocks,
    Family.MRW: mrw_blocks,
    Family.PSD: psd_blocks,
    Family.JPEG2000: jpeg2000_blocks,
}


_MOST_PARTS = 4
"""Most EXIF blocks, and most XMP packets, that are read of one file: damage may repeat them."""


def read_file(path: Path, form: Format, now: datetime) -> Reads:
    """What the file itself says; raises OSError only."""
    if form.family is Family.OTHER_VIDEO:
        return _other_video(path, form, now)
    with path.open("rb") as file:
        if form.family is Family.QUICKTIME:
            return _quicktime(path, file, now)
        reads = from_blocks(_WALKERS[form.family](file), now)
        # A burst or sequence is a movie, too, and may be dated as one alone.
        sequence = form.family is Family.HEIF and reads.note is not None
        return joined(reads, read_movie_time(file, now)) if sequence else reads


def _other_video(path: Path, form: Format, now: datetime) -> Reads:
    reads = read_other_video(path, now)
    if form.mime != AVI:
        return reads
    with path.open("rb") as file:
        return joined(read_avi(file, now), reads)


def _quicktime(path: Path, file: BinaryIO, now: datetime) -> Reads:
    reads, packet = read_quicktime(file, now)
    if packet is None:
        return reads
    return joined(reads, read_xmp(packet, now))


def from_blocks(blocks: Blocks, now: datetime) -> Reads:
    """Typed values of raw metadata."""
    shape = Reads(
        width=blocks.width,
        height=blocks.height,
        quarter_turn=blocks.quarter_turn,
        orientation=blocks.orientation,
        note=blocks.note,
        damage=blocks.damage,
    )
    exif = [read_exif(stream, now) for stream in blocks.exif[:_MOST_PARTS]]
    parts = [shape, *exif, *(read_xmp(packet, now) for packet in blocks.xmp[:_MOST_PARTS])]
    if blocks.iptc:
        parts.append(read_iptc(blocks.iptc, now))
    if blocks.text_time:
        parts.append(_text_time(blocks.text_time, now))
    return joined(*parts)


def _text_time(text: str, now: datetime) -> Reads:
    stamp = parse_stamp(text) or parse_mail_date(text)
    if stamp is None or refusal_of(stamp.local, now):
        return Reads()
    read = TimeRead(
        source=TimeSource.PNG_TEXT,
        local=stamp.local,
        offset=stamp.offset,
        precision=stamp.precision,
        confidence=0.4,
        offset_source=None if stamp.offset is None else str(TimeSource.PNG_TEXT),
    )
    return Reads(times=(read,))
