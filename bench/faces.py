"""Faces found by size, angle and blur; what is left of them; seconds a photo.

Faces are cut from the bundled astronaut and, where given, from a folder of photographs in which the
detector is sure of an upright face; they are pasted into a calm scene, so their place is known.
Run: python -m bench.faces [--faces FOLDER] [--count 24] [--sizes 24 32 48] [--angles 0 90]
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from anonymize.boxes import FaceBox, clip, widened
from anonymize.faces import Pixels, RetinaFaceDetector, anonymise_picture, find_faces

SCENE = (1200, 1600)
SIZES = (20, 24, 32, 48, 96, 300, 900)
ANGLES = tuple(range(0, 360, 45))
BLURS = (0.0, 0.04, 0.08)
SURE = 0.98
ROOM = 0.6
AFTER = (0.9, 0.5, 0.3)


def crops(folder: Path | None, detector: RetinaFaceDetector) -> list[tuple[Pixels, float]]:
    """Square crops around sure upright faces, with the face's share of the crop's side."""
    found = []
    for picture in _pictures(folder):
        for box in detector.detect(picture, SURE):
            area = clip(widened(box, ROOM), picture.shape[1], picture.shape[0])
            if area is None or box.side < 60:
                continue
            rows = slice(int(area.top), int(area.bottom))
            piece = picture[rows, int(area.left) : int(area.right)]
            side = max(piece.shape[:2])
            found.append((_square(piece, side), box.side / side))
    return found


def _square(piece: Pixels, side: int) -> Pixels:
    top, left = (side - piece.shape[0]) // 2, (side - piece.shape[1]) // 2
    bottom, right = side - piece.shape[0] - top, side - piece.shape[1] - left
    edge = cv2.BORDER_REPLICATE
    return np.asarray(cv2.copyMakeBorder(piece, top, bottom, left, right, edge), dtype=np.uint8)


def _pictures(folder: Path | None) -> Iterator[Pixels]:
    from PIL import Image, ImageOps
    from skimage import data

    yield data.astronaut()
    for path in sorted(folder.glob("*.jpg")) if folder else ():
        with Image.open(path) as opened:
            yield np.asarray(ImageOps.exif_transpose(opened).convert("RGB"), dtype=np.uint8)


def placed(
    faces: Sequence[tuple[Pixels, float]], size: int, angle: int, blur: float
) -> Iterator[tuple[Pixels, list[tuple[float, float]]]]:
    """Scenes that hold all faces once, and the middle of each face."""
    cell = int(size / min(share for _, share in faces)) + 8
    columns, rows = max(1, SCENE[1] // cell), max(1, SCENE[0] // cell)
    for start in range(0, len(faces), columns * rows):
        scene, middles = _background(max(SCENE[0], cell), max(SCENE[1], cell)), []
        for at, (crop, share) in enumerate(faces[start : start + columns * rows]):
            left, top = at % columns * cell, at // columns * cell
            head = _turned(crop, size / (crop.shape[0] * share), angle, blur * size)
            scene[top : top + head.shape[0], left : left + head.shape[1]] = head
            middles.append((left + head.shape[1] / 2, top + head.shape[0] / 2))
        yield scene, middles


def _turned(crop: Pixels, scale: float, angle: int, blur: float) -> Pixels:
    side = crop.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1)
    turned = cv2.warpAffine(crop, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(turned, None, fx=scale, fy=scale, interpolation=how)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), blur) if blur else small, dtype=np.uint8)


def _background(height: int, width: int) -> Pixels:
    rng = np.random.default_rng(7)
    noise = rng.integers(60, 190, (height // 40, width // 40, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC))


def _hits(boxes: Sequence[FaceBox], middles: Sequence[tuple[float, float]]) -> int:
    return sum(
        any(box.left < x < box.right and box.top < y < box.bottom for box in boxes)
        for x, y in middles
    )


def recall(
    faces: Sequence[tuple[Pixels, float]],
    detector: RetinaFaceDetector,
    size: int,
    angle: int,
    blur: float = 0.0,
) -> dict[str, float]:
    """Faces found of those pasted."""
    found = total = 0
    for scene, middles in placed(faces if size < 300 else faces[:4], size, angle, blur):
        found += _hits(find_faces(scene, detector), middles)
        total += len(middles)
    return {"size": size, "angle": angle, "blur": blur, "found": found, "of": total}


def false_hits(detector: RetinaFaceDetector) -> dict[str, int]:
    """Boxes in pictures of scikit-image that show no face."""
    from skimage import data

    names = (
        "coffee",
        "rocket",
        "chelsea",
        "hubble_deep_field",
        "immunohistochemistry",
        "colorwheel",
    )
    boxes = [len(find_faces(getattr(data, name)()[..., :3], detector)) for name in names]
    return {"pictures": len(names), "with_hits": sum(map(bool, boxes))}


def after_blur(folder: Path | None, detector: RetinaFaceDetector) -> dict[str, int]:
    """Detections in the blurred pictures, upright, by threshold."""
    left = dict.fromkeys((str(each) for each in AFTER), 0)
    for picture in _pictures(folder):
        image, _ = anonymise_picture(picture, detector)
        for threshold in AFTER:
            left[str(threshold)] += len(detector.detect(image.pixels, threshold))
    return left


def seconds(detector: RetinaFaceDetector) -> dict[str, float]:
    """Wall and processor seconds of one 12 megapixel photo."""
    from skimage import data

    large = np.asarray(cv2.resize(data.astronaut(), (4000, 3000)), dtype=np.uint8)
    wall, work = time.perf_counter(), time.process_time()
    anonymise_picture(large, detector)
    return {
        "wall": round(time.perf_counter() - wall, 2),
        "processor": round(time.process_time() - work, 2),
    }


def main() -> None:
    """Print one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=Path)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--angles", type=int, nargs="*", default=ANGLES)
    chosen = parser.parse_args()
    detector = RetinaFaceDetector(threads=1)
    faces = crops(chosen.faces, detector)[: chosen.count]
    for size in chosen.sizes:
        for angle in chosen.angles:
            print(json.dumps(recall(faces, detector, size, angle)), flush=True)
    for blur in BLURS:
        print(json.dumps(recall(faces, detector, 64, 0, blur)), flush=True)
    print(json.dumps({"false_hits": false_hits(detector)}), flush=True)
    print(json.dumps({"left_after_blur": after_blur(chosen.faces, detector)}), flush=True)
    print(json.dumps({"seconds_12_megapixels": seconds(detector)}), flush=True)


if __name__ == "__main__":
    main()
