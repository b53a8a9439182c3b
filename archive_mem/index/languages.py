"""Which languages an archive has, and which model made its index."""

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

__all__ = ["east_asian_share", "made_by"]

_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]")


def east_asian_share(texts: Iterable[str]) -> float:
    """Share of Chinese, Japanese and Korean letters among all letters, 0 to 1; 0 for no text."""
    letters = east_asian = 0
    for text in texts:
        letters += sum(map(str.isalpha, text))
        east_asian += len(_EAST_ASIAN.findall(text))
    return min(east_asian / letters, 1.0) if letters else 0.0


def made_by(folder: Path) -> str | None:
    """Name of the embedder whose vectors the index has; None when there is no index yet."""
    path = folder / "lexical.sqlite"
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            row = connection.execute("SELECT value FROM about WHERE name = 'model'").fetchone()
    except sqlite3.Error:
        return None  # no index that could be used: it will be built again
    return None if row is None else str(row[0])
