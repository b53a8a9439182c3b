"""Photoshop documents (Adobe's file format specification): size and image resources."""

from dataclasses import replace
from typing import BinaryIO

from archive_mem.ingest.metadata.blocks import MAX_BLOCK, Blocks, Draft, exactly, tiff_start
from archive_mem.ingest.metadata.iptc import photoshop_resources

__all__ = ["psd_blocks"]

_IPTC, _EXIF, _XMP = 0x0404, 0x0422, 0x0424


def psd_blocks(file: BinaryIO) -> Blocks:
    """Metadata of a PSD or PSB."""
    head = exactly(file, 26)
    colours = exactly(file, 4)
    if head is None or colours is None:
        return Blocks(damage="PSD ends early")
    draft = Draft(size=(int.from_bytes(head[18:22], "big"), int.from_bytes(head[14:18], "big")))
    file.seek(int.from_bytes(colours, "big"), 1)
    length = int.from_bytes(file.read(4), "big")
    data = file.read(min(length, MAX_BLOCK))
    if len(data) < min(length, MAX_BLOCK):
        draft.damage = "PSD ends early"
    _take(dict(photoshop_resources(data)), draft)
    # Photoshop turns the pixels themselves.
    return replace(draft.blocks(), orientation=1)


def _take(resources: dict[int, bytes], draft: Draft) -> None:
    draft.iptc = resources.get(_IPTC)
    block = tiff_start(resources.get(_EXIF, b""))
    if block is not None:
        draft.exif.append(block)
    if _XMP in resources:
        draft.xmp.append(resources[_XMP])
