"""A life as DynamicMem's files: app_log_large.json and task_packs.json (taskabc_v2)."""

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from random import Random

from archive_mem.evals.benchmarks.dynamicmem.generate.life import (
    CUTS,
    Event,
    Life,
    Phase,
    Thread,
    is_due,
    live,
)
from archive_mem.evals.benchmarks.dynamicmem.generate.vocabulary import (
    Attribute,
    Habit,
    Preference,
)
from archive_mem.evals.benchmarks.dynamicmem.protocol import Json, leaves
from archive_mem.evals.log import write_whole

__all__ = ["app_logs", "task_packs", "write_users"]

FILL = "<fill the blank>"
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def write_users(folder: Path, users: int, seed: int) -> list[Path]:
    """Folders of that many people, the first of them by `seed`. Raises StoreError."""
    made = []
    for number in range(users):
        life = live(seed + number)
        home = folder / f"user_{seed + number:04}"
        write_whole(home / "app_log_large.json", _json(app_logs(life)))
        write_whole(home / "task_packs.json", _json(task_packs(life, seed + number)))
        made.append(home)
    return made


def app_logs(life: Life) -> list[dict[str, Json]]:
    """The logs, as the files have them."""
    return [
        {
            "app_log_id": f"log_{number:05}",
            "timestamp": event.at.isoformat(" ", "seconds"),
            "app_name": event.app,
            "api_name": event.api,
            "request": event.request,
            "response": event.response,
        }
        for number, event in enumerate(life.events)
    ]


def task_packs(life: Life, seed: int) -> dict[str, Json]:
    """Questions with gold at five checkpoints."""
    return {
        "user_id": f"user_{seed:04}",
        "task_contract_version": "taskabc_v2",
        "total_checkpoints": len(CUTS),
        "checkpoints": [
            _checkpoint(life, f"C{number}", cut, Random(f"scenes {seed} {number}"))  # noqa: S311
            for number, cut in enumerate(CUTS, 1)
        ],
    }


def _json(body: Json) -> str:
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def _checkpoint(life: Life, name: str, cut: date, random: Random) -> dict[str, Json]:
    known = [each for each in life.events if each.at.date() < cut]
    held = [(thread, phase) for thread in life.threads if (phase := thread.at(cut)) is not None]
    held = [each for each in held if _is_shown(known, *each)]
    state: dict[str, dict[str, Json]] = {}
    seen: dict[str, dict[str, Json]] = {}
    for thread, phase in held:
        state.setdefault(thread.kind, {})[thread.source.key] = phase.value
        ids = _evidence(known, thread, phase.since)
        seen.setdefault(thread.kind, {})[thread.source.key] = {"evidence_app_log_ids": ids}
    services: dict[str, Json] = {}
    for thread, phase in held:
        gold = seen[thread.kind][thread.source.key]["evidence_app_log_ids"]
        item = {
            **_service(thread, phase.value, cut, held, random),
            "qa_id": f"{name}_{len(services)}",
        }
        services[_key(thread)] = {"items": [{**item, "gold_memory_evidence_app_log_ids": gold}]}
    return {
        "checkpoint_id": name,
        "as_of": {
            "log_index": len(known) - 1,
            "app_log_id": f"log_{len(known) - 1:05}",
            "timestamp": known[-1].at.isoformat(" ", "seconds"),
        },
        "validated_snapshot_state": state,
        "state_observability": seen,
        "state_completion_pack": {
            "keys": {_key(thread): _question(thread, phase.value, cut) for thread, phase in held}
        },
        "rq3_apply_service_qa": {"version": "v9", "keys": services},
    }


def _is_shown(known: Sequence[Event], thread: Thread, phase: Phase) -> bool:
    """Whether the logs so far can tell what holds; else nobody is asked for it."""
    least = {"user_attributes_state": 1, "preferences_state": 4, "habits_state": 3}[thread.kind]
    return len(_evidence(known, thread, phase.since)) >= least


def _key(thread: Thread) -> str:
    return f"{thread.kind}:{thread.source.key}"


def _evidence(known: Sequence[Event], thread: Thread, since: date) -> list[str]:
    wanted = (thread.source.key, since)
    return [f"log_{number:05}" for number, each in enumerate(known) if each.shows == wanted]


def _question(thread: Thread, value: Json, cut: date) -> dict[str, Json]:
    template = _emptied(value)
    return {
        "question_text": f"As of {cut.isoformat()}: {thread.source.question}",
        "answer_template": template,
        "retrieval_query": f"{thread.source.question} {json.dumps(template)}",
        "scoring_points": [],
    }


