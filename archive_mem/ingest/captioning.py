"""The stage in which a language model describes pictures, many at once, by the owner.

It runs after words were hidden in pictures: a model on another machine never sees a name on a sign.
Every item has been described by rules before, so an item that the model fails on is still found.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from anonymize.reopen import reopen_frames, reopen_picture
from anonymize.vault import Vault
from archive_mem.catalog import items, ledger
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.errors import ArchiveMemError, InvalidReply, MediaError, ModelError
from archive_mem.progress import Track
from archive_mem.schema.media import MediaItem
from archive_mem.schema.safe import SafeText
from models.base import Captioner, RawCaption, Scene

__all__ = ["CAPTION", "CaptionReport", "ModelCaptions"]

CAPTION = "caption"
_VERSION = "1"
_READERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionReport:
    """What the language model did.

    said: items that it described
    failed: items that it could not describe, each with a reason in the ledger
    left: items that wait for the next run, since the model answered none of a whole batch
    why: the reason for that, None when nothing was left
    """

    said: int = 0
    failed: int = 0
    left: int = 0
    why: str | None = None


class ModelCaptions:
    """Lets a captioner describe what it has not described yet.

    root: the memory folder
    name: of the captioner, as in the settings; another one describes all anew
    make: called when there is something to describe
    redact: called after each batch: replaces what is personal in what was said
    """

    def __init__(
        self,
        catalog: Catalog,
        vault: Vault,
        root: Path,
        name: str,
        make: Callable[[], Captioner],
        redact: Callable[[], object],
        track: Track,
    ) -> None:
        self._catalog = catalog
        self._vault = vault
        self._root = root
        self._version = f"{_VERSION}:{name}"
        self._make = make
        self._redact = redact
        self._track = track

    def caption_new(self) -> CaptionReport:
        """Describe in order of time; each batch is kept as it comes."""
        with self._catalog.reading() as connection:
            waiting = ledger.waiting(connection, CAPTION, self._version, after="pseudonymise")
        if not waiting:
            return CaptionReport()
        done: Counter[bool] = Counter()
        why = None
        try:
            said = self._described(waiting, self._make())
            for result in self._track(said, "Describing with a language model", len(waiting)):
                done[isinstance(result, RawCaption)] += 1
        except ModelError as error:
            why = str(error)
        return CaptionReport(
            said=done[True], failed=done[False], left=len(waiting) - done.total(), why=why
        )

    def _described(
        self, waiting: Sequence[str], captioner: Captioner
    ) -> Iterator["RawCaption | ArchiveMemError"]:
        """What came of each item. Raises ModelError when none of a batch was answered."""
        for ids, scenes in self._scenes(waiting, captioner.batch):
            results = _described(scenes, captioner)
            down = _down(results)
            if down is not None:
                raise down
            for item_id, result in zip(ids, results, strict=True):
                self._keep(item_id, captioner, result)
            self._redact()
            yield from results

    def _scenes(
        self, waiting: Sequence[str], size: int
    ) -> Iterator[tuple[Sequence[str], "list[Scene | ArchiveMemError]"]]:
        """Batches of scenes; the next batch is read while one is described."""
        starts = range(0, len(waiting), size)
        with ThreadPoolExecutor(_READERS) as pool:
            ahead: list[tuple[Sequence[str], list[Future[Scene | ArchiveMemError]]]] = []
            for start in starts:
                ids = waiting[start : start + size]
                ahead.append((ids, [pool.submit(self._scene, item_id) for item_id in ids]))
                if len(ahead) > 1:
                    yield _read(*ahead.pop(0))
            for batch in ahead:
                yield _read(*batch)

    def _scene(self, item_id: str) -> Scene | ArchiveMemError:
        with self._catalog.reading() as connection:
            item = items.load_item(connection, item_id)
            derived = items.load_derived(connection, item_id)
        if item is None or derived is None:
            return MediaError("it has no derivative")
        try:
            return self._opened(item, self._root / derived.path, derived.faces)
        except MediaError as error:
            return error

    def _opened(self, item: MediaItem, path: Path, faces: int) -> Scene:
        ocr = self._read_before(item.id)
        if path.suffix != ".mp4":
            return Scene(frames=(reopen_picture(path, faces),), capture=item.capture, ocr=ocr)
        times, frames = zip(*reopen_frames(path, faces), strict=True)
        return Scene(
            frames=frames, capture=item.capture, ocr=ocr, duration=item.duration or 0.0, times=times
        )

    def _read_before(self, item_id: str) -> tuple[SafeText, ...]:
        record = next(iter(self._catalog.records([item_id])), None)
        said = None if record is None else record.description
        return () if said is None else tuple(line.text for line in said.ocr)

    def _keep(
        self, item_id: str, captioner: Captioner, result: "RawCaption | ArchiveMemError"
    ) -> None:
        with self._catalog.writing() as connection:
            if isinstance(result, RawCaption):
                self._keep_words(connection, item_id, captioner, result)
                ledger.make_stale(connection, item_id, "pseudonymise")
            ledger.write(connection, self._entry(item_id, result))

    def _keep_words(
        self, connection: Connection, item_id: str, captioner: Captioner, said: RawCaption
    ) -> None:
        """A new description with what the text reader read before."""
        latest = items.latest_description(connection, item_id)
        before: dict[str, Any] = (
            {"lines": (), "tags": ()} if latest is None else self._unsealed(latest[1])
        )
        known = before.get("caption", {}).get("tags", ())
        body = before | {
            "producer": captioner.name,
            "prompt_version": captioner.prompt_version,
            "caption": asdict(replace(said, tags=tuple(dict.fromkeys((*known, *said.tags))))),
        }
        sealed = self._vault.seal(json.dumps(body))
        items.save_description(
            connection, item_id, captioner.name, captioner.prompt_version, sealed
        )

    def _unsealed(self, sealed: str) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self._vault.unseal(sealed))
        return body

    def _entry(self, item_id: str, result: "RawCaption | ArchiveMemError") -> Entry:
        done = isinstance(result, RawCaption)
        return Entry(
            item_id=item_id,
            stage=CAPTION,
            version=self._version,
            outcome=Outcome.DONE if done else Outcome.FAILED,
            reason=None if isinstance(result, RawCaption) else str(result),
            seconds=result.seconds if isinstance(result, RawCaption) else 0.0,
        )


def _described(
    scenes: "Sequence[Scene | ArchiveMemError]", captioner: Captioner
) -> "list[RawCaption | ArchiveMemError]":
    """Results in order; what could not be read is not shown to the model."""
    good = [scene for scene in scenes if isinstance(scene, Scene)]
    try:
        said: Iterator[RawCaption | ModelError] = iter(captioner.describe(good) if good else [])
    except ModelError as error:
        said = iter([error] * len(good))
    return [next(said) if isinstance(scene, Scene) else scene for scene in scenes]


def _down(results: "Sequence[RawCaption | ArchiveMemError]") -> ModelError | None:
    """Why the model, rather than what it said, is wrong; None when it answered at all."""
    asked = [each for each in results if not isinstance(each, MediaError)]
    down = [e for e in asked if isinstance(e, ModelError) and not isinstance(e, InvalidReply)]
    return down[0] if down and len(down) == len(asked) else None


def _read(
    ids: Sequence[str], futures: "Sequence[Future[Scene | ArchiveMemError]]"
) -> tuple[Sequence[str], "list[Scene | ArchiveMemError]"]:
    return ids, [future.result() for future in futures]
