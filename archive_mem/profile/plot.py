"""A plot of temporal stability over time, as SVG or PNG (extra [evals])."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from archive_mem.errors import InputError, MissingExtra, UsageError
from archive_mem.profile.history import Line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "check_plot", "plot"]

FORMATS = (".svg", ".png")
MOST_LINES = 12
LONGEST_LABEL = 60


def check_plot(path: Path) -> None:
    """Raises UsageError for another format, MissingExtra where matplotlib is not installed."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path.name}: a plot is an .svg or a .png file")
    _matplotlib()


def plot(lines: Sequence[Line], path: Path) -> int:
    """Draw the most stable lines, `MOST_LINES` at most; returns how many are drawn.

    Raises UsageError, MissingExtra, InputError where the file cannot be written.
    """
    check_plot(path)
    shown = lines[:MOST_LINES]
    matplotlib = _matplotlib()
    # The same profile gives the same file: no date, and ids that do not change.
    with matplotlib.rc_context({"svg.hashsalt": "archive-mem", "svg.fonttype": "none"}):
        figure = _drawn(shown)
        try:
            figure.savefig(path, dpi=150, bbox_inches="tight", metadata=_metadata(path))
        except OSError as error:
            raise InputError(path, f"cannot be written ({error.strerror})") from error
    return len(shown)


def _matplotlib() -> Any:  # noqa: ANN401 - an optional package
    try:
        import matplotlib as found
    except ImportError as error:
        raise MissingExtra("evals", "a plot") from error
    return found


def _drawn(shown: Sequence[Line]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5.5))
    axes = figure.subplots()
    for number, line in enumerate(shown):
        style = ("-", "--", ":")[number // 10 % 3]
        axes.plot(
            np.array(line.days, dtype="datetime64[s]"),
            [each.ts for each in line.stability],
            style,
            label=_label(line),
            linewidth=1.8,
        )
    axes.set_ylim(-0.03, 1.03)
    axes.set_ylabel("temporal stability (TS)")
    axes.grid(alpha=0.3)
    if shown:
        figure.legend(loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=2, fontsize=9)
    return figure


def _label(line: Line) -> str:
    """Words of a person are no formula: a dollar sign would begin one."""
    text = line.item.statement.value
    cut = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1].rstrip() + "…"
    return cut.replace("$", r"\$").lstrip("_") or "…"


def _metadata(path: Path) -> dict[str, Any]:
    return {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
