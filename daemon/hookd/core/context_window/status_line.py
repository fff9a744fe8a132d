"""Status line: the text that hookd adds to the client's status line, and the client's input.

The client pipes a JSON object to its status line command: its only source of the exact context
usage and window size.
"""

import posixpath
from collections.abc import Mapping
from typing import Any

from hookd.core.efforts.phases import find_phase
from hookd.core.evaluation.pause import minutes_left, paused
from hookd.core.model.fact_requests import SkillByName
from hookd.core.model.facts import Facts
from hookd.lazy_dataclass import dataclass

_ESCAPE = "\x1b"
_RED, _YELLOW, _DIM = "31", "33", "2"


@dataclass(frozen=True, slots=True)
class StatusLineInput:
    """The client's input: shares from 0.0 to 1.0, tokens, US dollars; None if missing.

    `usage` is exact if tokens are given; `percent` is the number that the client shows.
    """

    session_id: str = ""
    usage: float | None = None
    percent: float | None = None
    window: int | None = None
    cost: float | None = None
    model: str | None = None


def read_status(status: Mapping[str, Any]) -> StatusLineInput:
    """Parse a status line's payload. Malformed fields count as missing."""
    window = _object(status, "context_window")
    size = _number(window, "context_window_size")
    usage = _usage(window, size)
    percent = _number(window, "used_percentage")
    return StatusLineInput(
        session_id=_text(status, "session_id") or "",
        usage=usage,
        percent=percent if percent is not None or usage is None else usage * 100,
        window=int(size) if size else None,
        cost=_number(_object(status, "cost"), "total_cost_usd"),
        model=_text(_object(status, "model"), "id"),
    )


def _usage(window: Mapping[str, Any], size: float | None) -> float | None:
    """Return the used share: from the tokens if given, because the percentage is rounded.

    Output tokens do not count, as in the client.
    """
    now = _object(window, "current_usage")
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    tokens = [_number(now, key) for key in keys]
    if size and tokens[0] is not None:
        return min(sum(one or 0.0 for one in tokens) / size, 1.0)
    percent = _number(window, "used_percentage")
    return None if percent is None else min(percent / 100, 1.0)


def status_line(told: StatusLineInput, facts: Facts, full: float, fleet: str = "") -> str:
    """Return the line: task · skill · [N of M] phase · agent · cost · context usage.

    A pause, damaged programs of hooks, suspended policies and a fleet that gets nothing precede it.

    `full` is the share at which a handover is due, `fleet` why nothing is sent to the fleet. The
    line has no quotation mark, no backslash and no control character except its colour escapes,
    because the shim extracts it from JSON with bash alone.
    """
    left = [_coloured(f"paused, {minutes_left(facts)} min", _RED)] if paused(facts) else []
    broken = facts.daemon.shim_problem
    left += [_coloured(f"hooks: {_plain(broken)}", _RED)] if broken else []
    left += [_coloured(f"suspended: {_plain(one)}", _RED) for one in facts.daemon.suspended]
    left += [_coloured(f"fleet: {fleet}", _RED)] if fleet else []
    if facts.session is None:
        return " · ".join((*left, _coloured("No session", _RED)))
    effort = facts.effort if facts.effort and facts.effort.active else None
    parts = []
    if effort is not None:
        ordinal = f"{effort.ordinal}:" if effort.ordinal > 1 else ""
        parts += [posixpath.basename(effort.task_dir), f"{ordinal}{effort.skill}"]
        parts += [_phase(facts)] if effort.phase else []
    parts += [facts.agent.id] if facts.agent else []
    parts += [f"${told.cost:.2f}"] if told.cost is not None else []
    words = [*left, *(_plain(part) for part in parts)]
    if told.usage is not None and told.percent is not None:
        words += _context(told.usage, told.percent, full)
    return " · ".join(words)


def _phase(facts: Facts) -> str:
    effort = facts.effort
    if effort is None or effort.phase is None:
        return ""
    known = (
        facts.require(SkillByName(effort.project_id, effort.skill)) if effort.project_id else None
    )
    phases = known.skill.phases if known else ()
    standing = find_phase(phases, effort.phase)
    if standing is None:
        return effort.phase
    return f"[{phases.index(standing) + 1} of {len(phases)}] {standing.name or standing.title}"


def _context(usage: float, percent: float, full: float) -> list[str]:
    """Return the client's own percentage and the one at which a handover is due.

    The colour shows how near the handover is: yellow from 85 % of the way, red once it is due.
    """
    way = round(usage / full * 100)
    colour = _RED if way >= 100 else _YELLOW if way >= 85 else _DIM
    used = f"ctx {min(round(percent), 100)} %"
    return [_coloured(used, colour), _coloured(f"handover at {round(full * 100)} %", _DIM)]


def _coloured(text: str, colour: str) -> str:
    return f"{_ESCAPE}[{colour}m{text}{_ESCAPE}[0m"


def _plain(text: str) -> str:
    """Return a text without characters that JSON escapes, and without control characters."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    return plain.replace('"', "'").replace("\\", "/")


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def _number(value: Mapping[str, Any], key: str) -> float | None:
    found = value.get(key)
    sane = isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < 1e12
    return float(found) if sane and found is not None else None


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) and found else None
