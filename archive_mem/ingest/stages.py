"""The stages that touch pixels, in order. A stage takes work and tools, does one thing, returns.

Nothing looks at a pixel before `anonymise`; everything after it sees blurred frames only.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from anonymize.faces import FaceBox, anonymise_picture
from anonymize.finish import write_checked
from anonymize.reopen import reopen_frames, reopen_picture
from anonymize.video import anonymise_video
from archive_mem.catalog.items import Derived
from archive_mem.errors import ModelError, UnreadableMedia
from archive_mem.ingest.decode import upright
from archive_mem.ingest.metadata import read
from archive_mem.ingest.work import RawDescription, Tools, Work
from archive_mem.schema.media import MediaItem, MediaKind
from archive_mem.schema.safe import SafeImage
from models.base import RawCaption, RawOcrLine, Scene

__all__ = ["STAGES", "Stage", "anonymise", "capture", "describe", "stage_versions"]

_DECODE_SIDE = 6000
"""Longest side that is decoded: bounded memory, and still a face of 24 px where one can see it."""


# ------------------------------------------------------------------------------ capture


def capture(work: Work, tools: Tools) -> Work:
    """Read when, where and with what; sidecars included."""
    reading = read(work.path, work.sidecars)
    if reading.item is None:
        raise UnreadableMedia(reading.error or "no known format")
    return replace(
        work,
        item=reading.item,
        texts=reading.descriptions,
        albums=reading.albums,
        content_id=reading.content_id,
    )


# ---------------------------------------------------------------------------- anonymise


def anonymise(work: Work, tools: Tools) -> Work:
    """Destroy every face and rebuild the file from pixels. Fails closed."""
    if _item(work).kind is MediaKind.VIDEO:
        return _anonymise_video(work, tools)
    return _anonymise_photo(work, tools)


def _anonymise_photo(work: Work, tools: Tools) -> Work:
    rgb = upright(work.path, _item(work).mime, _DECODE_SIDE)
    image, boxes = anonymise_picture(rgb, tools.detector)
    target = _derived_path(work, ".jpg")
    place, quality = work.root / target, tools.derived_quality
    more = write_checked(image, place, tools.derived_side, quality, tools.detector)
    return _derive(work, tools, target, reopen_picture(place, image.faces + more), boxes)


def _anonymise_video(work: Work, tools: Tools) -> Work:
    target = _derived_path(work, ".mp4")
    result = anonymise_video(
        work.path,
        work.root / target,
        tools.detector,
        progress=tools.frame_progress,
        long_side=tools.derived_side,
    )
    if not result.samples:
        raise UnreadableMedia("no picture in it: a sound recording")
    first = result.samples[0][1]
    done = _derive(work, tools, target, first, ())
    return replace(done, derived=replace(_derived(done), faces=result.faces))


def _derive(
    work: Work,
    tools: Tools,
    target: Path,
    image: SafeImage,
    boxes: tuple[FaceBox, ...],
) -> Work:
    thumb = _derived_path(work, ".thumb.jpg")
    write_checked(image, work.root / thumb, tools.thumb_side, tools.derived_quality, tools.detector)
    derived = Derived(
        path=target.as_posix(),
        thumb=thumb.as_posix(),
        faces=image.faces,
        boxes=tuple((box.left, box.top, box.width, box.height, box.score) for box in boxes),
        phash=_phash(image),
    )
    return replace(work, derived=derived)


def _derived_path(work: Work, suffix: str) -> Path:
    return Path("derived") / work.item_id[:2] / f"{work.item_id}{suffix}"


def _phash(image: SafeImage) -> str:
    import imagehash
    from PIL import Image

    return str(imagehash.phash(Image.fromarray(image.pixels)))


# ----------------------------------------------------------------------------- describe


def describe(work: Work, tools: Tools) -> Work:
    """Say what is there, from blurred frames: text, tags, one caption."""
    item, frames = _item(work), _frames(work)
    lines = _read_lines(frames, tools)
    scene = Scene(
        frames=tuple(image for _, image in frames),
        capture=item.capture,
        duration=item.duration,
        times=tuple(at for at, _ in frames) if item.duration is not None else (),
    )
    description = RawDescription(
        producer=tools.captioner.name,
        prompt_version=tools.captioner.prompt_version,
        caption=_told(tools.captioner.describe([scene])[0]),
        lines=lines,
        tags=tools.tagger.tags(frames[0][1]),
    )
    return replace(work, description=description)


def _told(said: RawCaption | ModelError) -> RawCaption:
    if isinstance(said, ModelError):
        raise said
    return said


def _frames(work: Work) -> tuple[tuple[float, SafeImage], ...]:
    derived = _derived(work)
    path = work.root / derived.path
    if path.suffix == ".mp4":
        return reopen_frames(path, derived.faces)
    return ((0.0, reopen_picture(path, derived.faces)),)


def _read_lines(
    frames: tuple[tuple[float, SafeImage], ...], tools: Tools
) -> tuple[RawOcrLine, ...]:
    """Every line of a picture, where it stands; each text of a video once."""
    lines = [line for _, image in frames for line in tools.ocr.read(image)]
    if len(frames) == 1:
        return tuple(lines)
    return tuple({line.text: line for line in reversed(lines)}.values())[::-1]


# ------------------------------------------------------------------------------ the list


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage.

    name: as in the ledger
    version: a new one redoes this stage alone
    run: what it does
    """

    name: str
    version: str
    run: Callable[[Work, Tools], Work]


STAGES = (
    Stage("capture", "2", capture),
    Stage("anonymise", "2", anonymise),
    Stage("describe", "2", describe),
)


def stage_versions(captioner: str, faces: str = "small") -> dict[str, str]:
    """Stage name -> version as the ledger has it.

    Another captioner redoes `describe`, another detector of faces `anonymise`.
    """
    versions = {stage.name: stage.version for stage in STAGES}
    looked = versions["anonymise"] if faces == "small" else f"{versions['anonymise']}:{faces}"
    return versions | {
        "anonymise": looked,
        "describe": f"{versions['describe']}:{captioner}",
    }


def _item(work: Work) -> MediaItem:
    if work.item is None:
        raise UnreadableMedia("it was not read yet")
    return work.item


def _derived(work: Work) -> Derived:
    if work.derived is None:
        raise UnreadableMedia("it was not anonymised yet")
    return work.derived
