"""The only place that builds concrete models, stores and tiers."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from zoneinfo import ZoneInfo

from archive_mem.catalog.catalog import Catalog
from archive_mem.config import Chosen, Settings, choose, default_memory, read_toml
from archive_mem.errors import IndexBroken, InputError, NothingToIngest, UsageError, VaultError
from archive_mem.folder import MemoryFolder
from archive_mem.progress import Track, silent
from archive_mem.qa.base import nothing
from archive_mem.schema.profile import Profile, ProfileItem
from archive_mem.schema.qa import Answer, Option, Query, Tier
from archive_mem.schema.record import Record
from archive_mem.schema.session import Granularity, Session

if TYPE_CHECKING:
    from anonymize.detectors import FaceDetector
    from anonymize.policy import Redactor
    from anonymize.vault import Vault
    from archive_mem.evals.benchmarks.realmem.context import Lab
    from archive_mem.index.hybrid import HybridIndex
    from archive_mem.ingest.captioning import CaptionReport
    from archive_mem.ingest.covering import Coverer
    from archive_mem.ingest.forgetting import Forgetter, Forgotten
    from archive_mem.ingest.notes import ImportReport, Notes
    from archive_mem.ingest.redacting import WordRedactor
    from archive_mem.ingest.remembered import Remembered
    from archive_mem.ingest.report import IngestReport
    from archive_mem.ingest.work import Tools
    from archive_mem.profile.candidates import Extractor
    from archive_mem.profile.chat_tally import ChatTally
    from archive_mem.profile.compare import Comparer
    from archive_mem.profile.editor import Editor
    from archive_mem.profile.stability import Constants
    from archive_mem.profile.vectors import Vectors
    from archive_mem.profile.weighting import ProfileSettings
    from archive_mem.qa.base import TierReader
    from archive_mem.release.export import Choices, Released
    from archive_mem.retrieval.photos import ThumbFinder
    from archive_mem.retrieval.plan import Plan
    from archive_mem.retrieval.search import Found, Search
    from archive_mem.schema.safe import SafeImage
    from models.base import ChatModel, TextEmbedder

__all__ = ["Memory", "make_tools", "open_memory"]

_VIDEO_PATIENCE = 30
"""A video may take this many times the seconds of a photo."""

_ALLOWED = "allowed hosts"
"""Key in the catalog: the owner's yes belongs to the memory, not to a machine or a shell."""


def open_memory(
    path: Path | None = None,
    *,
    create: bool = False,
    command_line: Mapping[str, str | int | float | None] | None = None,
    track: Track = silent,
) -> "Memory":
    """The memory at `path` (the default one when None).

    create: make it when it is missing, else MemoryMissing is raised
    Raises UsageError for bad settings, MemoryTooNew, StoreError; the vault is opened when needed.
    """
    folder = MemoryFolder((path or default_memory()).expanduser())
    if create:
        folder.make()
    else:
        folder.require()
    toml = read_toml(folder.toml)
    chosen = choose(toml, os.environ, command_line or {})
    return Memory(folder, chosen, toml.get("names", {}), track)


_TALLY = "profile reader"


