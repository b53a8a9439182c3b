"""Faces found by size, angle and blur; what is left of them; false alarms; seconds a photo.

Faces are cut from the bundled astronaut and, where given, from a folder of photographs in which the
detector is sure of an upright face; they are pasted into a calm scene, so their place is known.
"cut" counts those that the photograph's edge or another head covers in part.
Run: python -m bench.faces [--faces FOLDER] [--plain FOLDER] [--small] [--json]
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from anonymize.boxes import FaceBox, clip, inside, iou, widened
from anonymize.detectors import FaceDetector, Pixels, face_detector
from anonymize.faces import anonymise_picture
from anonymize.search import find_faces

SCENE = (1200, 1600)
SIZES = (20, 24, 32, 48, 64, 100, 200, 400, 900)
SMALL_SIZES = (24, 32, 100)
ANGLES = tuple(range(0, 360, 45))
SMALL_ANGLES = (0, 45, 180)
BLURS = (0.0, 0.04, 0.08)
BLUR_SIZE = 64
LARGE = 300
FEW = 4
SURE = 0.98
WEAK = 0.3
ROOM = 0.6
WHOLE = 0.97
AFTER = (0.9, 0.5, 0.3)
LONGEST = 4000
PLAIN_NAMES = Path(__file__).with_name("face_free.txt")
BUNDLED = (
    *("brick", "cell", "chelsea", "coffee", "coins", "colorwheel", "grass", "gravel", "horse"),
    *("hubble_deep_field", "immunohistochemistry", "moon", "page", "retina", "rocket", "text"),
)


@dataclass(frozen=True, slots=True)
class Crop:
    """A square around an upright face.

    pixels: the square
    share: of the face in its side
    whole: no edge and no other face covers a part of it
    """

    pixels: Pixels
    share: float
    whole: bool


def crops(folder: Path | None, detector: FaceDetector) -> list[Crop]:
    """Faces to paste."""
    found = []
    for picture in _pictures(folder):
        boxes = detector.detect(picture, WEAK)
        for box in boxes:
            area = clip(widened(box, ROOM), picture.shape[1], picture.shape[0])
            if box.score < SURE or area is None or box.side < 60:
                continue
            rows = slice(int(area.top), int(area.bottom))
            piece = picture[rows, int(area.left) : int(area.right)]
            side = max(piece.shape[:2])
            whole = _is_whole(box, boxes, picture)
            found.append(Crop(_square(piece, side), box.side / side, whole))
    return found


def _is_whole(box: FaceBox, boxes: Sequence[FaceBox], picture: Pixels) -> bool:
    head = widened(box, 0.15)
    shown = clip(head, picture.shape[1], picture.shape[0])
    alone = not any(
        other is not box and iou(box, other) < 0.4 and inside(other, head) > 0.02 for other in boxes
    )
    return alone and shown is not None and inside(head, shown) > WHOLE


def _square(piece: Pixels, side: int) -> Pixels:
    top, left = (side - piece.shape[0]) // 2, (side - piece.shape[1]) // 2
    bottom, right = side - piece.shape[0] - top, side - piece.shape[1] - left
    edge = cv2.BORDER_REPLICATE
    return np.asarray(cv2.copyMakeBorder(piece, top, bottom, left, right, edge), dtype=np.uint8)


def _pictures(folder: Path | None) -> Iterator[Pixels]:
    from skimage import data

    yield data.astronaut()
    for path in sorted(folder.glob("*.jpg")) if folder else ():
        yield _opened(path)


def _opened(path: Path) -> Pixels:
    import pillow_heif
    from PIL import Image, ImageOps

    pillow_heif.register_heif_opener()
    with Image.open(path) as opened:
        picture = ImageOps.exif_transpose(opened).convert("RGB")
        picture.thumbnail((LONGEST, LONGEST))
        return np.asarray(picture, dtype=np.uint8)


def placed(
    faces: Sequence[Crop], size: int, angle: int, blur: float
) -> Iterator[tuple[Pixels, list[tuple[float, float]]]]:
    """Scenes that hold all faces once, and the middle of each face."""
    cell = int(size / min(face.share for face in faces)) + 8
    columns, rows = max(1, SCENE[1] // cell), max(1, SCENE[0] // cell)
    for start in range(0, len(faces), columns * rows):
        scene, middles = _background(max(SCENE[0], cell), max(SCENE[1], cell)), []
        for at, crop in enumerate(faces[start : start + columns * rows]):
            left, top = at % columns * cell, at // columns * cell
            head = _turned(crop, size, angle, blur * size)
            scene[top : top + head.shape[0], left : left + head.shape[1]] = head
            middles.append((left + head.shape[1] / 2, top + head.shape[0] / 2))
        yield scene, middles


def _turned(crop: Crop, size: int, angle: int, blur: float) -> Pixels:
    side = crop.pixels.shape[0]
    scale = size / (side * crop.share)
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1)
    turned = cv2.warpAffine(crop.pixels, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(turned, None, fx=scale, fy=scale, interpolation=how)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), blur) if blur else small, dtype=np.uint8)


def _background(height: int, width: int) -> Pixels:
    rng = np.random.default_rng(7)
    noise = rng.integers(60, 190, (height // 40, width // 40, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC))


def recall(
    faces: Sequence[Crop], detector: FaceDetector, size: int, angle: int, blur: float = 0.0
) -> dict[str, Any]:
    """Faces found of those pasted, whole ones and cut ones."""
    hits: list[bool] = []
    chosen = faces if size < LARGE else faces[:FEW]
    for scene, middles in placed(chosen, size, angle, blur):
        boxes = find_faces(scene, detector)
        hits += [_is_hit(boxes, x, y) for x, y in middles]
    whole = [hit for hit, face in zip(hits, chosen, strict=True) if face.whole]
    cut = [hit for hit, face in zip(hits, chosen, strict=True) if not face.whole]
    return {
        "size": size,
        "angle": angle,
        "blur": blur,
        "found": sum(whole),
        "of": len(whole),
        "cut_found": sum(cut),
        "cut_of": len(cut),
    }


def _is_hit(boxes: Sequence[FaceBox], x: float, y: float) -> bool:
    return any(box.left < x < box.right and box.top < y < box.bottom for box in boxes)


def false_hits(folder: Path | None, detector: FaceDetector) -> dict[str, Any]:
    """Pictures without a face in which something is covered."""
    hit = {name: count for name, count in _false(folder, detector) if count}
    number = len(BUNDLED) + len(_plain_paths(folder))
    return {"pictures": number, "with_hits": len(hit), "which": hit}


def _false(folder: Path | None, detector: FaceDetector) -> Iterator[tuple[str, int]]:
    from skimage import color, data

    for name in BUNDLED:
        picture = getattr(data, name)()
        rgb = color.gray2rgb(picture) if picture.ndim == 2 else picture[..., :3]
        ready = rgb if rgb.dtype == np.uint8 else (255 * rgb).astype(np.uint8)
        yield name, anonymise_picture(np.ascontiguousarray(ready), detector)[0].faces
    for path in _plain_paths(folder):
        yield path.name, anonymise_picture(_opened(path), detector)[0].faces


def _plain_paths(folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    named = (folder / line for line in PLAIN_NAMES.read_text("utf-8").splitlines())
    return [path for path in named if path.is_file()]


def after_blur(folder: Path | None, detector: FaceDetector) -> dict[str, int]:
    """Detections in the blurred pictures, upright, by threshold."""
    left = dict.fromkeys((str(each) for each in AFTER), 0)
    for picture in _pictures(folder):
        image, _ = anonymise_picture(picture, detector)
        for threshold in AFTER:
            left[str(threshold)] += len(detector.detect(image.pixels, threshold))
    return left


def seconds(detector: FaceDetector, width: int, height: int) -> dict[str, float]:
    """Wall and processor seconds of one photo of that size."""
    from skimage import data

    large = np.asarray(cv2.resize(data.astronaut(), (width, height)), dtype=np.uint8)
    wall, work = time.perf_counter(), time.process_time()
    anonymise_picture(large, detector)
    return {
        "wall": round(time.perf_counter() - wall, 2),
        "processor": round(time.process_time() - work, 2),
    }


def table(rows: Sequence[dict[str, Any]], angles: Sequence[int]) -> str:
    """Recall of sharp faces: a line a size, a column an angle."""
    lines = ["size  " + "".join(f"{angle:>8}" for angle in angles)]
    by_place = {(row["size"], row["angle"]): row for row in rows if not row["blur"]}
    for size in dict.fromkeys(row["size"] for row in rows):
        cells = (by_place.get((size, angle)) for angle in angles)
        texts = (f"{cell['found']}/{cell['of']}" if cell else "" for cell in cells)
        lines.append(f"{size:<6}" + "".join(f"{text:>8}" for text in texts))
    return "\n".join(lines)


def main() -> None:
    """Print the table to standard error as it grows, and one JSON object at the end."""
    chosen = _arguments()
    detector = face_detector(chosen.detector, chosen.weights, threads=1)
    faces = crops(chosen.faces, detector)[: chosen.count]
    rows = []
    for size in chosen.sizes:
        for angle in chosen.angles:
            rows.append(recall(faces, detector, size, angle))
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    print(table(rows, chosen.angles), file=sys.stderr, flush=True)
    result = {
        "recall": rows,
        "blurred": [recall(faces, detector, BLUR_SIZE, 0, blur) for blur in BLURS],
        "false": false_hits(chosen.plain, detector),
        "after_blur": after_blur(None if chosen.small else chosen.faces, detector),
        "seconds_12_megapixels": seconds(detector, 4000, 3000),
        "seconds_1.2_megapixels": seconds(detector, 1280, 960),
    }
    print(json.dumps(result, indent=1))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=Path, help="folder of photographs with faces")
    parser.add_argument(
        "--plain", type=Path, help="folder of the pictures that face_free.txt names"
    )
    parser.add_argument("--small", action="store_true", help="few sizes and angles")
    parser.add_argument("--count", type=int, default=35, help="faces to paste")
    parser.add_argument("--detector", default="small", help="small, large or union")
    parser.add_argument("--weights", help="file of the large detector")
    parser.add_argument("--sizes", type=int, nargs="*")
    parser.add_argument("--angles", type=int, nargs="*")
    chosen = parser.parse_args()
    chosen.sizes = chosen.sizes or (SMALL_SIZES if chosen.small else SIZES)
    chosen.angles = chosen.angles or (SMALL_ANGLES if chosen.small else ANGLES)
    return chosen


if __name__ == "__main__":
    main()
