from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from anonymize.boxes import FaceBox
from anonymize.finish import write_checked
from archive_mem.errors import FacesNotChecked
from archive_mem.schema.minting import mint_image

BOX = FaceBox(10.0, 10.0, 20.0, 20.0, 0.9)


class SeesWhatIsUneven:
    """Takes the box for a face as long as its pixels are not all alike."""

    name = "test"

    def detect(self, rgb: NDArray[np.uint8], threshold: float) -> list[FaceBox]:
        patch = rgb[12:28, 12:28].astype(int)
        return [BOX] if patch.max() - patch.min() > 40 else []


class AlwaysSees:
    name = "test"

    def detect(self, rgb: NDArray[np.uint8], threshold: float) -> list[FaceBox]:
        return [BOX]


def noise() -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 255, (64, 64, 3)).astype(np.uint8)


def test_what_is_seen_only_in_the_written_picture_is_filled(tmp_path: Path) -> None:
    target = tmp_path / "a.jpg"
    assert write_checked(mint_image(noise(), 0), target, 64, 85, SeesWhatIsUneven()) >= 1
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_face_that_stays_is_never_written(tmp_path: Path) -> None:
    target = tmp_path / "a.jpg"
    with pytest.raises(FacesNotChecked):
        write_checked(mint_image(noise(), 0), target, 64, 85, AlwaysSees())
    assert not list(tmp_path.iterdir())
