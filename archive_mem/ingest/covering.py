"""The step that fills personal details in pictures, before the item may be read."""

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from anonymize.cover import Region, cover_faces, cover_text
from anonymize.faces import FaceDetector
from archive_mem.catalog import items, ledger
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.items import Derived
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.ingest.byhand import hand_regions

__all__ = ["COVER", "Coverer"]

COVER = "cover"
COVER_VERSION = "1"


class Coverer:
    """Fills personal details, and faces that a person marked, in derivative and thumbnail.

    root: the memory folder
    make_detector: called when the first picture is to be written
    """

    def __init__(
        self, catalog: Catalog, root: Path, make_detector: Callable[[], FaceDetector], quality: int
    ) -> None:
        self._catalog = catalog
        self._root = root
        self._make_detector = make_detector
        self._quality = quality

    @cached_property
    def _detector(self) -> FaceDetector:
        return self._make_detector()

    def cover(self, item_id: str, regions: Sequence[Region]) -> None:
        """Fill what is to be hidden, unless these very files were filled so already.

        A video's frames are left as they are. Raises PrivacyError, DamagedMedia.
        """
        with self._catalog.reading() as connection:
            derived = items.load_derived(connection, item_id)
            item = items.load_item(connection, item_id)
            known = ledger.entries(connection, item_id).get(COVER)
        if derived is None or not derived.path.endswith(".jpg"):
            return
        drawn = () if item is None else hand_regions(derived, item.width, item.height)
        if not regions and not drawn:
            return
        if known is not None and known.version == self._mark(derived, regions, drawn):
            return
        for path in (derived.path, derived.thumb):
            for cover, places in ((cover_faces, drawn), (cover_text, regions)):
                if places:
                    cover(self._root / path, places, derived.faces, self._detector, self._quality)
        with self._catalog.writing() as connection:
            ledger.write(connection, self._entry(item_id, self._mark(derived, regions, drawn)))

    def _mark(self, derived: Derived, regions: Sequence[Region], drawn: Sequence[Region]) -> str:
        said = json.dumps([regions, drawn]) if drawn else json.dumps(regions)
        digest = hashlib.sha256(said.encode())
        for path in (derived.path, derived.thumb):
            digest.update((self._root / path).read_bytes())
        return f"{COVER_VERSION}:{digest.hexdigest()[:16]}"

    def _entry(self, item_id: str, mark: str) -> Entry:
        return Entry(item_id=item_id, stage=COVER, version=mark, outcome=Outcome.DONE)
