"""A face lost for some frames stays covered, before it is first seen as well."""

from hypothesis import given
from hypothesis import strategies as st

from anonymize.boxes import FaceBox, inside
from anonymize.tracks import CARRY, Tracks


def followed(sightings: dict[float, FaceBox]) -> Tracks:
    tracks = Tracks()
    for at, box in sorted(sightings.items()):
        tracks.see(at, [box])
    return tracks


def covers(boxes: list[FaceBox], face: FaceBox) -> bool:
    return any(inside(face, box) > 0.9 for box in boxes)


def test_a_box_is_carried_before_and_after() -> None:
    box = FaceBox(100, 100, 50, 50)
    tracks = followed({1.0: box})
    assert covers(tracks.boxes_at(1.0 - CARRY), box)
    assert covers(tracks.boxes_at(1.0 + CARRY), box)
    assert tracks.boxes_at(1.0 - CARRY - 0.02) == []
    assert tracks.boxes_at(1.0 + CARRY + 0.02) == []


def test_a_moving_face_is_covered_on_its_way() -> None:
    tracks = followed({0.0: FaceBox(100, 100, 60, 60), 0.4: FaceBox(150, 100, 60, 60)})
    for step in range(9):
        at = step * 0.05
        assert covers(tracks.boxes_at(at), FaceBox(100 + 125 * at, 100, 60, 60))
    assert tracks.count == 1


def test_two_faces_are_two() -> None:
    tracks = Tracks()
    for step in range(5):
        tracks.see(step / 30, [FaceBox(0, 0, 40, 40, 0.9), FaceBox(300, 0, 40, 40, 0.8)])
    assert tracks.count == 2
    assert len(tracks.boxes_at(2 / 30)) == 2


def test_what_is_long_past_is_let_go_but_counted() -> None:
    tracks = followed({0.0: FaceBox(0, 0, 40, 40)})
    tracks.forget_before(10.0)
    assert tracks.boxes_at(0.0) == []
    assert tracks.count == 1


@given(
    st.lists(
        st.tuples(st.integers(0, 120), st.floats(0, 600), st.floats(0, 300), st.floats(10, 120)),
        min_size=1,
        max_size=25,
        unique_by=lambda each: each[0],
    ),
    st.integers(-15, 15),
)
def test_every_sighting_is_covered_half_a_second_around(
    sightings: list[tuple[int, float, float, float]], shift: int
) -> None:
    """In the frame of a sighting always; around it, where its face was not seen elsewhere since."""
    boxes = {frame / 30: FaceBox(x, y, side, side) for frame, x, y, side in sightings}
    tracks = followed(boxes)
    for at, box in boxes.items():
        assert covers(tracks.boxes_at(at), box)
    first, last = min(boxes), max(boxes)
    if shift < 0:
        assert covers(tracks.boxes_at(first + shift / 30), boxes[first])
    else:
        assert covers(tracks.boxes_at(last + shift / 30), boxes[last])
