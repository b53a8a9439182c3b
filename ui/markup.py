"""Markup from values: everything that a person typed or a machine read becomes inert text."""

import html
from typing import LiteralString

__all__ = ["Child", "Html", "el", "inert", "join"]

_VOID = frozenset({"br", "hr", "img", "input", "source"})
_LINKS = frozenset({"href", "src", "poster"})
# gr.HTML runs its templates through Handlebars and a JavaScript template literal.
_TEMPLATE_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "${}`\\"}


class Html(str):
    """Markup made by `el`: its text is escaped already."""

    __slots__ = ()


Child = Html | str | None


def inert(text: object) -> Html:
    """Text that neither HTML nor a template engine takes for anything but text."""
    return Html(html.escape(str(text), quote=True).translate(_TEMPLATE_SIGNS))


def join(parts: "list[Html]") -> Html:
    """Markup put together."""
    return Html("".join(parts))


def el(name: LiteralString, *children: Child, **attributes: object) -> Html:
    """An element; plain text among `children` and all attributes are escaped.

    attributes: `class_` is class, `data_id` is data-id; None and False leave it out, True is bare.
    Raises ValueError for a link that leaves this server.
    """
    opening = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{opening}>")
    inner = "".join(_inner(child) for child in children)
    return Html(f"<{name}{opening}>{inner}</{name}>")


def _inner(child: Child) -> str:
    if child is None:
        return ""
    return child if isinstance(child, Html) else inert(child)


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if name in _LINKS:
        _require_own(str(value))
    return f" {name}" if value is True else f' {name}="{inert(value)}"'


def _require_own(link: str) -> None:
    if not link.startswith("/") or link.startswith(("//", "/\\")):
        raise ValueError("a link of the page must stay on this server")
