"""What stands between the network and the pages. The rules are pure; the middlewares are thin.

A page on this machine can be reached by every other page in the same browser: by DNS rebinding
(answered by the list of hosts), by forms and fetches from elsewhere (Origin, Sec-Fetch-Site,
content types), and by frames (headers). Gradio brings many routes that this app does not need;
what is not on the list below does not exist.
"""

import asyncio
import base64
import binascii
import hmac
import logging
import re
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.names import COOKIE, is_seat, new_seat

__all__ = [
    "PAGES",
    "PHOTO",
    "Doorkeeper",
    "PasswordGate",
    "SafeHeaders",
    "Seats",
    "password_fits",
    "refusal",
]

PAGES = frozenset({"/", "/item", "/ask", "/persona", "/privacy", "/start"})
PHOTO = "/photo"
_MEDIA = re.compile(r"/(?:thumb|media)/[0-9a-f]{16}")

_NAME = r"[\w@+~-][\w.@+~-]*"
_READ = re.compile(
    rf"/(?:config|theme\.css|favicon\.ico|manifest\.json|robots\.txt"
    rf"|(?:assets|static|svelte)(?:/{_NAME})+"
    rf"|gradio_api/(?:startup-events|heartbeat/\w+|theme\.css))/?"
)
_CALL = re.compile(r"/gradio_api/(?:run/\w+|component_server|reset)/?|/do/[a-z-]{1,40}")
_MOST_JSON = 2 * 2**20
_SAME = frozenset({"same-origin", "none"})
_WRONG_PASSWORD_SECONDS = 1.0

Refusal = tuple[int, str]
_log = logging.getLogger(__name__)


def refusal(method: str, path: str, headers: Mapping[str, str]) -> Refusal | None:
    """Why a request is not let in (status, reason), None when it is. Header names in lower case."""
    if method in {"GET", "HEAD"}:
        return _refuse_read(path, headers)
    if method != "POST":
        return 405, "not allowed"
    return _refuse_post(path, headers)


def _refuse_read(path: str, headers: Mapping[str, str]) -> Refusal | None:
    if path in PAGES:
        return None if _is_own(headers) or _is_visit(headers) else (403, "from another site")
    if _MEDIA.fullmatch(path) or _READ.fullmatch(path):
        return None if _is_own(headers) else (403, "from another site")
    return 404, "not here"


def _refuse_post(path: str, headers: Mapping[str, str]) -> Refusal | None:
    if path != PHOTO and _CALL.fullmatch(path) is None:
        return 404, "not here"
    if not _is_own(headers):
        return 403, "from another site"
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if path == PHOTO:
        return None if kind.startswith("image/") else (415, "a photo is expected")
    if kind != "application/json":
        return 415, "JSON is expected"
    return _refuse_length(headers)


def _refuse_length(headers: Mapping[str, str]) -> Refusal | None:
    length = headers.get("content-length", "")
    if not length.isdecimal():
        return 411, "the length must be said"
    return (413, "too much") if int(length) > _MOST_JSON else None


def _is_own(headers: Mapping[str, str]) -> bool:
    """From a page of this server, or from no page at all (a program, the address bar)."""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        return False
    return headers.get("sec-fetch-site", "none") in _SAME


def _is_visit(headers: Mapping[str, str]) -> bool:
    """A link that a person followed from elsewhere: opens a page, reads nothing."""
    return (
        headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and "origin" not in headers
    )


class Doorkeeper:
    """Lets in what `refusal` has nothing against."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI; websockets are not used and not let in."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        found = refusal(scope["method"], scope["path"], dict(headers.items()))
        if found is None:
            await _quietly(self._app, scope, receive, send)
        else:
            status, reason = found
            await PlainTextResponse(reason, status_code=status)(scope, receive, send)


async def _quietly(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """An unexpected error is logged by its name alone: its text may hold what a person wrote."""
    begun = False

    async def watched(message: Message) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        await app(scope, receive, watched)
    except Exception as error:  # noqa: BLE001
        _log.error("a request ended with %s", type(error).__name__)
        _log.debug("where it came from", exc_info=error)
        if not begun:
            await PlainTextResponse("something went wrong", status_code=500)(scope, receive, send)


_SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
        "style-src 'self' 'unsafe-inline'; connect-src 'self'; font-src 'self' data:; "
        "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class SafeHeaders:
    """Puts the same guarding headers on every response, refusals too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _guard(MutableHeaders(scope=message), scope["path"])
            await send(message)

        await self._app(scope, receive, guarded)


def _guard(headers: MutableHeaders, path: str) -> None:
    for name, value in _SAFE_HEADERS.items():
        headers[name] = value
    if not path.startswith(("/assets/", "/static/", "/svelte/", "/thumb/", "/media/")):
        headers["Cache-Control"] = "no-store"


class Seats:
    """Gives every browser a seat by a cookie, so that shown names are shown to one browser only."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        new = scope["type"] == "http" and scope["path"] in PAGES and not _has_seat(scope)

        async def seated(message: Message) -> None:
            if new and message["type"] == "http.response.start":
                cookie = f"{COOKIE}={new_seat()}; Path=/; HttpOnly; SameSite=Strict"
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self._app(scope, receive, seated)


def _has_seat(scope: Scope) -> bool:
    try:
        cookies = SimpleCookie(Headers(scope=scope).get("cookie", ""))
    except CookieError:
        return False
    return COOKIE in cookies and is_seat(cookies[COOKIE].value)


class PasswordGate:
    """Asks for the password on every route (HTTP Basic; any user name)."""

    def __init__(self, app: ASGIApp, password: str) -> None:
        self._app = app
        self._password = password

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get("authorization")
        if password_fits(given, self._password):
            await self._app(scope, receive, send)
            return
        if given is not None:
            await asyncio.sleep(_WRONG_PASSWORD_SECONDS)
        await _ask_password()(scope, receive, send)


def _ask_password() -> PlainTextResponse:
    return PlainTextResponse(
        "a password is needed",
        status_code=401,
        headers={"WWW-Authenticate": 'Basic realm="archive-mem", charset="UTF-8"'},
    )


def password_fits(authorization: str | None, password: str) -> bool:
    """True when an Authorization header carries the password; compared in constant time."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "basic":
        return False
    try:
        given = base64.b64decode(token, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return False
    return hmac.compare_digest(given, password.encode())
