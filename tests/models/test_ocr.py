"""Text read in pictures."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from archive_mem.schema.minting import mint_image
from models.ocr import RapidOcrReader


@pytest.fixture(scope="module")
def reader() -> RapidOcrReader:
    return RapidOcrReader()


def test_lines_come_from_top_to_bottom_with_their_boxes(reader: RapidOcrReader) -> None:
    canvas = Image.new("RGB", (600, 400), "white")
    drawn = ImageDraw.Draw(canvas)
    drawn.text((40, 300), "TOTAL 1,250", fill="black", font=ImageFont.load_default(40))
    drawn.text((40, 40), "Seat 14B", fill="black", font=ImageFont.load_default(40))
    seat, total = reader.read(mint_image(np.asarray(canvas), 0))
    assert seat.text == "Seat 14B"
    assert "1,250" in total.text
    left, top, width, height = total.box
    assert 0.03 < left < 0.1
    assert 0.7 < top < 0.8
    assert left + width < 1
    assert top + height < 1
    assert 0.5 <= total.score <= 1


def test_a_picture_without_text_has_no_lines(reader: RapidOcrReader) -> None:
    assert reader.read(mint_image(np.full((200, 300, 3), 200, np.uint8), 0)) == []


def test_a_picture_of_one_pixel_has_no_lines(reader: RapidOcrReader) -> None:
    assert reader.read(mint_image(np.zeros((1, 1, 3), np.uint8), 0)) == []
