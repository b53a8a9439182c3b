"""Refuses every connection that does not stay on this machine, here and in child processes."""

import ipaddress
import sys
from typing import Any


def _local(host: object) -> bool:
    text = host.decode() if isinstance(host, bytes) else str(host)
    if text in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(text.split("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple) and not _local(address[0]):
            raise ConnectionRefusedError(f"tests stay on this machine: {address[0]}")
    elif event == "socket.getaddrinfo" and arguments[0] and not _local(arguments[0]):
        raise ConnectionRefusedError(f"tests stay on this machine: {arguments[0]!r}")


sys.addaudithook(_refuse)
