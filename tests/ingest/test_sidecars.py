"""Takeout's JSON and XMP files find their photos: rows S1 to S6."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.ingest.metadata import SidecarIndex, Sidecars, read
from archive_mem.ingest.metadata.clock import offset_text
from tests.gnarly_media import write


def takeout_of(media: str, *names: str) -> str | None:
    """Name of the JSON that an index of `names` (all in one folder) gives to `media`."""
    index = SidecarIndex.build([Path("Takeout/Album") / name for name in names])
    found = index.for_media(Path("Takeout/Album") / media).takeout
    return None if found is None else found.name


SUFFIX = ".supplemental-metadata"


@pytest.mark.parametrize("length", range(1, len(SUFFIX) + 1))
def test_every_clipping_of_the_suffix_is_known(length: int) -> None:
    """S1."""
    name = f"IMG_1.jpg{SUFFIX[:length]}.json"
    assert takeout_of("IMG_1.jpg", name, "IMG_2.jpg.json") == name


@pytest.mark.parametrize("length", range(20, 61))
def test_long_names_are_clipped_on_both_sides(length: int) -> None:
    """S1: Takeout keeps 46 characters before ".json", and 47 of a media name before its suffix."""
    title = "P" * (length - 4) + ".jpg"
    media = title[:-4][:47] + ".jpg"
    new, old = f"{(title + SUFFIX)[:46]}.json", f"{title[:46]}.json"
    assert takeout_of(media, new) == new
    assert takeout_of(media, old) == old


def test_a_clipped_title_in_another_script_is_known() -> None:
    """S1: three bytes a letter."""
    title = "京都の秋の紅葉を友達と見に行った日の写真.jpg"
    clipped = title.encode()[:46].decode(errors="ignore")
    assert takeout_of(title, f"{clipped}.json") == f"{clipped}.json"


@pytest.mark.parametrize(
    "pattern",
    [
        "IMG.jpg{copy}.json",
        "IMG.jpg.supplemental-metadata{copy}.json",
        "IMG.jpg.supplemental-me{copy}.json",
        "IMG{copy}.jpg.json",
    ],
)
def test_four_copies_map_one_to_one(pattern: str) -> None:
    """S2: the number moves behind, or stays."""
    copies = ("", "(1)", "(2)", "(3)")
    names = [pattern.format(copy=copy) for copy in copies]
    found = [takeout_of(f"IMG{copy}.jpg", *names) for copy in copies]
    assert found == names


def test_a_copy_does_not_take_the_sidecar_of_its_original() -> None:
    """S2."""
    assert takeout_of("IMG(1).jpg", "IMG.jpg.json") is None
    assert takeout_of("IMG.jpg", "IMG.jpg(1).json") is None


@pytest.mark.parametrize(
    "word",
    [
        "edited",
        "bearbeitet",
        "modifié",
        "editado",
        "redigerad",
        "編集済み",
        "измененный",
        "edytowane",
        "已修改",
        "수정됨",
        "đã chỉnh sửa",
        "a editat",
        "แก้ไขแล้ว",
        "संपादित",
        "نسخة معدلة",
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_edited_copy_takes_the_sidecar_of_its_original(word: str, form: str) -> None:
    """S3: in any language, composed or not."""
    media = unicodedata.normalize(form, f"IMG_1-{word}.jpg")  # type: ignore[arg-type]
    assert takeout_of(media, "IMG_1.jpg.json", "IMG_2.jpg.json") == "IMG_1.jpg.json"


def test_an_edited_copy_with_a_number_takes_the_sidecar_with_that_number() -> None:
    """S2 and S3."""
    names = ("IMG_1.jpg.json", "IMG_1.jpg(1).json")
    assert takeout_of("IMG_1-edited(1).jpg", *names) == "IMG_1.jpg(1).json"


@pytest.mark.parametrize(
    ("media", "title"),
    [
        ("IMG_1(1)-edited.jpg", "IMG_1.jpg.supplemental-metadata(1)"),
        ("IMG_1(1).jpg", "IMG_1.jpg(1).supplemental-metadata"),
        ("IMG_1-edited(1).HEIC", "IMG_1.HEIC(1)"),
        ("IMG_E1234.JPG", "IMG_1234.HEIC.supplemental-metadata"),
        ("IMG_1234(1).MP4", "IMG_1234.HEIC(1)"),
        ("PXL_20230526_200122948.MP", "PXL_20230526_200122948.MP.jpg.supplemental-metada"),
        ("PXL_20230526_200122948.MP4", "PXL_20230526_200122948.MP.jpg.supplemental-metada"),
        ("PXL_20230526_200122948.LS.mp4", "PXL_20230526_200122948.LS.mp4.supplemental-met"),
        ("PXL_1.PORTRAIT-edited.jpg", "PXL_1.PORTRAIT.jpg.supplement"),
    ],
)
def test_copies_edits_and_movies_of_phones_find_their_sidecar(media: str, title: str) -> None:
    """S2, S3, S4: beside a sidecar of a namesake, which is not taken."""
    assert takeout_of(media, f"{title}.json", "IMG_9.jpg.json", "PXL_9.jpg.json") == f"{title}.json"


@pytest.mark.parametrize(
    "media", ["IMG-20230526-WA0001.jpg", "IMG-1.jpg", "IMG_2.jpg", "IMG(2).jpg"]
)
def test_what_is_another_photo_takes_no_sidecar(media: str) -> None:
    assert takeout_of(media, "IMG.jpg.json", "IMG.jpg(1).json", "IMG_1.jpg.json") is None


def test_an_edited_name_with_a_sidecar_of_its_own_keeps_it() -> None:
    names = ("beach.jpg.json", "beach-sunset.jpg.json")
    assert takeout_of("beach-sunset.jpg", *names) == "beach-sunset.jpg.json"


def test_a_sidecar_in_nfd_is_found_from_nfc() -> None:
    names = [unicodedata.normalize("NFD", "Café.jpg.json")]
    assert takeout_of("Café.jpg", *names) == names[0]


def test_a_live_video_takes_the_sidecar_of_its_still() -> None:
    """S4: copies do not cross."""
    names = ("IMG_1.HEIC.json", "IMG_1.HEIC(1).json", "IMG_2.HEIC.supplemental-metadata.json")
    assert takeout_of("IMG_1.MP4", *names) == "IMG_1.HEIC.json"
    assert takeout_of("IMG_1(1).MOV", *names) == "IMG_1.HEIC(1).json"
    assert takeout_of("IMG_2.MOV", *names) == "IMG_2.HEIC.supplemental-metadata.json"


def test_a_live_video_takes_the_still_of_its_own_folder() -> None:
    """S4: the same name in two folders is two pairs."""
    paths = [Path(f"T/{folder}/IMG_1.HEIC.json") for folder in ("a", "b")]
    index = SidecarIndex.build(paths)
    found = [index.for_media(Path(f"T/{folder}/IMG_1.MOV")).takeout for folder in ("a", "b")]
    assert found == paths


def test_the_sidecar_is_found_in_another_part_of_the_export() -> None:
    """S5."""
    json_path = Path("Takeout-2/Google Photos/Photos from 2023/IMG_1.jpg.json")
    decoy = Path("Takeout-2/Google Photos/Photos from 2022/IMG_1.jpg.json")
    index = SidecarIndex.build([decoy, json_path])
    media = Path("Takeout-1/Google Photos/Photos from 2023/IMG_1.jpg")
    assert index.for_media(media).takeout == json_path


def test_a_sidecar_of_its_own_in_another_part_comes_before_that_of_a_namesake() -> None:
    """S4, S5: a video beside a photo of the same name is not its live half."""
    photo = Path("T1/G/Photos from 2023/IMG_1.JPG.json")
    video = Path("T2/G/Photos from 2023/IMG_1.MP4.json")
    index = SidecarIndex.build([photo, video])
    media = Path("T1/G/Photos from 2023/IMG_1.MP4")
    assert index.for_media(media).takeout == video


def test_an_album_copy_takes_the_sidecar_of_the_only_year_that_has_it() -> None:
    """S5."""
    json_path = Path("T/Google Photos/Photos from 2023/IMG_1.jpg.json")
    other = Path("T/Google Photos/Photos from 2021/IMG_1.jpg.json")
    media = Path("T/Google Photos/Holiday/IMG_1.jpg")
    assert SidecarIndex.build([json_path]).for_media(media).takeout == json_path
    assert SidecarIndex.build([json_path, other]).for_media(media).takeout is None


def test_a_year_folder_never_borrows_from_another_year() -> None:
    """S5: IMG_1.jpg of 2021 is not that of 2023."""
    index = SidecarIndex.build([Path("T/Google Photos/Photos from 2023/IMG_1.jpg.json")])
    assert index.for_media(Path("T/Google Photos/Photos from 2021/IMG_1.jpg")).takeout is None


def test_the_most_exact_xmp_wins_for_its_file() -> None:
    """S6."""
    index = SidecarIndex.build([Path("f/a.xmp"), Path("f/a.jpg.xmp")])
    assert index.for_media(Path("f/a.jpg")).xmp == Path("f/a.jpg.xmp")
    assert index.for_media(Path("f/a.mov")).xmp == Path("f/a.xmp")


def test_four_files_with_four_dates_keep_their_own(tmp_path: Path) -> None:
    """S6: read through the files themselves."""
    for name, year in (("a.xmp", 2001), ("a.jpg.xmp", 2002)):
        packet = xmp(f'xmp:CreateDate="{year}-01-01T00:00:00"')
        (tmp_path / name).write_bytes(packet)
    (tmp_path / "a.jpg").write_bytes(write("exif-empty.jpg", tmp_path).read_bytes())
    (tmp_path / "a.mov").write_bytes(write("quicktime-1904.mov", tmp_path).read_bytes())
    media = [tmp_path / "a.jpg", tmp_path / "a.mov"]
    index = SidecarIndex.build(media)
    assert [year_of(path, index.for_media(path)) for path in media] == [2002, 2001]


def year_of(path: Path, sidecars: Sidecars) -> int:
    item = read(path, sidecars, name_places=False).item
    assert item is not None
    assert item.capture.time is not None
    return item.capture.time.local.year


def xmp(properties: str) -> bytes:
    from tests.gnarly_media.pictures import packet

    return packet(properties)


_STEMS = st.lists(
    st.text("abIMG_0123456789é", min_size=1, max_size=60), min_size=1, max_size=6, unique=True
)


_TITLES = st.from_regex(r"(IMG|PXL)_[0-9]{1,6}(\([1-3]\))?\.(jpg|HEIC|mp4)", fullmatch=True)


@given(_STEMS, st.randoms(use_true_random=False))
def test_any_order_of_files_gives_the_same_matching(stems: list[str], random: object) -> None:
    """And every photo finds the sidecar that was made for it."""
    folder = Path("Takeout/Google Photos/Photos from 2020")
    stems = sorted({stem[:40] for stem in stems})
    sidecars = [folder / f"{(stem + '.jpg' + SUFFIX)[:46]}.json" for stem in stems]
    shuffled = list(sidecars)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = SidecarIndex.build(sidecars), SidecarIndex.build(shuffled)
    for stem, sidecar in zip(stems, sidecars, strict=True):
        found = one.for_media(folder / f"{stem}.jpg")
        assert found == other.for_media(folder / f"{stem}.jpg")
        assert found.takeout == sidecar


@given(
    st.permutations(
        [
            "Takeout-1/G/Photos from 2020/a.jpg.json",
            "Takeout-2/G/Photos from 2020/b.jpg.json",
            "Takeout-3/G/Photos from 2021/a.jpg.json",
            "Takeout-3/G/Trip/metadata.json",
        ]
    )
)
def test_no_order_of_the_parts_changes_the_result(parts: list[str]) -> None:
    index = SidecarIndex.build([Path(part) for part in parts])
    media = ("Takeout-2/G/Photos from 2020/a.jpg", "Takeout-1/G/Photos from 2020/b.jpg")
    assert [str(index.for_media(Path(name)).takeout) for name in media] == [
        "Takeout-1/G/Photos from 2020/a.jpg.json",
        "Takeout-2/G/Photos from 2020/b.jpg.json",
    ]


@given(
    st.lists(
        st.tuples(_TITLES, st.integers(1, 3), st.integers(1, 3)),
        max_size=6,
        unique_by=lambda x: x[0],
    ),
    st.randoms(use_true_random=False),
)
def test_a_photo_finds_its_sidecar_in_whatever_part_either_lies(
    photos: list[tuple[str, int, int]], random: object
) -> None:
    """S5: the parts are unpacked side by side, in any order."""

    def folder(part: int) -> Path:
        return Path(f"takeout-{part}/Takeout/Google Photos/Photos from 2020")

    media = {
        folder(part) / title: folder(other) / f"{title}{SUFFIX}.json"
        for title, part, other in photos
    }
    paths = [*media, *media.values()]
    random.shuffle(paths)  # type: ignore[attr-defined]
    index = SidecarIndex.build(paths)
    assert {path: index.for_media(path).takeout for path in media} == media


def takeout(tmp_path: Path, name: str = "exif-empty.jpg", **content: object) -> Sidecars:
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps({"title": name, **content}), encoding="utf-8")
    return Sidecars(takeout=path)


def test_takeout_gives_an_instant_place_and_description(tmp_path: Path) -> None:
    """The wall clock is that of the place."""
    path = write("exif-empty.jpg", tmp_path)
    sidecars = takeout(
        tmp_path,
        photoTakenTime={"timestamp": "1720094400"},
        geoData={"latitude": 35.0116, "longitude": 135.7681, "altitude": 50.0},
        description="Lunch with Mika",
    )
    reading = read(path, sidecars)
    assert reading.item is not None
    time, place = reading.item.capture.time, reading.item.capture.place
    assert time is not None
    assert place is not None
    assert place.place is not None
    assert (time.local.isoformat(), offset_text(time.utc_offset)) == (
        "2024-07-04T21:00:00",
        "+09:00",
    )
    assert (place.place.city, place.altitude) == ("Kyoto", 50.0)
    assert reading.descriptions == ("Lunch with Mika",)


def test_takeout_before_1970_is_real(tmp_path: Path) -> None:
    """T9."""
    path = write("exif-empty.jpg", tmp_path)
    sidecars = takeout(tmp_path, photoTakenTime={"timestamp": "-2082844800"})
    assert year_of(path, sidecars) == 1904


def test_takeout_s_0_0_gives_way_to_geo_data_exif(tmp_path: Path) -> None:
    """P1."""
    path = write("exif-empty.jpg", tmp_path)
    sidecars = takeout(
        tmp_path,
        geoData={"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
        geoDataExif={"latitude": -38.0253, "longitude": 145.1, "altitude": 0.0},
    )
    item = read(path, sidecars, name_places=False).item
    assert item is not None
    assert item.capture.place is not None
    assert (item.capture.place.latitude, item.capture.place.source) == (
        -38.0253,
        "Takeout geoDataExif",
    )


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"photoTakenTime": {"timestamp": "soon"}}', '{"geoData": 7}', "\0\xff"]
)
def test_a_broken_sidecar_changes_nothing(text: str, tmp_path: Path) -> None:
    path = write("slashes.jpg", tmp_path)
    sidecar = tmp_path / "slashes.jpg.json"
    sidecar.write_text(text, encoding="utf-8")
    reading = read(path, Sidecars(takeout=sidecar), name_places=False)
    assert reading.error is None
    assert year_of(path, Sidecars(takeout=sidecar)) == 2007


def test_an_album_is_called_by_its_title(tmp_path: Path) -> None:
    """A folder's name is cleaned and clipped; the JSON has the whole title."""
    path = write("slashes.jpg", tmp_path)
    (tmp_path / "metadata.json").write_text('{"title": "Mum & Dad: 50 years?"}', encoding="utf-8")
    sidecars = SidecarIndex.build([path]).for_media(path)
    assert read(path, sidecars, name_places=False).albums == ("Mum & Dad: 50 years?",)
