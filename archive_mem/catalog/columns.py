"""Column types: what is safe stays typed as safe on its way through SQLite."""

from typing import Any

from sqlalchemy import Dialect, String
from sqlalchemy.types import TypeDecorator

from anonymize.compose import restored
from archive_mem.schema.safe import SafeText

__all__ = ["SafeTextColumn"]


class SafeTextColumn(TypeDecorator[SafeText]):
    """Accepts SafeText only and gives SafeText back."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: SafeText | None, dialect: Dialect) -> str | None:
        """Refuse anything that did not go through anonymisation (TypeError)."""
        if value is None:
            return None
        if not isinstance(value, SafeText):
            raise TypeError(f"this column takes SafeText, not {type(value).__name__}")
        return value.value

    def process_result_value(self, value: Any | None, dialect: Dialect) -> SafeText | None:  # noqa: ANN401
        """Only SafeText was ever written here."""
        return None if value is None else restored(value)
