"""Videos: times, place, size and rotation of MP4/MOV boxes, and of other containers through PyAV.

ISO 14496-12, the QuickTime File Format (udta "©xyz", meta "mdta" keys) and 3GPP TS 26.244 (loci).
"""

import io
import itertools
import struct
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from archive_mem.ingest.metadata.boxes import Box, boxes, child, content, top
from archive_mem.ingest.metadata.camcorder import read_mdpm, read_sony_xml
from archive_mem.ingest.metadata.clock import from_unix, parse_stamp, refusal_of
from archive_mem.ingest.metadata.coordinates import altitude_of, parse_iso6709, usable
from archive_mem.ingest.metadata.exif import read_exif
from archive_mem.ingest.metadata.jpeg import jpeg_blocks
from archive_mem.ingest.metadata.values import (
    PlaceRead,
    PlaceSource,
    Reads,
    Refusal,
    TimeRead,
    TimeSource,
    joined,
)

if TYPE_CHECKING:
    from av.container import InputContainer

__all__ = ["container_time", "read_movie_time", "read_other_video", "read_quicktime"]

SINCE_1904 = 2_082_844_800
"""Seconds from 1904-01-01, where QuickTime counts from, to 1970-01-01."""

NO_PICTURES = "sound only: there are no pictures in it"

HDR = "HDR: its colours are shown in the range of a plain screen"

_LONGEST = 30 * 86_400.0
_FIRST_PACKETS = 8
_XMP_UUID = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_APPLE = "com.apple.quicktime."
_LOCAL_CLOCKS = (b"GoPro", b"GPRO", b"NIKON", b"Nikon", b"nikn", b"niko", b"NCDT")


def read_quicktime(file: BinaryIO, now: datetime) -> tuple[Reads, bytes | None]:
    """All that an MP4 or MOV says, and its XMP packet; never raises."""
    found = list(boxes(file, top(file)))
    moov = next((box for box in found if box.kind == b"moov"), None)
    damage = _damage(found, moov)
    if moov is None:
        return Reads(damage=damage), None
    texts = _texts(file, moov)
    parts = (
        _text_reads(texts, now),
        _header_reads(file, found, moov, now),
        _place_reads(texts, _loci(file, moov)),
        _by_camera(file, found, moov, now),
        _tracks(file, moov),
        Reads(damage=damage),
    )
    return joined(*parts), _xmp(file, [*found, *boxes(file, moov)], moov)


def read_movie_time(file: BinaryIO, now: datetime) -> Reads:
    """The time in the movie header of a picture sequence (HEIF, AVIF); never raises."""
    found = list(boxes(file, top(file)))
    moov = next((box for box in found if box.kind == b"moov"), None)
    if moov is None:
        return Reads()
    header = _header_reads(file, found, moov, now)
    return Reads(times=header.times, refused=header.refused)


def _by_camera(file: BinaryIO, found: list[Box], moov: Box, now: datetime) -> Reads:
    """Sony's document in the "meta" of the file, and the EXIF of a Canon's thumbnail."""
    meta = next((box for box in found if box.kind == b"meta"), None)
    xml = content(file, child(file, meta, b"xml ", _skip_of(file, meta)))
    canon = child(file, child(file, child(file, moov, b"udta"), b"CNTH"), b"CNDA")
    thumbnail = io.BytesIO(content(file, canon))
    exif = [read_exif(stream, now) for stream in jpeg_blocks(thumbnail).exif[:1]]
    # The thumbnail may be turned another way than the video.
    upright = [replace(reads, orientation=None) for reads in exif]
    return joined(*upright, read_sony_xml(xml, now) if xml else Reads())


def _damage(found: list[Box], moov: Box | None) -> str | None:
    if moov is None:
        return "video without its index"
    return None if all(box.whole for box in found) else "video ends early"


def _xmp(file: BinaryIO, candidates: list[Box], moov: Box) -> bytes | None:
    for box in candidates:
        if box.kind == b"uuid" and content(file, box, 16) == _XMP_UUID:
            return content(file, box)[16:]
    return content(file, child(file, child(file, moov, b"udta"), b"XMP_")) or None


