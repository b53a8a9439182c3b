"""What the process once held in memory is not written into the index by accident."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

SECRET = b"hippopotamus-in-marzipan-"
# One heap for all threads and nothing given back: what is handed out was freed by somebody else.
ONE_HEAP = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "4000000000",
    "MALLOC_TRIM_THRESHOLD_": "4000000000",
}


def make_index(folder: Path) -> None:
    import chromadb  # noqa: F401  its own start would take the freed memory first
    import numpy as np

    from anonymize.compose import restored
    from archive_mem.index.base import IndexRecord
    from archive_mem.index.chroma import ChromaIndex

    held = [SECRET * (40 * number) for number in range(1, 300)]
    del held
    index = ChromaIndex(folder, model="m", dimension=384)
    vector = np.full(384, 384**-0.5, np.float32)
    record = IndexRecord(
        id="s:0", item_id="i", session_id="s", text=restored("x"), vector=vector, at=None
    )
    index.upsert([record])
    index.close()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can fill new memory")
def test_chroma_s_files_hold_nothing_that_was_freed(tmp_path: Path) -> None:
    code = f"from {__name__} import make_index, Path; make_index(Path({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", code], env=os.environ | ONE_HEAP, check=True)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "data_level0.bin" for path in written)
    assert [path.name for path in written if SECRET in path.read_bytes()] == []
