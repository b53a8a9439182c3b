"""The runner: which files need which stages, in worker processes, outcomes into the catalog.

It alone knows what can be skipped. Results are kept the moment they come: a killed run goes on
where it was.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import tzinfo
from pathlib import Path

from sqlalchemy import Connection

from anonymize.vault import Vault
from archive_mem.catalog import forgotten, items, ledger
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.ledger import Entry, Outcome
from archive_mem.ingest.bounded import bounded_map
from archive_mem.ingest.captioning import CAPTION
from archive_mem.ingest.covering import COVER
from archive_mem.ingest.discover import Discovery, Found
from archive_mem.ingest.fingerprint import item_id
from archive_mem.ingest.metadata import SidecarIndex
from archive_mem.ingest.stages import STAGES
from archive_mem.ingest.work import RawDescription, Tools, Work
from archive_mem.ingest.worker import Job, run_job, start_worker
from archive_mem.progress import Track
from archive_mem.schema.media import Capture, MediaItem, MediaKind

__all__ = ["Limits", "ReadReport", "Reader"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the workers may take.

    workers: processes
    seconds: most time one file may take
    memory_bytes: most memory one worker may take
    """

    workers: int
    seconds: float
    memory_bytes: int


@dataclass(slots=True)
class ReadReport:
    """Counts of one run.

    found: files found
    worked: files that a stage ran on
    known: files with nothing to do
    copies: files that are copies of an item read already
    unwanted: files of items that were forgotten; they are left alone
    failed: item ids that failed in this run or earlier, among the found files
    unreadable: files whose bytes could not be read, with the reason
    """

    found: int = 0
    worked: int = 0
    known: int = 0
    copies: int = 0
    unwanted: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    unreadable: list[tuple[Path, str]] = field(default_factory=list)