def _texts(file: BinaryIO, moov: Box) -> dict[str, str]:
    udta = child(file, moov, b"udta")
    texts: dict[str, str] = {}
    for meta in (child(file, moov, b"meta"), child(file, udta, b"meta")):
        texts |= _meta_texts(file, meta)
    if udta is not None:
        for box in boxes(file, udta):
            if box.kind.startswith(b"\xa9"):
                texts.setdefault(_name(box.kind), _international(content(file, box, 4096)))
            elif box.kind == b"date":
                texts.setdefault("date", content(file, box, 64).decode("latin-1").strip("\0 "))
    return texts


def _name(kind: bytes) -> str:
    return kind.decode("latin-1")


def _international(data: bytes) -> str:
    """Text of a "©..." box: size, language, then text."""
    size = int.from_bytes(data[:2], "big")
    return data[4 : 4 + size].decode("utf-8", "replace").strip("\0 ")


def _meta_texts(file: BinaryIO, meta: Box | None) -> dict[str, str]:
    if meta is None:
        return {}
    skip = _skip_of(file, meta)
    keys = _keys(content(file, child(file, meta, b"keys", skip)))
    texts: dict[str, str] = {}
    ilst = child(file, meta, b"ilst", skip)
    for item in boxes(file, ilst) if ilst is not None else ():
        value = content(file, child(file, item, b"data"), 65_536)
        number = int.from_bytes(item.kind, "big")
        name = keys[number - 1] if 0 < number <= len(keys) else _name(item.kind)
        texts.setdefault(name, value[8:].decode("utf-8", "replace").strip("\0 "))
    return texts


def _skip_of(file: BinaryIO, meta: Box | None) -> int:
    """A full box in MP4 (four more bytes), a plain one in QuickTime."""
    return 0 if content(file, meta, 8)[4:8] == b"hdlr" else 4


def _keys(data: bytes) -> list[str]:
    names: list[str] = []
    at = 8
    while at + 8 <= len(data) and len(names) < 1000:
        size = int.from_bytes(data[at : at + 4], "big")
        if size < 8:
            break
        names.append(data[at + 8 : at + size].decode("utf-8", "replace"))
        at += size
    return names


def _text_reads(texts: dict[str, str], now: datetime) -> Reads:
    named_dates = (f"{_APPLE}creationdate", "\xa9day", "date")
    text = next((texts[name] for name in named_dates if texts.get(name)), "")
    times, refused = _creation_date(text, now)
    device = " ".join(
        texts.get(key, "") or texts.get(old, "")
        for key, old in ((f"{_APPLE}make", "\xa9mak"), (f"{_APPLE}model", "\xa9mod"))
    ).strip()
    named = ("\xa9des", "desc", f"{_APPLE}description", "\xa9cmt")
    return Reads(
        times=times,
        refused=refused,
        device=device or texts.get("com.android.model"),
        content_id=texts.get(f"{_APPLE}content.identifier"),
        descriptions=tuple(dict.fromkeys(texts[key] for key in named if texts.get(key))),
    )


def _creation_date(text: str, now: datetime) -> tuple[tuple[TimeRead, ...], tuple[Refusal, ...]]:
    # "a;b": some writers give it twice.
    text = text.split(";")[0].strip()
    stamp = parse_stamp(text)
    if not text or (stamp is None and text.isdigit()):
        return (), ()
    reason = "not a whole date" if stamp is None else refusal_of(stamp.local, now)
    if stamp is None or reason:
        refusal = Refusal(
            field="time", source=TimeSource.QUICKTIME, value=text[:40], reason=reason or ""
        )
        return (), (refusal,)
    read = TimeRead(
        source=TimeSource.QUICKTIME,
        local=stamp.local,
        offset=stamp.offset,
        precision=stamp.precision,
        confidence=0.95 if stamp.offset is not None else 0.7,
        offset_source=None if stamp.offset is None else str(TimeSource.QUICKTIME),
    )
    return (read,), ()


def container_time(seconds: int) -> datetime | None:
    """Naive UTC of a QuickTime creation time; None for "not set" (1904 or 1970).

    Writers that count from 1970 give values that would lie before 1970: they are taken as meant.
    """
    since_1970 = seconds - SINCE_1904 if seconds >= SINCE_1904 else seconds
    # Within a day of either epoch: a clock that was never set, whatever its zone.
    return None if abs(since_1970) <= 86_400 else from_unix(since_1970)


