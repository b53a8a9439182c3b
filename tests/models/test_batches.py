"""Batches: sorted by weight, prepared ahead, halved when they fail, nothing lost."""

import threading
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.errors import ModelError
from models.batches import Batcher


class Machine:
    """Doubles numbers; fails on bad ones, and on batches that are too large for it."""

    def __init__(self, bad: Sequence[int] = (), room: int = 10_000) -> None:
        self.bad = set(bad)
        self.room = room
        self.ran: list[list[int]] = []

    def prepare(self, batch: Sequence[int]) -> list[int]:
        if self.bad & set(batch):
            raise ValueError("not a picture")
        return list(batch)

    def run(self, batch: list[int]) -> list[int]:
        if len(batch) > self.room:
            raise RuntimeError("CUDA out of memory. Tried to allocate 1 GiB")
        self.ran.append(batch)
        return [2 * each for each in batch]

    def batcher(self, size: int) -> "Batcher[int, list[int], int]":
        return Batcher(size, float, self.prepare, self.run)


@given(st.lists(st.integers(0, 99), max_size=40), st.integers(1, 9), st.sets(st.integers(0, 99)))
def test_exactly_what_is_bad_fails_and_the_order_is_kept(
    items: list[int], size: int, bad: set[int]
) -> None:
    said = Machine(list(bad)).batcher(size)(items)
    alone = [Machine(list(bad)).batcher(1)([each])[0] for each in items]
    assert [str(each) for each in said] == [str(each) for each in alone]
    assert [isinstance(each, ModelError) for each in said] == [each in bad for each in items]


def test_a_thousand_with_one_in_twenty_bad() -> None:
    bad = range(0, 1000, 20)
    said = Machine(bad).batcher(16)(range(1000))
    assert [n for n, each in enumerate(said) if isinstance(each, ModelError)] == list(bad)
    assert [each for each in said if not isinstance(each, ModelError)] == [
        2 * n for n in range(1000) if n % 20
    ]


def test_items_of_like_weight_go_together() -> None:
    machine = Machine()
    machine.batcher(2)([9, 1, 8, 2])
    assert machine.ran == [[1, 2], [8, 9]]


def test_out_of_memory_halves_the_batch_for_good() -> None:
    machine = Machine(room=2)
    batcher = machine.batcher(8)
    assert batcher(range(32)) == [2 * n for n in range(32)]
    assert batcher.size == 2
    assert max(map(len, machine.ran)) == 2


def test_what_does_not_fit_alone_is_one_line() -> None:
    (said,) = Machine(room=0).batcher(1)([1])
    assert str(said) == "the model does not fit into the memory here"


def test_a_bad_one_does_not_make_batches_smaller() -> None:
    batcher = Machine([3]).batcher(8)
    batcher(range(32))
    assert batcher.size == 8


def test_a_batch_is_prepared_while_the_one_before_runs() -> None:
    second = threading.Event()

    def prepare(batch: Sequence[int]) -> list[int]:
        if 2 in batch:
            second.set()
        return list(batch)

    def run(batch: list[int]) -> list[int]:
        assert second.wait(10)
        return batch

    assert Batcher(1, float, prepare, run)([1, 2]) == [1, 2]


def test_a_mistake_of_the_program_is_not_hidden() -> None:
    def run(_: object) -> list[int]:
        raise AssertionError("a bug")

    with pytest.raises(AssertionError):
        Batcher(2, float, list, run)([1, 2])
