"""What is found under a folder, and what is left alone: rows I2 and F7."""

import os
import socket
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archive_mem.errors import InputError, UnreadableMedia
from archive_mem.folder import MemoryFolder
from archive_mem.ingest.discover import discover, printable
from archive_mem.ingest.fingerprint import item_id
from archive_mem.ingest.sniff import Family, sniff
from tests.gnarly_media import write
from tests.gnarly_media.movies import box
from tests.gnarly_media.pictures import plain


def names(*paths: Path) -> list[str]:
    return [file.relative for file in discover(paths).files]


def picture(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plain())
    return path


def test_media_are_found_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.jpg", "a/z.jpg", "a/b/c.jpg", "B.jpg", "é.jpg"):
        picture(tmp_path / name)
    assert names(tmp_path) == ["B.jpg", "a/b/c.jpg", "a/z.jpg", "b.jpg", "é.jpg"]


def test_content_finds_media_without_a_media_name(tmp_path: Path) -> None:
    """F7: and a media name finds what is no media, so that it is told as failed."""
    write("photo-without-extension", tmp_path)
    write("text-named.jpg", tmp_path)
    write("empty.jpg", tmp_path)
    picture(tmp_path / "photo.txt")
    (tmp_path / "notes.txt").write_text("words")
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == [
        "empty.jpg",
        "photo-without-extension",
        "photo.txt",
        "text-named.jpg",
    ]
    assert found.left == {"not a photo or video": 1}


def test_hidden_files_sidecars_and_thumbnails_are_left_alone_and_counted(tmp_path: Path) -> None:
    picture(tmp_path / "a.jpg")
    picture(tmp_path / ".hidden.jpg")
    picture(tmp_path / ".folder/b.jpg")
    picture(tmp_path / "@eaDir/a.jpg/SYNOPHOTO_THUMB_M.jpg")
    for name in ("a.jpg.json", "a.xmp", "a.AAE"):
        (tmp_path / name).write_text("{}")
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == ["a.jpg"]
    assert found.left == {"hidden": 3, "sidecar, read with its photo": 3}
    assert [path.name for path in found.sidecars] == ["a.AAE", "a.jpg.json", "a.xmp"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    """I2: loops, ways out of the root, and links to nothing."""
    root, outside = tmp_path / "root", picture(tmp_path / "outside/secret.jpg")
    picture(root / "a.jpg")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "out.jpg").symlink_to(outside)
    (root / "out").symlink_to(outside.parent, target_is_directory=True)
    (root / "gone.jpg").symlink_to(tmp_path / "gone.jpg")
    found = discover([root])
    assert [file.relative for file in found.files] == ["a.jpg"]
    assert found.left == {"link": 4}


def test_a_link_that_is_given_itself_is_followed(tmp_path: Path) -> None:
    picture(tmp_path / "root/a.jpg")
    (tmp_path / "link").symlink_to(tmp_path / "root", target_is_directory=True)
    assert names(tmp_path / "link") == ["a.jpg"]


def test_pipes_and_sockets_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s.jpg"))
        assert discover([tmp_path]).left == {"not a file": 2}


def test_names_of_255_bytes_and_of_no_encoding_are_found(tmp_path: Path) -> None:
    """I2: what is printed and stored is text."""
    picture(tmp_path / ("x" * 251 + ".jpg"))
    picture(tmp_path / os.fsdecode(b"caf\xe9.jpg"))
    found = [file.relative for file in discover([tmp_path]).files]
    assert found == ["caf\\xe9.jpg", "x" * 251 + ".jpg"]
    assert all(name.encode() for name in found)


def test_names_that_differ_in_case_are_two_files(tmp_path: Path) -> None:
    """I2."""
    picture(tmp_path / "IMG.MOV")
    picture(tmp_path / "img.mov")
    assert names(tmp_path) == ["IMG.MOV", "img.mov"]


def test_overlapping_paths_give_each_file_once(tmp_path: Path) -> None:
    picture(tmp_path / "a/b.jpg")
    assert names(tmp_path, tmp_path / "a", tmp_path / "a/b.jpg") == ["a/b.jpg"]


def test_hard_links_are_two_paths(tmp_path: Path) -> None:
    (tmp_path / "copy.jpg").hardlink_to(picture(tmp_path / "a.jpg"))
    assert names(tmp_path) == ["a.jpg", "copy.jpg"]


def test_deep_folders_are_walked(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 300)
    picture(deep / "a.jpg")
    assert names(tmp_path) == ["d/" * 300 + "a.jpg"]


