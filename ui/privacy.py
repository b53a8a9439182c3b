"""The privacy page: what lies where, proof, faces and boxes by hand, forgetting, releases."""

from pathlib import Path
from typing import Any

from archive_mem.errors import UsageError
from archive_mem.progress import Track
from ui.custody import faces_body, item_body, places_body, region_of
from ui.deeds import Deed, text
from ui.desk import Desk
from ui.markup import Html, el
from ui.media import is_item_id
from ui.shell import Top, in_words
from ui.theme import asset

__all__ = ["DEEDS", "build", "page_html"]


def page_html() -> Html:
    """The empty page; its script fills it."""
    return el(
        "div",
        _section("Proof", "am-proof", "Looks at the bytes of every picture again, and for faces."),
        _section(
            "Faces",
            "am-faces",
            "Every found face is destroyed before anything else looks at a picture. Where one was "
            "missed, draw a box round it: it is destroyed at once, and cannot be brought back.",
        ),
        _section("What is stored where", "am-places", "All of it on this machine, in one folder."),
        _section("Who else is asked", "am-hosts", ""),
        _section(
            "A release for others",
            "am-release",
            "An anonymised copy with no names, no paths and no vault. It is checked as a whole; "
            "if anything personal were in it, nothing is written.",
        ),
        class_="am-custody",
    )


def _section(title: str, name: str, says: str) -> Html:
    return el(
        "section",
        el("h2", title),
        el("p", says, class_="am-quiet") if says else None,
        el("div", class_=name),
        class_="am-panel",
        aria_label=title,
    )


def build(desk: Desk, page: Any) -> None:  # noqa: ANN401
    """Fill the page."""
    import gradio as gr

    Top(desk, page, "/privacy")

    @in_words
    def stored(_asked: Any) -> Any:  # noqa: ANN401
        memory = desk.memory
        return {
            "root": str(memory.folder.root),
            "places": places_body(memory.folder.root),
            "allowed": sorted(memory.allowed_hosts()),
            "used": sorted(memory.remote_hosts()),
        }

    @in_words
    def faces(asked: Any) -> Any:  # noqa: ANN401
        return faces_body(desk, asked)

    @in_words
    def boxes(asked: Any) -> Any:  # noqa: ANN401
        return item_body(desk, asked)

    @in_words
    def job(_asked: Any) -> Any:  # noqa: ANN401
        last = desk.jobs.last
        return {"job": None if last is None else last.body()}

    gr.HTML(
        page_html(),
        js_on_load=asset("common.js") + asset("faces.js") + asset("privacy.js"),
        server_functions=[stored, faces, boxes, job],
        elem_id="am-privacy",
        apply_default_css=False,
    )


# --------------------------------------------------------------------------------- what it does


def _verify(desk: Desk, _body: dict[str, Any], _seat: str) -> dict[str, Any]:
    def work(track: Track) -> dict[str, Any]:
        with desk.another(track) as memory:
            return memory.verify()

    return desk.jobs.start("verify", work).body()


def _hide(desk: Desk, body: dict[str, Any], _seat: str) -> dict[str, Any]:
    item_id, region = region_of(body)
    if not desk.is_ready(item_id):
        raise UsageError("there is no such item")
    return {"faces": desk.memory.hide_face(item_id, region)}


def _forget(desk: Desk, body: dict[str, Any], _seat: str) -> dict[str, Any]:
    item_id = text(body, "id", 16)
    if not is_item_id(item_id):
        raise UsageError("there is no such item")

    def work(track: Track) -> dict[str, Any]:
        with desk.another(track) as memory:
            done = memory.forget([item_id])
        return {"items": len(done.item_ids), "files": done.files, "notes": done.annotations}

    return desk.jobs.start("forget", work).body()


def _export(desk: Desk, body: dict[str, Any], _seat: str) -> dict[str, Any]:
    from archive_mem.release.export import Choices

    typed = text(body, "folder", 4_000).strip()
    if not typed.startswith("/"):
        raise UsageError("write the whole path of the folder that the release is to lie in")
    choices = Choices(shift_times=body.get("shift") is True, profile=body.get("profile") is True)

    def work(track: Track) -> dict[str, Any]:
        with desk.another(track) as memory:
            made = memory.export(Path(typed), choices)
        return {
            "folder": str(made.folder),
            "not_ready": made.not_ready,
            "withheld": len(made.withheld),
        }

    return desk.jobs.start("export", work).body()


DEEDS: dict[str, Deed] = {
    "verify": _verify,
    "hide-face": _hide,
    "forget": _forget,
    "export": _export,
}
