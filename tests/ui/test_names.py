"""Real names are hidden until one browser asks for them, and then for a while."""

from ui.names import NameLock, is_seat, new_seat


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_names_are_hidden_at_first_and_shown_to_one_browser_only() -> None:
    lock, mine, other = NameLock(), new_seat(), new_seat()
    assert not lock.is_open(mine)
    lock.open(mine)
    assert lock.is_open(mine)
    assert not lock.is_open(other)
    lock.close(mine)
    assert not lock.is_open(mine)


def test_names_are_hidden_again_after_a_while() -> None:
    clock = _Clock()
    lock, seat = NameLock(minutes=15, clock=clock), new_seat()
    lock.open(seat)
    clock.now += 15 * 60 - 1
    assert lock.is_open(seat)
    clock.now += 2
    assert not lock.is_open(seat)


def test_a_browser_without_a_seat_cannot_open_names() -> None:
    lock = NameLock()
    for seat in ("", "short", "é" * 32):
        lock.open(seat)
        assert not lock.is_open(seat)


def test_seats_differ() -> None:
    seats = {new_seat() for _ in range(50)}
    assert len(seats) == 50
    assert all(is_seat(seat) for seat in seats)
