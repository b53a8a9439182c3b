"""Captions that say only what is known."""

from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from anonymize.compose import word
from archive_mem.schema.media import Capture, CapturePlace, CaptureTime, PlaceName, Precision
from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage
from models.base import RawCaption, Scene
from models.embedded import EmbeddedCaptioner, EmbeddedTagger

NOTHING = Capture(time=None, place=None, device=None)


def picture(
    colour: tuple[int, int, int], height: int = 120, width: int = 200, faces: int = 0
) -> SafeImage:
    return mint_image(np.full((height, width, 3), colour, np.uint8), faces)


def taken(precision: Precision = Precision.SECOND, place: str = "Kyoto") -> Capture:
    town = PlaceName(city=place, region=None, country="Japan", country_code="JP", distance_km=1.0)
    return Capture(
        time=CaptureTime(
            local=datetime(2023, 5, 14, 12, 5),
            utc_offset=timedelta(hours=9),
            precision=precision,
            source="EXIF",
            confidence=1.0,
        ),
        place=CapturePlace(
            latitude=35.0, longitude=135.8, altitude=None, place=town, source="EXIF GPS"
        ),
        device=None,
    )


def caption(**scene: Any) -> RawCaption:
    (said,) = EmbeddedCaptioner().describe([Scene(**scene)])
    assert isinstance(said, RawCaption)
    return said


def test_the_sentence_names_light_colour_faces_time_and_place() -> None:
    said = caption(frames=(picture((20, 60, 230), faces=2),), capture=taken())
    assert said.caption == (
        "A colourful, landscape photo, mostly blue, two faces seen, "
        "taken on 14 May 2023 at 12:05, near Kyoto, Japan."
    )
    assert said.people_count == 2
    assert "afternoon" in said.tags


def test_what_is_not_known_is_not_said() -> None:
    said = caption(frames=(picture((128, 128, 128)),), capture=NOTHING)
    assert said.caption == "A black and white, landscape photo."
    assert said.people_count == 0


@pytest.mark.parametrize(
    ("precision", "words"),
    [
        (Precision.YEAR, "taken in 2023"),
        (Precision.MONTH, "taken in May 2023"),
        (Precision.DAY, "taken on 14 May 2023,"),
    ],
)
def test_a_time_is_said_as_finely_as_it_is_known(precision: Precision, words: str) -> None:
    said = caption(frames=(picture((128, 128, 128)),), capture=taken(precision))
    assert words in said.caption
    assert "12:05" not in said.caption
    assert not {"morning", "afternoon", "evening", "night"} & set(said.tags)


def test_a_video_says_its_length_and_counts_faces_over_all_frames() -> None:
    frames = (picture((0, 0, 0), faces=1), picture((0, 0, 0)), picture((0, 0, 0), faces=3))
    said = caption(frames=frames, capture=NOTHING, duration=12.4, ocr=(word("EXIT"),))
    assert said.caption == (
        "A dark, black and white, landscape video of 12 seconds, "
        "three faces seen, with readable text."
    )
    assert said.people_count == 3


def test_one_caption_a_scene_in_order() -> None:
    scenes = [Scene(frames=(picture((c, c, c)),), capture=NOTHING) for c in (0, 255)]
    said = EmbeddedCaptioner().describe(scenes)
    tags = [each.tags for each in said if isinstance(each, RawCaption)]
    assert ["dark" in tags[0], "bright" in tags[1]] == [True, True]


@pytest.mark.parametrize(
    ("colour", "hue"),
    [
        ((200, 20, 20), "red"),
        ((230, 120, 10), "orange"),
        ((20, 160, 40), "green"),
        ((20, 60, 230), "blue"),
        ((140, 20, 210), "purple"),
    ],
)
def test_the_main_hue_of_a_picture_is_named(colour: tuple[int, int, int], hue: str) -> None:
    assert f"mostly {hue}" in EmbeddedTagger().tags(picture(colour))


@pytest.mark.parametrize(
    ("size", "shape"),
    [
        ((100, 100), "square"),
        ((200, 100), "portrait"),
        ((100, 300), "panoramic"),
        ((1, 1), "square"),
    ],
)
def test_the_shape_of_a_picture_is_named(size: tuple[int, int], shape: str) -> None:
    assert shape in EmbeddedTagger().tags(picture((90, 90, 90), *size))
