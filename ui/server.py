"""The web page of one memory: guards, pictures by id, and the pages, in one FastAPI app."""

import os
import warnings
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from ui.deeds import add_deeds
from ui.desk import Desk
from ui.guards import Doorkeeper, PasswordGate, SafeHeaders, Seats
from ui.media import add_media_routes

if TYPE_CHECKING:
    from fastapi import FastAPI

    from archive_mem.wiring import Memory

__all__ = ["LOOPBACK", "make_app", "stay_home"]

LOOPBACK = ("127.0.0.1", "[::1]", "localhost")

_QUIET = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "GRADIO_RUN_HISTORY": "False",
    "GRADIO_SSR_MODE": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
}


def stay_home() -> None:
    """Gradio and its hub client report to their makers unless this is set before their import."""
    os.environ.update(_QUIET)


def make_app(
    memory: "Memory", *, allowed_hosts: Iterable[str], password: str | None = None
) -> "FastAPI":
    """The app; it takes no part in opening or closing the memory.

    allowed_hosts: names that a Host header may have, IPv6 addresses in brackets
    password: asked for on every route, None for nobody
    """
    stay_home()
    from fastapi import FastAPI
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    from ui import privacy, start

    desk = Desk(memory)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan(desk))
    app.state.desk = desk
    add_media_routes(app, desk)
    _add_photo_route(app, desk)
    add_deeds(app, desk, {**privacy.DEEDS, **start.DEEDS})
    app.add_middleware(Seats)
    app.add_middleware(Doorkeeper)
    if password is not None:
        app.add_middleware(PasswordGate, password=password)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts), www_redirect=False)
    app.add_middleware(SafeHeaders)
    _mount_pages(app, desk)
    return app


def _lifespan(desk: Desk) -> Any:  # noqa: ANN401
    @asynccontextmanager
    async def lifespan(_app: "FastAPI") -> AsyncIterator[None]:
        yield
        desk.close()

    return lifespan


def _add_photo_route(app: "FastAPI", desk: Desk) -> None:
    from fastapi import HTTPException, Request
    from fastapi.responses import JSONResponse, PlainTextResponse, Response

    from archive_mem.errors import UsageError
    from ui.guards import PHOTO

    async def photo(request: Request) -> Response:
        mime = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:
            token = await desk.photos.keep(request.stream(), mime)
        except UsageError as error:
            return PlainTextResponse(str(error), status_code=415)
        except OSError as error:
            raise HTTPException(507, "there is no room for the photo") from error
        return JSONResponse({"token": token})

    app.add_api_route(PHOTO, photo, methods=["POST"], response_model=None)


def _mount_pages(app: "FastAPI", desk: Desk) -> None:
    import gradio as gr
    from gradio.components.navbar import Navbar

    from ui import ask, item, persona, privacy, start, theme, timeline

    with gr.Blocks(title="archive-mem", fill_width=True, analytics_enabled=False) as blocks:
        Navbar(visible=False)
        timeline.build(desk, blocks)
    pages = {"item": item, "ask": ask, "persona": persona, "privacy": privacy, "start": start}
    for name, module in pages.items():
        with blocks.route(name, name, show_in_navbar=False) as page:
            Navbar(visible=False)
            module.build(desk, page)
    with warnings.catch_warnings():
        # Said for every app of several pages, also when it is not asked for.
        warnings.filterwarnings("ignore", "SSR mode is not supported", UserWarning)
        gr.mount_gradio_app(
            app,
            blocks,
            path="/",
            allowed_paths=[],
            blocked_paths=[str(desk.memory.folder.root.resolve())],
            enable_monitoring=False,
            footer_links=[],
            run_history=False,
            ssr_mode=False,
            mcp_server=False,
            pwa=False,
            show_error=False,
            theme=theme.make_theme(),
            css=theme.sheet(),
            head=theme.head(),
        )