class Reader:
    """Brings files through the pixel stages."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        vault: Vault,
        root: Path,
        versions: dict[str, str],
        home: tzinfo,
        limits: Limits,
        make_tools: Callable[[], Tools],
        track: Track,
        again: bool = False,
    ) -> None:
        """`again`: read also what was forgotten."""
        self._catalog = catalog
        self._vault = vault
        self._root = root
        self._versions = versions
        self._home = home
        self._limits = limits
        self._make_tools = make_tools
        self._track = track
        self._again = again

    def read(self, discovery: Discovery) -> ReadReport:
        """Run what is missing for every file; a file's trouble never stops the others."""
        found = discovery.files
        report = ReadReport(found=len(found))
        sidecars = SidecarIndex.build(discovery.sidecars)
        jobs = list(self._jobs(found, sidecars, report))
        if jobs:
            self._run(jobs, report)
        return report

    def _jobs(
        self, found: Iterable[Found], sidecars: SidecarIndex, report: ReadReport
    ) -> Iterator[Job]:
        begun: Counter[str] = Counter()
        for file in self._track(found, "Looking for what is new", report.found):
            try:
                work = self._known_work(file, sidecars)
            except OSError as error:
                report.unreadable.append((file.path, error.strerror or "cannot be read"))
                continue
            if work is None:
                report.unwanted += 1
                continue
            begun[work.item_id] += 1
            if begun[work.item_id] > 1:
                report.copies += 1
                continue
            wanted = self._wanted(work)
            if wanted:
                yield Job(work=work, wanted=wanted)
            else:
                report.known += 1

    def _known_work(self, file: Found, sidecars: SidecarIndex) -> Work | None:
        """The item at a path; its bytes are only hashed when size or time have changed.

        None for one that was forgotten.
        """
        stat = file.path.stat()
        absolute = os.fspath(file.path.absolute())
        mark = self._vault.fingerprint(absolute)
        with self._catalog.reading() as connection:
            known = items.known_path(connection, mark)
        if known and (known.size, known.mtime_ns) == (stat.st_size, stat.st_mtime_ns):
            return self._work(file, known.item_id, sidecars)
        work = self._work(file, item_id(file.path), sidecars)
        place = items.KnownPath(
            fingerprint=mark,
            item_id=work.item_id,
            sealed=self._vault.seal(absolute),
            relative_fingerprint=self._vault.fingerprint(file.relative),
            album_sealed=None if file.album is None else self._vault.seal(file.album),
            size=stat.st_size,
            mtime_ns=stat.st_mtime_ns,
        )
        kept = self._keep_path(work, place, None if known is None else known.item_id)
        return work if kept else None

    def _keep_path(self, work: Work, place: items.KnownPath, before: str | None) -> bool:
        unwanted = self._vault.fingerprint(work.item_id)
        with self._catalog.writing() as connection:
            if self._again:
                forgotten.want_again(connection, unwanted)
            elif forgotten.is_unwanted(connection, unwanted):
                return False
            if items.load_item(connection, work.item_id) is None:
                items.save_item(connection, _unread(work), None, None)
            items.keep_path(connection, place)
            ledger.make_stale(connection, work.item_id, "pseudonymise")
            if before not in (None, work.item_id) and not items.paths_of(connection, before):
                items.replace_item(connection, before, work.item_id)
        return True

    def _work(self, file: Found, found_id: str, sidecars: SidecarIndex) -> Work:
        return Work(
            path=file.path,
            item_id=found_id,
            sidecars=sidecars.for_media(file.path),
            root=self._root,
        )

    def _wanted(self, work: Work) -> dict[str, str]:
        """Stages whose version is not in the ledger; after a failure nothing is."""
        with self._catalog.reading() as connection:
            entries = ledger.entries(connection, work.item_id)
        wanted: dict[str, str] = {}
        for stage in STAGES:
            entry = entries.get(stage.name)
            version = self._version(stage.name, work, entry)
            if entry is None or entry.version != version or entry.outcome is Outcome.STALE:
                wanted[stage.name] = version
            elif entry.outcome is Outcome.FAILED:
                return wanted
        if "describe" in wanted and COVER in entries:
            # What was filled in the picture could not be read a second time.
            wanted["anonymise"] = self._versions["anonymise"]
        return wanted

    def _version(self, stage: str, work: Work, before: Entry | None) -> str:
        """Sidecars that come or change redo `capture`; a copy without them leaves it alone."""
        version = self._versions[stage]
        if stage != "capture":
            return version
        marks = [_mark(path) for path in (work.sidecars.takeout, work.sidecars.xmp) if path]
        if not marks and before is not None and before.version.split(":")[0] == version:
            return before.version
        return ":".join([version, *marks])

    def _run(self, jobs: list[Job], report: ReadReport) -> None:
        results = bounded_map(
            run_job,
            (self._filled(job) for job in jobs),
            workers=min(self._limits.workers, len(jobs)),
            seconds=self._limits.seconds,
            memory_bytes=self._limits.memory_bytes,
            initializer=start_worker,
            initargs=(self._make_tools,),
        )
        for job, result in self._track(results, "Reading, blurring, describing", len(jobs)):
            report.worked += 1
            if isinstance(result, str):
                self._keep(_stopped(job, result))
            else:
                self._keep(result)

    def _filled(self, job: Job) -> Job:
        """What earlier stages made, for a job that begins in the middle.

        A derivative that is made anew is not filled yet: nobody reads the item until it is.
        """
        with self._catalog.reading() as connection:
            item = items.load_item(connection, job.work.item_id)
            derived = items.load_derived(connection, job.work.item_id)
        if derived is not None and "anonymise" in job.wanted:
            with self._catalog.writing() as connection:
                ledger.make_stale(connection, job.work.item_id, "pseudonymise")
        return replace(job, work=replace(job.work, item=item, derived=derived))

    def _keep(self, work: Work) -> None:
        """One transaction an item: what the stages made, and the ledger."""
        done = {entry.stage for entry in work.entries if entry.outcome is Outcome.DONE}
        with self._catalog.writing() as connection:
            if "capture" in done and work.item is not None:
                self._keep_item(connection, work, work.item)
            if "anonymise" in done and work.derived is not None:
                items.save_derived(connection, work.item_id, work.derived)
            if "describe" in done and work.description is not None:
                self._keep_description(connection, work.item_id, work.description)
            for entry in work.entries:
                ledger.write(connection, entry)
            if "describe" in done:
                ledger.make_stale(connection, work.item_id, CAPTION)
            ledger.make_stale(connection, work.item_id, "pseudonymise")

    def _keep_item(self, connection: Connection, work: Work, item: MediaItem) -> None:
        mark = None if work.content_id is None else self._vault.fingerprint(work.content_id)
        items.save_item(connection, item, self._instant(item), self._texts(work), mark)

    def _keep_description(
        self, connection: Connection, found_id: str, description: RawDescription
    ) -> None:
        items.save_description(
            connection,
            found_id,
            description.producer,
            description.prompt_version,
            self._vault.seal(json.dumps(asdict(description))),
        )

    def _instant(self, item: MediaItem) -> float | None:
        time = item.capture.time
        return None if time is None else time.instant(self._home).timestamp()

    def _texts(self, work: Work) -> str | None:
        if not work.texts and not work.albums:
            return None
        return self._vault.seal(json.dumps({"texts": work.texts, "albums": work.albums}))

    def note_failures(self, found: Iterable[Found], report: ReadReport) -> None:
        """Put in what failed among the found files, in this run or earlier, at whatever stage."""
        marks = {self._vault.fingerprint(os.fspath(file.path.absolute())) for file in found}
        with self._catalog.reading() as connection:
            among = items.items_at(connection, marks)
            for entry in ledger.failures(connection):
                if entry.item_id in among:
                    report.failed[entry.item_id] = f"{entry.stage}: {entry.reason}"


def _mark(path: Path) -> str:
    stat = path.stat()
    return f"{stat.st_size}.{stat.st_mtime_ns}"


def _unread(work: Work) -> MediaItem:
    return MediaItem(
        id=work.item_id,
        kind=MediaKind.PHOTO,
        mime="application/octet-stream",
        width=None,
        height=None,
        duration=None,
        capture=Capture(time=None, place=None, device=None),
    )


def _stopped(job: Job, reason: str) -> Work:
    """A worker that was ended (time, memory, crash) did not say how far it was."""
    stage = next(iter(job.wanted))
    entry = Entry(
        item_id=job.work.item_id,
        stage=stage,
        version=job.wanted[stage],
        outcome=Outcome.FAILED,
        reason=reason,
    )
    return replace(job.work, entries=(entry,))
