"""Progress of long work: a bar, or a spinner with the elapsed time, on stderr at a terminal only.

In a pipe, on a dumb terminal and with `quiet` nothing is printed. rich is imported when there is
something to draw, and leaves out colours with NO_COLOR.
"""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any

from hookd import paths
from hookd.cli.lib import terminal
from hookd.cli.lib.output import cell

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

_FRAMES_PER_S = 8
"""Pictures a second: enough to see that the work continues."""


class LongWork:
    """A line about long work, removed at its end.

    `total` is the amount of work in any unit; None if it is not known: the line has a spinner then,
    and no percentage.
    """

    def __init__(self, label: str, total: float | None = None, *, quiet: bool = False) -> None:
        self._label, self._total = label, total
        self._quiet = quiet
        self._progress: Progress | None = None
        self._task: Any = None

    def __enter__(self) -> "LongWork":
        """Draw the line."""
        if not self._quiet and can_draw():
            self._progress = _line(counted=self._total is not None)
            self._task = self._progress.add_task(cell(self._label), total=self._total)
            self._progress.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Remove the line."""
        if self._progress is not None:
            self._progress.stop()

    def reach(self, done: float, total: float | None = None) -> None:
        """Show that so much of the work is done; `total` replaces the amount, if it changed."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total or self._total)

    def advance(self, done: float) -> None:
        """Show that so much more of the work is done."""
        if self._progress is not None:
            self._progress.advance(self._task, done)


def can_draw() -> bool:
    """Return whether stderr is a terminal that moves its cursor."""
    return sys.stderr.isatty() and paths.variable("TERM") != "dumb"


def _line(*, counted: bool) -> "Progress":
    """Return the line, with a bar if the work is counted."""
    from rich.console import Console  # noqa: PLC0415 - slow to import, and only needed to draw
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    plain = bool(paths.variable("NO_COLOR"))
    console = Console(
        file=terminal.unfiltered(sys.stderr),
        color_system=None if plain else "auto",
        highlight=False,
    )
    # A label may have markup of its own: it is shown as it is.
    label = TextColumn("{task.description}", markup=False)
    columns: tuple[ProgressColumn, ...] = (SpinnerColumn("line"), label)
    if counted:
        columns = (label, BarColumn(bar_width=24), TaskProgressColumn())
    return Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        refresh_per_second=_FRAMES_PER_S,
        redirect_stdout=False,
        redirect_stderr=False,
    )