def _header_reads(file: BinaryIO, found: list[Box], moov: Box, now: datetime) -> Reads:
    told_created, scale, units = _mvhd(content(file, child(file, moov, b"mvhd"), 36))
    created = _created(file, moov, told_created)
    told = units / scale if scale and units < 2**32 - 1 else 0.0
    lengths = (_samples_seconds(file, moov), told)
    duration = next((length for length in lengths if 0 < length < _LONGEST), None)
    local = container_time(created)
    if local is None:
        refused = _unset(created)
        return Reads(duration=duration, refused=refused)
    reason = refusal_of(local, now)
    if reason:
        refusal = Refusal(
            field="time", source=TimeSource.CONTAINER, value=str(local), reason=reason
        )
        return Reads(duration=duration, refused=(refusal,))
    return Reads(duration=duration, times=(_container_read(file, found, moov, local),))


def _created(file: BinaryIO, moov: Box, told: int) -> int:
    """Creation time of the movie, else the first one that a track or its media has."""
    tracks = _track_boxes(file, moov)
    heads = [child(file, child(file, track, b"mdia"), b"mdhd") for track in tracks]
    heads += [child(file, track, b"tkhd") for track in tracks]
    others = (_mvhd(content(file, head, 36))[0] for head in heads)
    values = itertools.chain((told,), others)
    return next((value for value in values if container_time(value) is not None), told)


def _samples_seconds(file: BinaryIO, moov: Box) -> float:
    """Length of the longest track by its samples: headers may say more than there is."""
    return max((_track_seconds(file, track) for track in _track_boxes(file, moov)), default=0.0)


