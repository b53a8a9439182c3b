"""Judges: the exact one (offline, deterministic) and any chat model with three prompts."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from anonymize.compose import compose, join, word
from archive_mem.evals.benchmarks.realmem.data import Asked, Gold
from archive_mem.evals.benchmarks.realmem.reading import Said, read_said, same_day, share_of
from archive_mem.evals.dataset import Sample
from archive_mem.evals.metrics import (
    any_at,
    choice_points,
    kendall_tau,
    overlap,
    persona_points,
)
from archive_mem.evals.prompts import prompt
from archive_mem.evals.replies import json_objects
from archive_mem.evals.scorers import Score, not_scored
from archive_mem.evals.system import Reply
from archive_mem.schema.qa import Tier
from archive_mem.schema.safe import SafeText
from models.base import ChatModel, ChatReply, ChatTurn

__all__ = ["ChatJudge", "ExactJudge", "choice_score", "evidence_parts", "exact_recall"]

MOST = 0.6
"""Share of a reference's content words that says the same concept."""

TOUCHED = 0.25
"""Share of a key point's content words from which on the answer speaks of it."""

RealSample = Sample[Asked, Gold]


class ExactJudge:
    """By days, numbers, words and ranks alone; the same reply always gets the same score."""

    name = "exact-1"

    def score(self, sample: RealSample, reply: Reply) -> Score:
        """T1 0 or 100, T2 20 to 100, T3 0 to 100."""
        tier = sample.asked.tier
        if tier is Tier.T3:
            return choice_score(sample.gold, reply)
        answer = _answer(reply)
        if answer is None:
            return not_scored("no answer could be read in the reply")
        if tier is Tier.T2:
            return _persona_score(sample.gold, answer)
        return _recall_score(sample, answer, reply)


def exact_recall(gold: str, answer: str, question: str = "") -> tuple[bool, str]:
    """Whether an answer is right, and why.

    Days are equal by calendar day, numbers exactly; most of the reference's words are there, those
    of the question and a unit apart. Where a day or a count is all that is asked for, it must be
    the first that is said: another one before it is a contradiction.
    """
    want, said = read_said(gold), read_said(answer)
    told = want.stems - read_said(question).stems
    bare = bool(want.days or want.numbers) and len(told) <= 1
    if want.verdict is not None and said.verdict is not None and want.verdict != said.verdict:
        return False, "it says the opposite"
    if not all(any(same_day(day, each) for each in said.days) for day in want.days):
        return False, "a day is missing or another"
    if not set(want.numbers) <= set(said.numbers):
        return False, "a number is missing or another"
    if bare and (contradiction := _contradicts(want, said, question)):
        return False, contradiction
    if not bare and share_of(told, said.stems) < MOST:
        return False, "it does not name the same thing"
    return True, "days, numbers and words agree"


def _contradicts(want: Said, said: Said, question: str) -> str:
    if want.days and not want.numbers and not any(same_day(d, said.days[0]) for d in want.days):
        return "another day is said first"
    counted = want.numbers and _COUNT.search(question)
    if counted and said.numbers[0] not in want.numbers:
        return "another number is said first"
    return ""


_COUNT = re.compile(r"\bhow (?:many|often)\b|\bnumber of\b|几次|多少次|何回|いくつ", re.IGNORECASE)


def _recall_score(sample: RealSample, answer: str, reply: Reply) -> Score:
    gold = sample.gold
    parts = evidence_parts(gold, reply)
    if gold.evidence == ():
        right = bool(reply.parsed.get("abstained"))
        return Score(value=100.0 * right, parts=parts, why="nothing answers it; abstained or not")
    if gold.answer is None:
        return not_scored("the question has no reference answer")
    if reply.parsed.get("abstained"):
        return Score(value=0.0, parts=parts, why="it abstained")
    right, why = exact_recall(gold.answer.value, answer, sample.asked.question.value)
    return Score(value=100.0 * right, parts=parts, why=why)


def evidence_parts(gold: Gold, reply: Reply) -> dict[str, float]:
    """How well the cited items are the gold ones; nothing where the file gives none."""
    if not gold.evidence:
        return {}
    found = overlap(reply.cited, gold.evidence)
    return {
        "evidence_precision": round(found.precision, 4),
        "evidence_recall": round(found.recall, 4),
        "evidence_f1": round(found.f1, 4),
        "evidence_any_at_5": any_at(reply.cited, gold.evidence, 5),
        "context_any": any_at(reply.context, gold.evidence, len(reply.context)),
    }


def _persona_score(gold: Gold, answer: str) -> Score:
    """1 + 4 x share of points that are said; 1 + 4 x that of those spoken of that are rightly said.

    Rightly is with their days and numbers.
    """
    if not gold.key_points:
        return not_scored("the question has no key points")
    said = read_said(answer)
    points = [read_said(each.value) for each in gold.key_points]
    right = [_is_said(point, said) for point in points]
    spoken = [ok or _is_touched(point, said) for ok, point in zip(right, points, strict=True)]
    coverage = 1 + 4 * sum(right) / len(points)
    accuracy = 1 + 4 * sum(right) / sum(spoken) if any(spoken) else 1.0
    return Score(
        value=persona_points(coverage, accuracy),
        parts={"coverage": round(coverage, 4), "accuracy": round(accuracy, 4)},
        why=f"{sum(right)} of {len(points)} points said, {sum(spoken)} spoken of",
    )


