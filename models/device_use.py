"""The device that models run on, and the most memory that they took of it."""

import resource
import sys

__all__ = ["DeviceUse"]


class DeviceUse:
    """Reads the first CUDA device, or this process where there is none.

    name: such as "NVIDIA L4", "mps" or "cpu"
    """

    def __init__(self) -> None:
        import torch

        from models.hub import device

        self._cuda = torch.cuda.is_available()
        self.name = torch.cuda.get_device_name() if self._cuda else device(torch)[0]

    def reset(self) -> None:
        """Count anew; on a CPU the most since the process began is all that can be told."""
        if self._cuda:
            import torch

            torch.cuda.reset_peak_memory_stats()

    def peak_mebibytes(self) -> int:
        """The most since `reset`, in MiB."""
        if self._cuda:
            import torch

            return int(torch.cuda.max_memory_allocated() / 2**20)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most // (2**20 if sys.platform == "darwin" else 2**10)
