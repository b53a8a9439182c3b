"""What is asked: samples with their gold, and the hash of the data they came from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from archive_mem.errors import InputError

__all__ = ["Dataset", "Sample", "data_hash"]

Asked = TypeVar("Asked", covariant=True)
Gold = TypeVar("Gold", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Generic[Asked, Gold]):
    """One question.

    id: unique in its dataset
    group: what its score is averaged with, such as a subtask
    asked: what a system may see
    gold: what only the scorer may see
    """

    id: str
    group: str
    asked: Asked
    gold: Gold


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset(Generic[Asked, Gold]):
    """All samples of a benchmark.

    name: of the benchmark
    samples: in the order of the file
    sha256: of the file's bytes
    """

    name: str
    samples: tuple[Sample[Asked, Gold], ...]
    sha256: str


def data_hash(paths: Sequence[Path], extra: Mapping[str, str] | None = None) -> str:
    """SHA-256 over names and bytes of the files, in order of name. Raises InputError."""
    total = hashlib.sha256()
    for path in sorted(paths, key=lambda each: each.name):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(path, f"cannot be read ({error.strerror})") from error
        total.update(path.name.encode() + b"\0" + hashlib.sha256(content).digest())
    for name, value in sorted((extra or {}).items()):
        total.update(f"{name}\0{value}\0".encode())
    return total.hexdigest()
