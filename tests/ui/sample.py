"""A small memory of drawn pictures, written with the catalog's own functions."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from sqlalchemy import Connection

from anonymize.compose import restored
from archive_mem.catalog import items, ledger, sessions
from archive_mem.catalog.items import Derived, KnownPath, Words
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.catalog.sessions import Woven
from archive_mem.schema.media import (
    Capture,
    CapturePlace,
    CaptureTime,
    MediaItem,
    MediaKind,
    PlaceName,
    Precision,
)
from archive_mem.schema.session import Session, Speaker, Turn
from archive_mem.wiring import Memory, open_memory

EVIL = "<img src=x onerror=alert(1)> ${alert(2)} {{constructor}} \"'><script>alert(3)</script>"
NOT_READY = "dead" * 4
FAILED = "fa11" * 4
VIDEO = f"{2:016x}"
CITIES = (("Lisbon", "Portugal", "PT"), ("Kyoto", "Japan", "JP"))


def item_id(number: int) -> str:
    return f"{number:016x}"


def make_memory(folder: Path, count: int = 12, start: datetime = datetime(2022, 3, 5, 9)) -> Memory:
    """`count` items over some years, one a video, one not ready, one that failed."""
    memory = open_memory(folder, create=True)
    with memory.catalog.writing() as connection:
        for number in range(count):
            at = start + timedelta(days=number * 5 // 3 * 4, hours=number % 5)
            _add(memory, connection, number, at)
        _add_unready(memory, connection, start)
        _add_sessions(memory, connection, count, start)
    return memory


def _add(memory: Memory, connection: Connection, number: int, at: datetime) -> None:
    name = item_id(number)
    video = name == VIDEO
    place = PlaceName(
        city=CITIES[number % 2][0],
        region=None,
        country=CITIES[number % 2][1],
        country_code=CITIES[number % 2][2],
        distance_km=2.2,
    )
    item = MediaItem(
        id=name,
        kind=MediaKind.VIDEO if video else MediaKind.PHOTO,
        mime="video/mp4" if video else "image/jpeg",
        width=640,
        height=480,
        duration=7.0 if video else None,
        capture=Capture(
            time=CaptureTime(
                local=at,
                utc_offset=timedelta(hours=9),
                precision=Precision.SECOND,
                source="EXIF DateTimeOriginal",
                confidence=0.95,
            ),
            place=CapturePlace(
                latitude=35.0, longitude=135.0, altitude=None, place=place, source="EXIF GPS"
            ),
            device="Camera",
        ),
    )
    items.save_item(connection, item, (at - timedelta(hours=9)).timestamp(), None)
    _add_words(memory, connection, number)
    items.save_derived(connection, name, _draw(memory.folder.root, name, number, video))
    _done(connection, name)


def _add_words(memory: Memory, connection: Connection, number: int) -> None:
    name = item_id(number)
    vault = memory.vault
    path = f"/secret/Jane Roe/IMG_{number}.jpg"
    items.keep_path(
        connection,
        KnownPath(
            fingerprint=vault.fingerprint(path),
            item_id=name,
            sealed=vault.seal(path),
            relative_fingerprint=vault.fingerprint(path.rpartition("/")[2]),
            album_sealed=None,
            size=1,
            mtime_ns=1,
        ),
    )
    items.save_texts(
        connection,
        name,
        Words(
            name=restored(f"IMG_{number}.jpg"),
            place_label=restored(f"{CITIES[number % 2][0]}, {CITIES[number % 2][1]}"),
            inscription=None,
            albums={},
        ),
    )
    items.save_description(connection, name, "embedded", "1", vault.seal("raw"))
    row, _ = items.latest_description(connection, name)
    caption = EVIL if number == 1 else f"Friend A walks by the river, picture {number}."
    items.set_description_body(
        connection,
        row,
        {
            "caption": caption,
            "ocr": [[EVIL, 0.9, [0.1, 0.1, 0.2, 0.1]]] if number == 1 else [],
            "tags": ["day", "outdoor"],
            "people_count": 1,
            "scenario": "nature_outdoor",
        },
    )


def _draw(root: Path, name: str, number: int, video: bool) -> Derived:
    folder = Path("derived") / name[:2]
    (root / folder).mkdir(parents=True, exist_ok=True)
    picture = landscape(number)
    thumb = folder / f"{name}.thumb.jpg"
    picture.resize((320, 240)).save(root / thumb, quality=80)
    path = folder / f"{name}{'.mp4' if video else '.jpg'}"
    if video:
        write_clip(root / path, number)
    else:
        picture.save(root / path, quality=85)
    return Derived(
        path=path.as_posix(), thumb=thumb.as_posix(), faces=number % 3, boxes=(), phash=""
    )


def landscape(number: int, width: int = 640, height: int = 480) -> Image.Image:
    """Sky, hills and a sun, another for every number."""
    rng = np.random.default_rng(number)
    sky, far = rng.integers(90, 230, (2, 3))
    rows = np.linspace(0, 1, height)[:, None, None]
    pixels = (sky * (1 - rows) + far * rows) * np.ones((1, width, 1))
    picture = Image.fromarray(pixels.astype(np.uint8))
    pen = ImageDraw.Draw(picture)
    x, y = int(rng.integers(60, width - 60)), int(rng.integers(60, 180))
    pen.ellipse((x - 36, y - 36, x + 36, y + 36), fill=(255, 236, 170))
    for layer in range(3):
        base = 240 + layer * 70
        phase = rng.random(3) * 6
        hills = [
            (
                px,
                base + sum(22 / (k + 1) * np.sin(px / (70 / (k + 1)) + phase[k]) for k in range(3)),
            )
            for px in range(0, width + 8, 8)
        ]
        shade = tuple(int(value) for value in (far * (0.75 - layer * 0.18)).clip(10, 200))
        pen.polygon([*hills, (width, height), (0, height)], fill=shade)
    return picture


def write_clip(path: Path, number: int, frames: int = 12) -> None:
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=6)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for step in range(frames):
            picture = np.asarray(landscape(number, 320, 240).rotate(step))
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)


def _done(connection: Connection, name: str) -> None:
    for stage in ("capture", "anonymise", "describe", "pseudonymise", "weave"):
        entry = Entry(item_id=name, stage=stage, version="1", outcome=Outcome.DONE)
        ledger.write(connection, entry)


def _add_unready(memory: Memory, connection: Connection, at: datetime) -> None:
    """One whose derivative is there but whose words are not redacted yet, and one that failed."""
    for name in (NOT_READY, FAILED):
        nothing = Capture(time=None, place=None, device=None)
        item = MediaItem(
            id=name,
            kind=MediaKind.PHOTO,
            mime="image/jpeg",
            width=None,
            height=None,
            duration=None,
            capture=nothing,
        )
        items.save_item(connection, item, None, None)
    items.save_derived(connection, NOT_READY, _draw(memory.folder.root, NOT_READY, 99, False))
    failed = Entry(
        item_id=FAILED,
        stage="capture",
        version="1",
        outcome=Outcome.FAILED,
        reason=f"the file is cut off {EVIL}",
    )
    ledger.write(connection, failed)


def _add_sessions(memory: Memory, connection: Connection, count: int, start: datetime) -> None:
    for first in range(0, count, 3):
        members = [item_id(number) for number in range(first, min(first + 3, count))]
        sessions.replace(connection, _woven(f"s{first:015x}", members, start))


def _woven(session_id: str, members: Sequence[str], at: datetime) -> Woven:
    turns = tuple(
        Turn(
            id=f"{session_id}:{position}",
            session_id=session_id,
            item_id=member,
            speaker=Speaker.ARCHIVE,
            at=at,
            text=restored("A walk by the river."),
        )
        for position, member in enumerate(members)
    )
    session = Session(
        id=session_id,
        started=at,
        ended=at,
        place_label=None,
        item_ids=tuple(members),
        turns=turns,
    )
    return Woven(
        session=session,
        instant=at.timestamp(),
        fingerprint=session_id,
        turn_fingerprints=tuple(turn.id for turn in turns),
    )
