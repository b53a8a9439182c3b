"""Proof, on the bytes, that a derivative carries nothing but its pixels and its sound."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from anonymize.detectors import FaceDetector
from anonymize.search import surely_left
from archive_mem.errors import UnreadableMedia

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["faces_left", "find_secrets", "scan_derivative"]

CHUNK = 1 << 20
FRAME_SECONDS = 0.25
PLAIN_MARKERS = frozenset({0xDB, 0xC4, 0xDD, *range(0xC0, 0xC4), *range(0xC5, 0xC8)})
MP4_PLAIN = frozenset(
    {"ftyp", "moov", "mdat", "mvhd", "trak", "tkhd", "edts", "elst", "mdia", "mdhd", "hdlr", "minf"}
    | {"vmhd", "smhd", "dinf", "dref", "stbl", "stsd", "stts", "ctts", "stss", "stsc", "stsz"}
    | {"stco", "co64", "sgpd", "sbgp", "sdtp"}
)
MP4_FOLDERS = frozenset({"moov", "trak", "edts", "mdia", "minf", "dinf", "stbl"})
MP4_DATED = frozenset({"mvhd", "tkhd", "mdhd"})
# A writer's own signature is no personal data.
MP4_WRITER_TAG = "©too".encode("latin-1")


def scan_derivative(path: Path) -> list[str]:
    """What a derivative must not carry, such as "EXIF"; empty when it is clean.

    Knows JPEG (EXIF, IFD1, XMP, IPTC, COM, MPF, ICC, bytes after the end) and MP4 (udta, meta,
    uuid, dates, foreign tracks, bytes that no track plays, boxes after the end).
    Anything else is itself a finding.
    """
    data = path.read_bytes()
    if data[:2] == b"\xff\xd8":
        return list(_scan_jpeg(data))
    if data[4:8] == b"ftyp":
        return [*_scan_boxes(data, 0, len(data)), *_scan_unplayed(data)]
    return ["neither JPEG nor MP4"]


def _scan_jpeg(data: bytes) -> Iterator[str]:
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            yield "bytes between segments"
            return
        marker, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        body = data[at + 4 : at + 2 + size]
        yield from _scan_segment(marker, body)
        at += 2 + size
        if marker == 0xDA:
            yield from _scan_end(data, at)
            return
    yield "no picture data"


def _scan_segment(marker: int, body: bytes) -> Iterator[str]:
    if marker in PLAIN_MARKERS or marker == 0xDA:
        return
    if marker == 0xE0 and body.startswith(b"JFIF\0"):
        if any(body[12:14]):
            yield "JFIF thumbnail"
        return
    yield from _name_segment(marker, body)


def _name_segment(marker: int, body: bytes) -> Iterator[str]:
    if marker == 0xFE:
        yield "JPEG comment (COM)"
    elif body.startswith(b"Exif\0"):
        yield "EXIF"
        if _has_thumbnail(body[6:]):
            yield "EXIF thumbnail (IFD1)"
    elif b"ns.adobe.com/x" in body[:64]:
        yield "XMP"
    elif body.startswith(b"MPF\0"):
        yield "MPF (further pictures)"
    elif body.startswith(b"ICC_PROFILE\0"):
        yield "ICC profile"
    elif marker == 0xED:
        yield "IPTC"
    else:
        yield f"APP{marker - 0xE0}" if 0xE0 <= marker <= 0xEF else f"segment {marker:02X}"


def _has_thumbnail(tiff: bytes) -> bool:
    order = "little" if tiff[:2] == b"II" else "big"

    def number(at: int, size: int) -> int:
        return int.from_bytes(tiff[at : at + size], "little" if order == "little" else "big")

    first = number(4, 4)
    return number(first + 2 + 12 * number(first, 2), 4) != 0


def _scan_end(data: bytes, at: int) -> Iterator[str]:
    """Scans after SOS up to EOI; a progressive picture has further tables between its scans."""
    while (at := data.find(b"\xff", at)) >= 0 and at + 1 < len(data):
        marker = data[at + 1]
        if marker == 0xD9:
            if at + 2 < len(data):
                yield f"{len(data) - at - 2} bytes after the picture"
            return
        if marker in (0x00, 0xFF) or 0xD0 <= marker <= 0xD7:
            at += 1 if marker == 0xFF else 2
            continue
        size = int.from_bytes(data[at + 2 : at + 4], "big")
        yield from _scan_segment(marker, data[at + 4 : at + 2 + size])
        at += 2 + size
    yield "no end of the picture"


def _scan_boxes(data: bytes, start: int, end: int) -> Iterator[str]:
    at = start
    for box in _boxes(data, start, end):
        if box.broken:
            yield f"broken box {box.kind!r}"
            return
        yield from _scan_box(box.kind, data, box.start, box.end)
        at = box.end
    if at < end:
        yield f"{end - at} bytes after the last box"


@dataclass(frozen=True, slots=True)
class _Box:
    """A box of an MP4 (ISO 14496-12, 4.2).

    kind: its four letters
    start, end: of what is in it
    broken: its size cannot be; nothing is known of what follows
    """

    kind: str
    start: int
    end: int
    broken: bool


def _boxes(data: bytes, start: int, end: int) -> Iterator[_Box]:
    """The boxes that follow each other, up to the first broken one."""
    at = start
    while at + 8 <= end:
        size, head = int.from_bytes(data[at : at + 4], "big"), 8
        kind = data[at + 4 : at + 8].decode("latin-1")
        if size == 1:
            size, head = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        broken = size < head or at + size > end
        yield _Box(kind, at + head, at + size, broken)
        if broken:
            return
        at += size


def _scan_box(kind: str, data: bytes, start: int, end: int) -> Iterator[str]:
    body = data[start:end] if kind != "mdat" else b""
    if kind in MP4_FOLDERS:
        yield from _scan_boxes(data, start, end)
    elif kind in MP4_DATED and any(body[4 : 4 + (16 if body[0] else 8)]):
        yield f"a date in {kind}"
    elif kind == "hdlr" and body[8:12] not in (b"vide", b"soun"):
        yield f"a foreign track ({body[8:12].decode('latin-1')})"
    elif kind in ("free", "skip"):
        if any(body):
            yield f"data in {kind}"
    elif kind == "udta":
        yield from _scan_user_data(body)
    elif kind not in MP4_PLAIN:
        yield f"box {kind}"


def _scan_unplayed(data: bytes) -> Iterator[str]:
    """Bytes of mdat beyond those that the tracks' tables of sizes (stsz) account for."""
    leaves = list(_leaves(data, 0, len(data)))
    held = sum(box.end - box.start for box in leaves if box.kind == "mdat")
    played = sum(_sample_bytes(data[box.start : box.end]) for box in leaves if box.kind == "stsz")
    if held > played:
        yield f"{held - played} bytes in mdat that no track plays"


