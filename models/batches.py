"""Work in batches of like size, prepared a step ahead; what fails is halved until it stands alone.

Nothing here knows what a picture is: it takes items and two functions, so that it is tested without
a model.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from archive_mem.errors import ModelError
from models.hub import out_of_memory

__all__ = ["Batcher"]

Item = TypeVar("Item")
Prepared = TypeVar("Prepared")
Result = TypeVar("Result")

_FAILS = (RuntimeError, ValueError, TypeError, LookupError, OSError, MemoryError, ArithmeticError)
"""What preparing or running a batch may raise for one bad picture, or for want of memory."""


class Batcher(Generic[Item, Prepared, Result]):
    """Runs items in batches of at most `size`.

    size: becomes smaller for good when a batch does not fit into memory
    weight: items of like weight go together, so that little is padded
    prepare: makes a batch ready, in a thread of its own while the one before runs
    run: one result an item, in order
    """

    def __init__(
        self,
        size: int,
        weight: Callable[[Item], float],
        prepare: Callable[[Sequence[Item]], Prepared],
        run: Callable[[Prepared], list[Result]],
    ) -> None:
        self.size = max(size, 1)
        self._weight = weight
        self._prepare = prepare
        self._run = run

    def __call__(self, items: Sequence[Item]) -> list[Result | ModelError]:
        """A result an item, or why that item has none, in the order given."""
        order = sorted(range(len(items)), key=lambda n: self._weight(items[n]))
        found: dict[int, Result | ModelError] = {}
        with ThreadPoolExecutor(1) as pool:
            for numbers, prepared in self._ahead(pool, items, order):
                batch = [items[n] for n in numbers]
                found.update(zip(numbers, self._attempt(batch, prepared), strict=True))
        return [found[n] for n in range(len(items))]

    def _ahead(
        self, pool: ThreadPoolExecutor, items: Sequence[Item], order: Sequence[int]
    ) -> Iterator[tuple[Sequence[int], "Future[Prepared]"]]:
        """Each batch while the next one is being prepared."""
        waiting: tuple[Sequence[int], Future[Prepared]] | None = None
        done = 0
        while done < len(order):
            numbers = order[done : done + self.size]
            done += len(numbers)
            coming = pool.submit(self._prepare, [items[n] for n in numbers])
            if waiting is not None:
                yield waiting
            waiting = numbers, coming
        if waiting is not None:
            yield waiting

    def _attempt(
        self, batch: Sequence[Item], prepared: "Future[Prepared] | None" = None
    ) -> list[Result | ModelError]:
        try:
            ready = self._prepare(batch) if prepared is None else prepared.result()
            return list(self._run(ready))
        except ModelError as error:
            reason = error
        except _FAILS as error:
            reason = self._why(error, len(batch))
        if len(batch) == 1:
            return [reason]
        middle = len(batch) // 2
        return self._attempt(batch[:middle]) + self._attempt(batch[middle:])

    def _why(self, error: Exception, count: int) -> ModelError:
        if not out_of_memory(error):
            return ModelError(f"the model cannot read it ({type(error).__name__})")
        self.size = max(min(self.size, count // 2), 1)
        _give_back()
        return ModelError("the model does not fit into the memory here")


def _give_back() -> None:
    """Memory that torch keeps for later is handed back to the device."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
