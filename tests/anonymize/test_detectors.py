"""Which detector looks for faces is chosen by a setting, and never a lesser one instead."""

from pathlib import Path

import numpy as np
import pytest

from anonymize.boxes import FaceBox, iou
from anonymize.detectors import (
    LargeRetinaFaceDetector,
    Pixels,
    RetinaFaceDetector,
    UnionDetector,
    check_detector,
    face_detector,
)
from anonymize.faces import anonymise_picture
from archive_mem.errors import FacesNotChecked, MissingExtra, ModelError, UsageError
from tests.anonymize.tiny_onnx import network


class Sees:
    """Sees one box, whatever the picture."""

    def __init__(self, name: str, *boxes: FaceBox) -> None:
        self.name = name
        self._boxes = boxes

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        return [box for box in self._boxes if box.score >= threshold]


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "retinaface.onnx"
    path.write_bytes(network())
    return path


def red(left: int, top: int, shape: tuple[int, int] = (150, 203)) -> Pixels:
    picture = np.full((*shape, 3), 80, np.uint8)
    picture[top : top + 8, left : left + 8] = (250, 20, 20)
    return picture


def test_the_small_one_sees_what_its_package_sees() -> None:
    data = pytest.importorskip("skimage.data")
    retinaface = pytest.importorskip("retinaface")
    picture = data.astronaut()[:400, :395]
    ours = RetinaFaceDetector().detect(picture, 0.3)
    theirs = retinaface.detect_faces(picture, score_threshold=0.3)
    assert len(ours) == len(theirs) >= 1
    for mine, its in zip(ours, theirs, strict=True):
        assert mine.score == pytest.approx(its.score, abs=1e-4)
        assert iou(mine, FaceBox(its.x, its.y, its.width, its.height)) > 0.95


@pytest.mark.parametrize(("left", "top"), [(0, 0), (64, 32), (192, 136)])
def test_the_large_one_puts_a_box_around_what_its_network_sees(
    weights: Path, left: int, top: int
) -> None:
    (box,) = LargeRetinaFaceDetector(weights).detect(red(left, top), 0.5)
    assert box.score == pytest.approx(230 / 255, abs=0.01)
    middle = (box.left + box.width / 2, box.top + box.height / 2)
    assert middle == pytest.approx((left + 7.5, top + 7.5), abs=0.01)
    assert (box.width, box.height) == pytest.approx((32, 32), abs=0.1)


def test_the_large_one_sees_nothing_in_a_grey_picture(weights: Path) -> None:
    image, faces = anonymise_picture(
        np.full((70, 90, 3), 90, np.uint8), LargeRetinaFaceDetector(weights)
    )
    assert faces == ()
    assert (image.pixels == 90).all()


def test_a_union_sees_what_either_sees() -> None:
    first, second = FaceBox(0, 0, 40, 40, 0.9), FaceBox(200, 0, 40, 40, 0.6)
    both = UnionDetector((Sees("a", first), Sees("b", second, FaceBox(4, 4, 40, 40, 0.5))))
    found = both.detect(red(0, 0), 0.3)
    assert found == [FaceBox(0, 0, 44, 44, 0.9), second]
    assert both.name == "a+b"


def test_a_union_stops_when_one_of_them_fails(weights: Path) -> None:
    class Broken(Sees):
        def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
            raise RuntimeError("no memory")

    both = UnionDetector((Sees("a"), Broken("b")))
    with pytest.raises(FacesNotChecked):
        anonymise_picture(red(0, 0), both)


def test_scores_that_are_no_numbers_hide_no_face(weights: Path) -> None:
    detector = LargeRetinaFaceDetector(weights)
    broken = np.full((64, 64, 3), np.nan, np.float32)
    with pytest.raises(FacesNotChecked, match="no numbers"):
        detector.detect(broken, 0.5)  # type: ignore[arg-type]


def test_each_setting_gives_its_detector(weights: Path) -> None:
    names = [face_detector(kind, str(weights)).name for kind in ("small", "large", "union")]
    small, large = "retinaface-mobilenet0.25", "retinaface-resnet50"
    assert names == [small, large, f"{small}+{large}"]


@pytest.mark.parametrize("kind", ["large", "union"])
@pytest.mark.parametrize("given", [None, "no/such/retinaface.onnx"])
def test_no_file_is_one_line_and_no_lesser_detector(kind: str, given: str | None) -> None:
    with pytest.raises(UsageError, match=r"needs faces_weights.*retinaface\.onnx") as caught:
        face_detector(kind, given)
    assert "\n" not in str(caught.value)


def test_a_missing_part_names_the_command(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonymize.detectors.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'archive-mem\[faces-large\]'"):
        check_detector("union", str(weights))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not a network", "no ONNX model"),
        (network(outputs=6), "nine outputs"),
        (network(channels=4), "not RetinaFace-ResNet50"),
    ],
)
def test_another_file_is_one_line(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "other.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=reason) as caught:
        face_detector("large", str(path))
    assert "\n" not in str(caught.value)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="small, large, union"):
        face_detector("huge", None)
