"""Lines of held permission requests: the list, and one with its command, reason, diff and risk."""

import json
from collections.abc import Iterator
from datetime import datetime

from hookd.cli.board.state import Row, project_name
from hookd.cli.board.text import Item, Line, Span, fit, safe, safe_lines, wrapped
from hookd.display.amounts import parsed_time
from hookd.display.approval_words import agent_words, risk_words

_STYLES = {"+": "added", "-": "removed", "@": "accent"}
_LATE_S = 10
"""Seconds before the end of a request from which on its time is red."""

_MAX_LINES = 300
"""Lines of a diff or a command that are shown."""


def line(request: Row, width: int, now: datetime | None) -> Line:
    """Return the line of a request: who asks, for what, why, and how long it waits."""
    left = remaining(request, now)
    word = "" if left is None else f"{left}s" if left < 100 else f"{left // 60}m"
    style = "bad" if left is not None and left <= _LATE_S else "warn"
    text = safe(request.get("text") or "")
    why = safe(request.get("reason") or "")
    room = max(width - 2 - 14 - 12 - 7, 0)
    part = room * 2 // 3 if why else room
    return (
        Span("? ", "warn"),
        Span(f"{fit(safe(agent_words(request)), 13)} ", "title"),
        Span(f"{fit(safe(request.get('tool')), 11)} "),
        Span(fit(text, part)),
        Span(fit(f"  {why}", room - part), "dim"),
        Span(fit(word, 7, right=True), style),
    )


def remaining(request: Row, now: datetime | None) -> int | None:
    """Return the seconds until a request is left to the dialog, None if they are not known."""
    until = parsed_time(request.get("until"))
    return max(round((until - now).total_seconds()), 0) if until and now else None


def detail(request: Row, width: int) -> list[Item]:
    """Return the lines of one request."""
    return [Item(None, found) for found in _detail(request, max(width - 2, 20))]


def _detail(request: Row, width: int) -> Iterator[Line]:
    facts = {
        "agent": safe(agent_words(request)),
        "project": safe(project_name(request.get("project"))),
        "tool": safe(request.get("tool")),
        "risk": safe(_risk(request["risk"])),
        "reason": safe(request.get("reason") or "-"),
    }
    for name, value in facts.items():
        style = "warn" if name in ("risk", "reason") and value not in ("-", "none known") else ""
        for place, part in enumerate(wrapped(value, width - 10)):
            yield (Span(f" {name if not place else '':<9}", "dim"), Span(part, style))
    yield ()
    yield from _block("call", _call(request), width)
    if diff := request.get("diff"):
        yield ()
        yield (Span(" diff", "title"),)
        for text in safe_lines(str(diff), _MAX_LINES):
            style = _STYLES.get(text[:1], "")
            yield from ((Span(f"   {part}", style),) for part in wrapped(text, width - 3))


def _block(title: str, text: str, width: int) -> Iterator[Line]:
    yield (Span(f" {title}", "title"),)
    for one in safe_lines(text, _MAX_LINES):
        yield from ((Span(f"   {part}"),) for part in wrapped(one, width - 3))


def _call(request: Row) -> str:
    """Return the whole call: the command, else the input as JSON."""
    given = request.get("input")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return given
    if isinstance(given, dict):
        command = given.get("command")
        others = {key: value for key, value in given.items() if key != "command"}
        if isinstance(command, str):
            more = f"\n{json.dumps(others, indent=2, ensure_ascii=False)}" if others else ""
            return command + more
        return json.dumps(given, indent=2, ensure_ascii=False)
    return str(request.get("text") or "")


def _risk(risk: Row | None) -> str:
    """Return the risk in words, with its reason and its rules."""
    if not risk:
        return risk_words(None)
    rules = ", ".join(risk.get("rules") or ())
    why = f": {risk['reason']}" if risk.get("reason") else ""
    return f"{risk_words(risk)}{why}{f' [{rules}]' if rules else ''}"
