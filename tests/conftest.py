"""What all tests share: no network, a vault key of their own, the sample archive ingested once."""

import os
import runpy
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_OFFLINE = Path(__file__).parent / "offline"
SHARED = Path(__file__).parents[2] / "shared"


def pytest_configure() -> None:
    """Refuse the network here and in every process that a test starts.

    Properties are tried on the same examples every time, and a busy machine is no failure.
    """
    settings.register_profile(
        "steady",
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("steady")
    runpy.run_path(str(_OFFLINE / "sitecustomize.py"))
    paths = [str(_OFFLINE), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    os.environ["ARCHIVE_MEM_PASSPHRASE"] = "a passphrase for tests"
    for name in [name for name in os.environ if name.startswith("ARCHIVE_MEM_")]:
        if name != "ARCHIVE_MEM_PASSPHRASE":
            del os.environ[name]


@pytest.fixture(autouse=True)
def _no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A test that forgets --memory must not touch a person's own memory."""
    monkeypatch.setenv("ARCHIVE_MEM_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="session")
def sample_media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample archive's media, built once."""
    from sample_archive.build import build

    target = tmp_path_factory.mktemp("sample") / "media"
    build(target)
    return target


@pytest.fixture(scope="session")
def sample_memory(sample_media: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory with the sample archive and its annotations; read only."""
    import sample_archive
    from archive_mem.wiring import open_memory

    source = Path(sample_archive.__file__).parent
    folder = tmp_path_factory.mktemp("memory") / "sample"
    with open_memory(folder, create=True) as opened:
        opened.ingest([sample_media], source / "names.txt")
        opened.import_annotations(source / "annotations.jsonl")
    return folder
