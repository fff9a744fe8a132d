"""Lines of a session's time line: when, what happened, the decision on it, texts for the model."""

from collections.abc import Iterator, Mapping, Sequence

from hookd.cli.board.fleet_lines import context, status
from hookd.cli.board.state import Row, project_name
from hookd.cli.board.stream_lines import DECISIONS
from hookd.cli.board.text import Item, Line, Span, clock, fit, safe, safe_lines, wrapped
from hookd.display.amounts import dollars, duration
from hookd.display.timeline import Entry

_NAMES: Mapping[str, tuple[str, str]] = {
    "prompt": ("prompt", "accent"),
    "call": ("call", ""),
    "calls": ("calls", "dim"),
    "result": ("result", "dim"),
    "request": ("permission", "warn"),
    "approval": ("approval", "warn"),
    "stop": ("answer", "good"),
    "start": ("start", "dim"),
    "end": ("end", "dim"),
    "compaction": ("compaction", "told"),
    "subagent": ("subagent", "told"),
    "handover": ("handover", "told"),
    "log": ("log", "accent"),
    "message": ("message", ""),
    "notification": ("notice", "dim"),
    "waiting": ("waits", "told"),
}
"""The word of each kind of entry, and its style."""

_TEXT_LINES = 3
"""Lines of a text that are shown; an explanation has all of it."""

_WHOLE_LINES = 60
"""The same where only texts for the model are shown."""

_WORD = 11


def facts(agent: Row, width: int) -> Iterator[Item]:
    """Yield the lines about a session, above its time line."""
    share = agent.get("contextUsage")
    parts: list[Span] = [status(str(agent.get("status")), 12)]
    parts += [Span("  "), *context(share if isinstance(share, int | float) else None, 16)]
    parts.append(Span(f"  {dollars(agent.get('cost'))}"))
    yield Item(None, (Span(" "), *parts))
    known = {
        "project": agent.get("project") and project_name(agent["project"]),
        "branch": agent.get("branch"),
        "claims": agent.get("claims"),
        "task": agent.get("task") and project_name(agent["task"]),
        "phase": agent.get("currentPhase"),
        "parent": agent.get("parent"),
    }
    text = "   ".join(f"{name} {safe(value)}" for name, value in known.items() if value)
    yield from (Item(None, (Span(f" {part}", "dim"),)) for part in wrapped(text, width - 2))
    if prompt := agent.get("firstPrompt"):
        yield from (
            Item(None, (Span(f" {part}", "title"),))
            for part in wrapped(safe(prompt), width - 2)[:3]
        )
    yield Item(None, ())


def items(entries: Sequence[Entry], width: int, project: str | None, *, told: bool) -> list[Item]:
    """Return the entries as lines; the first of each with an event can be selected."""
    found: list[Item] = []
    for entry in entries:
        lines = list(_lines(entry, width, project, told=told))
        key = str(entry.event) if entry.event is not None else None
        found += [Item(key if not place else None, line) for place, line in enumerate(lines)]
    return found


def _lines(entry: Entry, width: int, project: str | None, *, told: bool) -> Iterator[Line]:
    yield _first(entry, width, project)
    room = width - 14
    limit = _WHOLE_LINES if told else _TEXT_LINES
    if entry.decision and entry.reason:
        style = DECISIONS.get(entry.decision, ("", ""))[1]
        yield from _text(entry.reason, room, limit, "╰ ", style)
    for text in entry.told:
        if text.text in (entry.reason, ""):
            continue
        sign = "+ model: " if text.to == "model" else "+ user: "
        yield from _text(text.text, room, limit, sign, "told" if text.to == "model" else "dim")
    if told and entry.kind == "waiting":
        yield from _text(entry.text, room, limit, "+ ", "told")
    for run in entry.hooks:
        yield from _text(f"hook {run.hook}: {run.result}", room, 1, "╰ ", "dim")


def _first(entry: Entry, width: int, project: str | None) -> Line:
    word, style = _NAMES.get(entry.kind, (entry.name or "event", "dim"))
    if entry.tool and entry.kind in ("call", "result", "request"):
        word, style = entry.tool, "" if not entry.silent else "dim"
    sign = "✗ " if entry.failed else ""
    end = _end(entry)
    decided = DECISIONS.get(entry.decision or "")
    mark = Span(f"{decided[0]} ", decided[1]) if decided else Span("")
    text = entry.text.removeprefix(f"{project}/") if project else entry.text
    room = max(width - 11 - _WORD - len(mark.text) - len(end) - 1, 0)
    quiet = "dim" if entry.silent and entry.kind in ("call", "calls", "result") else ""
    return (
        Span(f" {clock(entry.at)} ", "dim"),
        Span(f"{fit(safe(word), _WORD)}", style),
        mark,
        Span(fit(sign + safe(text), room), "bad" if entry.failed else quiet),
        Span(f" {end}", "dim"),
    )


def _end(entry: Entry) -> str:
    """Return how long an entry lasted, or else how long its hook took."""
    if entry.seconds is not None:
        return duration(entry.seconds)
    return duration(entry.hook_us / 1_000_000) if entry.hook_us is not None else ""


def _text(text: str, width: int, limit: int, sign: str, style: str) -> Iterator[Line]:
    lines = [part for one in safe_lines(text) for part in wrapped(one, width - len(sign) - 1)]
    for place, part in enumerate(lines[:limit]):
        more = " …" if place == limit - 1 and len(lines) > limit else ""
        lead = sign if not place else " " * len(sign)
        yield (Span(" " * 11), Span(lead, style), Span(part + more, style))
