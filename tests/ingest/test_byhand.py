"""A face that a person marks is destroyed at once, and again when the picture is made anew."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from anonymize.boxes import FaceBox
from archive_mem.catalog import items
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.items import HAND, Derived
from archive_mem.errors import UsageError
from archive_mem.ingest.byhand import hand_regions, hide_face
from archive_mem.ingest.covering import Coverer
from archive_mem.schema.media import Capture, MediaItem, MediaKind

ID = "0123456789abcdef"
REGION = (0.25, 0.25, 0.25, 0.5)
DERIVED = Derived(path="derived/a.jpg", thumb="derived/a.thumb.jpg", faces=1, boxes=(), phash="")


class Nobody:
    """Finds no face."""

    name = "nobody"

    def detect(self, rgb: object, threshold: float) -> list[FaceBox]:
        return []


def _draw(root: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (60, 80, 3), dtype=np.uint8)
    picture = Image.fromarray(noise).resize((400, 300), Image.Resampling.NEAREST)
    (root / "derived").mkdir(exist_ok=True)
    picture.save(root / DERIVED.path, quality=95)
    picture.resize((200, 150)).save(root / DERIVED.thumb, quality=95)


def _detail(path: Path) -> tuple[float, float]:
    """Contrast inside of the region and in the right half, which has nothing to hide."""
    pixels = np.asarray(Image.open(path).convert("L"), dtype=np.float64)
    height, width = pixels.shape
    middle = pixels[int(height * 0.35) : int(height * 0.65), int(width * 0.3) : int(width * 0.45)]
    return float(middle.std()), float(pixels[:, int(width * 0.7) :].std())


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    _draw(tmp_path)
    made = Catalog(tmp_path / "catalog.sqlite")
    nothing = Capture(time=None, place=None, device=None)
    item = MediaItem(
        id=ID,
        kind=MediaKind.PHOTO,
        mime="image/jpeg",
        width=800,
        height=600,
        duration=None,
        capture=nothing,
    )
    with made.writing() as connection:
        items.save_item(connection, item, None, None)
        items.save_derived(connection, ID, DERIVED)
    yield made
    made.close()


def _derived(catalog: Catalog) -> Derived:
    with catalog.reading() as connection:
        found = items.load_derived(connection, ID)
    assert found is not None
    return found


def test_picture_and_thumbnail_lose_what_was_in_the_box_and_nothing_else(
    catalog: Catalog, tmp_path: Path
) -> None:
    assert hide_face(catalog, tmp_path, Nobody(), 85, ID, REGION) == 2
    for path in (DERIVED.path, DERIVED.thumb):
        inside, outside = _detail(tmp_path / path)
        assert inside < outside / 3
    kept = _derived(catalog)
    assert kept.faces == 2
    assert kept.boxes == ((200.0, 150.0, 200.0, 300.0, HAND),)
    assert hand_regions(kept, 800, 600) == (REGION,)


def test_a_picture_made_anew_keeps_the_box_and_loses_the_face_again(
    catalog: Catalog, tmp_path: Path
) -> None:
    hide_face(catalog, tmp_path, Nobody(), 85, ID, REGION)
    _draw(tmp_path)
    with catalog.writing() as connection:
        items.save_derived(connection, ID, DERIVED)
    assert (_derived(catalog).faces, len(_derived(catalog).boxes)) == (2, 1)
    coverer = Coverer(catalog, tmp_path, Nobody, 85)
    coverer.cover(ID, ())
    inside, outside = _detail(tmp_path / DERIVED.path)
    assert inside < outside / 3
    written = (tmp_path / DERIVED.path).read_bytes()
    coverer.cover(ID, ())
    assert (tmp_path / DERIVED.path).read_bytes() == written


@pytest.mark.parametrize(
    "region", [(0.5, 0.5, 0.6, 0.1), (-0.1, 0, 0.2, 0.2), (0.1, 0.1, 0.001, 0.2), (0, 0, 0, 0)]
)
def test_a_box_that_cannot_be_meant_hides_nothing(
    catalog: Catalog, tmp_path: Path, region: tuple[float, float, float, float]
) -> None:
    before = (tmp_path / DERIVED.path).read_bytes()
    with pytest.raises(UsageError):
        hide_face(catalog, tmp_path, Nobody(), 85, ID, region)
    assert (tmp_path / DERIVED.path).read_bytes() == before


def test_an_unknown_item_is_refused(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such picture"):
        hide_face(catalog, tmp_path, Nobody(), 85, "f" * 16, REGION)
