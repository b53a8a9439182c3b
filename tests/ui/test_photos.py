"""A dropped photo lives in a private folder until its question is answered."""

import os
import stat
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import pytest

from archive_mem.errors import UsageError
from ui import photos as module
from ui.photos import Photos


@pytest.fixture
def photos() -> Iterator[Photos]:
    made = Photos()
    yield made
    made.close()


async def _chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def _keep(photos: Photos, *parts: bytes, mime: str = "image/jpeg") -> str:
    async def run() -> str:
        return await photos.keep(_chunks(*parts), mime)

    return anyio.run(run)


def _folder(photos: Photos) -> Path:
    path = photos.path(_keep(photos, b"x"))
    assert path is not None
    return path.parent


def test_a_photo_is_kept_until_it_is_dropped(photos: Photos) -> None:
    token = _keep(photos, b"ab", b"cd")
    path = photos.path(token)
    assert path is not None
    assert (path.read_bytes(), path.suffix) == (b"abcd", ".jpg")
    photos.drop(token)
    assert photos.path(token) is None
    assert not path.exists()


def test_the_folder_is_the_owners_alone_and_goes_with_the_server(photos: Photos) -> None:
    folder = _folder(photos)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    photos.close()
    assert not folder.exists()


def test_what_is_no_photo_is_refused_and_nothing_is_left(
    photos: Photos, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _folder(photos)
    before = set(folder.iterdir())
    monkeypatch.setattr(module, "LONGEST", 10)
    for parts, mime in (
        ((b"x",), "text/html"),
        ((), "image/png"),
        ((b"x" * 8, b"y" * 8), "image/png"),
    ):
        with pytest.raises(UsageError):
            _keep(photos, *parts, mime=mime)
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("token", ["", "..", "../x", "*", "a" * 31, "A" * 32, "/etc/passwd"])
def test_a_token_that_was_not_given_finds_nothing(photos: Photos, token: str) -> None:
    _keep(photos, b"x")
    assert photos.path(token) is None
    photos.drop(token)


def test_a_photo_whose_question_never_came_is_deleted(photos: Photos) -> None:
    token = _keep(photos, b"x")
    path = photos.path(token)
    assert path is not None
    old = time.time() - 2 * 3600
    os.utime(path, (old, old))
    _keep(photos, b"y")
    assert photos.path(token) is None
