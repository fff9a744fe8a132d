"""The board's first and last lines: counts, warnings, the connection, and the keys. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hookd.cli.board.fleet_lines import SIGNS
from hookd.cli.board.sources import Feed
from hookd.cli.board.state import BoardState
from hookd.cli.board.text import Line, Span, clip, clock, cut, fit, safe, spread, width_of

MAX_ALERTS = 3
"""Lines of warnings; more are counted on the last one."""


class Alert(NamedTuple):
    """A warning: `level` is `bad` where guards are not in force, else `warn`; one sentence.

    `short` is said where the text does not fit: it keeps the next step. "" for the text, cut.
    """

    level: str
    text: str
    short: str = ""


def alerts(feed: Feed, installed: str) -> list[Alert]:
    """Return what a person must know, the worst first; `installed` is this program's version."""
    found = list(_about_link(feed))
    if feed.daemon is not None and feed.link in ("connected", "older"):
        found += _about_guards(feed.daemon, installed)
    return sorted(found, key=lambda alert: alert.level)  # bad before warn


def _about_link(feed: Feed) -> Iterator[Alert]:
    if feed.stop:
        short = "hookd is stopped: calls run unchecked. Next: hookd start."
        yield Alert("bad", f"{feed.stop} Next: hookd start.", short)
    step = f"Next: {feed.step}."
    if feed.link == "older":
        yield Alert("warn", feed.why, f"The daemon is older than this board. {step}")
    elif feed.link != "connected" and not feed.stop:
        short = f"Not connected. {step}" if feed.step else ""
        yield Alert("bad", f"Not connected: {feed.why} Waiting for the daemon.", short)
    if feed.cannot_answer:
        yield _unanswerable(feed.cannot_answer)


def _unanswerable(refusal: str) -> Alert:
    """Return why requests cannot be answered here; a refusal to all but a person names a method."""
    _method, for_person, reason = refusal.partition(" is for a person: ")
    if not for_person:
        return Alert("warn", f"Requests cannot be answered here: {refusal}")
    short = "Requests cannot be answered here, only in a terminal of your own."
    return Alert("warn", f"{short[:-1]}: {reason}", short)


def _about_guards(daemon: Mapping[str, Any], installed: str) -> Iterator[Alert]:
    if until := daemon.get("pausedUntil"):
        yield Alert("bad", f"Guards are off: hookd is paused until {clock(until)}. p ends it.")
    if suspended := daemon.get("suspended"):
        names = ", ".join(suspended)
        short = f"Suspended policies: {len(suspended)}. hookd restart resumes them."
        yield Alert("bad", f"Suspended policies: {names}. hookd restart resumes them.", short)
    if daemon.get("problem"):
        short = "The settings are not used. Next: hookd status, which says why."
        yield Alert("warn", f"The settings are not used: {daemon['problem']}", short)
    if daemon.get("unkept"):
        short = "Nothing can be stored. Next: hookd status, which says why."
        yield Alert("warn", f"Nothing can be stored: {daemon['unkept']}", short)
    mail = daemon.get("mail") or {}
    if mail.get("held"):
        yield Alert(
            "warn", f"Mail that is held: {mail['held']}. Next: hookd mail list --state held."
        )
    if mail.get("forYou"):
        yield Alert("warn", f"Mail for you: {mail['forYou']}. Next: hookd inbox.")
    if mail.get("unreachable"):
        told = f"Mail that no open session gets: {mail['unreachable']}."
        yield Alert("warn", f"{told} Next: hookd mail list --state waiting.")
    running = daemon.get("version", installed)
    if running != installed:
        text = f"The daemon is hookd {running}, this board {installed}: hookd restart."
        yield Alert("warn", text)


