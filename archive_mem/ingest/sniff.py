"""What a file is, by its first bytes. The extension is never asked."""

import contextlib
import struct
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from archive_mem.schema.media import MediaKind

__all__ = ["AVI", "HEAD_BYTES", "RAW_MIME", "Family", "Format", "sniff", "sniff_file"]

HEAD_BYTES = 2048
RAW_MIME = "image/x-"
"""How the names of all camera RAW formats begin, and of no other."""

AVI = "video/x-msvideo"


class Family(StrEnum):
    """Formats that are read by one reader."""

    JPEG = "jpeg"
    PNG = "png"
    WEBP = "webp"
    GIF = "gif"
    BMP = "bmp"
    TIFF = "tiff"
    HEIF = "heif"
    JXL = "jxl"
    CR3 = "cr3"
    RAF = "raf"
    MRW = "mrw"
    PSD = "psd"
    JPEG2000 = "jpeg 2000"
    QUICKTIME = "quicktime"
    OTHER_VIDEO = "other video"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A recognised format.

    kind: photo or video
    mime: such as "image/heic"
    family: which reader reads it
    """

    kind: MediaKind
    mime: str
    family: Family


def sniff(head: bytes) -> Format | None:
    """Format of a file that begins with `head` (HEAD_BYTES are enough), None when unknown."""
    for recognise in (_by_magic, _riff, _tiff_like, _iso_media, _ebml, _transport_stream):
        found = recognise(head)
        if found is not None:
            return found
    return None


def sniff_file(path: Path) -> Format | None:
    """Format of a file; raises OSError when it cannot be read."""
    with path.open("rb") as file:
        return sniff(file.read(HEAD_BYTES))


def _photo(mime: str, family: Family) -> Format:
    return Format(kind=MediaKind.PHOTO, mime=mime, family=family)


def _video(mime: str, family: Family = Family.OTHER_VIDEO) -> Format:
    return Format(kind=MediaKind.VIDEO, mime=mime, family=family)


_MAGIC = (
    (b"\xff\xd8\xff", _photo("image/jpeg", Family.JPEG)),
    (b"\x89PNG\r\n\x1a\n", _photo("image/png", Family.PNG)),
    (b"GIF87a", _photo("image/gif", Family.GIF)),
    (b"GIF89a", _photo("image/gif", Family.GIF)),
    (b"\xff\x0a", _photo("image/jxl", Family.JXL)),
    (b"\0\0\0\x0cJXL \r\n\x87\n", _photo("image/jxl", Family.JXL)),
    (b"FUJIFILMCCD-RAW", _photo("image/x-fujifilm-raf", Family.RAF)),
    (b"\0MRM", _photo("image/x-minolta-mrw", Family.MRW)),
    (b"8BPS\0", _photo("image/vnd.adobe.photoshop", Family.PSD)),
    (b"\0\0\0\x0cjP  \r\n\x87\n", _photo("image/jp2", Family.JPEG2000)),
    (b"\x00\x00\x01\xba", _video("video/mpeg")),
    (b"\x00\x00\x01\xb3", _video("video/mpeg")),
    (b"0&\xb2u\x8ef\xcf\x11", _video("video/x-ms-wmv")),
    (b"FLV\x01", _video("video/x-flv")),
)


def _by_magic(head: bytes) -> Format | None:
    if head.startswith(b"BM") and head[6:10] == b"\0\0\0\0":
        return _photo("image/bmp", Family.BMP)
    return next((found for magic, found in _MAGIC if head.startswith(magic)), None)


def _riff(head: bytes) -> Format | None:
    if not head.startswith(b"RIFF"):
        return None
    forms = {
        b"WEBP": _photo("image/webp", Family.WEBP),
        b"AVI ": _video(AVI),
    }
    return forms.get(head[8:12])


_TIFF_MAGIC = {
    b"II*\0": "image/tiff",
    b"MM\0*": "image/tiff",
    b"II+\0": "image/tiff",
    b"MM\0+": "image/tiff",
    b"IIRO": "image/x-olympus-orf",
    b"IIRS": "image/x-olympus-orf",
    b"MMOR": "image/x-olympus-orf",
    b"IIU\0": "image/x-panasonic-rw2",
}


def _tiff_like(head: bytes) -> Format | None:
    mime = _TIFF_MAGIC.get(head[:4])
    if mime is None:
        return None
    if head[8:10] == b"CR":
        mime = "image/x-canon-cr2"
    elif mime == "image/tiff":
        mime = _raw_in_tiff(head) or mime
    return _photo(mime, Family.TIFF)


_SUBFILE, _COMPRESSION, _MAKE, _SUBDIRECTORIES, _DNG = 254, 259, 271, 330, 50706
_RAW_COMPRESSIONS = (32_767, 32_769, 32_770, 32_772, 34_713, 65_000, 65_535)


def _raw_in_tiff(head: bytes) -> str | None:
    """The name of a camera RAW that looks like a TIFF, by the tags of its first directory."""
    tags = _first_tags(head)
    if _DNG in tags:
        return "image/x-adobe-dng"
    # NEF, ARW, PEF, SRW: their first picture is a thumbnail, the others lie below.
    below = tags.get(_SUBFILE) == 1 and {_MAKE, _SUBDIRECTORIES} <= tags.keys()
    return "image/x-dcraw" if below or tags.get(_COMPRESSION) in _RAW_COMPRESSIONS else None


def _first_tags(head: bytes) -> dict[int, int]:
    """Tag -> its value where that is a single number, of what lies in `head`."""
    order = "<" if head.startswith(b"II") else ">"
    tags: dict[int, int] = {}
    with contextlib.suppress(struct.error):
        at = struct.unpack_from(f"{order}I", head, 4)[0]
        for entry in range(struct.unpack_from(f"{order}H", head, at)[0]):
            tag, kind, _ = struct.unpack_from(f"{order}HHI", head, at + 2 + 12 * entry)
            number = "H2x" if kind == 3 else "I"
            tags[tag] = struct.unpack_from(order + number, head, at + 10 + 12 * entry)[0]
    return tags


_HEIF_BRANDS = {
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"hevc": "image/heic-sequence",
    b"hevx": "image/heic-sequence",
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"mif1": "image/heif",
    b"mif2": "image/heif",
    b"msf1": "image/heif-sequence",
    b"jxl ": "image/jxl",
}
_VIDEO_BRANDS = {b"isom", b"iso2", b"mp41", b"mp42", b"avc1"}
_FIRST_BOXES = (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")


def _iso_media(head: bytes) -> Format | None:
    kind = head[4:8]
    if kind in _FIRST_BOXES:
        return _video("video/quicktime", Family.QUICKTIME)
    if kind != b"ftyp":
        return None
    return _by_brand(head[8:12], _compatible(head))


def _compatible(head: bytes) -> list[bytes]:
    end = min(int.from_bytes(head[:4], "big"), len(head))
    return [head[at : at + 4] for at in range(16, end - 3, 4)]


def _by_brand(major: bytes, compatible: list[bytes]) -> Format:
    if major == b"crx ":
        return _photo("image/x-canon-cr3", Family.CR3)
    if major in _HEIF_BRANDS:
        return _photo(_heif_mime(major, compatible), Family.HEIF)
    if major == b"qt  ":
        return _video("video/quicktime", Family.QUICKTIME)
    # A picture under a brand of its maker: its second name is one that is known.
    known = next((brand for brand in compatible if brand in _HEIF_BRANDS), None)
    if known is not None and not _VIDEO_BRANDS & {major, *compatible}:
        return _photo(_heif_mime(known, compatible), Family.HEIF)
    if major.startswith(b"3g"):
        return _video("video/3gpp", Family.QUICKTIME)
    return _video("video/mp4", Family.QUICKTIME)


def _heif_mime(major: bytes, compatible: list[bytes]) -> str:
    if major == b"mif1" and b"avif" in compatible:
        return "image/avif"
    return _HEIF_BRANDS[major]


def _ebml(head: bytes) -> Format | None:
    if not head.startswith(b"\x1aE\xdf\xa3"):
        return None
    return _video("video/webm" if b"webm" in head[:64] else "video/x-matroska")


def _transport_stream(head: bytes) -> Format | None:
    for start, step in ((0, 188), (4, 192)):
        marks = head[start::step][:4]
        if len(marks) == 4 and set(marks) == {0x47}:
            return _video("video/mp2t")
    return None
