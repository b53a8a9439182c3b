"""Many runs from one TOML file.

qa = "qa.jsonl"                       # relative to the file
systems = ["rag", "chrono"]           # defaults of every run
modes = ["caption"]
k = ["10", "full"]

[[run]]
name = "small"
reader = "embedded"
judge = "exact"

[[run]]
name = "qwen"
reader = "hf:Qwen/Qwen3-VL-8B-Instruct"
judge = "openai:http://localhost:8000/v1#judge"
modes = ["caption", "caption+pixels", "pixels"]
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from archive_mem.errors import InputError
from archive_mem.evals.benchmarks.realmem.bench import Choices

__all__ = ["MatrixRun", "gathered", "read_matrix"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRun:
    """One run of the matrix.

    name: of its folder
    qa: questions
    reader, judge: names
    choices: systems, modes, ks
    """

    name: str
    qa: Path
    reader: str
    judge: str
    choices: Choices


class _Common(BaseModel):
    model_config = ConfigDict(extra="forbid")
    qa: str | None = None
    systems: list[str] | None = None
    modes: list[str] | None = None
    k: list[str] | None = None
    reader: str | None = None
    judge: str | None = None


class _Run(_Common):
    name: str = Field(pattern=r"^[A-Za-z0-9][\w.-]*$")


class _File(_Common):
    run: list[_Run] = Field(min_length=1)


def read_matrix(path: Path) -> list[MatrixRun]:
    """The runs of a file. Raises InputError."""
    try:
        file = _File.model_validate(tomllib.loads(path.read_text("utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(path, f"{where}: {first['msg']}") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(path, f"cannot be read ({error})") from error
    names = [each.name for each in file.run]
    if len(set(names)) < len(names):
        raise InputError(path, "two runs have the same name")
    return [_run(path, file, each) for each in file.run]


def _run(path: Path, file: _File, run: _Run) -> MatrixRun:
    usual = Choices()
    qa = run.qa or file.qa
    if qa is None:
        raise InputError(path, f"run {run.name}: no qa is given")
    return MatrixRun(
        name=run.name,
        qa=path.parent / qa,
        reader=run.reader or file.reader or "embedded",
        judge=run.judge or file.judge or "exact",
        choices=Choices(
            systems=tuple(run.systems or file.systems or usual.systems),
            modes=tuple(run.modes or file.modes or usual.modes),
            ks=tuple(run.k or file.k or usual.ks),
        ),
    )


def gathered(runs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """One object over all runs, as `--json` prints it."""
    counts = ("n", "scored", "unscored", "failed")
    return {
        "name": "realmem",
        **{name: sum(int(run[name]) for run in runs.values()) for name in counts},
        "seconds": round(sum(float(run["seconds"]) for run in runs.values()), 3),
        "systems": {
            f"{name}: {system}": body
            for name, run in runs.items()
            for system, body in run["systems"].items()
        },
        "runs": list(runs),
    }
