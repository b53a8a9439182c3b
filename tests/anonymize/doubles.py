"""Stand-ins for the detector."""

import cv2
import numpy as np

from anonymize.boxes import FaceBox
from anonymize.detectors import Pixels


class NoFaces:
    """Sees no face."""

    name = "no faces"

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        return []


class RedFaces:
    """Sees a face in each patch that is redder than the rest, at any turn and size.

    least: how much redder, 0 to 255
    """

    name = "red faces"

    def __init__(self, least: int = 120) -> None:
        self._least = least

    def detect(self, rgb: Pixels, threshold: float) -> list[FaceBox]:
        redder = rgb[..., 0].astype(int) - rgb[..., 1] >= self._least
        _, _, places, _ = cv2.connectedComponentsWithStats(redder.astype(np.uint8))
        return [FaceBox(*map(float, place[:4]), 0.95) for place in places[1:] if place[4] >= 16]
