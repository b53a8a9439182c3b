"""ChronoProfiler over all logs: built at each checkpoint, asked from the snapshot."""

from collections.abc import Sequence

from archive_mem.evals.benchmarks.dynamicmem.knowledge import Knowledge, knowledge_of
from archive_mem.evals.benchmarks.dynamicmem.profiler import profile_of
from archive_mem.evals.benchmarks.dynamicmem.protocol import (
    Answered,
    AppLog,
    Checkpoint,
    QuerySpec,
    Retrieved,
)
from archive_mem.evals.benchmarks.dynamicmem.reading import answered
from archive_mem.profile.chrono import ProfileState

__all__ = ["Ours"]


class Ours:
    """Everything is profiled as it comes; a question is read off the profile (MemorySystem)."""

    name = "ours"

    def __init__(self) -> None:
        self._profile: ProfileState | None = None

    def prepare_checkpoint_state(self, checkpoint: Checkpoint, logs: Sequence[AppLog]) -> Knowledge:
        """Goes on from the profile of the checkpoint before."""
        self._profile = profile_of(logs, self._profile)
        return knowledge_of(logs, checkpoint.at, self._profile)

    def retrieve_context_for_query(self, state: Knowledge, query: QuerySpec) -> Retrieved:
        """The logs that the answer rests on."""
        return Retrieved(log_ids=answered(state, query).evidence)

    def answer_query(self, state: Knowledge, query: QuerySpec, context: Retrieved) -> Answered:
        """Read off the profile."""
        return answered(state, query)
