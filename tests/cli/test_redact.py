"""`archive-mem redact`: line in, line out, at once, whatever the bytes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

COMMAND = "from archive_mem.cli.main import main; main()"


def started(memory: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "redact", *arguments, "--memory", str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def redacted(memory: Path, data: bytes, *arguments: str) -> bytes:
    out, err = started(memory, "-", *arguments).communicate(data, timeout=120)
    assert err == b""
    return out


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def process(memory: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with started(memory, "-") as running:
        yield running
        running.kill()


def test_a_line_is_answered_before_the_next_is_sent(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    for sent, got in ((b"call +49 30 901820", b"call [Phone A]"), (b"", b""), (b"soup", b"soup")):
        process.stdin.write(sent + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == got + b"\n"
    process.stdin.close()
    assert process.wait(timeout=60) == 0


def test_lines_stay_lines_and_bytes_that_are_no_text_stay(memory: Path) -> None:
    data = b"bad \xff\xfe, call 020 7946 0958\r\n\nlast anna@example.org"
    assert redacted(memory, data, "--region", "gb") == (
        b"bad \xff\xfe, call [Phone A]\r\n\nlast [Email A]\n"
    )


def test_spans_count_characters_of_what_came_in(memory: Path) -> None:
    lines = ["é😀 write to anna@example.org, then +49 30 901820", "nothing here"]
    rows = [
        json.loads(row)
        for row in redacted(memory, "\n".join(lines).encode(), "--json").splitlines()
    ]
    assert [row["text"] for row in rows] == [
        "é😀 write to [Email A], then [Phone A]",
        "nothing here",
    ]
    assert [
        (lines[0][span["start"] : span["end"]], span["kind"], span["placeholder"])
        for span in rows[0]["spans"]
    ] == [("anna@example.org", "email", "[Email A]"), ("+49 30 901820", "phone", "[Phone A]")]
    assert rows[1]["spans"] == []


def test_json_of_bytes_that_are_no_text_can_be_read(memory: Path) -> None:
    row = json.loads(redacted(memory, b"bad \xff +49 30 901820", "--json"))
    assert row["text"] == "bad \udcff [Phone A]"


def test_a_list_of_names_is_known_from_then_on(memory: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("friend\tZeb Quux\tZebby\n", "utf-8")
    assert redacted(memory, b"zebby came", "--names", str(names)) == b"Friend A came\n"
    assert redacted(memory, b"zeb quux left") == b"Friend A left\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["soup", "--region", "zz"], 2, "no country 'zz'"),
        (["soup", "--names", "missing.txt"], 1, "missing.txt"),
        ([], 2, "TEXT"),
    ],
)
def test_a_wrong_call_is_one_line(memory: Path, arguments: list[str], code: int, said: str) -> None:
    running = started(memory, *arguments)
    _, err = running.communicate(timeout=120)
    assert running.returncode == code
    assert said in err.decode()
    assert "Traceback" not in err.decode()


def test_a_locked_vault_is_one_line_and_nothing_is_printed(memory: Path) -> None:
    redacted(memory, b"soup")
    wrong = {**os.environ, "ARCHIVE_MEM_PASSPHRASE": "another one"}
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "redact", "secret", "--memory", str(memory)],
        capture_output=True, check=False, env=wrong, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == "error: the passphrase does not open this vault\n"
