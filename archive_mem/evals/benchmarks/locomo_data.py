"""LoCoMo (Maharana et al. 2024): long chats of two people, questions, and the turns that answer.

Read only for evaluation, from a folder that the user gives; nothing of it ships.
"""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from archive_mem.errors import InputError

__all__ = ["CATEGORIES", "ChatQuestion", "ChatTurn", "Conversation", "read_conversations"]

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""5, adversarial, is left out: nothing in the chat answers it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """One thing said.

    id: "D1:3", session and position from 1
    session: number of the session
    speaker: first name
    at: begin of the session
    text: what was said
    caption: of a picture that was shared, "" for none
    """

    id: str
    session: int
    speaker: str
    at: datetime
    text: str
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatQuestion:
    """One question with the ids of the turns that answer it, and its category (1 to 4)."""

    text: str
    category: int
    gold: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One chat: its name, its two speakers, all turns in order, and the questions that count."""

    name: str
    speakers: tuple[str, str]
    turns: tuple[ChatTurn, ...]
    questions: tuple[ChatQuestion, ...]


class _Said(BaseModel):
    speaker: str
    dia_id: str
    text: str = ""
    blip_caption: str | None = None


class _Asked(BaseModel):
    question: str
    category: int
    evidence: list[str] = Field(default_factory=list)


_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def read_conversations(folder: Path) -> list[Conversation]:
    """Every *.json of the folder, by name. Raises InputError."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise InputError(folder, "no LoCoMo conversations (*.json) are in it")
    return [_conversation(path) for path in paths]


def _conversation(path: Path) -> Conversation:
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        turns = tuple(_turns(body))
        return Conversation(
            name=path.stem,
            speakers=(str(body["speaker_a"]), str(body["speaker_b"])),
            turns=turns,
            questions=tuple(_questions(body, {turn.id for turn in turns})),
        )
    except (ValueError, KeyError, TypeError, OSError, ValidationError) as error:
        raise InputError(
            path, f"this is no LoCoMo conversation ({type(error).__name__})"
        ) from error


def _turns(body: dict[str, Any]) -> list[ChatTurn]:
    numbers = sorted(int(found[1]) for key in body if (found := _SESSION.fullmatch(key)))
    return [
        _turn(number, _Said.model_validate(said), body[f"session_{number}_date_time"])
        for number in numbers
        for said in body[f"session_{number}"]
    ]


def _turn(session: int, said: _Said, stamp: str) -> ChatTurn:
    return ChatTurn(
        id=said.dia_id,
        session=session,
        speaker=said.speaker,
        at=datetime.strptime(stamp, "%I:%M %p on %d %B, %Y"),  # noqa: DTZ007 - a wall clock
        text=said.text,
        caption=said.blip_caption or "",
    )


def _questions(body: dict[str, Any], known: set[str]) -> list[ChatQuestion]:
    """Questions of categories 1 to 4 with at least one evidence turn that exists."""
    found = []
    for raw in body["qa"]:
        asked = _Asked.model_validate(raw)
        gold = _gold(asked.evidence) & known
        if asked.category in CATEGORIES and gold:
            found.append(
                ChatQuestion(text=asked.question, category=asked.category, gold=frozenset(gold))
            )
    return found


def _gold(evidence: list[str]) -> set[str]:
    pairs = (pair for written in evidence for pair in _EVIDENCE.findall(written))
    return {f"D{int(session)}:{int(position)}" for session, position in pairs}
