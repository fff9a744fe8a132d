"""Print the result of `hookd install` and `uninstall`, or the preview of --dry-run."""

from collections.abc import Callable
from typing import Any

import click

from hookd import paths
from hookd.cli.install import options, own_files
from hookd.cli.lib import output

_LABELS = {
    "client_version": "client",
    "status_line": "line",
    "permissions": "allow",
    "fail_closed": "closed",
    "no_verdict": "no daemon",
}
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}

Facts = dict[str, Any]


def report(title: str, facts: Facts, step: str, *, as_json: bool) -> None:
    """Print the result: one JSON object, or a title, a line for each fact, and the next step."""
    if as_json:
        _print_json(facts)
    else:
        click.echo("\n".join([title, *_lines(facts), _line("next", step)]))


def preview(title: str, facts: Facts, diff: list[str], *, shown: bool, as_json: bool) -> None:
    """Print a preview; if the diff is `shown`, its lines follow the facts."""
    if as_json:
        _print_json(facts | {"diff": diff})
        return
    if not facts["changed"]:
        title = "Nothing would change."
    lines = [click.style(line, fg=_COLOURS.get(line[0])) for line in diff if shown]
    if diff and not shown:
        facts = facts | {"lines": f"{_count(diff)}; --diff shows them"}
    # With None, click colours on a terminal only.
    colour = False if paths.variable("NO_COLOR") else None
    click.echo("\n".join([title, *_lines(facts), *([""] * bool(lines)), *lines]), color=colour)


def _count(diff: list[str]) -> str:
    """Return how many lines a diff adds and removes."""
    changed = [line[0] for line in diff if not line.startswith(("+++ ", "--- "))]
    return f"{changed.count('+')} added, {changed.count('-')} removed"


def _print_json(facts: Facts) -> None:
    click.echo(output.json_text(facts))


def _lines(facts: Facts) -> list[str]:
    """Return a line for each fact that is for people."""
    texts: dict[str, Callable[[Any], str]] = {
        "events": options.events_text,
        "fail_closed": ", ".join,
        "no_verdict": _no_verdict,
        "changes": _changes,
        "status_line": _status_line,
        "permissions": options.permissions_text,
    }
    rows = [
        (_LABELS.get(name, name), texts[name](value) if name in texts else value)
        for name, value in facts.items()
        if value and (name in texts or isinstance(value, str))
    ]
    for name in ("also", "left"):
        rows += [(name, path) for path in facts.get(name, [])]
    for name in ("removed", "stays"):
        rows += [(name, own_files.row_text(row)) for row in facts.get(name, [])]
    notes = [("note", note) for note in facts.get("notes", [])]
    return [_line(name, text) for name, text in [*rows, *notes] if text]


def _line(name: str, text: str) -> str:
    return f"  {name:<11}{text}"


def _changes(changes: dict[str, list[str]]) -> str:
    """Return in one line which entries are added, updated and removed."""
    words = {"put_in": "added", "renewed": "updated", "taken_out": "removed"}
    parts = [
        f"{words[kind]} {options.events_text(names)}" for kind, names in changes.items() if names
    ]
    return "; ".join(parts)


def _no_verdict(choice: str) -> str:
    """Return in one line what happens to an event that no daemon answers."""
    words = {
        "judge": "the guards judge in a separate process",
        "open": "everything is allowed, without a judgement",
        "closed": "nothing is judged; events that fail closed are denied",
    }
    return words[choice]


def _status_line(line: dict[str, Any]) -> str:
    """Return in one line whose status line is shown."""
    own = line["own"]
    if line["registered"]:
        return "hookd's status line" if own is None else f"hookd's status line, below that of {own}"
    return "no status line" if own is None else f"your own status line, {own}"
