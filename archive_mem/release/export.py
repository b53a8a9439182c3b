"""A memory as a folder that may be given away: what `archive-mem export` writes."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from anonymize.faces import FaceDetector
from anonymize.pseudonyms import PLACEHOLDER
from anonymize.vault import Vault
from anonymize.verify import scan_derivative
from archive_mem.catalog import annotations, items
from archive_mem.catalog.catalog import Catalog
from archive_mem.errors import DerivativeLeak
from archive_mem.progress import Track
from archive_mem.release.card import LICENSE, Counts, card
from archive_mem.release.gate import Gate
from archive_mem.release.names import ReleaseNames
from archive_mem.release.questions import LeftOut, Questions, SafeQuestion, read_questions
from archive_mem.release.rows import Row, Rows, relative_year
from archive_mem.release.shift import secret_shift
from archive_mem.release.target import Draft, Target, of_the_draft
from archive_mem.release.words import Cleaner, Withheld
from archive_mem.schema.annotation import Annotation
from archive_mem.schema.media import MediaKind
from archive_mem.schema.profile import Profile
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.views import verify

__all__ = ["Choices", "Exporter", "Released", "Source"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the owner asked for.

    shift_times: shift all times by one secret number of weeks
    questions: a qa.jsonl about the memory, None for none
    profile: whether the persona goes, too
    """

    shift_times: bool = False
    questions: Path | None = None
    profile: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The memory that is released, and what is needed of it.

    root: its folder
    catalog, vault: of it; its pipeline must be owned
    redact: redacts a text
    item_of: the item of a path or id, None when unknown
    profile_as_of: the persona as of a time
    detector: looks for faces
    track: shows how far it is
    """

    root: Path
    catalog: Catalog
    vault: Vault
    redact: Callable[[str], SafeText]
    item_of: Callable[[str], str | None]
    profile_as_of: Callable[[datetime], Profile]
    detector: FaceDetector
    track: Track


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """What came of an export.

    folder: where it lies
    counts: what is in it
    not_ready: items that are not in it, for they failed or are not read yet
    withheld: texts that are not in it
    left_out: questions that are not in it
    """

    folder: Path
    counts: Counts
    not_ready: int
    withheld: tuple[Withheld, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def whole(self) -> bool:
        """Whether everything that was asked for is in it."""
        return not (self.withheld or self.left_out)


@dataclass(slots=True, kw_only=True)
class _Seen:
    """What is known after the items were written."""

    counts: Counts = field(default_factory=Counts)
    media: dict[str, str] = field(default_factory=dict)
    first: datetime | None = None
    last: datetime | None = None

    def holds(self, item_id: str) -> bool:
        """Whether an item is in the release, as soon as it is written."""
        return item_id in self.media


class Exporter:
    """Writes one release."""

    def __init__(self, source: Source, choices: Choices) -> None:
        self._source, self._choices = source, choices
        self._names = ReleaseNames(source.vault)
        self._left_out: list[LeftOut] = []

    def export(self, folder: Path) -> Released:
        """Write the release to `folder`; it is there whole or not at all.

        Raises InputError for a folder or a file that cannot be used, DerivativeLeak when the
        memory does not verify, and PrivacyError when something personal would be in the release.
        """
        target = Target.check(folder, self._source.root, self._names.memory())
        self._verify()
        questions = list(self._read_questions())
        gate = Gate.of(self._source.catalog, self._source.vault)
        cleaner = Cleaner(
            sweep=gate.sweep,
            redact=self._source.redact,
            shift=secret_shift(self._source.vault) if self._choices.shift_times else None,
        )
        licence = target.signed_licence(LICENSE)
        with target.draft({"times_shifted": self._choices.shift_times}) as draft:
            seen = self._write(draft, cleaner, questions)
            seen.counts.withheld = Counter(each.why for each in cleaner.withheld)
            draft.text("README.md", card(seen.counts, shifted=self._choices.shift_times))
            draft.text("LICENSE", LICENSE)
            files = draft.files()
            gate.check(draft.root, self._source.track(files, "Checking every byte", len(files)))
            if licence is not None:
                draft.replace_text("LICENSE", licence)
        return Released(
            folder=target.path,
            counts=seen.counts,
            not_ready=self._known() - seen.counts.items - cleaner.count("media"),
            withheld=tuple(cleaner.withheld),
            left_out=tuple(self._left_out),
        )

    def _verify(self) -> None:
        source = self._source
        proof = verify(source.catalog, source.root, lambda: 0, source.detector, source.track)
        if proof["leaks"] or proof["faces_left"]:
            raise DerivativeLeak(
                f"the memory does not verify ({len(proof['leaks'])} leaks, "
                f"{len(proof['faces_left'])} pictures with a face left), so nothing was written: "
                "see archive-mem verify"
            )

    def _known(self) -> int:
        with self._source.catalog.reading() as connection:
            return items.count(connection)

    def _read_questions(self) -> Iterator[SafeQuestion]:
        """First of all: names in questions become known before anything is swept for them."""
        if self._choices.questions is not None:
            yield from read_questions(
                self._choices.questions,
                self._source.redact,
                self._source.item_of,
                self._left_out.append,
            )

    # ------------------------------------------------------------------------------ writing

    def _write(self, draft: Draft, cleaner: Cleaner, questions: list[SafeQuestion]) -> _Seen:
        seen = _Seen()
        rows = Rows(names=self._names, cleaner=cleaner, has=seen.holds)
        self._write_items(draft, rows, seen)
        self._write_sessions(draft, rows, seen)
        if self._choices.profile and seen.last is not None:
            self._write_profile(draft, rows, seen, seen.last)
        if self._choices.questions is not None:
            self._write_questions(draft, rows.cleaner, questions, seen)
        return seen

    def _write_items(self, draft: Draft, rows: Rows, seen: _Seen) -> None:
        known = self._known()
        numbers = self._annotators()
        with ExitStack() as stack:
            metadata = _Lazy(stack, draft)
            layers = stack.enter_context(draft.lines("annotations.jsonl"))
            records = self._source.catalog.records()
            for record in self._source.track(records, "Copying", known):
                if _shows_words(record):
                    rows.cleaner.withhold(record.item_id, "media", "words that a video shows")
                    continue
                row = self._item(draft, rows, record, seen)
                _line(metadata.at(f"{self._names.folder(record.kind)}/metadata.jsonl"), row)
                for annotator, notes in self._notes(record):
                    _line(layers, rows.layers(record, f"annotator {numbers[annotator]}", notes))
                    seen.counts.layers.update(annotations.layer_name(n.layer).value for n in notes)
        seen.counts.annotators = len(numbers)

    def _item(self, draft: Draft, rows: Rows, record: Record, seen: _Seen) -> Row:
        with self._source.catalog.reading() as connection:
            derived = items.load_derived(connection, record.item_id)
        if derived is None:
            raise DerivativeLeak(f"{record.item_id}: its derivative is gone")
        media = self._names.media(record.item_id, record.kind)
        leaks = scan_derivative(draft.copy(self._source.root / derived.path, media))
        if leaks:
            raise DerivativeLeak(f"{derived.path}: {leaks[0]}")
        seen.media[record.item_id] = media
        row = rows.item(record, self._year(record, seen), derived.faces)
        seen.counts.add_item(row, record.kind.value)
        return row

    def _year(self, record: Record, seen: _Seen) -> int | None:
        if record.at is None:
            return None
        seen.first = seen.first or record.at
        seen.last = max(seen.last or record.at, record.at)
        return relative_year(seen.first, record.at)

    def _annotators(self) -> dict[str, int]:
        """Numbers in the order in which they began; names go nowhere."""
        began: dict[str, datetime] = {}
        for record in self._source.catalog.records():
            with self._source.catalog.reading() as connection:
                for note in annotations.history(connection, record.item_id):
                    began[note.annotator] = min(
                        note.saved_at, began.get(note.annotator, note.saved_at)
                    )
        vault = self._source.vault
        ordered = sorted(began, key=lambda who: (began[who], vault.fingerprint(vault.uncover(who))))
        return {name: number for number, name in enumerate(ordered, 1)}

    def _notes(self, record: Record) -> Iterable[tuple[str, list[Annotation]]]:
        with self._source.catalog.reading() as connection:
            newest = annotations.newest_of(connection, record.item_id)
        by_annotator: dict[str, list[Annotation]] = defaultdict(list)
        for note in newest:
            by_annotator[note.annotator].append(note)
        return by_annotator.items()

    def _write_sessions(self, draft: Draft, rows: Rows, seen: _Seen) -> None:
        with draft.lines("sessions.jsonl") as file:
            for session in self._source.track(self._source.catalog.sessions(), "Sessions"):
                row = rows.session(session)
                if row is None:
                    continue
                seen.counts.sessions += 1
                seen.counts.turns += len(row["turns"])
                _line(file, row)

    def _write_profile(self, draft: Draft, rows: Rows, seen: _Seen, as_of: datetime) -> None:
        """As of the last item: later than everything that is said."""
        profile = self._source.profile_as_of(as_of)
        with draft.lines("profile.jsonl") as file:
            for item, stability in profile.items:
                row = rows.statement(item, stability)
                if row is not None:
                    seen.counts.statements += 1
                    _line(file, row)

    def _write_questions(
        self, draft: Draft, cleaner: Cleaner, questions: list[SafeQuestion], seen: _Seen
    ) -> None:
        made = Questions(
            names=self._names, cleaner=cleaner, media=seen.media.get, left_out=self._left_out
        )
        with draft.lines("qa.jsonl") as file:
            for row in made.rows(questions):
                seen.counts.questions[row["tier"], row["subtask"]] += 1
                _line(file, row)


def _shows_words(record: Record) -> bool:
    """A picture's personal lines are filled (anonymize.cover); a video's move, and are not."""
    return record.kind is MediaKind.VIDEO and bool(PLACEHOLDER.search(record.ocr_text))


class _Lazy:
    """Files that are opened when their first line comes: no file for what there is none of."""

    def __init__(self, stack: ExitStack, draft: Draft) -> None:
        self._stack, self._draft = stack, draft
        self._open: dict[str, TextIO] = {}

    def at(self, name: str) -> TextIO:
        """The file, opened once."""
        if name not in self._open:
            self._open[name] = self._stack.enter_context(self._draft.lines(name))
        return self._open[name]


def _line(file: TextIO, row: dict[str, Any]) -> None:
    with of_the_draft():
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
