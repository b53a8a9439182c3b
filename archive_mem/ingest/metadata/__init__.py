"""When and where a file was captured, and with what: every source, and the reason of each choice."""

from archive_mem.ingest.metadata.reading import Reading, named, read
from archive_mem.ingest.metadata.resolve import Candidate
from archive_mem.ingest.metadata.sidecars import SidecarIndex, Sidecars

__all__ = ["Candidate", "Reading", "SidecarIndex", "Sidecars", "named", "read"]
