"""Faces are found at every turn and destroyed; a failing search lets nothing out."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.boxes import FaceBox, clip, inside, iou, merge_boxes, turned_back, widened
from anonymize.detectors import Pixels, RetinaFaceDetector
from anonymize.faces import anonymise_picture, destroy_faces
from anonymize.search import find_faces, remaining_faces
from archive_mem.errors import FacesNotChecked
from tests.anonymize.doubles import RedFaces

SHARED = Path(__file__).parents[3] / "shared" / "cases" / "faces"


class Failing:
    """A detector that breaks."""

    name = "failing"

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        raise RuntimeError("no model")


class Stubborn(RedFaces):
    """Sees one more face, whatever is done about it."""

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        return [*super().detect(rgb, threshold), FaceBox(10, 10, 20, 20, 0.9)]


def red_square(side: int = 60, at: int = 200) -> Pixels:
    picture = np.full((480, 640, 3), 90, np.uint8)
    picture[at : at + side, at : at + side] = (250, 30, 30)
    return picture


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_face_is_found_at_every_quarter_turn(
    detector: RetinaFaceDetector, astronaut: Pixels, turns: int
) -> None:
    turned = np.ascontiguousarray(np.rot90(astronaut, turns))
    expected = turned_back(FaceBox(185, 85, 85, 105), (4 - turns) % 4, 512, 512)
    found = find_faces(turned, detector)
    assert any(iou(box, expected) > 0.4 for box in found)


@pytest.mark.parametrize("angle", [45, 135, 225, 315])
def test_a_face_is_found_between_the_quarter_turns(
    detector: RetinaFaceDetector, astronaut: Pixels, angle: int
) -> None:
    matrix = cv2.getRotationMatrix2D((227, 137), angle, 1)
    turned = cv2.warpAffine(astronaut, matrix, (512, 512), borderMode=cv2.BORDER_REPLICATE)
    found = find_faces(np.asarray(turned), detector)
    assert any(inside(FaceBox(207, 117, 40, 40), box) > 0.9 for box in found)


@pytest.mark.parametrize("size", [32, 64, 300])
def test_a_face_is_found_at_many_sizes_in_a_large_picture(
    detector: RetinaFaceDetector, astronaut: Pixels, size: int
) -> None:
    scale = size / 105
    head = cv2.resize(
        astronaut[40:240, 120:330], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
    )
    scene = np.full((1500, 2000, 3), 120, np.uint8)
    scene[600 : 600 + head.shape[0], 900 : 900 + head.shape[1]] = head
    middle = FaceBox(900 + 95 * scale, 600 + 85 * scale, 20 * scale, 20 * scale)
    assert any(inside(middle, box) > 0.9 for box in find_faces(scene, detector))


def test_no_face_is_left_for_any_threshold(detector: RetinaFaceDetector, astronaut: Pixels) -> None:
    image, faces = anonymise_picture(astronaut, detector)
    assert image.faces == len(faces) >= 1
    for threshold in (0.9, 0.5, 0.3):
        assert detector.detect(image.pixels, threshold) == []
    assert remaining_faces(image.pixels, detector) == []


def test_the_background_stays_as_it_was(detector: RetinaFaceDetector, astronaut: Pixels) -> None:
    image, faces = anonymise_picture(astronaut, detector)
    far = np.ones(astronaut.shape[:2], bool)
    for box in faces:
        area = clip(widened(box, 0.3), 512, 512)
        assert area is not None
        far[int(area.top) : int(area.bottom) + 1, int(area.left) : int(area.right) + 1] = False
    assert far.mean() > 0.8
    assert (image.pixels[far] == astronaut[far]).all()


def test_a_picture_without_faces_stays_untouched(detector: RetinaFaceDetector) -> None:
    data = pytest.importorskip("skimage.data")
    for picture in (data.coffee(), data.rocket(), data.chelsea(), data.colorwheel()):
        image, faces = anonymise_picture(picture, detector)
        assert faces == ()
        assert (image.pixels == picture).all()


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 700, 3), (700, 2, 3), (33, 35, 3)])
def test_tiny_and_narrow_pictures_pass(
    detector: RetinaFaceDetector, shape: tuple[int, ...]
) -> None:
    image, _ = anonymise_picture(np.zeros(shape, np.uint8), detector)
    assert image.pixels.shape == shape


def test_a_leaf_that_looks_like_a_face_at_one_sight_only_is_not_covered() -> None:
    picture = red_square(side=3)
    assert find_faces(picture, RedFaces()) == []


def test_a_place_is_looked_at_again_at_every_size_and_turn() -> None:
    (box,) = find_faces(red_square(), RedFaces())
    assert inside(FaceBox(200, 200, 60, 60), box) > 0.99
    assert box.side < 120


def test_a_face_that_the_edge_cuts_is_found(
    detector: RetinaFaceDetector, astronaut: Pixels
) -> None:
    half = np.ascontiguousarray(astronaut[:, 232:])
    found = find_faces(half, detector)
    assert any(inside(FaceBox(2, 90, 25, 60), box) > 0.9 for box in found)


@pytest.mark.parametrize("angle", [0, 45, 90, 135, 180, 225, 270, 315])
def test_a_face_of_24_pixels_is_found_at_every_angle(
    detector: RetinaFaceDetector, astronaut: Pixels, angle: int
) -> None:
    head = astronaut[20:240, 110:330]
    matrix = cv2.getRotationMatrix2D((115, 100), angle, 1)
    turned = cv2.warpAffine(head, matrix, (220, 220), borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(turned, None, fx=24 / 105, fy=24 / 105, interpolation=cv2.INTER_AREA)
    scene = np.full((600, 800, 3), 120, np.uint8)
    scene[300 : 300 + small.shape[0], 400 : 400 + small.shape[1]] = small
    middle = FaceBox(400 + 112 * 24 / 105, 300 + 97 * 24 / 105, 2, 2)
    assert any(inside(middle, box) > 0.9 for box in find_faces(scene, detector))


def test_a_failing_detector_lets_nothing_out(astronaut: Pixels) -> None:
    with pytest.raises(FacesNotChecked, match="could not be looked for"):
        anonymise_picture(astronaut, Failing())


def test_a_face_that_cannot_be_destroyed_lets_nothing_out() -> None:
    with pytest.raises(FacesNotChecked, match="left"):
        anonymise_picture(red_square(), Stubborn())


def test_the_given_picture_is_not_changed() -> None:
    picture = np.zeros((60, 60, 3), np.uint8)
    picture[10:30, 10:30] = (255, 0, 0)
    before = picture.copy()
    destroy_faces(picture, [FaceBox(10, 10, 20, 20)])
    assert (picture == before).all()


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    left=st.floats(-40, 90),
    top=st.floats(-40, 90),
    width=st.floats(2, 80),
    height=st.floats(2, 80),
)
def test_what_was_inside_a_box_cannot_be_told_apart(
    seed: int, left: float, top: float, width: float, height: float
) -> None:
    """Two faces of the same mean colours in 5 cells come out alike: detail is gone, not mixed."""
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 255, (100, 100, 3), dtype=np.uint8)
    box = FaceBox(left, top, width, height)
    out = destroy_faces(picture, [box])
    core = clip(box, 100, 100)
    if core is None or core.width < 12 or core.height < 12:
        return
    rows = slice(int(core.top) + 1, int(core.bottom) - 1)
    columns = slice(int(core.left) + 1, int(core.right) - 1)
    inner = out[rows, columns].astype(int)
    assert np.abs(np.diff(inner, axis=0)).max() <= 30
    assert np.abs(np.diff(inner, axis=1)).max() <= 30
    assert out.shape == picture.shape


@given(
    turns=st.integers(0, 3),
    left=st.integers(0, 50),
    top=st.integers(0, 30),
    width=st.integers(1, 10),
    height=st.integers(1, 10),
)
def test_a_box_is_turned_back_to_where_it_was(
    turns: int, left: int, top: int, width: int, height: int
) -> None:
    picture = np.zeros((40, 60), np.uint8)
    picture[top : top + height, left : left + width] = 1
    turned = np.rot90(picture, turns)
    rows, columns = np.nonzero(turned)
    box = FaceBox(columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)
    assert turned_back(box, turns, 60, 40) == FaceBox(left, top, width, height)


@given(
    st.lists(
        st.builds(
            FaceBox,
            st.floats(0, 500),
            st.floats(0, 500),
            st.floats(1, 100),
            st.floats(1, 100),
            st.floats(0, 1),
        ),
        max_size=12,
    )
)
def test_merging_boxes_covers_every_box(boxes: list[FaceBox]) -> None:
    merged = merge_boxes(boxes)
    assert all(any(inside(box, each) > 0.999 for each in merged) for box in boxes)
    assert len(merged) <= len(boxes)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared pictures")
def test_no_face_of_the_shared_pictures_is_left(detector: RetinaFaceDetector) -> None:
    from PIL import Image, ImageOps

    for path in sorted(SHARED.glob("*.jpg"))[::3]:
        with Image.open(path) as opened:
            picture = np.asarray(ImageOps.exif_transpose(opened).convert("RGB"))
        image, _ = anonymise_picture(picture, detector)
        for threshold in (0.9, 0.5, 0.3):
            assert detector.detect(image.pixels, threshold) == [], path.name


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared pictures")
def test_a_face_in_profile_counts_when_it_is_plain_at_first_sight(
    detector: RetinaFaceDetector,
) -> None:
    from PIL import Image

    with Image.open(SHARED / "immich__portrait.jpg") as opened:
        assert len(find_faces(np.asarray(opened.convert("RGB")), detector)) == 2


class Certain:
    """Sees the red patch, but in no picture as small as those of a closer look."""

    name = "certain"

    def __init__(self, score: float) -> None:
        self._score = score

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        if max(rgb.shape[:2]) < 200 or self._score < threshold:
            return []
        return [replace(box, score=self._score) for box in RedFaces().detect(rgb, threshold)]


@pytest.mark.parametrize(("score", "covered"), [(0.95, True), (0.6, False)])
def test_what_is_plainly_called_a_face_is_covered_whatever_the_closer_look_says(
    score: float, covered: bool
) -> None:
    rgb = np.full((300, 400, 3), 90, np.uint8)
    rgb[80:180, 120:220] = (250, 10, 10)
    image, _ = anonymise_picture(rgb, Certain(score))
    assert (image.pixels[130, 170, 0] < 200) is np.bool_(covered)
