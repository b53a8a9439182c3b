"""What a page's own script may do: JSON posted to /do/<deed>, answered by JSON.

Only this module's list exists. The doorkeeper lets in JSON from this very site alone; what is in
the body is still checked by each deed. An error is {"problem": one line}.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from archive_mem.errors import UsageError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ui.desk import Desk

__all__ = ["Deed", "add_deeds", "number", "text"]

Deed = Callable[["Desk", dict[str, Any], str], dict[str, Any]]
"""(desk, body, seat of the browser) -> what the page is told."""

_LONGEST = 20_000


def text(body: dict[str, Any], name: str, longest: int = _LONGEST) -> str:
    """A text of the body, "" when it is missing. Raises UsageError."""
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > longest:
        raise UsageError(f"{name}: a text of at most {longest} letters is expected")
    return value


def number(value: object, low: float, high: float) -> float:
    """A number from low to high. Raises UsageError."""
    if type(value) not in {int, float} or not low <= value <= high:  # type: ignore[operator]
        raise UsageError(f"a number from {low:g} to {high:g} is expected")
    return float(value)  # type: ignore[arg-type]


def add_deeds(app: "FastAPI", desk: "Desk", deeds: dict[str, Deed]) -> None:
    """One route for all deeds; each runs in a thread of its own."""
    from fastapi import Request
    from fastapi.responses import JSONResponse
    from starlette.concurrency import run_in_threadpool

    from ui.shell import in_words, seat_of

    async def do(deed: str, request: Request) -> JSONResponse:
        known = deeds.get(deed)
        if known is None:
            return JSONResponse({"problem": "there is no such thing to do"}, status_code=404)
        try:
            body = json.loads(await request.body())
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            return JSONResponse({"problem": "that could not be read"}, status_code=400)
        answer = await run_in_threadpool(in_words(known), desk, body, seat_of(request))
        return JSONResponse(answer)

    app.add_api_route("/do/{deed}", do, methods=["POST"], response_model=None)
