"""What is written was looked at as it will be seen."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from anonymize.boxes import FaceBox
from anonymize.detectors import Pixels
from anonymize.finish import write_checked
from anonymize.verify import scan_derivative
from archive_mem.errors import FacesNotChecked
from archive_mem.schema.minting import mint_image
from tests.anonymize.doubles import NoFaces

BOX = FaceBox(10.0, 10.0, 20.0, 20.0, 0.9)


class SeesWhatIsUneven:
    """Takes the box for a face as long as its pixels are not all alike."""

    name = "test"

    def __init__(self, score: float = 0.95) -> None:
        self._score = score

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        patch = rgb[12:28, 12:28].astype(int)
        return [replace(BOX, score=self._score)] if patch.max() - patch.min() > 40 else []


class AlwaysSees:
    name = "test"

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        return [BOX]


def noise(side: int = 64) -> Pixels:
    return np.random.default_rng(1).integers(0, 255, (side, side, 3)).astype(np.uint8)


def test_what_is_seen_only_in_the_written_picture_is_covered(tmp_path: Path) -> None:
    target = tmp_path / "a.jpg"
    assert write_checked(mint_image(noise(), 1), target, 64, 85, SeesWhatIsUneven()) >= 1
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_face_that_stays_is_never_written(tmp_path: Path) -> None:
    target = tmp_path / "a.jpg"
    with pytest.raises(FacesNotChecked):
        write_checked(mint_image(noise(), 1), target, 64, 85, AlwaysSees())
    assert not list(tmp_path.iterdir())


def test_what_no_closer_look_confirms_is_left_alone_where_nobody_was_found(tmp_path: Path) -> None:
    target = tmp_path / "a.jpg"
    assert write_checked(mint_image(noise(), 0), target, 64, 85, SeesWhatIsUneven(0.6)) == 0


def test_what_is_plainly_a_face_is_covered_where_nobody_was_found(tmp_path: Path) -> None:
    target = tmp_path / "a.jpg"
    assert write_checked(mint_image(noise(), 0), target, 64, 85, SeesWhatIsUneven(0.95)) >= 1


def test_it_is_a_small_plain_jpeg(tmp_path: Path) -> None:
    target = tmp_path / "ab" / "a.jpg"
    write_checked(mint_image(noise(400), 0), target, 300, 85, NoFaces())
    assert scan_derivative(target) == []
    with Image.open(target) as written:
        assert written.size == (300, 300)
        assert written.layer[0][1:3] == (2, 2)  # type: ignore[attr-defined]
