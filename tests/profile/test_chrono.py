"""The profile grows session by session; late, changed and forgotten items leave no trace."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive_mem.profile.chrono import absorb, empty, published
from archive_mem.profile.compare import EmbeddedComparer
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.record import Record
from models.fake import FakeEmbedder
from tests.profile.world import Checkpoints, World, built, moment, profiled

SAYINGS = (
    "I love coffee",
    "I love strong coffee",
    "I stopped drinking coffee",
    "I prefer tea to coffee",
    "I hate tea",
    "I enjoy hiking",
    "I love hiking with friends",
    "I hate crowded trains",
)
SPOKEN = st.tuples(st.integers(0, 900), st.sampled_from(SAYINGS), st.booleans())
STREAMS = st.lists(SPOKEN, min_size=1, max_size=14)


def stream(spoken: list[tuple[int, str, bool]]) -> list[Record]:
    begin = datetime(2022, 1, 1, 19)
    return [
        moment(
            (begin + timedelta(days=day)).isoformat(),
            saying,
            item=f"item{number}",
            place="Porto, Portugal" if home else "",
            scenario=Scenario.HOME_ROUTINE if home else None,
        )
        for number, (day, saying, home) in enumerate(spoken)
    ]


@settings(max_examples=40, deadline=None)
@given(STREAMS, st.data())
def test_late_arrivals_deletions_and_edits_give_what_building_from_scratch_gives(
    spoken: list[tuple[int, str, bool]], data: st.DataObject
) -> None:
    records = stream(spoken)
    store, world = Checkpoints(), World([])
    for _ in range(3):
        chosen = data.draw(st.sets(st.integers(0, len(records) - 1)))
        changed = data.draw(st.sets(st.integers(0, len(records) - 1)))
        world.all_records = [
            _edited(record) if place in changed else record
            for place, record in enumerate(records)
            if place in chosen
        ]
        assert built(world, store) == built(world)


@settings(max_examples=25, deadline=None)
@given(STREAMS, st.integers(0, 13))
def test_a_killed_build_goes_on_where_it_was(
    spoken: list[tuple[int, str, bool]], after: int
) -> None:
    world = World(stream(spoken))
    broken = Checkpoints(breaks_after=after)
    if after < len(spoken):
        with pytest.raises(KeyboardInterrupt):
            built(world, broken)
        broken.breaks_after = None
    assert built(world, broken) == built(world)


def test_a_second_build_extracts_nothing() -> None:
    world, store = World([moment("2024-01-01T10:00", "I love coffee")]), Checkpoints()
    first = built(world, store)
    extractor = EmbeddedExtractor(FakeEmbedder())
    bodies = list(store.bodies)
    assert built(world, store) == first
    assert store.bodies == bodies
    assert extractor.name in store.maker


def test_absorbing_one_by_one_is_building() -> None:
    records = stream([(day * 9, SAYINGS[day % len(SAYINGS)], day % 2 == 0) for day in range(12)])
    world, by = World(records), FakeEmbedder()
    extractor, comparer = EmbeddedExtractor(by), EmbeddedComparer(by)
    state = empty(extractor, comparer)
    for session in world.sessions():
        state = absorb(state, session, list(world.records(session.item_ids)), extractor, comparer)
    assert state == built(world)


def test_the_same_words_again_are_one_statement_with_two_mentions() -> None:
    world = profiled(
        moment("2024-01-01T10:00", "I love coffee"), moment("2024-02-01T10:00", "I love coffee")
    )
    assert [len(item.mentions) for item in world.items] == [2]


def test_a_more_specific_wording_replaces_the_statement_and_keeps_its_id() -> None:
    before = profiled(moment("2024-01-01T10:00", "I love coffee")).items[0]
    after = profiled(
        moment("2024-01-01T10:00", "I love coffee"),
        moment("2024-02-01T10:00", "I love strong coffee"),
    ).items
    assert [item.statement.value for item in after] == ["I love strong coffee"]
    assert after[0].id == before.id


def test_a_contradiction_is_kept_beside_what_it_contradicts() -> None:
    world = profiled(
        moment("2024-01-01T10:00", "I love coffee"),
        moment("2024-02-01T10:00", "I stopped drinking coffee"),
    )
    love, stop = world.items
    assert stop.related_id == love.id
    assert (love.polarity, stop.polarity) == (1, -1)
    assert len(love.mentions) == 1


def test_liking_in_rain_and_disliking_in_sun_is_no_contradiction() -> None:
    world = profiled(
        moment("2024-01-01T10:00", "I love long walks when it rains"),
        moment("2024-02-01T10:00", "I hate long walks if there is a heatwave"),
    )
    assert [item.related_id for item in world.items] == [None, None]


def test_a_habit_counts_from_the_third_day_within_four_months() -> None:
    def evenings(count: int, every: int) -> World:
        begin = datetime(2024, 1, 6, 9)
        return profiled(
            *(
                moment(
                    (begin + timedelta(days=every * number)).isoformat(),
                    scenario=Scenario.SPORTS_PHYSICAL,
                    place="Porto, Portugal",
                )
                for number in range(count)
            )
        )

    habit = "Saturday mornings: sport and exercise in Porto, Portugal"
    assert habit in {item.statement.value for item in evenings(3, 7).items}
    assert habit not in {item.statement.value for item in evenings(2, 7).items}
    assert habit not in {item.statement.value for item in evenings(3, 140).items}


def test_another_extractor_builds_again() -> None:
    world, store = World([moment("2024-01-01T10:00", "I love coffee")]), Checkpoints()
    built(world, store)
    state = built(world, store, FakeEmbedder(32))
    assert "fake-hash-32" in state.maker
    assert published(state)[0].statement.value == "I love coffee"


def test_records_without_a_time_are_left_out() -> None:
    record = replace(moment("2024-01-01T10:00", "I love coffee"), time=None)
    assert profiled(record).items == ()


def _edited(record: Record) -> Record:
    at = "" if record.at is None else record.at.isoformat()
    return moment(at, "I like rowing", item=record.item_id)