def test_a_missing_path_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="gone: there is no such file or folder"):
        discover([tmp_path / "gone"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_counted(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert discover([tmp_path]).left == {"no permission to look at it": 1}


@pytest.mark.parametrize(
    ("folder", "album"),
    [
        ("Takeout/Google Photos/Trip to Rome", "Trip to Rome"),
        ("Takeout/Google Photos/Photos from 2023", None),
        ("Takeout/Google Fotos/Fotos von 2023", None),
        ("DCIM/100APPLE", None),
        ("DCIM/Camera", None),
        ("2023/2023-05-26", None),
        ("WhatsApp Images", None),
        ("Holidays 2023", "Holidays 2023"),
        ("2023 Japan", "2023 Japan"),
        ("", None),
    ],
)
def test_an_album_is_a_folder_that_a_person_named(
    folder: str, album: str | None, tmp_path: Path
) -> None:
    picture(tmp_path / folder / "a.jpg")
    (file,) = discover([tmp_path]).files
    assert file.album == album


def test_the_id_is_the_beginning_of_the_sha_256(tmp_path: Path) -> None:
    """The example of FIPS 180-2."""
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert item_id(path) == "ba7816bf8f01cfea"
    with pytest.raises(UnreadableMedia, match="cannot be read: No such file"):
        item_id(tmp_path / "gone")


@pytest.mark.parametrize(
    ("head", "mime", "family"),
    [
        (b"\xff\xd8\xff\xe1", "image/jpeg", Family.JPEG),
        (b"II*\0\x10\0\0\0CR\2\0", "image/x-canon-cr2", Family.TIFF),
        (b"IIRO\x08\0\0\0", "image/x-olympus-orf", Family.TIFF),
        (b"IIU\0\x18\0\0\0", "image/x-panasonic-rw2", Family.TIFF),
        (b"FUJIFILMCCD-RAW 0201", "image/x-fujifilm-raf", Family.RAF),
        (box(b"ftyp", b"heix\0\0\0\0mif1heix"), "image/heic", Family.HEIF),
        (box(b"ftyp", b"mif1\0\0\0\0mif1heic"), "image/heif", Family.HEIF),
        (box(b"ftyp", b"mif1\0\0\0\0avifmif1"), "image/avif", Family.HEIF),
        (box(b"ftyp", b"avis\0\0\0\0"), "image/avif", Family.HEIF),
        (box(b"ftyp", b"crx \0\0\0\1crx isom"), "image/x-canon-cr3", Family.CR3),
        (box(b"ftyp", b"qt  \0\0\0\0qt  "), "video/quicktime", Family.QUICKTIME),
        (box(b"ftyp", b"3gp4\0\0\0\0isom"), "video/3gpp", Family.QUICKTIME),
        (box(b"ftyp", b"mp42\0\0\0\0isom"), "video/mp4", Family.QUICKTIME),
        (b"\0\0\0\x08wide\0\0\0\0mdat", "video/quicktime", Family.QUICKTIME),
        (b"\x1aE\xdf\xa3\x01\0\0\0\0\0\0#B\x82\x84webm", "video/webm", Family.OTHER_VIDEO),
        (b"RIFF\0\0\0\0AVI LIST", "video/x-msvideo", Family.OTHER_VIDEO),
        ((b"G" + b"\0" * 187) * 5, "video/mp2t", Family.OTHER_VIDEO),
        (b"\xff\x0a\xf8\x7f", "image/jxl", Family.JXL),
    ],
)
def test_content_tells_the_format(head: bytes, mime: str, family: Family) -> None:
    found = sniff(head)
    assert found is not None
    assert (found.mime, found.family) == (mime, family)


@given(st.binary(max_size=64))
def test_no_bytes_crash_the_sniffer(head: bytes) -> None:
    found = sniff(head)
    assert found is None or "/" in found.mime


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(min_size=1, max_size=30).filter(lambda name: b"\0" not in name))
def test_any_name_can_be_printed(name: bytes) -> None:
    assert printable(Path(os.fsdecode(name))).encode()


def test_a_memory_that_lies_among_the_photos_is_left_alone(tmp_path: Path) -> None:
    picture(tmp_path / "a.jpg")
    memory = MemoryFolder(tmp_path / "memory")
    memory.make()
    picture(memory.derived / "ab" / "abcd.jpg")
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == ["a.jpg"]
    assert found.left == {"a memory of archive-mem": 1}
    assert discover([memory.root]).files == ()


def test_a_file_that_vanishes_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture(tmp_path / "a.jpg")
    picture(tmp_path / "b.jpg")

    def vanishing(path: Path) -> bool:
        # The folder was listed already: "b.jpg" is in the list, but no longer there.
        (tmp_path / "b.jpg").unlink(missing_ok=True)
        return False

    monkeypatch.setattr("archive_mem.ingest.discover.is_sidecar", vanishing)
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == ["a.jpg"]
    assert found.left == {"gone before it was looked at": 1}
