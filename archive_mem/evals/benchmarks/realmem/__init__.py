"""ReaLMem: three tiers of questions over a visual archive, nine subtasks, three context modes."""

from archive_mem.evals.benchmarks.realmem.bench import Choices, run

__all__ = ["Choices", "run"]
