"""The plan of the whole archive, and the annotations made from it.

`python -m sample_archive.story` writes annotations.jsonl and qa.jsonl beside this file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from sample_archive.plan import Item, Note
from sample_archive.story_kyoto import YEAR_2023, YEAR_2024, YEAR_2025
from sample_archive.story_lisbon import SPRING_2023, YEAR_2021, YEAR_2022

ITEMS: tuple[Item, ...] = (*YEAR_2021, *YEAR_2022, *SPRING_2023, *YEAR_2023, *YEAR_2024, *YEAR_2025)
ANNOTATIONS = Path(__file__).with_name("annotations.jsonl")


def by_key() -> dict[str, Item]:
    """The items by their short names."""
    return {item.key: item for item in ITEMS}


def _objective(item: Item, note: Note) -> dict[str, object]:
    """The verified layer; the time only where the file itself does not carry one."""
    known = "time" in item.stamps or item.suffix in {".mp4", ".mov"} or item.special == "takeout"
    return {
        "captured_at": None if known else _verified(item),
        "place": item.spot.label or None,
        "people": list(note.people),
        "scenario": note.scenario,
        "event": note.event,
    }


def _verified(item: Item) -> str:
    return item.at.date().isoformat() if not item.at.time() else item.at.isoformat()


def annotation(item: Item, note: Note) -> dict[str, object]:
    """One line of annotations.jsonl."""
    subjective = {
        "context": note.context,
        "feelings": note.feelings,
        "preferences": list(note.preferences),
    }
    return {
        "media": item.path,
        "annotator": "owner",
        "objective": _objective(item, note),
        "subjective": subjective,
    }


def annotation_rows() -> list[dict[str, object]]:
    """Every annotated item, in the plan's order."""
    return [annotation(item, item.note) for item in ITEMS if item.note is not None]


def to_jsonl(rows: Iterable[dict[str, object]]) -> str:
    """Rows as JSON lines, letters left as they are."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    """Write the two committed files from the plan."""
    from sample_archive.questions import QUESTIONS, question_rows

    ANNOTATIONS.write_text(to_jsonl(annotation_rows()), encoding="utf-8")
    QUESTIONS.write_text(to_jsonl(question_rows()), encoding="utf-8")


if __name__ == "__main__":
    main()
