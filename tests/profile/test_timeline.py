"""Turning points are found where a stance changed, and one-off words are no change."""

from datetime import datetime

from archive_mem.profile.timeline import held_now, periods, threads, turning_points
from archive_mem.profile.vectors import Vectors
from archive_mem.schema.annotation import Scenario
from models.fake import FakeEmbedder
from tests.profile.world import World, moment, profiled


def stances(world: World, subject: str) -> list[tuple[str, str]]:
    found = threads(world.items, Vectors(FakeEmbedder()))
    thread = next(each for each in found if each.subject.value == subject)
    return [(period.stance, period.first.date().isoformat()) for period in periods(thread)]


def test_a_told_stop_turns_at_its_day() -> None:
    world = profiled(
        moment("2022-01-01T10:00", "I love coffee"),
        moment("2022-03-01T10:00", "I love coffee"),
        moment("2023-01-01T10:00", "I stopped drinking coffee"),
    )
    assert stances(world, "coffee") == [("for", "2022-01-01"), ("against", "2023-01-01")]
    found = threads(world.items, Vectors(FakeEmbedder()))
    point = turning_points(periods(found[0]))[0]
    assert point.at == datetime(2023, 1, 1, 10)
    assert point.before is not None


def test_an_untold_turn_lies_between_the_two_periods() -> None:
    world = profiled(
        moment("2022-01-01T10:00", "I love coffee"),
        moment("2022-01-11T10:00", "I love coffee"),
        moment("2022-01-21T10:00", "I hate coffee"),
        moment("2022-01-31T10:00", "I hate coffee"),
    )
    found = threads(world.items, Vectors(FakeEmbedder()))
    assert turning_points(periods(found[0]))[0].at == datetime(2022, 1, 16, 10)


def test_one_bad_cup_is_no_change_of_mind() -> None:
    world = profiled(
        moment("2022-01-01T10:00", "I love coffee"),
        moment("2022-02-01T10:00", "I hate coffee"),
        moment("2022-03-01T10:00", "I love coffee"),
    )
    assert stances(world, "coffee") == [("for", "2022-01-01")]
    held = held_now(threads(world.items, Vectors(FakeEmbedder())))
    assert [held[item.id] for item in world.items] == [True, False]


def test_a_move_is_a_turn_and_a_journey_is_not() -> None:
    def evening(day: str, place: str) -> object:
        return moment(f"{day}T20:00", place=place, scenario=Scenario.HOME_ROUTINE)

    days = [(f"2022-0{month}-0{day}", "Porto, Portugal") for month in (1, 2, 3) for day in (1, 5)]
    days += [(f"2022-04-0{day}", "Rome, Italy") for day in (1, 2, 3, 4)]
    days += [(f"2022-05-0{day}", "Porto, Portugal") for day in (1, 5)]
    days += [(f"2022-0{month}-0{day}", "Graz, Austria") for month in (7, 8, 9) for day in (1, 5)]
    world = profiled(*(evening(day, place) for day, place in days))  # type: ignore[arg-type]
    homes = [item for item in world.items if item.slot == "home"]
    found = threads(homes, Vectors(FakeEmbedder()))
    held = [period.item.statement.value for period in periods(found[0])]
    assert held == [
        "Home and evenings are in Porto, Portugal",
        "Home and evenings are in Graz, Austria",
    ]
