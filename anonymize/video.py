"""Videos with every face destroyed in every frame; sound, speed and length stay.

Frames stream through a window that looks half a second ahead, so that a face lost between two
sightings, and just before its first, is covered as well.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anonymize.boxes import FaceBox
from anonymize.derivative import atomic, clear_drafts
from anonymize.detectors import FaceDetector, Pixels
from anonymize.faces import destroy_faces, fill_faces
from anonymize.samples import Sampler
from anonymize.search import ALL_TURNS, confirmed, glimpses
from anonymize.tonemap import is_hdr, to_standard
from anonymize.tracks import CARRY, Tracks
from archive_mem.errors import DamagedMedia, FacesNotChecked, PrivacyError, UnreadableMedia
from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage

if TYPE_CHECKING:
    from av import AudioStream, VideoFrame, VideoStream
    from av.container import InputContainer

# What a packet or an encoder's stream holds is known by its type field alone, not to the stubs.
MediaPacket = Any
OutStream = Any
SoundFrame = Any

__all__ = ["Progress", "VideoResult", "anonymise_video"]

Progress = Callable[[int, int | None], None]
SAMPLES = 6
TURN_EVERY = 4
"""A frame in so many is looked at in all four turns; a turn with a hit stays on for CARRY."""
CANDIDATE, SEEN = 0.2, 0.5
WEAK_ONES = 6
CHECK_SIZE = 400
WINDOW_BYTES = 256 << 20
COPIED_SOUND = frozenset({"aac", "mp3", "ac3", "eac3", "alac", "opus"})


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoResult:
    """What came out.

    faces: how many faces were followed
    frames: frames written
    duration: seconds of picture
    width, height: upright pixels of the written video
    samples: up to six blurred frames with their seconds, in order
    note: what was changed beyond the faces, None when nothing was
    """

    faces: int
    frames: int
    duration: float
    width: int
    height: int
    samples: tuple[tuple[float, SafeImage], ...]
    note: str | None = None


@dataclass(frozen=True, slots=True)
class _Frame:
    pts: int
    length: int
    time: float
    rgb: Pixels


def anonymise_video(
    source: Path,
    target: Path,
    detector: FaceDetector,
    progress: Progress | None = None,
    long_side: int = 1280,
) -> VideoResult:
    """Write `source` without faces and metadata to `target` (MP4, H.264), or nothing at all.

    progress: called with frames done and their number, None when that is unknown
    long_side: of the written picture, in pixels
    Raises FacesNotChecked when the detector fails or a face is left, UnreadableMedia when there is
    no picture in it, DamagedMedia when it cannot be decoded.
    """
    import av

    clear_drafts(target)
    try:
        with ExitStack() as stack:
            draft = stack.enter_context(atomic(target))
            container = stack.enter_context(av.open(str(source), metadata_errors="ignore"))
            return _Conversion(container, draft, detector, long_side).run(progress)
    except PrivacyError:
        raise
    except (av.FFmpegError, ValueError, OverflowError, EOFError) as error:
        raise DamagedMedia(f"the video cannot be decoded ({type(error).__name__})") from error


class _Conversion:
    """One video on its way from `container` to `draft`."""

    def __init__(
        self, container: "InputContainer", draft: Path, detector: FaceDetector, long_side: int
    ) -> None:
        self._container = container
        self._draft = draft
        self._picture = _picture_stream(container)
        self._sound = next(iter(container.streams.audio), None)
        self._long_side = long_side
        self._search = _Search(detector)
        self._sampler = Sampler()
        self._base = self._picture.time_base or Fraction(1, 90000)
        self._shift = (container.start_time or 0) / 1_000_000
        self._last_pts: int | None = None
        self._hdr = False

    def run(self, progress: Progress | None) -> VideoResult:
        """Read, cover, write; the size is known with the first frame."""
        packets = self._packets()
        first, held = self._first(packets)
        writer = _Writer(self._draft, self._picture, self._sound, first.rgb.shape, self._shift)
        try:
            for packet in held:
                writer.sound(packet)
            self._stream(first, packets, writer, progress)
        except BaseException:
            writer.abandon()
            raise
        writer.close()
        height, width = first.rgb.shape[:2]
        return VideoResult(
            faces=self._search.tracks.count,
            frames=writer.frames,
            duration=writer.seconds,
            width=width,
            height=height,
            samples=self._sampler.choose(SAMPLES),
            note="high dynamic range, tone-mapped" if self._hdr else None,
        )

    def _packets(self) -> Iterator[MediaPacket]:
        streams = [each for each in (self._picture, self._sound) if each is not None]
        yield from self._container.demux(*streams)

    def _first(self, packets: Iterator[MediaPacket]) -> tuple[_Frame, list[MediaPacket]]:
        """The first frame, and the sound that came before it."""
        held = []
        self._ready: deque[_Frame] = deque()
        for packet in packets:
            if packet.stream is self._sound or packet.stream.type == "audio":
                held.append(packet)
                continue
            self._ready.extend(self._decoded(packet))
            if self._ready:
                return self._ready.popleft(), held
        raise DamagedMedia("no frame of the video can be decoded")

    def _stream(
        self,
        first: _Frame,
        packets: Iterator[MediaPacket],
        writer: "_Writer",
        progress: Progress | None,
    ) -> None:
        total = _estimate(self._picture, self._container)
        window = _Window()
        for frame in self._frames(first, packets, writer):
            self._search.see(frame)
            window.add(frame)
            for ripe in window.ripe(frame.time):
                self._finish(ripe, writer, progress, total)
        for ripe in window.rest():
            self._finish(ripe, writer, progress, total)

    def _frames(
        self, first: _Frame, packets: Iterator[MediaPacket], writer: "_Writer"
    ) -> Iterator[_Frame]:
        yield first
        yield from self._ready
        for packet in packets:
            if packet.stream.type == "audio":
                writer.sound(packet)
            else:
                yield from self._decoded(packet)

    def _decoded(self, packet: MediaPacket) -> Iterator[_Frame]:
        """Frames of a packet; a broken packet is left out as players do, never shown as it is."""
        import av

        try:
            frames = packet.decode()
        except av.FFmpegError:
            return
        for frame in frames:
            yield self._upright(frame)

    def _upright(self, frame: "VideoFrame") -> _Frame:
        length = int(frame.duration or self._base_length())
        pts = frame.pts if frame.pts is not None else (self._last_pts or 0) + length
        pts -= round(self._shift / self._base)
        if self._last_pts is not None and pts <= self._last_pts:
            pts = self._last_pts + 1
        self._last_pts = pts
        return _Frame(pts, length, float(pts * self._base), self._pixels(frame))

    def _base_length(self) -> int:
        rate = self._picture.average_rate or self._picture.guessed_rate or Fraction(30)
        return max(1, round(1 / (Fraction(rate) * self._base)))

    def _pixels(self, frame: "VideoFrame") -> Pixels:
        width, height = _output_size(frame, self._long_side)
        hdr = is_hdr(int(frame.color_trc))
        self._hdr = self._hdr or hdr
        form = "rgb48le" if hdr else "rgb24"
        pixels = frame.reformat(width=width, height=height, format=form).to_ndarray()
        plain = (
            to_standard(pixels.astype(np.uint16, copy=False), int(frame.color_trc))
            if hdr
            else pixels
        )
        return np.ascontiguousarray(np.rot90(plain, (int(frame.rotation) // 90) % 4))

    def _finish(
        self, frame: _Frame, writer: "_Writer", progress: Progress | None, total: int | None
    ) -> None:
        pixels, faces = self._search.covered(frame)
        writer.picture(frame, pixels)
        if self._sampler.wants(frame.time):
            self._sampler.take(frame.time, mint_image(pixels, faces))
        if progress is not None:
            progress(writer.frames, total)


def _picture_stream(container: "InputContainer") -> "VideoStream":
    """The first moving picture; the cover of a song is none. Raises UnreadableMedia."""
    for stream in container.streams.video:
        if "attached_pic" not in str(stream.disposition):
            stream.thread_type = "AUTO"
            return stream
    raise UnreadableMedia("no picture in it: a sound recording")


def _output_size(frame: "VideoFrame", long_side: int) -> tuple[int, int]:
    """Width and height before turning: square pixels, even, at most `long_side`."""
    aspect = getattr(frame, "sample_aspect_ratio", None)
    wide = frame.width * float(aspect) if aspect else float(frame.width)
    share = min(1.0, long_side / max(wide, frame.height))
    return _even(wide * share), _even(frame.height * share)


def _even(side: float) -> int:
    return max(2, round(side / 2) * 2)


def _estimate(stream: "VideoStream", container: "InputContainer") -> int | None:
    """Frames to expect; header counts are wrong at times, so length and rate come first."""
    rate = stream.average_rate or stream.guessed_rate
    if container.duration and rate:
        return max(1, round(container.duration / 1_000_000 * float(rate)))
    return stream.frames or None


class _Window:
    """Frames that wait until what follows them has been looked at."""

    def __init__(self) -> None:
        self._held: deque[_Frame] = deque()

    def add(self, frame: _Frame) -> None:
        self._held.append(frame)

    def ripe(self, now: float) -> Iterator[_Frame]:
        """Frames CARRY before now; earlier ones, too, where memory would run out."""
        while self._held and (now - self._held[0].time >= CARRY or self._full()):
            yield self._held.popleft()

    def _full(self) -> bool:
        return len(self._held) * self._held[0].rgb.nbytes > WINDOW_BYTES

    def rest(self) -> Iterator[_Frame]:
        while self._held:
            yield self._held.popleft()


class _Search:
    """Looks for faces frame by frame, and covers them."""

    def __init__(self, detector: FaceDetector) -> None:
        self._detector = detector
        self._number = 0
        self._turn_seen = dict.fromkeys(ALL_TURNS[1:], -1e9)
        self.tracks = Tracks()

    def see(self, frame: _Frame) -> None:
        """Take in the faces of a frame."""
        turns = self._turns(frame.time)
        found: list[FaceBox] = []
        for turn in turns:
            hits = self._look(frame.rgb, (None, 640), (turn,), CANDIDATE)
            if turn and any(hit.score >= SEEN for hit in hits):
                self._turn_seen[turn] = frame.time
            found += hits
        self.tracks.see(frame.time, self._confirmed(frame.rgb, found))
        self._number += 1

    def _turns(self, time: float) -> tuple[int, ...]:
        if self._number % TURN_EVERY == 0:
            return ALL_TURNS
        return (0, *(turn for turn, seen in self._turn_seen.items() if time - seen <= CARRY))

    def covered(self, frame: _Frame) -> tuple[Pixels, int]:
        """The frame without faces, and how many there were. Raises FacesNotChecked."""
        self.tracks.forget_before(frame.time)
        boxes = self.tracks.boxes_at(frame.time)
        pixels = destroy_faces(frame.rgb, boxes)
        left = self._look(pixels, (CHECK_SIZE,), (0,)) if boxes else []
        if left:
            pixels = fill_faces(pixels, left)
            if self._look(pixels, (CHECK_SIZE,), (0,)):
                raise FacesNotChecked("a face was left after the blur")
        return pixels, len(boxes)

    def _look(
        self,
        rgb: Pixels,
        sizes: tuple[int | None, ...],
        turns: tuple[int, ...],
        threshold: float = SEEN,
    ) -> list[FaceBox]:
        with _closed():
            return glimpses(rgb, self._detector, threshold, sizes, turns)

    def _confirmed(self, rgb: Pixels, found: list[FaceBox]) -> list[FaceBox]:
        with _closed():
            return confirmed(rgb, found, self._detector, WEAK_ONES)


@contextmanager
def _closed() -> Iterator[None]:
    """Whatever goes wrong with a detector, no face was looked for. Raises FacesNotChecked."""
    try:
        yield
    except Exception as error:
        reason = f"faces could not be looked for: {type(error).__name__}"
        raise FacesNotChecked(reason) from error


class _Writer:
    """The file that is written: H.264 in MP4 with the sound of the source, no metadata."""

    def __init__(
        self,
        draft: Path,
        picture: "VideoStream",
        sound: "AudioStream | None",
        shape: tuple[int, ...],
        shift: float,
    ) -> None:
        import av

        options = {"movflags": "+faststart", "fflags": "+bitexact"}
        self._out = av.open(str(draft), "w", format="mp4", container_options=options)
        self._stream = self._picture_stream(picture, shape)
        self._sound_in, self._shift = sound, shift
        self._copies = sound is not None and sound.codec_context.name in COPIED_SOUND
        self._sound_out = self._sound_stream(sound)
        self.frames = 0
        self._start: float | None = None
        self._end = 0.0

    def _picture_stream(self, picture: "VideoStream", shape: tuple[int, ...]) -> OutStream:
        rate = picture.average_rate or picture.guessed_rate or 30
        options = {"crf": "23", "preset": "veryfast", "flags": "+bitexact"}
        stream = self._out.add_stream("libx264", rate=rate, options=options)
        stream.height, stream.width = shape[:2]
        stream.pix_fmt = "yuv420p"
        base = picture.time_base or Fraction(1, 90000)
        stream.codec_context.time_base = base
        stream.time_base = base
        return stream

    def _sound_stream(self, sound: "AudioStream | None") -> OutStream:
        if sound is None:
            return None
        if self._copies:
            stream = self._out.add_stream_from_template(sound)
            stream.metadata.clear()
            return stream
        stream = self._out.add_stream("aac", rate=sound.codec_context.sample_rate or 48000)
        stream.codec_context.time_base = Fraction(1, stream.codec_context.sample_rate)
        return stream

    @property
    def seconds(self) -> float:
        """Length of the picture."""
        return self._end - (self._start or 0.0)

    def picture(self, frame: _Frame, pixels: Pixels) -> None:
        """Write one frame at its own time."""
        import av

        out = av.VideoFrame.from_ndarray(pixels, format="rgb24")
        out.pts, out.time_base, out.duration = frame.pts, self._stream.time_base, frame.length
        self._out.mux(self._stream.encode(out))
        self.frames += 1
        self._start = frame.time if self._start is None else self._start
        self._end = frame.time + float(frame.length * self._stream.codec_context.time_base)

    def sound(self, packet: MediaPacket) -> None:
        """Write a packet of sound, copied where MP4 can hold it."""
        import av

        if packet.dts is None and packet.size == 0:
            return
        if self._copies:
            steps = round(self._shift / packet.time_base)
            packet.pts = None if packet.pts is None else packet.pts - steps
            packet.dts = None if packet.dts is None else packet.dts - steps
            packet.stream = self._sound_out
            self._out.mux(packet)
            return
        try:
            frames = packet.decode()
        except av.FFmpegError:
            return
        for frame in frames:
            self._encode_sound(frame)

    def _encode_sound(self, frame: SoundFrame) -> None:
        if frame.pts is not None:
            frame.pts -= round(self._shift / frame.time_base)
        self._out.mux(self._sound_out.encode(frame))

    def close(self) -> None:
        """Write what the encoders still hold, and the end of the file."""
        self._out.mux(self._stream.encode(None))
        if self._sound_out is not None and not self._copies:
            self._out.mux(self._sound_out.encode(None))
        self._out.close()

    def abandon(self) -> None:
        """Let go of the file; it will be removed."""
        import av

        try:
            self._out.close()
        except av.FFmpegError:
            return
