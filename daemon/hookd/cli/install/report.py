"""Print the result of `hookd install` and `uninstall`, or the preview of --dry-run."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.install import options, own_files
from hookd.cli.lib import output
from hookd.core.model.shim_config import NATIVE
from hookd.system import native_shim

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


def uninstalled(facts: Facts, as_json: bool, *, purged: bool) -> None:
    """Print the result of an uninstall; `purged` is whether it removed hookd's files, too."""
    title = "Nothing changed: hookd is not registered in these settings."
    if facts["changed"] and facts["restored"]:
        title = "hookd is removed; the settings are as they were before, byte for byte."
    elif facts["changed"]:
        title = "hookd's entries are removed; the rest of the settings is unchanged."
    elif facts.get("removed"):
        title = "hookd's files are removed; it was not registered in these settings."
    step = "hookd stop; hookd uninstall --purge removes the files that stay"
    if purged:
        step = f"remove the program: {_removal()}"
    report(title, facts, step, as_json=as_json)


def _removal() -> str:
    """Return the command that removes the program, by the tool that installed it."""
    prefix = Path(sys.prefix).as_posix()
    if "/pipx/venvs/" in prefix:
        return "pipx uninstall hookd"
    if "/uv/tools/" in prefix:
        return "uv tool uninstall hookd"
    return f"{shlex.join([sys.executable, '-m', 'pip', 'uninstall', 'hookd'])}"


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
        "shim": _shim,
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


def _shim(shim: dict[str, str]) -> str:
    """Return in one line which shim hooks start, and how it was made or why it is that of bash."""
    if "used" not in shim:
        return f"{shim['wanted']}; nothing is compiled now"
    if shim["used"] == NATIVE:
        return f"native, {native_shim.made_by(shim['built'])}"
    return f"bash: {shim['why']}" if shim["why"] else "bash"


def _status_line(line: dict[str, Any]) -> str:
    """Return in one line whose status line is shown."""
    own = line["own"]
    if line["registered"]:
        return "hookd's status line" if own is None else f"hookd's status line, below that of {own}"
    return "no status line" if own is None else f"your own status line, {own}"
