"""Of a camera, make and model are kept; whose it is, and which one, is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.devices import public_device

MODELS = (
    "Apple iPhone 13 Pro",
    "samsung SM-G991B",
    "Galaxy S21",
    "Canon EOS 5D Mark IV",
    "NIKON CORPORATION NIKON D750",
    "SONY ILCE-7M4",
    "Google Pixel 7",
    "FUJIFILM X-T30",
    "Panasonic DMC-TZ101",
    "HUAWEI P30 Pro",
)


@pytest.mark.parametrize("model", MODELS)
def test_a_model_is_kept_whole(model: str) -> None:
    assert public_device(model) == model


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Jussara iPhone", "iPhone"),
        ("Szczepan Galaxy S21", "Galaxy S21"),
        ("iPhone 13 (Oluwaseun)", "iPhone 13"),
        ("Ann2 Pixel 7", "Pixel 7"),
        ("Jussara2019", None),
        ("SN-4711-0815", None),
        ("Canon 0123456789", "Canon"),
        ("", None),
    ],
)
def test_an_owner_and_a_serial_number_are_left_out(said: str, kept: str | None) -> None:
    assert public_device(said) == kept


@given(
    st.text(st.characters(categories=["Lu", "Ll", "Lo"]), min_size=5, max_size=12),
    st.sampled_from(MODELS),
)
def test_no_unknown_word_beside_a_model_is_kept(word: str, model: str) -> None:
    kept = public_device(f"{word}-{word} {model}") or ""
    assert f"{word}-{word}" not in kept
