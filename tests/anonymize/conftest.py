"""The real detector and a photograph with a face, for all tests of faces."""

import pytest

from anonymize.detectors import Pixels, RetinaFaceDetector


@pytest.fixture(scope="session")
def detector() -> RetinaFaceDetector:
    return RetinaFaceDetector(threads=2)


@pytest.fixture(scope="session")
def astronaut() -> Pixels:
    data = pytest.importorskip("skimage.data")
    picture: Pixels = data.astronaut()
    return picture
