"""Places of the board's panes by the size of the terminal. Pure."""

from typing import NamedTuple

MIN_WIDTH, MIN_HEIGHT = 60, 16
"""Size below which the plain table shows more than the board."""

_SIDE_BY_SIDE, _TALL = 100, 30
_WIDE = 170
_APPROVALS = 5
"""Most permission requests that are listed above the sessions."""

_HEADINGS = 2
_STEP = 4
"""Lines by which the fleet grows, so that the panes seldom move."""


class Place(NamedTuple):
    """Where a pane is, in columns and lines from the top left corner."""

    x: int
    y: int
    width: int
    height: int


class Wanted(NamedTuple):
    """What the places depend on besides the size.

    `focus` is the pane in use, `alerts` the lines of warnings, `approvals` the permission requests
    that wait, `sessions` the lines of the fleet.
    """

    focus: str = "fleet"
    alerts: int = 0
    approvals: int = 0
    sessions: int = 0


def places(width: int, height: int, wanted: Wanted) -> dict[str, Place]:
    """Return the place of each visible pane: top, fleet, stream, detail, approvals, foot.

    A small terminal shows the detail alone.
    """
    top = 1 + wanted.alerts
    found = {"top": Place(0, 0, width, top), "foot": Place(0, height - 1, width, 1)}
    body = Place(0, top, width, height - top - 1)
    if width < _SIDE_BY_SIDE or height < _TALL:
        return found | _small(body, wanted)
    if width < _WIDE:
        return found | _medium(body, wanted)
    left = max(width * 58 // 100, 112)
    column = _stacked(Place(0, body.y, left - 1, body.height), wanted)
    right = Place(left, body.y, width - left, body.height)
    return found | column | {"detail": right}


def _small(body: Place, wanted: Wanted) -> dict[str, Place]:
    if wanted.focus == "detail":
        return {"detail": body}
    if wanted.focus == "approvals":
        upper, lower = _split(body, max(min(wanted.approvals + 1, body.height // 3), 2))
        return {"approvals": upper, "detail": lower}
    if body.height < 14:
        return {wanted.focus: body}
    upper, lower = _split(body, _share(body, wanted.sessions))
    return {"fleet": upper, "stream": lower}


def _medium(body: Place, wanted: Wanted) -> dict[str, Place]:
    found, body = _requests(body, wanted)
    upper, lower = _split(body, _share(body, wanted.sessions))
    half = lower.width // 2
    right = Place(half, lower.y, lower.width - half, lower.height)
    return found | {"fleet": upper, "stream": lower._replace(width=half - 1), "detail": right}


def _stacked(body: Place, wanted: Wanted) -> dict[str, Place]:
    found, body = _requests(body, wanted)
    upper, lower = _split(body, _share(body, wanted.sessions))
    return found | {"fleet": upper, "stream": lower}


def _requests(body: Place, wanted: Wanted) -> tuple[dict[str, Place], Place]:
    """Return the place of the permission requests, if any wait or are looked at, and the rest."""
    if not wanted.approvals and wanted.focus != "approvals":
        return {}, body
    above, below = _split(body, min(max(wanted.approvals, 1), _APPROVALS) + 1)
    return {"approvals": above}, below


def _share(body: Place, sessions: int) -> int:
    """Return the lines of the fleet: what it needs, in steps, at most three fifths of all."""
    needed = -(-(sessions + _HEADINGS) // _STEP) * _STEP
    return min(max(needed, body.height // 4), body.height * 3 // 5)


def _split(body: Place, upper: int) -> tuple[Place, Place]:
    """Return the upper lines of a place, and those below."""
    below = Place(body.x, body.y + upper, body.width, body.height - upper)
    return body._replace(height=upper), below