def _is_said(point: Said, said: Said) -> bool:
    days = all(any(same_day(day, each) for each in said.days) for day in point.days)
    years = {float(each.year) for each in said.days}
    numbers = all(number in said.numbers or number in years for number in point.numbers)
    return days and numbers and share_of(point.stems, said.stems) >= MOST


def _is_touched(point: Said, said: Said) -> bool:
    return share_of(point.stems, said.stems) >= TOUCHED


def choice_score(gold: Gold, reply: Reply) -> Score:
    """T3 by tau; a ranking that is not of all options, each once, is unscored."""
    if not gold.ranking:
        return not_scored("the question has no reference ranking")
    try:
        tau = kendall_tau(list(reply.parsed.get("ranking", ())), gold.ranking)
    except ValueError as error:
        return not_scored(f"no full ranking could be read: {error}")
    return Score(value=choice_points(tau), parts={"tau": round(tau, 4)}, why="Kendall's tau")


def _answer(reply: Reply) -> str | None:
    found = reply.parsed.get("answer")
    return found if isinstance(found, str) and found.strip() else None


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="ignore")
    verdict: str = Field(pattern="^(?i:correct|wrong)$")


class _Coverage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    coverage: int = Field(ge=1, le=5)


class _Accuracy(BaseModel):
    model_config = ConfigDict(extra="ignore")
    accuracy: int = Field(ge=1, le=5)


class ChatJudge:
    """Any chat model; T3 needs none. Words that cannot be read leave the reply unscored.

    redact: the reply of a system is text like any other before it is sent on
    """

    def __init__(self, model: ChatModel, redact: Callable[[str], SafeText]) -> None:
        self._model, self._redact = model, redact
        self.name = f"chat:{model.name} (realmem_t1_judge_v1, realmem_t2_*_judge_v1)"

    def score(self, sample: RealSample, reply: Reply) -> Score:
        """T1 0 or 100, T2 20 to 100, T3 by tau. Raises ModelError."""
        gold, tier = sample.gold, sample.asked.tier
        if tier is Tier.T3:
            return choice_score(gold, reply)
        answer = _answer(reply)
        if answer is None:
            return not_scored("no answer could be read in the reply")
        if tier is Tier.T2:
            return self._persona(sample, answer)
        if gold.answer is None:
            return not_scored("the question has no reference answer")
        shown = _case(sample.asked, "Reference answer", [gold.answer], self._redact(answer))
        asked, said = self._ask("realmem_t1_judge_v1", shown)
        found = _read(_Verdict, said.text)
        value = None if found is None else 100.0 * (found.verdict.casefold() == "correct")
        return _judged(value, evidence_parts(gold, reply), [(asked, said)])

    def _persona(self, sample: RealSample, answer: str) -> Score:
        if not sample.gold.key_points:
            return not_scored("the question has no key points")
        shown = _case(sample.asked, "Key points", sample.gold.key_points, self._redact(answer))
        asked = [
            self._ask(name, shown)
            for name in ("realmem_t2_coverage_judge_v1", "realmem_t2_accuracy_judge_v1")
        ]
        covered = _read(_Coverage, asked[0][1].text)
        right = _read(_Accuracy, asked[1][1].text)
        if covered is None or right is None:
            return _judged(None, {}, asked)
        parts = {"coverage": float(covered.coverage), "accuracy": float(right.accuracy)}
        return _judged(persona_points(covered.coverage, right.accuracy), parts, asked)

    def _ask(self, name: str, shown: SafeText) -> tuple[str, ChatReply]:
        instructions = prompt(name)
        turns = [ChatTurn(role="system", text=instructions), ChatTurn(role="user", text=shown)]
        return f"{instructions.value}\n\n{shown.value}", self._model.reply(turns, max_tokens=256)


def _case(asked: Asked, what: str, reference: Sequence[SafeText], answer: SafeText) -> SafeText:
    heading = {"Reference answer": word("Reference answer:"), "Key points": word("Key points:")}
    lines = [compose("- {point}", point=each) for each in reference]
    question = compose("Question: {text}", text=asked.question)
    return join("\n", [question, heading[what], *lines, word("Answer to judge:"), answer])


def _read(kind: type[Any], text: str) -> Any:  # noqa: ANN401
    """The last JSON object of a reply, None when it is not of the asked form."""
    for found in reversed(list(json_objects(text))):
        try:
            return kind.model_validate(found)
        except ValidationError:
            continue
    return None


def _judged(
    value: float | None, parts: Mapping[str, float], asked: Sequence[tuple[str, ChatReply]]
) -> Score:
    why = "by the judge" if value is not None else "the judge's words cannot be read"
    return Score(
        value=value,
        parts=parts,
        why=why,
        judge_prompt="\n\n---\n\n".join(sent for sent, _ in asked),
        judge_reply="\n\n---\n\n".join(said.text for _, said in asked),
        judge_tokens=sum(said.prompt_tokens + said.completion_tokens for _, said in asked),
    )
