"""Pictures and videos by opaque id: derivatives of items that are ready, nothing else."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ui.desk import Desk

__all__ = ["add_media_routes", "derivative", "is_item_id"]

_ID = re.compile(r"[0-9a-f]{16}")
_TYPES = {".jpg": "image/jpeg", ".mp4": "video/mp4"}
_HEADERS = {"Cache-Control": "private, max-age=300", "Content-Disposition": "inline"}


def is_item_id(text: object) -> bool:
    """16 hex digits in lower case."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def derivative(root: Path, relative: str) -> tuple[Path, str] | None:
    """File and type of a derivative; None when it is missing or not a plain file of derived/.

    root: the memory folder; relative: as the catalog has it
    """
    home = (root / "derived").resolve()
    path = root / relative
    kind = _TYPES.get(path.suffix)
    if kind is None or path.is_symlink() or not path.resolve().is_relative_to(home):
        return None
    return (path, kind) if path.is_file() else None


def add_media_routes(app: "FastAPI", desk: "Desk") -> None:
    """/thumb/{item_id} and /media/{item_id}; a video is sent in the asked ranges."""
    from fastapi import HTTPException
    from fastapi.responses import FileResponse

    def respond(item_id: str, thumb: bool) -> FileResponse:
        found = _find(desk, item_id, thumb)
        if found is None:
            raise HTTPException(404, "there is no such picture")
        return FileResponse(found[0], media_type=found[1], headers=_HEADERS)

    @app.api_route("/thumb/{item_id:path}", methods=["GET", "HEAD"])
    def thumb(item_id: str) -> FileResponse:
        return respond(item_id, thumb=True)

    @app.api_route("/media/{item_id:path}", methods=["GET", "HEAD"])
    def media(item_id: str) -> FileResponse:
        return respond(item_id, thumb=False)


def _find(desk: "Desk", item_id: str, thumb: bool) -> tuple[Path, str] | None:
    if not is_item_id(item_id) or not desk.is_ready(item_id):
        return None
    made = desk.derived(item_id)
    if made is None:
        return None
    return derivative(desk.memory.folder.root, made.thumb if thumb else made.path)
