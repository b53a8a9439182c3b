"""The report of an ingest: counts for the terminal, and a file in <memory>/reports."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from archive_mem.catalog import items, ledger
from archive_mem.catalog.catalog import Catalog
from archive_mem.ingest.captioning import CaptionReport
from archive_mem.ingest.discover import Discovery
from archive_mem.ingest.runner import ReadReport

__all__ = ["IngestReport"]

_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What came of an ingest.

    found, worked, known, copies: files found, worked on, with nothing to do, copies of others
    unwanted: files of items that were forgotten; they were left alone
    items: items in the memory now
    failed: item id -> stage and reason
    unreadable: files whose bytes could not be read, with the reason
    left: why files were left alone -> how many
    captions: what a language model said of pictures
    sessions_changed: sessions woven
    path: the report file; it holds no names and no paths of originals
    """

    found: int
    worked: int
    known: int
    copies: int
    unwanted: int
    items: int
    failed: dict[str, str]
    unreadable: list[tuple[Path, str]]
    left: dict[str, int]
    captions: CaptionReport
    sessions_changed: int
    path: Path

    @classmethod
    def write(
        cls,
        folder: Path,
        catalog: Catalog,
        read: ReadReport,
        discovery: Discovery,
        captions: CaptionReport,
        changed: int,
    ) -> Self:
        """Make the report and keep it in `folder`."""
        with catalog.reading() as connection:
            total = items.count(connection)
        now = datetime.now(UTC)
        report = cls(
            found=read.found,
            worked=read.worked,
            known=read.known,
            copies=read.copies,
            unwanted=read.unwanted,
            items=total,
            failed=read.failed,
            unreadable=read.unreadable,
            left=dict(discovery.left),
            captions=captions,
            sessions_changed=changed,
            path=folder / f"ingest-{now:%Y%m%dT%H%M%S}.json",
        )
        report.path.write_text(json.dumps(report.body(catalog), indent=1), "utf-8")
        return report

    def body(self, catalog: Catalog) -> dict[str, object]:
        """What the file holds."""
        with catalog.reading() as connection:
            seconds = ledger.seconds(connection)
            counts = ledger.counts(connection)
        return {
            "found": self.found,
            "worked": self.worked,
            "known": self.known,
            "copies": self.copies,
            "unwanted": self.unwanted,
            "items": self.items,
            "failed": self.failed,
            "unreadable": len(self.unreadable),
            "left_alone": self.left,
            "captions": asdict(self.captions),
            "sessions_changed": self.sessions_changed,
            "seconds_by_stage": {stage: round(total, 3) for stage, total in seconds.items()},
            "stages": {f"{stage} {outcome}": n for (stage, outcome), n in sorted(counts.items())},
        }

    def lines(self) -> Iterator[str]:
        """For the terminal."""
        yield (
            f"{self.found} files found: {self.worked} worked on, {self.known} known already, "
            f"{self.copies} copies; {self.items} items in the memory"
        )
        if self.captions.said:
            yield f"{self.captions.said} described by a language model"
        if not self.worked and not self.sessions_changed and not self.captions.said:
            yield "nothing was new: no work was done"
        if self.unwanted:
            yield f"{self.unwanted} were forgotten earlier and left alone (--again reads them)"
        if self.left:
            yield "left alone: " + ", ".join(f"{n} {why}" for why, n in sorted(self.left.items()))
        yield from self._trouble()
        yield f"report: {self.path}"

    @property
    def ended_well(self) -> bool:
        """Nothing failed, and nothing waits for a model."""
        return not self.failed and not self.unreadable and not self.captions.left

    def _trouble(self) -> Iterator[str]:
        if self.captions.left:
            yield (
                f"{self.captions.left} wait for the language model: {self.captions.why}; "
                "run ingest again when it answers (they are described by rules until then)"
            )
        count = len(self.failed) + len(self.unreadable)
        if not count:
            return
        yield f"{count} failed:"
        for path, reason in self.unreadable[:_SHOWN]:
            yield f"  {path}: {reason}"
        for item_id, reason in list(self.failed.items())[:_SHOWN]:
            yield f"  {item_id}  {reason}"
        if count > _SHOWN:
            yield "  ... all of them: archive-mem items --json"
