"""Checkpoints of the profile in the catalog."""

from sqlalchemy import Connection

from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.profile_steps import get_value, keep_steps, set_value, steps
from archive_mem.profile.checkpoint import state_from_json, step_to_json
from archive_mem.profile.chrono import ProfileState

__all__ = ["CatalogCheckpoints"]

_MAKER = "profile maker"
_REVISION = "profile revision"


class CatalogCheckpoints:
    """Keeps one row a step, so that a checkpoint costs the same however long the profile is."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def load(self) -> ProfileState | None:
        """The last saved state, None when there is none."""
        with self._catalog.reading() as connection:
            maker = get_value(connection, _MAKER)
            bodies = steps(connection)
        return None if maker is None else state_from_json(maker, bodies)

    def save(self, state: ProfileState, session_id: str) -> None:
        """Keep the last step; steps after it are dropped."""
        position = len(state.steps) - 1
        with self._catalog.writing() as connection:
            keep_steps(connection, position, [step_to_json(state.steps[position])])
            set_value(connection, _MAKER, state.maker)
            self.renew(connection)

    def clear(self) -> None:
        """Forget all: there are no sessions."""
        with self._catalog.writing() as connection:
            keep_steps(connection, 0, [])
            self.renew(connection)

    def revision(self) -> int:
        """Changes with every change of the steps."""
        with self._catalog.reading() as connection:
            return int(get_value(connection, _REVISION) or 0)

    def renew(self, connection: Connection) -> None:
        """Note, within a transaction, that the profile is another one."""
        set_value(connection, _REVISION, int(get_value(connection, _REVISION) or 0) + 1)
