import pickle
from datetime import date

import numpy as np
import pytest

from anonymize.compose import compose, excerpt, join, say_day, word
from archive_mem.schema.minting import mint_image
from archive_mem.schema.safe import SafeImage, SafeText, Seal


def test_nobody_makes_safe_text_by_hand() -> None:
    with pytest.raises(TypeError, match="anonymize alone"):
        SafeText(value="Sarah", seal=Seal())


def test_nobody_makes_a_safe_image_by_hand() -> None:
    with pytest.raises(TypeError, match="anonymize alone"):
        SafeImage(pixels=np.zeros((2, 2, 3), np.uint8), faces=0, seal=Seal())


def test_a_sentence_refuses_plain_text() -> None:
    with pytest.raises(TypeError, match="not safe"):
        compose("with {who}", who="Sarah")  # type: ignore[arg-type]


def test_a_sentence_takes_safe_parts() -> None:
    said = compose("{who} on {day}, {n} times", who=word("Friend A"), day=date(2023, 5, 14), n=2)
    assert said.value == "Friend A on 2023-05-14, 2 times"


def test_braces_in_a_part_are_not_read_again() -> None:
    assert compose("{text}", text=word("{0.__class__}")).value == "{0.__class__}"


def test_days_do_not_follow_the_locale() -> None:
    assert say_day(date(2023, 5, 14), weekday=True).value == "Sunday 14 May 2023"


def test_joining_leaves_out_what_is_empty() -> None:
    assert join(", ", [word("a"), word(""), word("b")]).value == "a, b"
    assert excerpt(word("abcdef"), 1, 3).value == "bc"


def test_safe_values_travel_between_processes() -> None:
    text = pickle.loads(pickle.dumps(word("Friend A")))
    image = pickle.loads(pickle.dumps(mint_image(np.ones((2, 3, 3), np.uint8), 4)))
    assert text == word("Friend A")
    assert image.faces == 4
    assert image.pixels.shape == (2, 3, 3)
