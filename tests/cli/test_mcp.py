"""The MCP server as the official client sees it, over stdio, in a process of its own."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from anonymize.pseudonyms import Kind
from archive_mem.errors import MissingExtra
from archive_mem.ingest.notes import TypedObjective, TypedSubjective
from tests.cli.test_cli import Run, one_line, run
from tests.ui.sample import item_id, make_memory

pytest.importorskip("mcp")

__all__ = ["run"]

PERSON, EMAIL, ANNOTATOR = "Philippa Quenby", "philippa@quenby.example", "Ursula Vantongeren"
LATE = "A walk with Philippa Quenby."
SECRETS = (PERSON, "Quenby", EMAIL, ANNOTATOR, "Vantongeren", "IMG_0.jpg", "Camera")


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """Six items; two annotators told of somebody by name."""
    with make_memory(tmp_path / "memory", 6) as made:
        made.vault.placeholder_for(Kind.FRIEND, PERSON, given=True)
        lunch = TypedObjective(people=[PERSON], event=f"lunch with {PERSON}")
        made.notes.save(item_id(0), ANNOTATOR, lunch)
        felt = TypedSubjective(context=f"Write to {EMAIL}.", preferences=["I prefer tea"])
        made.notes.save(item_id(3), "owner", felt)
        assert made.reindex() > 0
    return tmp_path / "memory"


def talk(memory: Path, *calls: tuple[str, dict[str, Any]], stderr: Path | None = None) -> list[Any]:
    """Start the server, call its tools one after the other, and give back what came."""
    import anyio
    from mcp import Client, StdioServerParameters, stdio_client

    command = (
        "import sys; from archive_mem.cli.main import main; sys.argv[0] = 'archive-mem'; main()"
    )
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-c", command, "mcp", "--memory", str(memory)],
        env=dict(os.environ),
    )

    async def all_calls() -> list[Any]:
        with (stderr or memory.parent / "stderr.txt").open("w") as errors:
            transport = stdio_client(parameters, errlog=errors)
            async with Client(transport, read_timeout_seconds=120) as client:
                return [await _one(client, name, given) for name, given in calls]

    return anyio.run(all_calls)


async def _one(client: Any, name: str, given: dict[str, Any]) -> Any:
    if name == "tools":
        return (await client.list_tools()).tools
    return await client.call_tool(name, given)


def body(result: Any) -> Any:
    assert not result.is_error, result.content
    return json.loads(result.content[0].text)


def test_a_client_finds_four_tools_that_only_read_and_asks_each(memory: Path) -> None:
    tools, found, answer, profile, item = talk(
        memory,
        ("tools", {}),
        ("search", {"text": "lunch", "top_k": 3}),
        ("ask", {"question": "When did I have lunch?"}),
        ("profile", {}),
        ("item", {"item_id": item_id(0)}),
    )
    assert sorted(tool.name for tool in tools) == ["ask", "item", "profile", "search"]
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert 1 <= len(body(found)["hits"]) <= 3
    assert set(body(answer)) >= {"answer", "abstained", "evidence", "ranking", "tier"}
    assert body(answer)["evidence"]
    assert "items" in body(profile)
    assert body(item)["id"] == item_id(0)
    assert body(item)["people"] == ["Friend A"]


def test_no_real_name_and_no_path_comes_out_although_the_vault_opens(memory: Path) -> None:
    before = _sizes(memory)
    results = talk(
        memory,
        ("search", {"text": PERSON, "top_k": 20}),
        ("search", {"text": LATE, "top_k": 20}),
        ("ask", {"question": f"When did I have lunch with {PERSON}?"}),
        ("ask", {"question": "Which?", "tier": "t3", "options": [PERSON, EMAIL]}),
        ("profile", {}),
        *(("item", {"item_id": item_id(number)}) for number in range(6)),
    )
    said = json.dumps([result.model_dump(mode="json") for result in results], ensure_ascii=False)
    assert "Friend A" in said
    for secret in (*SECRETS, str(memory), f"{memory.parent}"):
        assert secret not in said, secret
    assert _sizes(memory) == before


def _sizes(memory: Path) -> dict[Path, int]:
    kept = (path for path in memory.rglob("*") if path.suffix in (".jpg", ".sqlite"))
    return {path: path.stat().st_size for path in kept}


def test_what_is_wrong_is_one_line(memory: Path) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("item", {"item_id": "ffffffffffffffff"}, "there is no item of that id"),
        ("search", {"text": "   "}, "the text is empty"),
        ("search", {"text": "lunch", "as_of": "soon"}, "no ISO time"),
        ("ask", {"question": "Which?", "tier": "t3", "options": ["a"]}, "give at least two"),
        ("ask", {"question": "Which?", "options": ["a", " "]}, "an option is empty"),
    ]
    refused: list[tuple[str, dict[str, Any]]] = [
        ("search", {"text": "x", "top_k": 0}),
        ("search", {"text": "x", "top_k": 101}),
        ("search", {}),
        ("forget", {"item_id": item_id(0)}),
    ]
    results = talk(memory, *(case[:2] for case in wrong), *refused)
    assert all(result.is_error for result in results)
    for result, (_, _, line) in zip(results, wrong, strict=False):
        text = result.content[0].text
        assert line in text
        assert len(text.splitlines()) == 1


def test_without_a_memory_or_the_extra_it_says_so_and_ends(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = run("mcp", "--memory", tmp_path / "none")
    assert missing.code == 1
    assert one_line(missing)
    monkeypatch.setattr("archive_mem.cli.mcp.find_spec", lambda name: None)
    refused = run("mcp", "--memory", tmp_path / "none")
    assert refused.code == 1
    assert str(MissingExtra("mcp", "the MCP server")) in refused.err
