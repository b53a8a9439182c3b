"""A chat model as judge of Core and Detail; runs in the keeper, since it reads gold."""

import json

from pydantic import BaseModel, ConfigDict, ValidationError

from anonymize.compose import public
from archive_mem.errors import ModelError
from archive_mem.evals.benchmarks.dynamicmem.data import GoldItem
from archive_mem.evals.benchmarks.dynamicmem.judge import Judged
from archive_mem.evals.benchmarks.dynamicmem.protocol import Json, leaves
from archive_mem.evals.prompts import prompt
from archive_mem.evals.replies import json_objects
from models.base import ChatModel, ChatTurn

__all__ = ["ChatJudge"]

_PROMPT = "dynamicmem_judge_v1"
_GATE = "identity_gate"
_TOKENS = 1024


class _Field(BaseModel):
    model_config = ConfigDict(extra="ignore")
    field_path: str
    core_correct: bool
    detail_quality: int


class _Judgment(BaseModel):
    model_config = ConfigDict(extra="ignore")
    field_judgments: list[_Field]


class ChatJudge:
    """Asks a model once an answer; a reply that cannot be read is a failure, never a zero."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.name = f"{model.name} {_PROMPT}"
        self.tokens = 0

    def judged(self, question: str, gold: GoldItem, said: Json) -> tuple[list[Judged], bool]:
        """Every field, and whether the gate is passed. Raises ModelError."""
        wanted = _wanted(gold)
        body = {
            "question": question,
            "reference": gold.reference,
            "predicted": said,
            "fields_to_judge": wanted,
        }
        reply = self._model.reply(
            [
                ChatTurn(role="system", text=prompt(_PROMPT)),
                ChatTurn(role="user", text=public(json.dumps(body, ensure_ascii=False))),
            ],
            max_tokens=_TOKENS,
            schema=_Judgment.model_json_schema(),
        )
        self.tokens = reply.prompt_tokens + reply.completion_tokens
        found = _read(reply.text)
        if found is None or not {each["field_path"] for each in wanted} <= found.keys():
            raise ModelError(f"{self._model.name}: its judgment cannot be read")
        gate = _GATE not in found or found[_GATE].core == 1
        return [found[e["field_path"]] for e in wanted if e["field_path"] != _GATE], gate


def _wanted(gold: GoldItem) -> list[dict[str, Json]]:
    if gold.gate is None and not gold.points:
        return [{"field_path": path, "reference": value} for path, value in leaves(gold.reference)]
    points = [
        {"field_path": path, "criterion": asked, "reference": value}
        for path, asked, value in gold.points
    ]
    gate = [] if gold.gate is None else [{"field_path": _GATE, "reference": gold.gate}]
    return [*gate, *points]


def _read(text: str) -> dict[str, Judged] | None:
    for found in json_objects(text):
        try:
            rows = _Judgment.model_validate(found).field_judgments
        except ValidationError:
            continue
        return {
            row.field_path: Judged(
                path=row.field_path,
                core=int(row.core_correct),
                detail=min(2, max(0, row.detail_quality)),
            )
            for row in rows
        }
    return None
