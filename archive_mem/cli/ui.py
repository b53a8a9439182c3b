"""archive-mem ui."""

import importlib
import os
import socket
from contextlib import suppress
from pathlib import Path

import click

from archive_mem.cli.common import memory_option, note
from archive_mem.errors import StoreError, UsageError

__all__ = ["hosts_for", "is_loopback", "ui"]

_PORT = 7863
_PASSWORD = "ARCHIVE_MEM_UI_PASSWORD"  # noqa: S105  the name of a variable
_SHORTEST_PASSWORD = 8
_EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104  compared, not bound


@click.command()
@memory_option
@click.option("--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDR",
    help=f"Another address than this machine's own needs a password in {_PASSWORD}.",
)
@click.option("--no-browser", is_flag=True, help="Print the address only.")
def ui(memory: Path | None, port: int, host: str, no_browser: bool) -> None:
    """Open the memory in the browser: time line, items and their layers, a box to ask.

    Ctrl-C ends it. Nothing outside this machine is asked for anything.
    """
    from archive_mem.wiring import open_memory

    password = _password(host)
    with open_memory(memory) as opened, _listening(host, port) as listener:
        note("opening the pages ...")
        # By name: the command line knows that there are pages, not how they are made.
        server = importlib.import_module("ui.server")
        app = server.make_app(opened, allowed_hosts=hosts_for(host), password=password)
        address = _address(host, listener.getsockname()[1])
        click.echo(f"{address}  (Ctrl-C ends it)")
        _serve(app, listener, None if no_browser else address)


def is_loopback(host: str) -> bool:
    """True when only this machine can reach it."""
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _password(host: str) -> str | None:
    given = os.environ.get(_PASSWORD)
    if given is not None and len(given) < _SHORTEST_PASSWORD:
        raise UsageError(f"{_PASSWORD} must have at least {_SHORTEST_PASSWORD} letters")
    if given is None and not is_loopback(host):
        raise UsageError(f"--host {host} lets others in: set a password in {_PASSWORD} first")
    return given


def hosts_for(host: str) -> list[str]:
    """Names that a browser may call this server by."""
    names = ["127.0.0.1", "[::1]", "localhost"]
    if not is_loopback(host):
        own = socket.gethostname().lower()
        names += [own, f"{own}.local"]
    if host in _EVERYWHERE:
        names += _addresses()
    elif host not in names:
        names.append(f"[{host}]" if ":" in host else host)
    return list(dict.fromkeys(names))


def _addresses() -> list[str]:
    import psutil

    found = [each for group in psutil.net_if_addrs().values() for each in group]
    plain = [each.address for each in found if each.family == socket.AF_INET]
    bracketed = [
        f"[{each.address.partition('%')[0]}]" for each in found if each.family == socket.AF_INET6
    ]
    return plain + bracketed


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise UsageError(f"--host {host}: there is no such address") from error
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        reason = error.strerror or "it cannot be used"
        raise StoreError(f"{host} port {port}: {reason} (choose another with --port)") from error
    return listener


def _address(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in _EVERYWHERE else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"


def _serve(app: object, listener: socket.socket, address: str | None) -> None:
    """Until Ctrl-C. Access lines are not written: they would tell who looked at what."""
    import uvicorn

    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    if address is not None:
        _open_browser(address)
    with suppress(KeyboardInterrupt):  # the usual end of a server
        server.run(sockets=[listener])


def _open_browser(address: str) -> None:
    import threading
    import webbrowser

    later = threading.Timer(0.8, webbrowser.open, [address])
    later.daemon = True
    later.start()
