"""What is one moment is linked; two different photos never are: rows S3, S4, I5."""

import imagehash
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFilter

from archive_mem.ingest.copies import (
    MomentFile,
    bursts,
    edits,
    live_pairs,
    near_copies,
    same_moment,
)
from archive_mem.schema.media import MediaKind

NOON = 1_720_094_400.0


def file(path: str, at: float | None = NOON, **more: object) -> MomentFile:
    kind = MediaKind.VIDEO if path.lower().endswith((".mov", ".mp4", ".mp")) else MediaKind.PHOTO
    return MomentFile(id=path, kind=kind, path=path, at=at, **more)  # type: ignore[arg-type]


def pairs(found: object) -> set[tuple[str, ...]]:
    return {tuple(sorted(pair)) for pair in found}  # type: ignore[attr-defined]


def test_a_live_pair_has_one_identifier_whatever_its_names() -> None:
    files = [file("a/IMG_1.HEIC", content_id="X"), file("b/other.MOV", content_id="X")]
    assert pairs(live_pairs(files)) == {("a/IMG_1.HEIC", "b/other.MOV")}


def test_equal_names_in_two_folders_are_two_pairs() -> None:
    """S4."""
    files = [file(f"{folder}/IMG_1.{end}") for folder in "ab" for end in ("HEIC", "MOV")]
    assert pairs(live_pairs(files)) == {
        ("a/IMG_1.HEIC", "a/IMG_1.MOV"),
        ("b/IMG_1.HEIC", "b/IMG_1.MOV"),
    }


def test_pairs_with_a_number_do_not_cross() -> None:
    """S4."""
    names = ("IMG_1.HEIC", "IMG_1(1).HEIC", "IMG_1.MP4", "IMG_1(1).MP4")
    assert pairs(live_pairs([file(name) for name in names])) == {
        ("IMG_1.HEIC", "IMG_1.MP4"),
        ("IMG_1(1).HEIC", "IMG_1(1).MP4"),
    }


def test_different_identifiers_are_no_pair_even_under_one_name() -> None:
    files = [file("IMG_1.HEIC", content_id="X"), file("IMG_1.MOV", content_id="Y")]
    assert pairs(live_pairs(files)) == set()


def test_a_reused_name_of_another_day_is_no_pair() -> None:
    assert pairs(live_pairs([file("IMG_1.JPG"), file("IMG_1.MOV", NOON + 86_700)])) == set()


def test_a_video_in_utc_pairs_with_a_still_in_wall_clock() -> None:
    assert pairs(live_pairs([file("IMG_1.JPG", NOON + 7_200), file("IMG_1.MOV", NOON + 2)]))


def test_a_pixel_motion_photo_pairs_with_its_video() -> None:
    assert pairs(live_pairs([file("PXL_1.MP.jpg"), file("PXL_1.mp")])) == {
        ("PXL_1.MP.jpg", "PXL_1.mp")
    }


@pytest.mark.parametrize(
    ("original", "edited"),
    [
        ("IMG_1234.HEIC", "IMG_E1234.JPG"),
        ("IMG_1.jpg", "IMG_1-edited.jpg"),
        ("IMG_1.jpg", "IMG_1-bearbeitet.jpg"),
        ("IMG_1(1).jpg", "IMG_1-edited(1).jpg"),
        ("Café.jpg", "Cafe\u0301-modifie\u0301.jpg"),
    ],
)
def test_an_edit_belongs_to_its_original(original: str, edited: str) -> None:
    """S3."""
    files = [file(original), file(edited), file("IMG_9.jpg")]
    assert pairs(edits(files)) == {tuple(sorted((original, edited)))}


def test_a_burst_is_linked_by_time_device_and_likeness() -> None:
    alike = {"device": "P", "phash": "ffff0000ffff0000"}
    files = [file(f"{number}.jpg", NOON + number / 2, **alike) for number in range(4)]
    assert len(pairs(bursts(files))) == 3
    other = file("other.jpg", NOON + 0.1, device="P", phash="0123456789abcdef")
    assert pairs(bursts([files[0], other])) == set()
    assert pairs(bursts([files[0], file("late.jpg", NOON + 5, **alike)])) == set()


def texture(seed: int) -> Image.Image:
    noise = np.random.default_rng(seed).integers(0, 256, (16, 16, 3), dtype=np.uint8)
    return Image.fromarray(noise).resize((320, 240), Image.Resampling.BICUBIC)


def test_resaved_resized_and_softened_pictures_are_near_copies() -> None:
    """I5: and of twenty different pictures none is."""
    import io

    original = texture(0)
    buffer = io.BytesIO()
    original.save(buffer, "JPEG", quality=40)
    versions = {
        "original": original,
        "resaved": Image.open(buffer),
        "small": original.resize((160, 120)),
        "soft": original.filter(ImageFilter.GaussianBlur(1)),
        **{f"other {seed}": texture(seed) for seed in range(1, 20)},
    }
    files = [file(name, phash=str(imagehash.phash(picture))) for name, picture in versions.items()]
    linked = {one for pair in pairs(near_copies(files)) for one in pair}
    assert linked == {"original", "resaved", "small", "soft"}


@given(st.lists(st.integers(0, 2**64 - 1), max_size=30), st.integers(0, 12))
def test_near_copies_are_exactly_the_pairs_within_the_bits(hashes: list[int], bits: int) -> None:
    files = [file(str(at), phash=f"{value:016x}") for at, value in enumerate(hashes)]
    expected = {
        tuple(sorted((str(one), str(other))))
        for other in range(len(hashes))
        for one in range(other)
        if (hashes[one] ^ hashes[other]).bit_count() <= bits
    }
    assert pairs(near_copies(files, bits)) == expected


def test_a_moment_is_named_by_its_first_still() -> None:
    files = [
        file("IMG_1.MOV", NOON, content_id="X"),
        file("IMG_1.HEIC", NOON, content_id="X"),
        file("IMG_E1.JPG", NOON + 60),
        file("alone.jpg", NOON + 900),
    ]
    assert same_moment(files) == dict.fromkeys(
        ("IMG_1.MOV", "IMG_1.HEIC", "IMG_E1.JPG"), "IMG_1.HEIC"
    )


@given(st.permutations(["IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.JPG", "b.jpg", "b-edited.jpg"]))
def test_the_order_of_files_changes_nothing(names: list[str]) -> None:
    assert same_moment([file(name) for name in names]) == {
        "IMG_1.HEIC": "IMG_1.HEIC",
        "IMG_1.MOV": "IMG_1.HEIC",
        "IMG_E1.JPG": "IMG_1.HEIC",
        "b.jpg": "b-edited.jpg",
        "b-edited.jpg": "b-edited.jpg",
    }
