"""Where an OpenAI-compatible server is: `URL#MODEL`, and whether that is this machine. Pure."""

import ipaddress
import re
from dataclasses import dataclass

from archive_mem.errors import UsageError

__all__ = ["Address", "parse_address"]

_URL = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)"
    r"(?::(?P<port>\d{1,5}))?(?P<path>(?:/[\w.~-]+)*)/?",
    re.ASCII,
)
"""Stricter than RFC 3986: no user, query or escape that two programs could read differently."""

_MODEL = re.compile(r"[^\s#\x00-\x1f\x7f]+(?: [^\s#\x00-\x1f\x7f]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A model on a server.

    url: base of the API, such as "http://127.0.0.1:8000/v1"
    host: name or IP number without brackets, in lower case
    port: as written, else the scheme's own
    model: as the server names it
    """

    url: str
    host: str
    port: int
    model: str

    @property
    def place(self) -> str:
        """Such as "127.0.0.1:8000": what is shown, and what is allowed or not."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def on_this_machine(self) -> bool:
        """Whether the host is the loopback interface; a name other than localhost never is."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_address(text: str) -> Address:
    """The address in "http://HOST/v1#MODEL". Raises UsageError for any other form."""
    url, _, model = text.partition("#")
    found = _URL.fullmatch(url)
    if found is None or _MODEL.fullmatch(model) is None:
        raise UsageError("a model on a server is written openai:http://HOST/v1#MODEL")
    port = int(found["port"] or (443 if found["scheme"] == "https" else 80))
    if not 0 < port < 65_536:
        raise UsageError(f"there is no port {port}: openai:http://HOST:8000/v1#MODEL")
    return Address(
        url=url.rstrip("/"), host=found["host"].strip("[]").lower(), port=port, model=model
    )
