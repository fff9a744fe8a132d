"""One line of the table of faults, and the table as text for people."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_PLACE = re.compile(r"(/tmp/hk\w+)|(/[\w.-]+)+/(?=tests|daemon|\.venv)")
_WIDTHS = (40, 58, 8, 22)
HEAD = ("fault", "what happened", "s to heal", "lost")


@dataclass(frozen=True)
class Row:
    """What came of one fault. `took` is how long it took to try."""

    group: str
    name: str
    happened: str
    seconds: float | None
    lost: str
    state: Literal["kept", "broken", "elsewhere"]
    took: float

    def cells(self) -> tuple[str, str, str, str]:
        """Return its texts, without any place of this machine."""
        seconds = "" if self.seconds is None else f"{self.seconds:.1f}"
        return self.name, _PLACE.sub("...", self.happened), seconds, self.lost


def table(rows: Sequence[Row]) -> str:
    """Return all rows as text, long cells on several lines."""
    lines = []
    for cells in (HEAD, tuple("-" * width for width in _WIDTHS), *(row.cells() for row in rows)):
        folded = [
            textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, _WIDTHS, strict=True)
        ]
        for number in range(max(map(len, folded))):
            parts = [one[number] if number < len(one) else "" for one in folded]
            lines.append(
                "  ".join(part.ljust(width) for part, width in zip(parts, _WIDTHS, strict=True))
            )
    return "\n".join(line.rstrip() for line in lines)
