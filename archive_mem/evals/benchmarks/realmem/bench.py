"""ReaLMem over any memory: systems x modes x k, one run folder, one object of figures.

The formulas are DESIGN section 10's: T1 is right or wrong, T2 (coverage + accuracy) x 10, T3
50 (tau + 1); a subtask is the mean of its questions, a tier that of its subtasks weighted by
questions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from archive_mem.errors import UsageError
from archive_mem.evals.benchmarks.realmem.context import EPISODES, Arm, Lab, Mode, context_of
from archive_mem.evals.benchmarks.realmem.data import Asked, Gold, read_questions, tier_of
from archive_mem.evals.benchmarks.realmem.readers import ContextReader
from archive_mem.evals.dataset import Dataset, Sample
from archive_mem.evals.log import RunFolder, versions, write_whole
from archive_mem.evals.report import report_html
from archive_mem.evals.runner import Plan
from archive_mem.evals.runner import run as run_plans
from archive_mem.evals.scorers import Scorer
from archive_mem.evals.summary import summarised
from archive_mem.evals.system import Reply
from archive_mem.evals.tokens import COUNTED_AS
from archive_mem.progress import Track, silent
from archive_mem.schema.qa import Tier

__all__ = ["KS", "SYSTEMS", "Choices", "ReaLMemSystem", "named_systems", "run"]

KS = ("1", "5", "10", "15", "30", "full")
SWAP = "profile-swap"

SYSTEMS: Mapping[str, tuple[str, Arm]] = {
    "full-context": ("full-context", Arm.NONE),
    "oracle": ("oracle", Arm.NONE),
    "rag": ("rag", Arm.NONE),
    "bm25": ("bm25", Arm.NONE),
    "dense": ("dense", Arm.NONE),
    "chrono": ("rag", Arm.CHRONO),
    "chrono-no-ts": ("rag", Arm.NO_TS),
    "ours": ("full-context", Arm.CHRONO),
}
"""Each is a choice of episodes and a profile; EPISODES+PROFILE names any other pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What is run.

    systems: names of SYSTEMS, EPISODES+PROFILE, or profile-swap (every profile over fixed rag)
    modes: caption, caption+pixels, pixels
    ks: how many episodes are retrieved; "full" for all
    """

    systems: tuple[str, ...] = ("full-context", "oracle", "rag", "chrono", "chrono-no-ts")
    modes: tuple[str, ...] = (Mode.CAPTION.value,)
    ks: tuple[str, ...] = ("10",)


class ReaLMemSystem:
    """Episodes, profile, mode and k, read by one reader (System)."""

    def __init__(
        self, lab: Lab, reader: ContextReader, label: str, mode: Mode, k: str | None
    ) -> None:
        episodes, arm = named_systems([label])[label]
        self._lab, self._reader, self._mode = lab, reader, mode
        self._episodes, self._arm = episodes, arm
        self._k = int(k) if k is not None and k != "full" else None
        self.name = " ".join([label, mode.value, *([f"k={k}"] if k is not None else [])])
        self.about: Mapping[str, str] = {
            "system": label,
            "episodes": episodes,
            "profile": arm.value,
            "mode": mode.value,
            "reader": reader.name,
            **({} if k is None else {"k": k}),
        }

    @property
    def oracle(self) -> bool:
        """Whether the gold evidence is part of what is asked."""
        return self._episodes == "oracle"

    def answer(self, sample: Sample[Asked, None]) -> Reply:
        """The reader's reply. Raises ModelError, InputError."""
        context = context_of(
            self._lab, sample.asked, self._episodes, self._arm, self._mode, self._k
        )
        return self._reader.read(self._lab, sample.asked, context)


def named_systems(names: Sequence[str]) -> dict[str, tuple[str, Arm]]:
    """What the names stand for, profile-swap taken apart. Raises UsageError."""
    found: dict[str, tuple[str, Arm]] = {}
    for name in names:
        if name == SWAP:
            found.update({f"rag+{arm.value}": ("rag", arm) for arm in Arm})
        elif name in SYSTEMS:
            found[name] = SYSTEMS[name]
        else:
            found[name] = _pair(name)
    return found