def _track_seconds(file: BinaryIO, track: Box) -> float:
    mdia = child(file, track, b"mdia")
    scale = _mvhd(content(file, child(file, mdia, b"mdhd"), 36))[1]
    stbl = child(file, child(file, mdia, b"minf"), b"stbl")
    data = content(file, child(file, stbl, b"stts"))[8:]
    pairs = struct.iter_unpack(">II", data[: len(data) // 8 * 8])
    return sum(count * length for count, length in pairs) / scale if scale else 0.0


def _is_hdr(file: BinaryIO, track: Box) -> bool:
    """Whether the track's colours are in PQ or HLG (ITU-T H.273 transfer 16 and 18)."""
    stbl = child(file, child(file, child(file, track, b"mdia"), b"minf"), b"stbl")
    data = content(file, child(file, stbl, b"stsd"), 4096)
    at = data.find(b"colrnclx")
    return at >= 0 and int.from_bytes(data[at + 10 : at + 12], "big") in (16, 18)


def _unset(created: int) -> tuple[Refusal, ...]:
    return (
        Refusal(field="time", source=TimeSource.CONTAINER, value=str(created), reason="not set"),
    )


def _container_read(file: BinaryIO, found: list[Box], moov: Box, local: datetime) -> TimeRead:
    if _keeps_local_time(file, found, moov):
        return TimeRead(source=TimeSource.CONTAINER_LOCAL, local=local, confidence=0.5)
    return TimeRead(source=TimeSource.CONTAINER, local=local, confidence=0.8, instant=True)


def _keeps_local_time(file: BinaryIO, found: list[Box], moov: Box) -> bool:
    """GoPro and Nikon write the wall clock where the format wants UTC."""
    brands = content(file, next((box for box in found if box.kind == b"ftyp"), None), 64)
    udta = content(file, child(file, moov, b"udta"), 4096)
    handlers = b"".join(_handler(file, track) for track in _track_boxes(file, moov))
    return any(mark in text for mark in _LOCAL_CLOCKS for text in (brands, udta, handlers))


def _handler(file: BinaryIO, track: Box) -> bytes:
    return content(file, child(file, child(file, track, b"mdia"), b"hdlr"), 128)


def _mvhd(data: bytes) -> tuple[int, int, int]:
    """Creation time, time scale and duration of a movie header."""
    wide = data[:1] == b"\1"
    layout = ">QQIQ" if wide else ">IIII"
    size = struct.calcsize(layout)
    if len(data) < 4 + size:
        return 0, 0, 0
    created, _, scale, duration = struct.unpack(layout, data[4 : 4 + size])
    return created, scale, duration


def _track_boxes(file: BinaryIO, moov: Box) -> list[Box]:
    return [box for box in boxes(file, moov) if box.kind == b"trak"][:64]


def _tracks(file: BinaryIO, moov: Box) -> Reads:
    for track in _track_boxes(file, moov):
        if _handler(file, track)[8:12] == b"vide":
            width, height, quarter = _tkhd(content(file, child(file, track, b"tkhd"), 96))
            if width and height:
                note = HDR if _is_hdr(file, track) else None
                return Reads(width=width, height=height, quarter_turn=quarter, note=note)
    return Reads(note=NO_PICTURES)


def _tkhd(data: bytes) -> tuple[int, int, bool]:
    """Display width and height before turning, and whether the matrix turns them by a quarter."""
    at = 52 if data[:1] == b"\1" else 40
    if len(data) < at + 44:
        return 0, 0, False
    matrix = struct.unpack(">9i", data[at : at + 36])
    width, height = struct.unpack(">II", data[at + 36 : at + 44])
    return width >> 16, height >> 16, abs(matrix[1]) > abs(matrix[0])


def _loci(file: BinaryIO, moov: Box) -> tuple[float, float, float | None] | None:
    """3GPP location: flags, language, name, role, then 16.16 longitude, latitude, altitude."""
    data = content(file, child(file, child(file, moov, b"udta"), b"loci"), 1024)
    end = data.find(b"\0", 6)
    if end < 0 or len(data) < end + 14:
        return None
    longitude, latitude, altitude = struct.unpack(">iii", data[end + 2 : end + 14])
    return latitude / 65_536, longitude / 65_536, altitude_of(altitude / 65_536, False)


def _place_reads(texts: dict[str, str], loci: tuple[float, float, float | None] | None) -> Reads:
    for name in (f"{_APPLE}location.ISO6709", "\xa9xyz", "location"):
        text = texts.get(name)
        found = parse_iso6709(text) if text else None
        if found is not None:
            return _place(*found)
    return _place(*loci) if loci is not None else Reads()


def _place(latitude: float, longitude: float, altitude: float | None) -> Reads:
    reason = usable(latitude, longitude)
    source = PlaceSource.QUICKTIME
    if reason:
        value = f"{latitude},{longitude}"
        return Reads(refused=(Refusal(field="place", source=source, value=value, reason=reason),))
    read = PlaceRead(source=source, latitude=latitude, longitude=longitude, altitude=altitude)
    return Reads(places=(read,))


def read_other_video(path: Path, now: datetime) -> Reads:
    """What PyAV says of a video in any other container; never raises."""
    import av

    try:
        with av.open(str(path), metadata_errors="ignore") as container:
            return _av_reads(container, now)
    except (av.error.FFmpegError, OSError, ValueError, EOFError) as error:
        return Reads(damage=f"video cannot be opened: {type(error).__name__}")


def _av_reads(container: "InputContainer", now: datetime) -> Reads:
    texts = {key.lower(): value for key, value in container.metadata.items()}
    told = (container.duration or 0) / 1_000_000
    duration = told if 0 < told < _LONGEST else None
    pictures = container.streams.video
    # A picture in a coding that nobody knows has no size.
    first = pictures[0] if pictures else None
    shape = Reads(
        width=getattr(first, "width", None) or None,
        height=getattr(first, "height", None) or None,
        duration=duration,
        note=None if pictures else NO_PICTURES,
    )
    parts = (_av_time(texts, now), _place_reads(texts, None))
    return joined(shape, _in_the_pictures(container, now), *parts)


def _in_the_pictures(container: "InputContainer", now: datetime) -> Reads:
    """AVCHD alone keeps its date there."""
    if "mpegts" not in container.format.name or not container.streams.video:
        return Reads()
    packets = itertools.islice(container.demux(container.streams.video[0]), _FIRST_PACKETS)
    reads = (read_mdpm(bytes(packet), now) for packet in packets)
    return next((found for found in reads if found != Reads()), Reads())


_AV_DATES = ("creation_time", "date_recorded", "date_digitized", "date")


def _av_time(texts: dict[str, str], now: datetime) -> Reads:
    text = next((texts[name] for name in _AV_DATES if texts.get(name)), "").split(";")[0]
    stamp = parse_stamp(text)
    if stamp is None or refusal_of(stamp.local, now):
        return Reads()
    zoned = stamp.offset is not None
    read = TimeRead(
        source=TimeSource.CONTAINER if zoned else TimeSource.CONTAINER_LOCAL,
        local=stamp.local - (stamp.offset or stamp.local - stamp.local),
        precision=stamp.precision,
        confidence=0.7,
        instant=zoned,
    )
    return Reads(times=(read,))