def top(state: BoardState, feed: Feed, width: int) -> Line:
    """Return the first line: sessions by status, work items, what was stopped, the connection."""
    counts = state.counts()
    left = [Span(" hookd ", "bar.title")]
    for status, number in counts.items():
        if number and (status in ("error", "attention", "working") or width >= 100):
            sign, style = SIGNS.get(status, ("·", "dim"))
            word = "need you" if status == "attention" else status
            left.append(Span(f"  {sign} {number} {word}", _on_bar(style)))
    if not state.agents:
        left.append(Span("  no open session", "bar"))
    words = {"connected": ("● live ", "bar.good"), "older": ("● older daemon ", "bar.warn")}
    parts = [Span(*words.get(feed.link, ("○ not connected ", "bar.bad")))]
    if state.pending:
        parts.insert(0, Span(f"? {len(state.pending)} to approve  ", "bar.warn"))
    if state.denied or state.asked:
        parts.insert(0, Span(f"✗ {state.denied} denied  ? {state.asked} asked  ", "bar"))
    if work := (feed.daemon or {}).get("work"):
        told = ", ".join(f"{count} {name}" for name, count in sorted(work.items()))
        parts.insert(0, Span(f"work: {told}  ", "bar"))
    while len(parts) > 1 and width_of((*left, *parts)) >= width:
        parts.pop(0)
    return _filled(cut(left, width - width_of(parts) - 1), parts, width)


def alert_lines(found: Sequence[Alert], width: int) -> list[Line]:
    """Return a line for each warning."""
    shown = list(found[:MAX_ALERTS])
    more = f"  (and {len(found) - len(shown)} more)" if len(found) > len(shown) else ""
    lines: list[Line] = []
    for place, alert in enumerate(shown):
        end = more if place == len(shown) - 1 else ""
        sign = "✗" if alert.level == "bad" else "▲"
        room, text = width - len(end), f" {sign} {safe(alert.text)}"
        if alert.short and clip(text, room) != text:
            text = f" {sign} {safe(alert.short)}"
        text = clip(text, room) + end
        lines.append((Span(fit(text, width), f"alert.{alert.level}"),))
    return lines


def heading(title: str, note: str, width: int, *, focus: bool, style: str = "bar.title") -> Line:
    """Return the heading of a pane; the one in use is marked by its first character, too."""
    mark, style = ("▸", "bar.focus") if focus else (" ", style)
    left = [Span(f"{mark}{safe(title)} ", style)]
    return _filled(left, [Span(clip(f"{safe(note)} ", width - len(title) - 3), "bar")], width)


def with_hidden(line: Line, above: int, below: int, width: int) -> Line:
    """Return the heading of a pane with the number of rows that it has no room for."""
    if not above and not below:
        return line
    counts = f"{above} more above" if above else f"{below} more below"
    counts += f", {below} below" if above and below else ""
    title, note, more = line[0], line[2:], Span(f"{counts} ", "bar")
    for right in ((*note, Span("  ", "bar"), more), (more,)):
        if width_of((title, *right)) < width:
            return _filled([title], right, width)
    return line


_KEYS = {
    "fleet": (("enter", "open"), ("o", "go there"), ("f", "filter"), ("z", "idle")),
    "stream": (("enter/w", "why"), ("a", "allow"), ("s", "stopped only"), ("f", "filter")),
    "detail": (("w", "why"), ("t", "told"), ("a", "allow"), ("esc", "back")),
    "approvals": (("y", "allow"), ("n", "deny"), ("d", "dialog"), ("esc", "back")),
}


def foot(focus: str, message: str, filter_text: str, width: int, *, approvals: int = 0) -> Line:
    """Return the last line: a message, or the keys of the pane in use."""
    if message:
        return _filled([Span(f" {clip(safe(message), width - 2)}", "bar.title")], [], width)
    right = [Span(f"filter: {clip(safe(filter_text), width // 3)} ", "bar.warn")]
    right = right if filter_text else []
    left: list[Span] = []
    first = (("v", "approve"),) if approvals and focus != "approvals" else ()
    common = (("tab", "pane"), ("/", "search"), ("p", "pause"), ("?", "help"), ("q", "quit"))
    room = width - width_of(right) - 1
    for key, does in (*first, *_KEYS.get(focus, ()), *common):
        pair = (Span(f" {key} ", "bar.key"), Span(f"{does} ", "bar"))
        if width_of((*left, *pair)) <= room:
            left += pair
    return _filled(left, right, width)


def _on_bar(style: str) -> str:
    return f"bar.{style}" if style in ("good", "warn", "bad") else "bar"


def _filled(left: Sequence[Span], right: Sequence[Span], width: int) -> Line:
    """Return a line whose background reaches the end."""
    line = cut(spread(left, right, width), width)
    gap = width - width_of(line)
    line = tuple(span if span.style else Span(span.text, "bar") for span in line)
    return (*line, Span(" " * gap, "bar")) if gap > 0 else line
