"""Lines of the stream of events: the time, the decision with its sign, who, and about what."""

from hookd.cli.board.state import Row
from hookd.cli.board.text import Line, Span, clock, fit, safe

DECISIONS = {
    "deny": ("✗ deny", "bad"),
    "block": ("✗ block", "bad"),
    "ask": ("? ask", "warn"),
    "defer": ("? defer", "warn"),
    "allow": ("✓ allow", "good"),
}
"""The sign, the word and the style of each decision."""

_EVENTS = {
    "UserPromptSubmit": "prompt",
    "PermissionRequest": "permission",
    "SessionStart": "start",
    "SessionEnd": "end",
    "Notification": "notice",
    "PostToolBatch": "batch",
}
"""Short words for events that are frequent; the others keep their name."""

_RESULTS = {"PostToolUse": "done", "PostToolUseFailure": "failed"}
"""The word after the tool's name."""

_SLOW_US = 50_000
"""Microseconds from which on the time that an event took is shown."""

_NARROW = 70


def line(event: Row, width: int) -> Line:
    """Return the line of an event."""
    word, style = DECISIONS.get(str(event.get("decision")), ("·", "dim"))
    quiet = "dim" if style == "dim" else ""
    who, what = (10, 9) if width < _NARROW else (11, 12)
    name = safe(event.get("agent") or _session(event))
    spans = [
        Span(f"{clock(event.get('at'))} ", "dim"),
        Span(f"{fit(word, 7)} ", style),
        Span(f"{fit(name, who)} ", "" if quiet else "title"),
        Span(f"{fit(_subject(event), what)} ", quiet),
    ]
    rule = safe(event.get("rule") or "") if width >= _NARROW else ""
    took = event.get("durationUs") or 0
    slow = f" {took / 1_000_000:.1f} s" if took >= _SLOW_US else ""
    room = width - 9 - 8 - (who + 1) - (what + 1)
    end = min(len(rule), 22) + 1 if rule else 0
    spans.append(Span(fit(about(event), max(room - end - len(slow), 0)), quiet))
    if rule:
        spans.append(Span(" " + fit(rule, end - 1), style))
    if slow:
        spans.append(Span(slow, "warn"))
    return tuple(spans)


def about(event: Row) -> str:
    """Return the call or the prompt of an event; a file of its project by its relative path."""
    text, project = str(event.get("text") or ""), event.get("project")
    return safe(text.removeprefix(f"{project}/") if project else text)


def _subject(event: Row) -> str:
    name = str(event.get("event") or "")
    if not event.get("toolName"):
        return safe(_EVENTS.get(name, name))
    result = _RESULTS.get(name)
    return f"{safe(event['toolName'])} {result}" if result else safe(event["toolName"])


def _session(event: Row) -> str:
    number = event.get("sessionId")
    return f"session {number}" if number is not None else "-"
