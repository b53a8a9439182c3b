"""Checkpoints of the profile in the catalog."""

from datetime import datetime
from typing import Any

from anonymize.compose import restored
from archive_mem.catalog.catalog import Catalog
from archive_mem.catalog.profile_steps import get_value, keep_steps, set_value, steps_from
from archive_mem.profile.candidates import Candidate
from archive_mem.profile.chrono import Decision, ProfileState, Step, restore
from archive_mem.profile.compare import Relation
from archive_mem.schema.profile import Category, Mention

__all__ = ["CatalogCheckpoints"]

_MAKER = "profile maker"

Json = dict[str, Any]


class CatalogCheckpoints:
    """Keeps one row a step, so that a checkpoint costs the same however long the profile is."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def load(self) -> ProfileState | None:
        """The last saved state, None when there is none."""
        with self._catalog.reading() as connection:
            maker = get_value(connection, _MAKER)
            bodies = steps_from(connection)
        return None if maker is None else restore(maker, [_step(body) for body in bodies])

    def save(self, state: ProfileState, session_id: str) -> None:
        """Keep the last step; steps after it are dropped."""
        position = len(state.steps) - 1
        with self._catalog.writing() as connection:
            keep_steps(connection, position, [_step_to_json(state.steps[position])])
            set_value(connection, _MAKER, state.maker)

    def clear(self) -> None:
        """Forget all: there are no sessions."""
        with self._catalog.writing() as connection:
            keep_steps(connection, 0, [])


def _step_to_json(step: Step) -> Json:
    return {
        "session_id": step.session_id,
        "fingerprint": step.fingerprint,
        "decisions": [_decision_to_json(decision) for decision in step.decisions],
    }


def _decision_to_json(decision: Decision) -> Json:
    candidate = decision.candidate
    return {
        "relation": decision.relation,
        "item_id": decision.item_id,
        "related_id": decision.related_id,
        "category": candidate.category,
        "statement": candidate.statement.value,
        "slot": candidate.slot,
        "polarity": candidate.polarity,
        "strength": candidate.strength,
        "at": candidate.mention.at.isoformat(),
        "session": candidate.mention.session_id,
        "media": candidate.mention.item_id,
        "quote": candidate.mention.quote.value,
    }


def _step(body: Json) -> Step:
    return Step(
        session_id=body["session_id"],
        fingerprint=body["fingerprint"],
        decisions=tuple(_decision(each) for each in body["decisions"]),
    )


def _decision(body: Json) -> Decision:
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