def _leaves(data: bytes, start: int, end: int) -> Iterator[_Box]:
    """Boxes that hold no others, as far as they can be read."""
    for box in _boxes(data, start, end):
        if box.broken:
            return
        if box.kind in MP4_FOLDERS:
            yield from _leaves(data, box.start, box.end)
        else:
            yield box


def _sample_bytes(table: bytes) -> int:
    """Bytes of all samples by a stsz box (ISO 14496-12, 8.7.3)."""
    each, count = (int.from_bytes(table[at : at + 4], "big") for at in (4, 8))
    if each:
        return each * count
    return sum(
        int.from_bytes(table[at : at + 4], "big")
        for at in range(12, min(len(table), 12 + 4 * count), 4)
    )


def _scan_user_data(body: bytes) -> Iterator[str]:
    tags = body.find(b"ilst")
    rest = body[tags + 4 :] if tags >= 0 else body
    while len(rest) >= 8:
        size = int.from_bytes(rest[:4], "big")
        if rest[4:8] != MP4_WRITER_TAG or size < 8:
            yield f"user data ({rest[4:8].decode('latin-1')})"
            return
        rest = rest[size:]


def faces_left(path: Path, detector: FaceDetector) -> int:
    """How many faces are still seen in a derivative; of a video, the most in one looked-at frame.

    Raises UnreadableMedia.
    """
    try:
        pictures = _video_frames(path) if path.suffix == ".mp4" else _picture(path)
        return max((len(surely_left(pixels, detector)) for pixels in pictures), default=0)
    except OSError as error:
        raise UnreadableMedia("the derivative cannot be read") from error


def _picture(path: Path) -> "Iterator[NDArray[np.uint8]]":
    import numpy as np
    from PIL import Image

    with Image.open(path) as picture:
        yield np.asarray(picture.convert("RGB"))


def _video_frames(path: Path) -> "Iterator[NDArray[np.uint8]]":
    """A frame every FRAME_SECONDS."""
    import av

    following = 0.0
    try:
        with av.open(path) as container:
            for frame in container.decode(video=0):
                if frame.time is None or frame.time >= following:
                    following = (frame.time or following) + FRAME_SECONDS
                    yield frame.to_ndarray(format="rgb24").astype("uint8", copy=False)
    except av.FFmpegError as error:
        raise UnreadableMedia("the derivative cannot be read") from error


def find_secrets(folder: Path, secrets: Sequence[str]) -> list[str]:
    """Files below `folder` that hold one of the secrets, as "path: secret 2 as utf-16-le".

    Reads every byte, in UTF-8 and both UTF-16, in any case of ASCII letters. The secrets
    themselves are not repeated.
    """
    needles = [
        (number, encoding, secret.encode(encoding).lower())
        for number, secret in enumerate(secrets)
        for encoding in ("utf-8", "utf-16-le", "utf-16-be")
    ]
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        f"{path.relative_to(folder)}: secret {number} as {encoding}"
        for path in files
        for number, encoding in _held(path, needles)
    ]


def _held(path: Path, needles: Sequence[tuple[int, str, bytes]]) -> list[tuple[int, str]]:
    overlap = max((len(needle) for _, _, needle in needles), default=0)
    found: dict[tuple[int, str], None] = {}
    tail = b""
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            window = (tail + chunk).lower()
            found |= {(at, how): None for at, how, needle in needles if needle in window}
            tail = chunk[-overlap:] if overlap else b""
    return list(found)
