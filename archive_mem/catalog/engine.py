"""Opening catalog.sqlite: pragmas, transactions, migrations."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event

from archive_mem.errors import MemoryTooNew, StoreError

__all__ = ["HEAD", "open_engine"]

HEAD = "0004"

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA busy_timeout=20000",
)


def open_engine(path: Path) -> Engine:
    """An engine on the catalog at `path`, made or brought up to date first.

    Raises MemoryTooNew when a newer archive-mem made it, StoreError when it is no catalog.
    """
    engine = create_engine(f"sqlite:///{path}", hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    try:
        revision = _revision(engine)
    except Exception as error:
        engine.dispose()
        raise StoreError(f"{path}: cannot be opened as a catalog ({_first_line(error)})") from error
    if revision != HEAD:
        _migrate(engine, path, revision)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's BEGIN below is then the only one
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        known = connection.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE name = 'alembic_version'"
        ).scalar()
        if known is None:
            return None
        found: Any = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return None if found is None else str(found)


def _migrate(engine: Engine, path: Path, revision: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    try:
        ScriptDirectory.from_config(config).get_revision(revision or "base")
    except CommandError as error:
        engine.dispose()
        raise MemoryTooNew(
            f"{path.parent}: made by a newer archive-mem (schema {revision}, this one knows {HEAD})"
            "; nothing was changed, install the newer version"
        ) from error
    with engine.execution_options(writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", error)).splitlines()[0]
