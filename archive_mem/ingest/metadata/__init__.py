"""When, where and with what a file was captured: every source, and the reason of each choice."""

from archive_mem.ingest.metadata.reading import Reading, named, read
from archive_mem.ingest.metadata.resolve import Candidate
from archive_mem.ingest.metadata.sidecars import SidecarIndex, Sidecars

__all__ = ["Candidate", "Reading", "SidecarIndex", "Sidecars", "named", "read"]
