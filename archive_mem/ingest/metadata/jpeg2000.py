"""JPEG 2000 in boxes (ISO 15444-1 annex I): size, and metadata in uuid boxes."""

import io
from typing import BinaryIO

from archive_mem.ingest.metadata.blocks import Blocks, tiff_start
from archive_mem.ingest.metadata.boxes import boxes, child, content, top

__all__ = ["jpeg2000_blocks"]

_EXIF_UUID = b"JpgTiffExif->JP2"
_IPTC_UUID = bytes.fromhex("33c7a4d2b81d4723a0baf1a3e097ad38")
_XMP_UUID = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")


def jpeg2000_blocks(file: BinaryIO) -> Blocks:
    """Metadata of a JP2."""
    found = list(boxes(file, top(file)))
    header = next((box for box in found if box.kind == b"jp2h"), None)
    size = content(file, child(file, header, b"ihdr"), 8)
    parts = [content(file, box) for box in found if box.kind == b"uuid"]
    exif = [tiff_start(part[16:]) for part in parts if part.startswith(_EXIF_UUID)]
    whole = header is not None and all(box.whole for box in found)
    return Blocks(
        exif=tuple(io.BytesIO(block) for block in exif if block),
        iptc=next((part[16:] for part in parts if part.startswith(_IPTC_UUID)), None),
        xmp=tuple(part[16:] for part in parts if part.startswith(_XMP_UUID)),
        width=int.from_bytes(size[4:], "big") or None,
        height=int.from_bytes(size[:4], "big") or None,
        orientation=1,
        damage=None if whole else "JPEG 2000 ends early",
    )
