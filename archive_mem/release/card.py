"""README.md and LICENSE of a release: what is in it, what was done, what it cannot promise."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LICENSE", "Counts", "card"]

_TOP_COUNTRIES = 10
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
)

LICENSE = """\
This release is not licensed yet: nobody may use, copy or publish it.

To publish it, replace this text by a licence of your choice, complete the lines below and sign.
Everybody who can be recognised in it, also with a blurred face, has to agree, and so have all
annotators.

Licence:      ______________________________
Granted by:   ______________________________
Place, date:  ______________________________
Signature:    ______________________________
"""


@dataclass(slots=True)
class Counts:
    """What the card counts (Table 1 of ReaLMem).

    years: items by relative year, 1 for the first twelve months; None where no time is known
    media: items by photo and video
    countries: items by country, None where it is not known
    scenarios: items by scenario, None where there is none
    sessions, turns: how many
    layers: annotations by layer
    annotators: how many
    questions: by tier and subtask
    statements: of the profile
    withheld: texts that are not in the release, by reason
    """

    years: Counter[int | None] = field(default_factory=Counter)
    media: Counter[str] = field(default_factory=Counter)
    countries: Counter[str | None] = field(default_factory=Counter)
    scenarios: Counter[str | None] = field(default_factory=Counter)
    sessions: int = 0
    turns: int = 0
    layers: Counter[str] = field(default_factory=Counter)
    annotators: int = 0
    questions: Counter[tuple[str, str]] = field(default_factory=Counter)
    statements: int = 0
    withheld: Counter[str] = field(default_factory=Counter)

    @property
    def items(self) -> int:
        """How many items there are."""
        return self.media.total()

    def add_item(self, row: dict[str, Any], kind: str) -> None:
        """Count a line of metadata.jsonl."""
        self.years[row["year"]] += 1
        self.media[kind] += 1
        self.countries[row["country"]] += 1
        self.scenarios[row["scenario"]] += 1

    def as_json(self) -> dict[str, Any]:
        """For `export --json`."""
        return {
            "items": self.items,
            "by_year": {_or_unknown(year): n for year, n in _by_key(self.years)},
            "by_media": dict(sorted(self.media.items())),
            "by_country": {_or_unknown(name): n for name, n in _by_count(self.countries)},
            "by_scenario": {_or_unknown(name): n for name, n in _by_count(self.scenarios)},
            "sessions": self.sessions,
            "annotations": dict(sorted(self.layers.items())),
            "annotators": self.annotators,
            "questions": {f"{tier} {sub}": n for (tier, sub), n in sorted(self.questions.items())},
            "statements": self.statements,
        }


def card(counts: Counts, *, shifted: bool) -> str:
    """README.md: a YAML head that Hugging Face reads, then the text."""
    parts = (_head(counts), _INTRODUCTION, _files(counts), _table(counts), _done(counts, shifted))
    return "\n".join((*parts, _LIMITS))


def _head(counts: Counts) -> str:
    lines = ["---", "pretty_name: Anonymised personal visual archive", "license: other"]
    lines += ["license_name: to-be-filled-in", "license_link: LICENSE"]
    lines += ["size_categories:", f"- {_size(counts.items)}", "tags:", "- lifelog", "- memory"]
    if counts.media["photo"]:
        lines += ["configs:", "- config_name: images", "  data_dir: media/images"]
    return "\n".join([*lines, "---", ""])


def _size(items: int) -> str:
    return next((name for limit, name in _SIZES if items < limit), "n>1M")


_INTRODUCTION = """\
# Anonymised personal visual archive

Photos and videos of one person over years, with captions, sessions and annotations. Made by
archive-mem from derivatives: no original and no metadata of an original is in it.

