"""archive-mem ui: the address, and one line when it cannot be opened."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from archive_mem.cli.ui import hosts_for, is_loopback
from archive_mem.wiring import Memory

COMMAND = [sys.executable, "-c", "from archive_mem.cli.main import main; main()", "ui"]


@pytest.fixture
def environment(memory: Memory) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if "UI_PASSWORD" not in key}
    return kept | {"ARCHIVE_MEM_PASSPHRASE": "a passphrase of the tests"}


def _run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--no-browser", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        check=False,
    )


def test_another_host_needs_a_password(environment: dict[str, str], memory: Memory) -> None:
    arguments = ("--memory", str(memory.folder.root), "--host", "0.0.0.0")
    bare = _run(environment, *arguments)
    short = _run(environment | {"ARCHIVE_MEM_UI_PASSWORD": "short"}, *arguments)
    for done in (bare, short):
        assert done.returncode == 2
        assert done.stdout == ""
        assert len(done.stderr.strip().splitlines()) == 1
        assert "ARCHIVE_MEM_UI_PASSWORD" in done.stderr


def test_a_taken_port_is_one_line(environment: dict[str, str], memory: Memory) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = _run(environment, "--memory", str(memory.folder.root), "--port", str(port))
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith(f"error: 127.0.0.1 port {port}: ")
    assert "--port" in done.stderr


def test_a_missing_memory_is_one_line(environment: dict[str, str], tmp_path: Path) -> None:
    done = _run(environment, "--memory", str(tmp_path / "none"))
    assert done.returncode == 1
    assert "no memory here yet" in done.stderr


@pytest.fixture
def served(
    environment: dict[str, str], memory: Memory
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    arguments = ["--no-browser", "--memory", str(memory.folder.root), "--port", "0"]
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment | {"ARCHIVE_MEM_UI_PASSWORD": "a long password", "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[0]
        process.kill()


def test_it_prints_its_address_asks_for_the_password_and_ends_by_ctrl_c(
    served: tuple[subprocess.Popen[str], str],
) -> None:
    process, address = served
    assert address.startswith("http://127.0.0.1:")
    assert _status(f"{address}thumb/0000000000000001") == 401
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in said


def _status(address: str) -> int:
    for _ in range(50):
        try:
            return int(urllib.request.urlopen(address, timeout=5).status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except OSError:
            time.sleep(0.2)
    return 0


def test_loopback_is_this_machine_only() -> None:
    assert all(is_loopback(each) for each in ("127.0.0.1", "127.0.0.2", "::1", "localhost"))
    assert not any(is_loopback(each) for each in ("0.0.0.0", "::", "192.168.1.4", "example.org"))


def test_a_server_answers_to_its_own_names_only() -> None:
    assert hosts_for("127.0.0.1") == ["127.0.0.1", "[::1]", "localhost"]
    assert "192.168.1.4" in hosts_for("192.168.1.4")
    assert "[fd00::1]" in hosts_for("fd00::1")
    everywhere = hosts_for("0.0.0.0")
    assert socket.gethostname().lower() in everywhere
    assert "*" not in everywhere
