from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from archive_mem.catalog.items import Point
from archive_mem.ingest.sessions import GroupingRule, distance_km, group
from archive_mem.schema.session import Granularity

EVENTS = GroupingRule(granularity=Granularity.EVENT, gap_seconds=7200, km=3.0)
RECORDS = GroupingRule(granularity=Granularity.RECORD, gap_seconds=7200, km=3.0)
NOON = datetime(2023, 5, 14, 12, tzinfo=UTC)


def point(
    name: str, minutes: float | None, where: tuple[float, float] | None = None, moment: str = ""
) -> Point:
    at = None if minutes is None else NOON + timedelta(minutes=minutes)
    return Point(
        item_id=name,
        instant=None if at is None else at.timestamp(),
        local=None if at is None else at.replace(tzinfo=None),
        latitude=None if where is None else where[0],
        longitude=None if where is None else where[1],
        moment=moment or name,
    )


points = st.lists(
    st.builds(
        point,
        st.from_regex(r"[0-9a-f]{4}", fullmatch=True),
        st.none() | st.integers(-10_000, 10_000),
        st.none() | st.tuples(st.floats(-89, 89), st.floats(-179, 179)),
        st.sampled_from(["", "m1", "m2"]),
    ),
    max_size=30,
    unique_by=lambda each: each.item_id,
)


@given(points, st.sampled_from([EVENTS, RECORDS]))
def test_sessions_are_a_partition(found: list[Point], rule: GroupingRule) -> None:
    members = [each.item_id for session in group(found, rule) for each in session.points]
    assert sorted(members) == sorted(each.item_id for each in found)


@given(points, st.randoms(use_true_random=False), st.sampled_from([EVENTS, RECORDS]))
def test_the_order_of_the_input_does_not_matter(
    found: list[Point], random: object, rule: GroupingRule
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert group(found, rule) == group(shuffled, rule)


@given(points)
def test_one_moment_is_one_session(found: list[Point]) -> None:
    sessions = group(found, EVENTS)
    for name in ("m1", "m2"):
        holders = [s for s in sessions if any(each.moment == name for each in s.points)]
        assert len(holders) <= 1


@given(points)
def test_names_of_sessions_are_distinct(found: list[Point]) -> None:
    names = [session.session_id for session in group(found, EVENTS)]
    assert len(names) == len(set(names))


def sizes(found: list[Point], rule: GroupingRule = EVENTS) -> list[int]:
    return [len(session.points) for session in group(found, rule)]


def test_a_long_pause_begins_a_new_event() -> None:
    assert sizes([point("a", 0), point("b", 100), point("c", 400)]) == [2, 1]


def test_a_long_way_begins_a_new_event() -> None:
    kyoto, osaka = (35.01, 135.77), (34.69, 135.50)
    assert sizes([point("a", 0, kyoto), point("b", 60, osaka)]) == [1, 1]
    assert sizes([point("a", 0, kyoto), point("b", 60)]) == [2]


def test_items_without_a_time_stand_alone() -> None:
    assert sizes([point("a", None), point("b", None), point("c", 0)]) == [1, 1, 1]


def test_records_are_one_item_each() -> None:
    assert sizes([point("a", 0), point("b", 1)], RECORDS) == [1, 1]


def test_distance_over_the_date_line_is_short() -> None:
    west, east = point("a", 0, (0.0, 179.9)), point("b", 0, (0.0, -179.9))
    assert 20 < (distance_km(west, east) or 0) < 25
    assert distance_km(west, point("c", 0)) is None
