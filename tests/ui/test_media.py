"""Pictures by id: derivatives of ready items, and nothing by any trick."""

from pathlib import Path
from typing import Any

import pytest

from archive_mem.wiring import Memory
from tests.ui.conftest import files_under, raw_get
from tests.ui.sample import FAILED, NOT_READY, VIDEO, item_id
from ui.media import derivative, is_item_id

ONE = item_id(1)
TRICKS = [
    "",
    "..",
    "../catalog.sqlite",
    "../../vault.sqlite",
    "..%2fcatalog.sqlite",
    "%2e%2e/catalog.sqlite",
    "....//catalog.sqlite",
    "..\\catalog.sqlite",
    "/etc/passwd",
    "//etc/passwd",
    "file:///etc/passwd",
    "C:\\windows\\win.ini",
    "derived/00/" + ONE + ".jpg",
    ONE + ".jpg",
    ONE + ".thumb.jpg",
    ONE + "/",
    ONE + "/../" + ONE,
    ONE + "\n",
    ONE + "\0",
    ONE + "\0.jpg",
    ONE + " ",
    " " + ONE,
    ONE.upper().replace("1", "A"),
    "0" * 15,
    "0" * 17,
    "g" * 16,
    "１" * 16,
    "٠" * 16,
    "*",
    "%",
    "0000000000000001' OR '1'='1",
    '0000000000000001" --',
    "${1}",
    "{{1}}",
    "<script>",
    "catalog.sqlite",
    "vault.sqlite",
    "archive.toml",
    "x" * 5000,
    NOT_READY,
    FAILED,
    "ffffffffffffffff",
]


def test_the_same_request_without_a_trick_finds_its_picture(app: Any) -> None:
    status, body = raw_get(app, f"/thumb/{ONE}")
    assert status == 200
    assert body.startswith(b"\xff\xd8")


@pytest.mark.parametrize("route", ["/thumb/", "/media/"])
@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_finds_nothing(app: Any, route: str, trick: str) -> None:
    status, body = raw_get(app, route + trick)
    assert status == 404
    assert len(body) < 200


@pytest.mark.parametrize("path", ["/thumb/..%2fx", "/media/%2e%2e%2fcatalog.sqlite", "/thumb/%00"])
def test_an_encoded_trick_finds_nothing(client: Any, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_picture_is_its_derivative_byte_for_byte(client: Any, memory: Memory) -> None:
    files = files_under(memory.folder.root / "derived")
    thumb = client.get(f"/thumb/{ONE}")
    media = client.get(f"/media/{ONE}")
    assert thumb.content == files[f"00/{ONE}.thumb.jpg"]
    assert media.content == files[f"00/{ONE}.jpg"]
    for reply in (thumb, media):
        assert reply.headers["content-type"] == "image/jpeg"
        assert reply.headers["cache-control"].startswith("private")
        assert reply.headers["x-content-type-options"] == "nosniff"


def test_a_video_is_sent_in_the_asked_range(client: Any, memory: Memory) -> None:
    whole = (memory.folder.root / "derived" / "00" / f"{VIDEO}.mp4").read_bytes()
    reply = client.get(f"/media/{VIDEO}", headers={"Range": "bytes=10-29"})
    assert reply.status_code == 206
    assert reply.content == whole[10:30]
    assert reply.headers["content-range"] == f"bytes 10-29/{len(whole)}"
    assert reply.headers["content-type"] == "video/mp4"
    assert client.get(f"/media/{VIDEO}").headers["accept-ranges"] == "bytes"
    beyond = client.get(f"/media/{VIDEO}", headers={"Range": f"bytes={len(whole) + 5}-"})
    assert beyond.status_code == 416
    assert client.get(f"/thumb/{VIDEO}").headers["content-type"] == "image/jpeg"


def test_a_missing_derivative_is_not_found(client: Any, memory: Memory) -> None:
    path = memory.folder.root / "derived" / "00" / f"{item_id(7)}.thumb.jpg"
    kept = path.read_bytes()
    path.unlink()
    try:
        assert client.get(f"/thumb/{item_id(7)}").status_code == 404
    finally:
        path.write_bytes(kept)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "derived" / "ab").mkdir(parents=True)
    (tmp_path / "derived" / "ab" / "x.jpg").write_bytes(b"picture")
    (tmp_path / "derived" / "ab" / "x.html").write_bytes(b"page")
    (tmp_path / "original.jpg").write_bytes(b"face")
    (tmp_path / "derived" / "link.jpg").symlink_to(tmp_path / "original.jpg")
    (tmp_path / "derived" / "out").symlink_to(tmp_path)
    return tmp_path


def test_only_plain_pictures_and_videos_of_the_derived_folder_are_served(root: Path) -> None:
    assert derivative(root, "derived/ab/x.jpg") == (root / "derived/ab/x.jpg", "image/jpeg")


@pytest.mark.parametrize(
    "relative",
    [
        "derived/ab/x.html",
        "derived/../original.jpg",
        "original.jpg",
        "derived/link.jpg",
        "derived/out/original.jpg",
        "derived/ab/none.jpg",
        "derived/ab",
        "/etc/hostname.jpg",
    ],
)
def test_a_catalog_that_was_tampered_with_serves_nothing_else(root: Path, relative: str) -> None:
    assert derivative(root, relative) is None


def test_ids_are_sixteen_hex_digits() -> None:
    assert is_item_id(ONE)
    assert not any(is_item_id(each) for each in (None, 1, "", ONE + "\n", ONE.replace("0", "A")))
