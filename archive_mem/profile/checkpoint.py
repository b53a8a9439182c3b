"""The state of the profile as JSON and back, one body a step. JSON holds safe text only."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from anonymize.compose import restored
from archive_mem.profile.candidates import Candidate
from archive_mem.profile.chrono import Decision, ProfileState, Step, restore
from archive_mem.profile.compare import Relation
from archive_mem.schema.profile import Category, Mention

__all__ = ["state_from_json", "step_to_json"]

Json = dict[str, Any]


def step_to_json(step: Step) -> Json:
    """All of a step."""
    return {
        "session_id": step.session_id,
        "fingerprint": step.fingerprint,
        "decisions": [_decision_to_json(decision) for decision in step.decisions],
    }


def state_from_json(maker: str, bodies: Iterable[Json]) -> ProfileState:
    """The state that follows from stored steps, in order."""
    return restore(maker, [_step_from_json(body) for body in bodies])


def _step_from_json(body: Json) -> Step:
    return Step(
        session_id=body["session_id"],
        fingerprint=body["fingerprint"],
        decisions=tuple(_decision_from_json(each) for each in body["decisions"]),
    )


def _decision_to_json(decision: Decision) -> Json:
    candidate, mention = decision.candidate, decision.candidate.mention
    return {
        "relation": decision.relation.value,
        "item_id": decision.item_id,
        "related_id": decision.related_id,
        "category": candidate.category.value,
        "statement": candidate.statement.value,
        "slot": candidate.slot,
        "polarity": candidate.polarity,
        "strength": candidate.strength,
        "at": mention.at.isoformat(),
        "session": mention.session_id,
        "media": mention.item_id,
        "quote": mention.quote.value,
    }


def _decision_from_json(body: Json) -> Decision:
    mention = Mention(
        at=datetime.fromisoformat(body["at"]),
        session_id=body["session"],
        item_id=body["media"],
        quote=restored(body["quote"]),
    )
    candidate = Candidate(
        category=Category(body["category"]),
        statement=restored(body["statement"]),
        mention=mention,
        slot=body["slot"],
        polarity=body["polarity"],
        strength=body["strength"],
    )
    return Decision(
        candidate=candidate,
        relation=Relation(body["relation"]),
        item_id=body["item_id"],
        related_id=body["related_id"],
    )
