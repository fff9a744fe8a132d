"""Print the result of `hookd install` and `uninstall`, or the preview of --dry-run."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import click

from hookd import paths
from hookd.cli.install import options, own_files, plugin_scope, waking
from hookd.cli.lib import installation, output
from hookd.core.model.shim_config import NATIVE
from hookd.lazy_dataclass import dataclass
from hookd.system import native_shim

_LABELS = {
    "client_version": "client",
    "status_line": "line",
    "permissions": "allow",
    "fail_closed": "closed",
    "no_verdict": "no daemon",
}
_TITLED = ("client",)
"""Facts that are in the title, for people."""

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}

Facts = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """Result for one client: a title, facts, and the next step, "" if there is none.

    `people` are facts that people read in another form. `diff` are the lines of a preview, None if
    this is none.
    """

    title: str
    facts: Facts
    step: str = ""
    people: Facts = field(default_factory=dict)
    diff: list[str] | None = None


def show(results: Sequence[Result], *, as_json: bool, diffs: bool = False) -> None:
    """Print results: a title, a line for each fact, and the next step; with `diffs` also these.

    As JSON, one result is an object, and several are the list `clients` in one.
    """
    if as_json:
        found = [one.facts | ({} if one.diff is None else {"diff": one.diff}) for one in results]
        _print_json(found[0] if len(found) == 1 else {"clients": found})
        return
    # With None, click colours on a terminal only.
    colour = False if paths.variable("NO_COLOR") else None
    parts = (_preview(one, diffs) if one.diff is not None else _told(one) for one in results)
    click.echo("\n\n".join(parts), color=colour)


def _told(result: Result) -> str:
    step = [_line("next", result.step)] if result.step else []
    return "\n".join([result.title, *_lines(result.facts | result.people), *step])


def _preview(result: Result, shown: bool) -> str:
    title = result.title if result.facts["changed"] else "Nothing would change."
    facts, diff = result.facts, result.diff or []
    lines = [click.style(line, fg=_COLOURS.get(line[0])) for line in diff if shown]
    if diff and not shown:
        facts = facts | {"lines": f"{_count(diff)}; --diff shows them"}
    return "\n".join([title, *_lines(facts), *([""] * bool(lines)), *lines])


def uninstalled(facts: Facts, whose: str, *, purged: bool) -> Result:
    """Return the result of an uninstall; `purged` is whether it removed hookd's files, too.

    `whose` names a client besides Claude Code: " from Codex".
    """
    title = "Nothing changed: hookd is not registered in these settings."
    if facts["changed"] and facts["restored"]:
        title = f"hookd is removed{whose}; the settings are as they were before, byte for byte."
    elif facts["changed"]:
        title = f"hookd's entries are removed{whose}; the rest of the settings is unchanged."
    elif facts.get("removed"):
        title = "hookd's files are removed; it was not registered in these settings."
    step = "hookd stop; hookd uninstall --purge removes the files that stay"
    if purged:
        step = f"remove the program: {installation.read().remove}"
    return Result(title, facts, "; ".join(filter(None, (_plugin_step(), step))))


def nowhere(facts: Facts) -> Result:
    """Return the result of an uninstall where no client has hookd; only JSON has the facts."""
    hidden: Facts = {name: [] for name in facts if name != "shims"}
    title = "Nothing changed: hookd is registered with no client."
    return Result(title, facts, _plugin_step(), people=hidden)


def _plugin_step() -> str:
    """Return the command that removes the plugin, "" if it is not enabled."""
    if not (name := plugin_scope.enabled(plugin_scope.settings_here())):
        return ""
    why = "runs hookd, too" if plugin_scope.config() is not None else "Claude Code still has"
    return f"claude plugin uninstall {name}, which {why}"


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
        "wake": waking.text,
    }
    rows = [
        (_LABELS.get(name, name), texts[name](value) if name in texts else value)
        for name, value in facts.items()
        if value and name not in _TITLED and (name in texts or isinstance(value, str))
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
