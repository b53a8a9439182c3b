"""A person's photos and videos, on their own machine, as a long-term memory."""

from archive_mem import errors, schema

__all__ = ["__version__", "errors", "schema"]

__version__ = "0.1.0"
