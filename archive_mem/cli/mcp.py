"""archive-mem mcp: the memory as read-only tools for a client of the Model Context Protocol.

Placeholders only: no real name and no path of an original leaves through it, also where the vault
opens. The protocol has stdin and stdout; everything else goes to stderr.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from archive_mem import __version__
from archive_mem.cli.ask import answer_body
from archive_mem.cli.common import memory_option, parse_time
from archive_mem.cli.search import search_row
from archive_mem.errors import ArchiveMemError, InputError, MissingExtra, UsageError
from archive_mem.schema.qa import Tier
from archive_mem.schema.record import Record

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from archive_mem.schema.safe import SafeText
    from archive_mem.wiring import Memory

__all__ = ["item_body", "mcp", "server_of"]

_log = logging.getLogger("archive_mem.mcp")

_ABOUT = """
A person's own photos and videos as a memory, on their machine. People and private places appear as
placeholders such as "Friend A" and "[Restaurant B]": use them as names, and never guess who they
are. Cite the ids of items that an answer stands on.
"""
_MOST = 100


@click.command()
@memory_option
def mcp(memory: Path | None) -> None:
    """Serve the memory to an MCP client over stdin and stdout: search, ask, profile, item."""
    from archive_mem.wiring import open_memory

    if find_spec("mcp") is None:
        raise MissingExtra("mcp", "the MCP server")
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")
    with open_memory(memory) as opened:
        server_of(opened).run("stdio")


def server_of(memory: "Memory") -> "MCPServer":
    """A server with the four tools over an open memory. They run one after the other."""
    from mcp.server.mcpserver import MCPServer
    from mcp.types import ToolAnnotations
    from pydantic import Field

    server = MCPServer(
        "archive-mem", version=__version__, instructions=_ABOUT.strip(), log_level="WARNING"
    )
    reads = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    words = Annotated[str, Field(min_length=1, max_length=4000)]
    count = Annotated[int, Field(ge=1, le=_MOST)]

    # Each is a coroutine so that it runs on the thread that opened the stores.
    @server.tool(annotations=reads, structured_output=False)
    async def search(text: words, top_k: count = 10, as_of: str | None = None) -> dict[str, Any]:
        """Find moments by words, times, places and people, best first.

        as_of: ISO day or time; nothing later exists for the search
        """
        with _one_line("search"):
            found = memory.search(_filled(text), top_k, parse_time(as_of))
            return {"hits": [search_row(each) for each in found]}

    @server.tool(annotations=reads, structured_output=False)
    async def ask(
        question: words,
        tier: Literal["auto", "t1", "t2", "t3"] = "auto",
        options: list[str] | None = None,
        as_of: str | None = None,
        top_k: count = 10,
    ) -> dict[str, Any]:
        """Answer a question from the memory with cited items, or say that nothing supports one.

        tier: t1 facts, t2 what the person is like, t3 which of the options they would take
        """
        with _one_line("ask"):
            return _asked(memory, _filled(question), tier, options or [], parse_time(as_of), top_k)

    @server.tool(annotations=reads, structured_output=False)
    async def profile(as_of: str | None = None, limit: count = 50) -> dict[str, Any]:
        """What the person is like: dated statements by temporal stability, surest first."""
        with _one_line("profile"):
            return _profile(memory, parse_time(as_of), limit)

    @server.tool(annotations=reads, structured_output=False)
    async def item(item_id: words) -> dict[str, Any]:
        """Everything known of one item: time, place, caption, text in the picture, notes."""
        with _one_line("item"):
            found = next(memory.records([item_id]), None)
            if found is None:
                raise UsageError("there is no item of that id")
            return item_body(found)

    return server


@contextmanager
def _one_line(tool: str) -> Iterator[None]:
    """What goes wrong becomes one clear line for the client, and never shows a path."""
    from mcp.server.mcpserver.exceptions import ToolError

    try:
        yield
    except InputError as error:
        raise ToolError(error.reason) from error
    except ArchiveMemError as error:
        raise ToolError(str(error)) from error
    except Exception as error:
        _log.warning("%s: unexpected %s", tool, type(error).__name__)
        raise ToolError(f"unexpected {type(error).__name__}") from error


def _filled(text: str) -> str:
    if not text.strip():
        raise UsageError("the text is empty")
    return text


def _asked(
    memory: "Memory", question: str, tier: str, options: list[str], at: datetime | None, top_k: int
) -> dict[str, Any]:
    if tier == "t3" and len(options) < 2:
        raise UsageError("t3 ranks options: give at least two")
    if not all(each.strip() for each in options):
        raise UsageError("an option is empty")
    answer = memory.ask(
        question,
        tier=None if tier == "auto" else Tier(tier),
        options=options,
        as_of=at,
        top_k=top_k,
    )
    body = answer_body(answer, {})
    for row in body["evidence"]:
        del row["path"]
    return body


def _profile(memory: "Memory", at: datetime | None, limit: int) -> dict[str, Any]:
    from archive_mem.cli.profile import profile_row

    found = memory.profile(at)
    return {
        "as_of": found.as_of.isoformat(),
        "items": [profile_row(item, stability) for item, stability in found.items[:limit]],
    }


def item_body(record: Record) -> dict[str, Any]:
    """A record without anything that tells who, or where its original lies."""
    seen, facts, felt = record.description, record.objective, record.subjective
    return {
        "id": record.item_id,
        "kind": record.kind.value,
        "session": record.session_id,
        "captured_at": None if record.at is None else record.at.isoformat(),
        "place": _text(record.place_label),
        "albums": [each.value for each in record.albums],
        "caption": None if seen is None else _text(seen.caption),
        "text_seen": record.ocr_text.split("\n") if record.ocr_text else [],
        "event": None if facts is None else _text(facts.event),
        "people": [each.value for each in record.people],
        "scenario": None if record.scenario is None else record.scenario.value,
        "context": None if felt is None else _text(felt.context),
        "feelings": None if felt is None else _text(felt.feelings),
        "preferences": [] if felt is None else [each.value for each in felt.preferences],
        "duration": record.duration,
    }


def _text(text: "SafeText | None") -> str | None:
    return None if text is None else text.value