def _emptied(value: Json) -> Json:
    """The value with its leaves blank; which fields a rhythm has is part of the question.

    start_date is an anchor of the rhythm that nobody is asked for.
    """
    if isinstance(value, dict):
        return {key: _emptied(child) for key, child in value.items() if key != "start_date"}
    return FILL


def _service(
    thread: Thread,
    value: Json,
    cut: date,
    held: Sequence[tuple[Thread, Phase]],
    random: Random,
) -> dict[str, Json]:
    made = thread.source
    if isinstance(made, Attribute):
        return _structured("action_configuration", made, _nested(made.slot, value))
    if isinstance(made, Preference):
        liked, left = value["statement"].removeprefix("Prefers ").split(" over ")
        wanted = {f"preferred_{_word(made)}": liked, f"avoided_{_word(made)}": left}
        return _structured("information_request_construction", made, {made.slot: wanted})
    return _message(made, value, _moment(value, cut, held, random))


def _structured(
    family: str, made: Attribute | Preference, output: dict[str, Json]
) -> dict[str, Json]:
    template = _emptied(output)
    points = [
        {
            "point_id": f"ap_{number}",
            "point_type": "field",
            "target_path": path,
            "reference_value": value,
            "point_text": f"{path} is {value}",
        }
        for number, (path, value) in enumerate(_paths(output))
    ]
    return {
        "service_family": family,
        "scenario": made.scenario,
        "task_instruction": made.instruction,
        "output_template": template,
        "reference_output": output,
        "retrieval_query": f"{made.scenario} {made.instruction} {json.dumps(template)}",
        "answer_scoring_points": points,
    }


def _message(made: Habit, value: dict[str, Json], now: datetime) -> dict[str, Json]:
    scene = f"It is {_DAYS[now.weekday()]}, {now:%d %B %Y}, {now:%H:%M}. {made.scene}"
    asked = "Write the reminder for the routine that comes next: what it is, when and where."
    told = {path: each for path, each in _paths(value) if path in ("timing.start_time", "location")}
    points = [
        {
            "point_id": "ap_gate",
            "point_type": "micro",
            "point_role": "identity_gate",
            "point_text": f"The reminder is about: {made.names[0]}.",
            "reference_value": made.names[0],
        },
        *(
            {
                "point_id": f"ap_{number}",
                "point_type": "micro",
                "source_field_path": path,
                "point_text": f"The reminder says {path}: {each}.",
                "reference_value": each,
            }
            for number, (path, each) in enumerate(told.items())
        ),
    ]
    said = f"{made.names[0]} at {told['timing.start_time']}"
    where = f", {told['location']}" if "location" in told else ""
    return {
        "service_family": "user_communication",
        "scenario": scene,
        "task_instruction": asked,
        "reference_answer": f"Reminder: {said}{where}.",
        "retrieval_query": f"{scene} {asked}",
        "answer_scoring_points": points,
    }


def _moment(
    value: dict[str, Json], cut: date, held: Sequence[tuple[Thread, Phase]], random: Random
) -> datetime:
    """Shortly before the routine is next due, on a day when no other one starts so near."""
    due = _next_days(value, cut, 60)
    start = value["timing"]["start_time"]
    calm = [day for day in due if not _is_crowded(value, day, held)]
    day = (calm or due)[0]
    at = datetime.combine(day, time.fromisoformat(start))
    return at - timedelta(minutes=random.randint(10, 25))


def _is_crowded(value: dict[str, Json], day: date, held: Sequence[tuple[Thread, Phase]]) -> bool:
    others = [phase.value for thread, phase in held if isinstance(thread.source, Habit)]
    return any(
        other is not value and day in _next_days(other, day, 1) and _is_near(value, other)
        for other in others
    )


def _is_near(one: dict[str, Json], other: dict[str, Json]) -> bool:
    ours, theirs = (_minutes(each["timing"]["start_time"]) for each in (one, other))
    return -40 <= theirs - ours <= 60


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _next_days(value: dict[str, Json], first: date, days: int) -> list[date]:
    found = (first + timedelta(days=number) for number in range(days))
    return [day for day in found if is_due(value["schedule"], day)]


def _word(made: Preference) -> str:
    return made.noun.replace(" ", "_")


def _nested(path: str, value: Json) -> dict[str, Json]:
    head, _, tail = path.partition(".")
    return {head: _nested(tail, value) if tail else value}


def _paths(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    yield from leaves(value, path)
