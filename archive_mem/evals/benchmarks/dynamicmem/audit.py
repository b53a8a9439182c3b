"""What a system received, field by field: the proof that no reference value was among it."""

import re
from collections import Counter
from collections.abc import Mapping

from archive_mem.evals.benchmarks.dynamicmem.protocol import Json

__all__ = ["Audit"]

_INNER = re.compile(r"^(query\.template|logs\[\]\.(?:request|response))\..*")


class Audit:
    """Counts the fields of every message to a system's process."""

    def __init__(self) -> None:
        self._seen: dict[str, Counter[str]] = {}
        self.refused: list[str] = []

    def note(self, do: str, said: Mapping[str, Json]) -> None:
        """One message."""
        self._seen.setdefault(do, Counter()).update(_fields(said))

    def told(self) -> dict[str, Json]:
        """All of it as JSON: by message, field and how often; and what the guard refused."""
        received = {do: dict(sorted(fields.items())) for do, fields in sorted(self._seen.items())}
        return {"received": received, "refused": self.refused}


def _fields(value: Json, path: str = "") -> Counter[str]:
    if isinstance(value, Mapping):
        found: Counter[str] = Counter()
        for key, each in value.items():
            found.update(_fields(each, f"{path}.{key}" if path else str(key)))
        return found
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return sum((_fields(each, f"{path}[]") for each in value), Counter())
    inner = _INNER.match(path)
    return Counter({inner[1] if inner else path: 1})