class Memory:
    """One memory folder with everything that works on it, each part built when first used."""

    def __init__(
        self, folder: MemoryFolder, chosen: Chosen, names: Mapping[str, Any], track: Track
    ) -> None:
        self.folder = folder
        self.chosen = chosen
        self.catalog = Catalog(folder.catalog)
        self._names = names
        self._track = track
        self._statements: tuple[int, tuple[ProfileItem, ...]] | None = None
        self._profile_use: ProfileSettings | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all files."""
        for name in ("reader_index", "vault"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()
        self.catalog.close()

    # ------------------------------------------------------------------------------ parts

    @property
    def settings(self) -> Settings:
        """The settings that won."""
        return self.chosen.settings

    @property
    def home(self) -> ZoneInfo:
        """The home zone."""
        return ZoneInfo(self.settings.home_zone)

    @cached_property
    def vault(self) -> "Vault":
        """Real names. Raises VaultLocked, WrongPassphrase, VaultError when it was lost.

        A new one is made for an empty memory only: it could open nothing that is there already.
        """
        from anonymize.vault import Vault

        if not self.folder.vault.exists() and not self._is_empty():
            raise VaultError(
                f"{self.folder.vault}: the vault of this memory is missing; put it back from a "
                "backup, or ingest into a new folder"
            )
        return Vault.open(self.folder.vault)

    @cached_property
    def redactor(self) -> "Redactor":
        """Replaces personal details."""
        from anonymize.names import names_from_table
        from anonymize.policy import Redactor

        return Redactor(self.vault, names_from_table(self._names, self.folder.toml))

    @cached_property
    def embedder(self) -> "TextEmbedder":
        """Embeds text; "auto" is what made the index, else what the archive's languages need."""
        from archive_mem.index.languages import made_by
        from models.registry import embedder

        name = self.settings.embedder
        if name == "auto":
            name = self._fitting_embedder(made_by(self.folder.chroma))
        return embedder(name, self.settings.threads)

    def _fitting_embedder(self, index_made_by: str | None) -> str:
        from archive_mem.index.languages import east_asian_share
        from models.registry import embedder_for

        turns = (turn.text.value for session in self.sessions() for turn in session.turns)
        share = 0.0 if index_made_by is not None else east_asian_share(turns)
        return embedder_for(share, index_made_by)

    @cached_property
    def statement_embedder(self) -> "TextEmbedder":
        """Compares statements of the profile, whose thresholds were set with all-MiniLM-L6-v2."""
        from models.registry import embedder

        if self.embedder.name != "multilingual-e5-small-q4":
            return self.embedder
        return embedder("embedded", self.settings.threads)

    @cached_property
    def chat(self) -> "ChatModel | None":
        """The language model that answers, None where the embedded reader does.

        Raises UsageError, also for a host that was not allowed, ModelError, MissingExtra.
        """
        return self._chat_model(self.settings.reader)

    def _chat_model(self, name: str) -> "ChatModel | None":
        from models.registry import chat_model

        return chat_model(name, allowed=self.allowed_hosts(), threads=self._chat_threads)

    @property
    def _chat_threads(self) -> int | None:
        """One model answers alone: it may take the whole machine unless somebody says less."""
        chosen = self.chosen.origins["threads"] != "default"
        return self.settings.threads if chosen else None

    def allowed_hosts(self) -> tuple[str, ...]:
        """Other machines that words and blurred pictures of this memory may be sent to."""
        from archive_mem.catalog.profile_steps import get_value

        with self.catalog.reading() as connection:
            return tuple(get_value(connection, _ALLOWED) or ())

    def remote_hosts(self) -> tuple[str, ...]:
        """Other machines that the models of the settings would send to."""
        from models.registry import remote_host

        named = (self.settings.reader, self.settings.profile_reader, self.settings.captioner)
        return tuple(dict.fromkeys(host for host in map(remote_host, named) if host is not None))

    def allow_remote(self) -> tuple[str, ...]:
        """Allow those hosts from now on; returns the ones that were not allowed before."""
        from archive_mem.catalog.profile_steps import set_value

        known = self.allowed_hosts()
        new = tuple(host for host in self.remote_hosts() if host not in known)
        if new:
            with self.catalog.writing() as connection:
                set_value(connection, _ALLOWED, [*known, *new])
        return new

    @cached_property
    def notes(self) -> "Notes":
        """Layers that people write."""
        from archive_mem.ingest.notes import Notes

        return Notes(self.catalog, self.vault, self.redactor, self.home)

    @cached_property
    def remembered(self) -> "Remembered":
        """What was read of files by `inspect`."""
        from archive_mem.ingest.remembered import Remembered

        return Remembered(self.catalog, self.vault)

    @property
    def stability(self) -> "Constants":
        """Constants of Algorithm 2, or what fits them to the person."""
        from archive_mem.profile.rhythm import fit_settings
        from archive_mem.profile.stability import StabilitySettings

        usual = StabilitySettings(
            tau_sup=self.settings.tau_sup,
            tau_dur=self.settings.tau_dur_days,
            tau_rec=self.settings.tau_rec_days,
        )
        fitted = self.settings.stability_constants == "fitted"
        return partial(fit_settings, usual=usual) if fitted else usual

    @cached_property
    def reader_index(self) -> "HybridIndex":
        """The index as a reader sees it, also during an ingest."""
        from archive_mem.index.hybrid import open_for_reader

        return open_for_reader(
            self.folder.chroma, model=self.embedder.name, dimension=self.embedder.dimension
        )

    @contextmanager
    def _owned_index(self, fresh: bool = False) -> "Iterator[HybridIndex]":
        from archive_mem.index.hybrid import open_for_owner

        index = open_for_owner(
            self.folder.chroma,
            model=self.embedder.name,
            dimension=self.embedder.dimension,
            fresh=fresh,
        )
        try:
            yield index
        finally:
            index.close()

    @cached_property
    def search_engine(self) -> "Search":
        """Finds turns."""
        from archive_mem.retrieval.search import Search
        from models.registry import reranker

        again = reranker(self.settings.reranker)
        return Search(self, self.reader_index, self.embedder, reranker=again)

    @cached_property
    def photo_finder(self) -> "ThumbFinder":
        """Finds a given photo; it remembers the thumbnails it has looked at."""
        from archive_mem.retrieval.photos import ThumbFinder

        return ThumbFinder(self, self.folder.root)

    # ------------------------------------------------- what readers read (schema.Archive)

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        """Records in order of time."""
        return self.catalog.records(item_ids, until)

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        """Sessions in order of time."""
        return self.catalog.sessions(session_ids, until)

    def profile_items(self) -> tuple[ProfileItem, ...]:
        """All statements with all mentions; read again only when they have changed."""
        from archive_mem.profile.checkpoints import CatalogCheckpoints
        from archive_mem.profile.chrono import published
        from archive_mem.profile.edits import edited
        from archive_mem.profile.kept_edits import CatalogEdits

        store = CatalogCheckpoints(self.catalog)
        revision = store.revision()
        if self._statements is None or self._statements[0] != revision:
            state, edits = store.load(), CatalogEdits(self.catalog).edits()
            self._statements = revision, () if state is None else published(edited(state, edits))
        return self._statements[1]

    @cached_property
    def profile_editor(self) -> "Editor":
        """Statements of the profile merged, split, hidden and put right by the owner."""
        from archive_mem.profile.checkpoints import CatalogCheckpoints
        from archive_mem.profile.editor import Editor, Words
        from archive_mem.profile.kept_edits import CatalogEdits

        def words() -> Words:
            return Words(
                redact=lambda text: self.redactor.redact(text).text,
                seal=self.vault.seal,
                unseal=self.vault.unseal,
            )

        return Editor(CatalogCheckpoints(self.catalog), CatalogEdits(self.catalog), words)

    # ------------------------------------------------------------------------- what it does

    def ingest(
        self, paths: Sequence[Path], names: Path | None = None, *, again: bool = False
    ) -> "IngestReport":
        """Read media and bring everything that follows in step.

        again: read also what was forgotten
        engine: "local" or "ray", where the stages that touch pixels run

        Raises InputError for a missing path, NothingToIngest, MemoryBusy.
        """
        from archive_mem.ingest.discover import discover
        from archive_mem.ingest.report import IngestReport

        discovery = discover(paths)
        if not discovery.files:
            raise NothingToIngest(", ".join(map(str, paths)), "no photos or videos are in it")
        self._check_captioner()
        with self.folder.owned():
            self.folder.sweep()
            self._end_forgetting(self._forgetter())
            if names is not None:
                self.learn_names(names)
            reader = self._reader(again)
            read = reader.read(discovery)
            said = self._caption()
            changed = self._catch_up()
            reader.note_failures(discovery.files, read)
            return IngestReport.write(
                self.folder.reports, self.catalog, read, discovery, said, changed
            )

    def learn_names(self, path: Path) -> None:
        """Take the owner's own list into the vault; it is known from then on."""
        from anonymize.names import read_names
        from archive_mem.ingest.forgetting import keep_listed

        names = read_names(path)
        self.redactor.learn(names)
        words = (word for known in names.entries for word in (known.name, *known.aliases))
        keep_listed(self.catalog, self.vault, words)

    def import_annotations(self, path: Path) -> "ImportReport":
        """Import annotations.jsonl, and apply it at once unless an ingest is running."""
        report = self.notes.import_file(path, self._track)
        if report.saved:
            self.catch_up_if_free()
        return report

    def catch_up_if_free(self) -> bool:
        """Bring sessions, index and profile in step; False when another process will do it."""
        from archive_mem.errors import MemoryBusy

        try:
            with self.folder.owned():
                self._catch_up()
        except MemoryBusy:
            return False
        return True

    def forget(self, named: Sequence[str]) -> "Forgotten":
        """Remove items, by id or path, and all that was made of them; originals stay.

        Raises InputError when none of them is here, MemoryBusy, StoreError (run it again then).
        """
        with self.folder.owned():
            forgetter = self._forgetter()
            ended = self._end_forgetting(forgetter)
            found = forgetter.resolve(named)
            ids = sorted({item_id for item_id in found.values() if item_id is not None})
            unknown = tuple(
                name for name, item_id in found.items() if not (item_id or name in ended.item_ids)
            )
            if not ids:
                return _only_ended(ended, unknown)
            siblings, mentions = forgetter.siblings(ids), self._mentions_of(ids)
            layers = forgetter.remove(ids)
            done = self._end_forgetting(forgetter)
            return replace(
                done,
                item_ids=tuple(sorted({*ended.item_ids, *done.item_ids})),
                unknown=unknown,
                files=ended.files + done.files,
                annotations=layers,
                mentions=mentions,
                siblings=siblings,
            )

    def reindex(self) -> int:
        """Build the index again from the catalog; returns how many turns are in it.

        The embedder "auto" is chosen anew, by the languages that are in the archive now.
        """
        with self.folder.owned():
            if self.settings.embedder == "auto":
                self._choose_embedder_again()
            return self._rebuild_index()

    def _choose_embedder_again(self) -> None:
        from models.registry import embedder

        built = ("search_engine", "statement_embedder", "_statement_vectors")
        for name in (*built, "_recall", "_persona", "_choice"):
            self.__dict__.pop(name, None)
        if "reader_index" in self.__dict__:
            self.__dict__.pop("reader_index").close()
        self.__dict__["embedder"] = embedder(self._fitting_embedder(None), self.settings.threads)

    def ask(
        self,
        text: str,
        *,
        tier: Tier | None = None,
        photo: Path | None = None,
        options: Sequence[str | tuple[str, str]] = (),
        as_of: datetime | None = None,
        top_k: int | None = None,
    ) -> Answer:
        """Answer a question with evidence; names in it are redacted first.

        tier: None to go by the question
        options: texts, or pairs of id and text, for T3
        as_of: wall clock of the question; nothing later exists for it
        """
        query = Query(
            text=self.redactor.redact(text).text,
            tier=tier,
            asked_at=self._asked_at(as_of),
            photo=photo,
            options=tuple(self._option(n, each) for n, each in enumerate(options, 1)),
            top_k=top_k or self.settings.top_k,
        )
        if self._is_empty():
            return nothing(query.tier or Tier.T1)
        return self._tier(query).answer(query)

    def profile(self, as_of: datetime | None = None) -> Profile:
        """The persona as of a time."""
        from archive_mem.profile.stability import score_profile

        return score_profile(self.profile_items(), self._asked_at(as_of), self.stability)

    def profiles(
        self, as_of: datetime | None = None, *, over_time: bool = False
    ) -> "Iterator[Profile]":
        """The persona as of a time; with `over_time` first as of earlier days, evenly apart."""
        from archive_mem.profile.history import days_until, history

        items, at = self.profile_items(), self._asked_at(as_of)
        yield from history(items, days_until(items, at) if over_time else [at], self.stability)

    def search(self, text: str, top_k: int, as_of: datetime | None = None) -> "list[Found]":
        """The turns that a text speaks of, best first."""
        if self._is_empty():
            return []
        read = self.plan(text, as_of)
        return self.search_engine.search(read.sought, read, top_k)

    def plan(self, text: str, as_of: datetime | None = None) -> "Plan":
        """What is understood of a question: times, places, people, what to do. Redacts it first."""
        from archive_mem.retrieval.dating import dated
        from archive_mem.retrieval.plan import Known, plan

        safe, asked_at = self.redactor.redact(text).text, self._asked_at(as_of)
        if self._is_empty():
            return plan(safe, asked_at, Known())
        return dated(plan(safe, asked_at, self.search_engine.known()), self.search_engine)

    def explain(
        self,
        text: str,
        item_ids: Sequence[str] = (),
        *,
        tier: Tier = Tier.T1,
        as_of: datetime | None = None,
    ) -> tuple[dict[str, Any], dict[str, dict[str, bool]]]:
        """The plan as JSON, and for each item which parts of the question it fits.

        tier: the one that answered
        """
        from archive_mem.qa.explain import fits_of, plan_body

        read = self.plan(text, as_of)
        records = list(self.records(item_ids)) if item_ids else []
        known = self.search_engine.known() if records else None
        fits = {r.item_id: fits_of(r, read, known) for r in records if known is not None}
        return plan_body(read, tier), fits

    def lab(self) -> "Lab":
        """The parts that a benchmark works with. Raises InputError when nothing is in it."""
        from archive_mem.evals.benchmarks.realmem.context import Lab
        from archive_mem.qa.recall import RecallSettings

        if self._is_empty():
            raise InputError(self.folder.root, "there is nothing in this memory to ask about")
        return Lab(
            archive=self,
            search=self.search_engine,
            index=self.reader_index,
            embedder=self.embedder,
            statement_embedder=self.statement_embedder,
            photos=self.photo_finder,
            stability=self.stability,
            recall=RecallSettings.for_cosine(getattr(self.embedder, "sure_cosine", None)),
            redact=lambda text: self.redactor.redact(text).text,
            item_of=self.notes.item_of,
            pictures=self._pictures,
        )

    def _pictures(self, item_id: str) -> "tuple[SafeImage, ...]":
        """Blurred pixels of an item: a photo, or frames of a video; none when it has no file."""
        from anonymize.reopen import reopen_frames, reopen_picture
        from archive_mem.catalog import items

        with self.catalog.reading() as connection:
            derived = items.load_derived(connection, item_id)
        if derived is None:
            return ()
        path = self.folder.root / derived.path
        if path.suffix == ".mp4":
            return tuple(image for _, image in reopen_frames(path, derived.faces))
        return (reopen_picture(path, derived.faces),)

    def paths_of(self, item_ids: Sequence[str]) -> dict[str, str]:
        """A path of each original, for the owner's own screen."""
        from archive_mem.catalog import items

        with self.catalog.reading() as connection:
            places = {each: items.paths_of(connection, each) for each in item_ids}
        return {each: self.vault.unseal(found[0].sealed) for each, found in places.items() if found}

    def item_rows(self) -> Iterator[dict[str, Any]]:
        """Every item as `items --json` prints it."""
        from archive_mem.views import item_rows

        return item_rows(self.catalog, self.vault)

    def verify(self) -> dict[str, Any]:
        """The proof that `verify --json` prints."""
        from archive_mem.views import verify

        detector = _face_detector(self.settings)
        return verify(self.catalog, self.folder.root, self._index_missing, detector, self._track)

    def hide_face(self, item_id: str, region: tuple[float, float, float, float]) -> int:
        """Destroy a face that a person marked; returns how many are hidden in it now.

        region: left, top, width, height as shares of the picture
        Raises UsageError, MemoryBusy, DamagedMedia, FacesNotChecked.
        """
        from archive_mem.ingest.byhand import hide_face

        detector, quality = _face_detector(self.settings), self.settings.derived_quality
        with self.folder.owned():
            return hide_face(self.catalog, self.folder.root, detector, quality, item_id, region)

    def export(self, folder: Path, choices: "Choices") -> "Released":
        """Write an anonymised release to `folder`; it is there whole or not at all.

        Raises DerivativeLeak when the memory does not verify, PrivacyError when something personal
        would be in the release, InputError, MemoryBusy.
        """
        from archive_mem.release.export import Exporter, Source

        source = Source(
            root=self.folder.root,
            catalog=self.catalog,
            vault=self.vault,
            redact=lambda text: self.redactor.redact(text, self.settings.region).text,
            item_of=self.notes.item_of,
            profile_as_of=self.profile,
            detector=_face_detector(self.settings),
            track=self._track,
        )
        with self.folder.owned():
            return Exporter(source, choices).export(folder)

    # ------------------------------------------------------------------------------ inside

    def _forgetter(self) -> "Forgetter":
        from archive_mem.ingest.forgetting import Forgetter

        return Forgetter(self.catalog, self.vault, self.folder)

    def _end_forgetting(self, forgetter: "Forgetter") -> "Forgotten":
        """Take what the catalog no longer has out of every other file. The lock is held."""
        from archive_mem.ingest.forgetting import Forgotten

        left = forgetter.leftover()
        if not left.item_ids:
            return Forgotten(item_ids=())
        files = forgetter.remove_files(left)
        changed = self._catch_up()
        self.profile_editor.forget_what_is_gone()
        with self._owned_index() as index:
            index.compact()
        pruned = forgetter.prune(left)
        forgetter.settle(left)
        return Forgotten(
            item_ids=left.item_ids, files=files, sessions_changed=changed, placeholders=pruned
        )

    def _mentions_of(self, item_ids: Sequence[str]) -> int:
        gone = set(item_ids)
        return sum(m.item_id in gone for item in self.profile_items() for m in item.mentions)

    def _reader(self, again: bool) -> Any:  # noqa: ANN401
        from anonymize.detectors import check_detector
        from archive_mem.ingest.runner import Limits, Reader
        from archive_mem.ingest.stages import stage_versions
        from models.registry import by_rules

        check_detector(self.settings.faces, self.settings.faces_weights)
        return Reader(
            catalog=self.catalog,
            vault=self.vault,
            root=self.folder.root,
            versions=stage_versions(by_rules(self.settings.captioner), self.settings.faces),
            home=self.home,
            limits=Limits(
                workers=self.settings.workers or os.cpu_count() or 1,
                seconds=float(self.settings.item_seconds * _VIDEO_PATIENCE),
                memory_bytes=self.settings.item_mebibytes * 2**20,
            ),
            make_tools=partial(make_tools, self.settings),
            track=self._track,
            again=again,
        )

    def _check_captioner(self) -> None:
        """Before hours of work. Raises UsageError, ModelError, MissingExtra."""
        from models.registry import check_captioner

        check_captioner(self.settings.captioner, self.allowed_hosts())

    def _words(self, track: Track) -> "WordRedactor":
        from archive_mem.ingest.redacting import WordRedactor

        region = self.settings.region
        return WordRedactor(self.catalog, self.vault, self.redactor, self._coverer(), region, track)

    def _caption(self) -> "CaptionReport":
        """What a language model says of pictures, where the settings name one. The lock is held."""
        from archive_mem.ingest.captioning import CaptionReport, ModelCaptions
        from models.registry import by_rules, captioner

        name = self.settings.captioner
        if by_rules(name) == name:
            return CaptionReport()
        words = self._words(self._track)
        words.redact_new()
        words.apply_new_names(self.notes)
        make = partial(
            captioner,
            name,
            allowed=self.allowed_hosts(),
            threads=self._chat_threads,
            size=self.settings.caption_batch,
            pixels=self.settings.caption_pixels,
        )
        redact = self._words(silent).redact_new
        return ModelCaptions(
            self.catalog, self.vault, self.folder.root, name, make, redact, self._track
        ).caption_new()

    def _catch_up(self) -> int:
        """Everything after the pixels; returns how many sessions changed. The lock is held."""
        from archive_mem.ingest.moments import link_moments
        from archive_mem.ingest.weaving import weave_changed

        words = self._words(self._track)
        self.notes.cover_annotators()
        words.redact_new()
        words.apply_new_names(self.notes)
        link_moments(self.catalog, self.vault)
        changed = weave_changed(self.catalog, self._grouping(), self._track)
        self._bring_index_in_step()
        self._bring_profile_in_step()
        return changed

    def _coverer(self) -> "Coverer":
        from archive_mem.ingest.covering import Coverer

        make = partial(_face_detector, self.settings)
        return Coverer(self.catalog, self.folder.root, make, self.settings.derived_quality)

    def _grouping(self) -> Any:  # noqa: ANN401
        from archive_mem.ingest.sessions import GroupingRule

        return GroupingRule(
            granularity=Granularity(self.settings.granularity),
            gap_seconds=self.settings.session_gap_minutes * 60.0,
            km=self.settings.session_km,
        )

    def _bring_index_in_step(self) -> None:
        """An index that cannot be trusted is built again from the catalog."""
        from archive_mem.ingest.indexing import index_changed, is_whole

        try:
            with self._owned_index() as index:
                index_changed(self.catalog, index, self.embedder, self._track)
                whole = is_whole(self.catalog, index)
        except IndexBroken:
            whole = False
        if not whole:
            self._rebuild_index()

    def _rebuild_index(self) -> int:
        from archive_mem.ingest.indexing import reindex

        with self._owned_index(fresh=True) as index:
            return reindex(self.catalog, index, self.embedder, self._track)

    def _bring_profile_in_step(self) -> None:
        from archive_mem.profile.chat_tally import ChatTally
        from archive_mem.profile.checkpoints import CatalogCheckpoints
        from archive_mem.profile.chrono import build_profile

        tally = ChatTally()
        try:
            build_profile(self, CatalogCheckpoints(self.catalog), *self._profile_makers(tally))
        finally:
            self._keep_tally(tally)
        self.profile_editor.redact_again()

    def _profile_makers(self, tally: "ChatTally") -> "tuple[Extractor, Comparer]":
        """What reads sessions and compares statements; a language model where one is set."""
        from archive_mem.profile.chat_compare import ChatComparer
        from archive_mem.profile.chat_extract import ChatExtractor
        from archive_mem.profile.compare import EmbeddedComparer
        from archive_mem.profile.extract import EmbeddedExtractor
        from archive_mem.profile.topics import Topics

        extractor = EmbeddedExtractor(self.statement_embedder)
        comparer = EmbeddedComparer(self.statement_embedder)
        name = self.settings.profile_reader
        if name == "embedded":
            return extractor, comparer
        model, vectors = cache(partial(self._profile_model, name)), self._statement_vectors
        return (
            ChatExtractor(
                name,
                model,
                extractor,
                Topics(vectors),
                lambda text: self.redactor.redact(text).text,
                tally,
            ),
            ChatComparer(name, model, comparer, vectors, tally),
        )

    def _profile_model(self, name: str) -> "ChatModel":
        made = self.chat if name == self.settings.reader else self._chat_model(name)
        if made is None:
            raise UsageError(f"profile_reader {name!r} is no language model")
        return made

    def _keep_tally(self, tally: "ChatTally") -> None:
        from archive_mem.catalog.profile_steps import get_value, set_value

        if tally.spent.calls:
            with self.catalog.writing() as connection:
                before = get_value(connection, _TALLY)
                set_value(connection, _TALLY, tally.added_to(before))

    def profile_tally(self) -> dict[str, int]:
        """What the language model of the profile has done so far; empty where none was asked."""
        from archive_mem.catalog.profile_steps import get_value

        with self.catalog.reading() as connection:
            return dict(get_value(connection, _TALLY) or {})

    def _is_empty(self) -> bool:
        from archive_mem.catalog.sessions import any_turn

        with self.catalog.reading() as connection:
            return not any_turn(connection)

    def _index_missing(self) -> int:
        from archive_mem.catalog.sessions import turn_ids

        with self.catalog.reading() as connection:
            turns = turn_ids(connection)
        try:
            return len(self.reader_index.check(turns).missing)
        except IndexBroken:
            return len(turns)

    def _asked_at(self, as_of: datetime | None) -> datetime:
        return as_of or datetime.now(self.home).replace(tzinfo=None)

    def _option(self, position: int, given: str | tuple[str, str]) -> Option:
        name, text = (str(position), given) if isinstance(given, str) else given
        return Option(id=name, text=self.redactor.redact(text).text)

    def _tier(self, query: Query) -> "TierReader":
        from archive_mem.qa.route import route

        tier = route(query)
        rules = {Tier.T1: "_recall", Tier.T2: "_persona", Tier.T3: "_choice"}[tier]
        return self._told_by_chat(tier, getattr(self, rules))

    def _told_by_chat(self, tier: Tier, rules: "TierReader") -> "TierReader":
        """The tier as the chat model of the settings answers it, where there is one."""
        from archive_mem.qa.reader.prior import PriorSettings
        from archive_mem.qa.reader.talk import ChatTools, ReaderSettings
        from archive_mem.qa.reader.tiers import chat_tier

        if self.chat is None:
            return rules
        tools = ChatTools(
            model=self.chat,
            archive=self,
            search=self.search_engine,
            vectors=self._statement_vectors,
            redact=lambda text: self.redactor.redact(text).text,
            settings=ReaderSettings(
                budget=self.settings.reader_tokens,
                prior=PriorSettings.of(self._profile_settings()),
            ),
        )
        return chat_tier(tier, tools, rules)

    # Each is built once: the vectors of what it has looked at serve the next question too.

    @cached_property
    def _statement_vectors(self) -> "Vectors":
        from archive_mem.profile.vectors import Vectors

        return Vectors(self.statement_embedder)

    @cached_property
    def _recall(self) -> "TierReader":
        from archive_mem.qa.recall import Recall, RecallSettings

        settings = RecallSettings.for_cosine(getattr(self.embedder, "sure_cosine", None))
        return Recall(self, self.search_engine, self.photo_finder, settings)

    @cached_property
    def _persona(self) -> "TierReader":
        from archive_mem.qa.persona import Persona

        return Persona(self, self.statement_embedder, self._profile_settings())

    @cached_property
    def _choice(self) -> "TierReader":
        from archive_mem.qa.choice import Choice

        return Choice(self, self.statement_embedder, self._profile_settings())

    def _profile_settings(self) -> "ProfileSettings":
        from archive_mem.profile.weighting import ProfileSettings

        chosen = self._profile_use or ProfileSettings()
        return replace(chosen, stability=self.stability)

    def use_profile(self, how: "ProfileSettings") -> None:
        """Answer T2 and T3 from now on with the profile used so: the ablations of a comparison.

        Its constants of Algorithm 2 are those of the settings.
        """
        self._profile_use = how
        for name in ("_persona", "_choice"):
            self.__dict__.pop(name, None)


def _only_ended(ended: "Forgotten", unknown: tuple[str, ...]) -> "Forgotten":
    """What an earlier run had left to do. Raises InputError when that was nothing."""
    if not ended.item_ids:
        names = ", ".join(" ".join(name.split())[:80] for name in unknown)
        raise InputError(names, "no item of this memory; nothing was forgotten")
    return replace(ended, unknown=unknown)


def _face_detector(settings: Settings) -> "FaceDetector":
    from anonymize.detectors import face_detector

    return face_detector(settings.faces, settings.faces_weights, settings.threads)


def make_tools(settings: Settings) -> "Tools":
    """The models of the pixel stages; called once in each worker process."""
    from archive_mem.ingest.work import Tools
    from models.embedded import EmbeddedTagger
    from models.registry import by_rules, captioner, ocr_reader

    return Tools(
        detector=_face_detector(settings),
        captioner=captioner(by_rules(settings.captioner)),
        ocr=ocr_reader("embedded", settings.threads),
        tagger=EmbeddedTagger(),
        derived_side=settings.derived_side,
        derived_quality=settings.derived_quality,
        thumb_side=settings.thumb_side,
    )