def _pair(name: str) -> tuple[str, Arm]:
    episodes, _, arm = name.partition("+")
    if episodes not in EPISODES or arm not in tuple(Arm):
        known = [*SYSTEMS, SWAP, f"EPISODES+PROFILE ({'|'.join(EPISODES)} + {'|'.join(Arm)})"]
        raise UsageError(f"no system {name!r}; give one of {', '.join(known)}")
    return episodes, Arm(arm)


def run(
    lab: Lab,
    questions: Path,
    choices: Choices,
    reader: ContextReader,
    judge: Scorer[Any],
    out: Path,
    track: Track = silent,
) -> dict[str, Any]:
    """Run what is not done yet, and write summary.json and report.html.

    Raises UsageError for unknown names and for a folder with another run, InputError.
    """
    dataset = read_questions(questions, lab.redact, lab.item_of)
    plans = list(_plans(lab, dataset, choices, reader))
    folder = RunFolder(out)
    settings = _settings(dataset, choices, reader, judge, lab)
    folder.begin(settings)
    wanted = {(plan.system.name, sample.id) for plan in plans for sample in plan.samples}
    done = run_plans(dataset, plans, judge, folder, track)
    about = {plan.system.name: plan.system.about for plan in plans}
    records = [record for key, record in done.items() if key in wanted]
    summary = summarised("realmem", records, about, tier_of)
    summary["questions"] = len(dataset.samples)
    folder.write_summary(summary)
    write_whole(out / "report.html", report_html(summary, settings))
    return summary


def _settings(
    dataset: Dataset[Asked, Gold],
    choices: Choices,
    reader: ContextReader,
    judge: Scorer[Any],
    lab: Lab,
) -> dict[str, Any]:
    records = list(lab.archive.records())
    return {
        "benchmark": "realmem",
        "data": dataset.sha256,
        "memory": _fingerprint(lab),
        "items": len(records),
        "systems": list(choices.systems),
        "modes": list(choices.modes),
        "ks": list(choices.ks),
        "reader": reader.name,
        "judge": judge.name,
        "embedder": lab.embedder.name,
        "context_tokens": COUNTED_AS if reader.name == "embedded" else "the reader's tokenizer",
        "versions": versions(),
    }


def _fingerprint(lab: Lab) -> str:
    """Of all that is said in the memory, so that a run is not resumed over another one."""
    import hashlib

    total = hashlib.sha256()
    for session in lab.archive.sessions():
        for turn in session.turns:
            total.update(f"{turn.id}\0{turn.at}\0{turn.text.value}\0".encode())
    for item in lab.archive.profile_items():
        total.update(f"{item.id}\0{len(item.mentions)}\0{item.statement.value}\0".encode())
    return total.hexdigest()


def _plans(
    lab: Lab, dataset: Dataset[Asked, Gold], choices: Choices, reader: ContextReader
) -> Iterator[Plan]:
    modes = [_mode(name) for name in choices.modes]
    for given in choices.ks:
        if given != "full" and not (given.isdecimal() and int(given) > 0):
            raise UsageError(f"k is a number such as 10, or full, not {given!r}")
    for label, (episodes, _) in named_systems(choices.systems).items():
        for mode in modes:
            fixed = episodes in ("full-context", "oracle")
            wanted: tuple[str | None, ...] = (None,) if fixed else choices.ks
            for k in wanted:
                system = ReaLMemSystem(lab, reader, label, mode, k)
                yield Plan(system=system, samples=tuple(_samples(dataset, system)))


def _mode(name: str) -> Mode:
    if name not in tuple(Mode):
        raise UsageError(f"no mode {name!r}; give one of {', '.join(Mode)}")
    return Mode(name)


def _samples(dataset: Dataset[Asked, Gold], system: ReaLMemSystem) -> Iterator[Sample[Asked, Gold]]:
    """The oracle is defined by gold evidence: T1 with an answer that something supports."""
    for sample in dataset.samples:
        if not system.oracle:
            yield sample
        elif sample.asked.tier is Tier.T1 and sample.gold.evidence:
            yield replace(sample, asked=replace(sample.asked, oracle=sample.gold.evidence))