**Before you publish: read it through, fill in LICENSE and sign it.**
"""


def _files(counts: Counts) -> str:
    lines = ["## Files", "", "```python", "from datasets import load_dataset", ""]
    if counts.media["photo"]:
        lines.append('images = load_dataset("path/to/this/folder", "images")')
    if counts.media["video"]:
        folder = "path/to/this/folder/media/videos"
        lines.append(f'videos = load_dataset("videofolder", data_dir="{folder}")')
    lines.append('sessions = load_dataset("json", data_files="path/to/this/folder/sessions.jsonl")')
    lines += ["```", "", "| file | what a line is |", "|---|---|"]
    lines += [f"| {name} | {what} |" for name, what in _kinds(counts)]
    return "\n".join([*lines, "", _COLUMNS])


def _kinds(counts: Counts) -> Iterator[tuple[str, str]]:
    for kind, folder in (("photo", "images"), ("video", "videos")):
        if counts.media[kind]:
            yield f"media/{folder}/metadata.jsonl", f"one {kind}, `file_name` is beside it"
    yield "sessions.jsonl", "one session: its items, and turns in order"
    yield "annotations.jsonl", "the layers that one annotator wrote about one item"
    if counts.questions:
        yield "qa.jsonl", "one question, with the media that answer it"
    if counts.statements:
        yield "profile.jsonl", "one statement about the person, with dated mentions"
    yield "SHA256SUMS", "the digest of one file"


_COLUMNS = """\
`captured_at` is the wall clock, as fine as it is known (`precision`); `utc_offset` is empty where
nobody knows it. `latitude` and `longitude` are the centre of the nearest town or city. `year` is 1
for the twelve months after the first item. `id` is the same in every release of this archive.
"""


def _table(counts: Counts) -> str:
    lines = ["## Counts", "", "| | n |", "|---|---|", f"| items | {counts.items} |"]
    lines += [f"| {kind}s | {n} |" for kind, n in sorted(counts.media.items())]
    lines += [f"| year {_or_unknown(year)} | {n} |" for year, n in _by_key(counts.years)]
    lines += [f"| country: {_or_unknown(name)} | {n} |" for name, n in _top(counts.countries)]
    lines += [f"| scenario: {_or_unknown(name)} | {n} |" for name, n in _by_count(counts.scenarios)]
    lines += [f"| sessions | {counts.sessions} |", f"| turns | {counts.turns} |"]
    lines += [f"| annotations, {name} layer | {n} |" for name, n in sorted(counts.layers.items())]
    lines += [f"| annotators | {counts.annotators} |"]
    lines += [f"| questions {t} {s} | {n} |" for (t, s), n in sorted(counts.questions.items())]
    lines += [f"| statements of the profile | {counts.statements} |"] if counts.statements else []
    return "\n".join([*lines, ""])


def _top(countries: Counter[str | None]) -> Iterator[tuple[str | None, int]]:
    """The most frequent ones, and all others in one line."""
    ranked = _by_count(countries)
    yield from ranked[:_TOP_COUNTRIES]
    rest = sum(n for _, n in ranked[_TOP_COUNTRIES:])
    if rest:
        yield "others", rest


def _done(counts: Counts, shifted: bool) -> str:
    withheld = ", ".join(f"{n} for {why}" for why, n in sorted(counts.withheld.items()))
    lines = [
        "## What was done to the data",
        "",
        "- Faces were looked for in every picture and every frame, blurred, and looked for again.",
        "- Pictures and videos were rebuilt from pixels: no EXIF, XMP or device is left.",
        "- Names, contacts, venues and precise places are placeholders, the same ones throughout.",
        "- Files, sessions and questions have names that do not depend on the originals.",
        "- Coordinates are those of the nearest town or city.",
        "- Annotators are numbered.",
        f"- {_SHIFTED if shifted else _NOT_SHIFTED}",
        f"- Texts that were withheld: {withheld or 'none'}.",
    ]
    return "\n".join([*lines, ""])


_SHIFTED = (
    "All times were shifted by one secret number of weeks (10 to 60 years, give or take four):"
    " intervals, weekdays and times of day are true, seasons roughly, dates and years are not."
    " Dates written in texts were shifted too; a text in which a date could not be read, or that"
    " names a holiday, was withheld."
)
_NOT_SHIFTED = "Times are the true ones."

_LIMITS = """\
## Limits

- Who knows the person, or holds an original, can recognise a picture by what it shows.
- In photos a whole line of writing is filled where the text reader saw it and redaction changed
  it; writing that it did not see is left. Videos in which such a line was read are not in here.
- Voices in videos are not changed.
- Names that no list knew and no recogniser found can be left in texts.
- A picture of a known event or a sky tells its date, whatever the times say.
- Captions and scenarios without an annotator are a machine's guess.
"""


def _or_unknown(key: object) -> str:
    return "unknown" if key is None else str(key)


def _by_key(counter: Counter[int | None]) -> list[tuple[int | None, int]]:
    return sorted(counter.items(), key=lambda pair: (pair[0] is None, pair[0] or 0))


def _by_count(counter: Counter[str | None]) -> list[tuple[str | None, int]]:
    return sorted(counter.items(), key=lambda pair: (pair[0] is None, -pair[1], pair[0] or ""))
