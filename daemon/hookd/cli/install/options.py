"""Options of `hookd install`: events, failing closed, no verdict, permissions, status line.

Each is parsed, combined with what is registered already, and described for the user.
"""

import difflib
import os
import shlex
from collections.abc import Iterable, Sequence
from contextlib import suppress

import click

from hookd.cli.install import scope, settings_file
from hookd.cli.install.scope import Target
from hookd.cli.lib.claude_version import Client
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import at_terminal
from hookd.clients.claude_code import status_line_entry
from hookd.clients.claude_code.permission_entries import COMMANDS, ENTRIES, present
from hookd.clients.claude_code.status_line_entry import LINE_SHIM, LineShim
from hookd.clients.hook_groups import Json, Shim
from hookd.core.model.fail_policy import BLOCKS, CLOSABLE, NO_VERDICT, USUAL, WHY_NOT
from hookd.core.model.shim_config import AUTO
from hookd.events.protocol import EVENTS
from hookd.system import ancestry

DEFAULT = [spec.name for spec in EVENTS.values() if spec.registered]
"""Events that are registered by default, in the order of a session's life."""

DEFAULT_WORD = "default"
"""Means the default events, in --events and --fail-closed."""

_REFUSED = "WorktreeCreate"
# Its hook has to print the path of a worktree that it made; silence fails the creation. hookd is
# silent by design, and making worktrees in git's place is not its task.
_REFUSAL = (
    f"{_REFUSED} is refused: registering it replaces git worktree add, and hookd makes no "
    "worktree, so every creation would fail."
)
_CLOSABLE_NAMES = ", ".join(CLOSABLE)
_JUDGE, _OPEN, _CLOSED = NO_VERDICT
_COMMAND_NAMES = f"`{COMMANDS[0]}` and other commands for agents"
_ASKS_LATER = "install asks about the permission entries when it runs at a terminal"


def parse_events(texts: Iterable[str]) -> list[str]:
    """Return the events that --events names, each once, in the order of the protocol.

    Raise Problem for an unknown event, and for an event that hookd cannot serve.
    """
    words = [word for text in texts for word in text.replace(",", " ").split()]
    names = {name for word in words for name in _events_of(word)}
    if not names:
        raise Problem("--events names no event.", "Name some: --events PreToolUse,Stop")
    return [name for name in EVENTS if name in names]


def unchanged_events(registered: Iterable[str]) -> list[str]:
    """Return the events of an install without --events: those registered, else the default."""
    names = set(registered) - {_REFUSED}
    return [name for name in EVENTS if name in names] or DEFAULT


def events_text(events: list[str]) -> str:
    """Return the number and the names of events, relative to the default if that is shorter."""
    more = [name for name in events if name not in DEFAULT]
    fewer = [name for name in DEFAULT if name not in events]
    if len(more) + len(fewer) >= len(events):
        return f"{len(events)}: {', '.join(events)}"
    text = f"{len(events)}, the default"
    text += f" without {', '.join(fewer)}" if fewer else ""
    return text + (f" and {', '.join(more)}" if more else "")


def event_notes(events: list[str], registered: list[str], *, chosen: bool) -> list[str]:
    """Return notes for the user about a set of events, a sentence each.

    `registered` are the events before; `chosen` is whether the user named the set.
    """
    notes = []
    if not chosen and registered and set(DEFAULT) - set(events):
        notes.append(
            f"the events are those registered before; --events {DEFAULT_WORD} registers all"
            f" {len(DEFAULT)}"
        )
    lost = [] if chosen else [name for name in registered if name not in events]
    notes += [f"{name}: its entry is removed, hookd does not serve it" for name in lost]
    if "PreToolUse" not in events:
        notes.append("PreToolUse is not registered: no guard rule is asked about a call")
    return notes


def _events_of(word: str) -> list[str]:
    if word == DEFAULT_WORD:
        return DEFAULT
    if word == _REFUSED:
        raise Problem(_REFUSAL, f"Omit {_REFUSED}. Nothing was changed.")
    if word in EVENTS:
        return [word]
    hint = suggestion(word, (*EVENTS, DEFAULT_WORD))
    step = f"Spell it as Claude Code does; {DEFAULT_WORD} means the {len(DEFAULT)} usual ones."
    raise Problem(f'"{word}" is not an event of Claude Code.{hint}', step)


def suggestion(word: str, names: Iterable[str]) -> str:
    """Return a question that suggests similar names, with a space before it; "" without any."""
    known = {name.lower(): name for name in names}
    lower = word.lower()
    near = [lower] if lower in known else difflib.get_close_matches(lower, known)
    return f" Did you mean {' or '.join(known[name] for name in near)}?" if near else ""


def parse_fail_closed(text: str | None, *, opened: bool) -> set[str] | None:
    """Return the events that are to fail closed; None without --fail-closed and --fail-open.

    Raise Problem for an unknown event, and for an event that cannot fail closed.
    """
    if opened and text is not None:
        raise Problem(
            "--fail-closed and --fail-open exclude each other.",
            "--fail-closed EVENTS names all that fail closed; --fail-open is for all events.",
        )
    if text is None:
        return set() if opened else None
    words = text.replace(",", " ").split()
    if not words:
        sentence = "--fail-closed names no event."
        raise Problem(sentence, f"Name some of {_CLOSABLE_NAMES}; or --fail-open")
    return {name for word in words for name in _closable_events_of(word)}


def fail_closed_events(
    wanted: set[str] | None, events: Sequence[str], before: Sequence[str]
) -> tuple[str, ...]:
    """Return which of `events` fail closed: the wanted ones, or those that did `before`.

    Raise Problem for a wanted event that is not registered.
    """
    if wanted is None:  # a choice for safety is not lost by running this again
        return tuple(name for name in events if name in before)
    closed = tuple(name for name in events if name in wanted)
    # If the user names no event, the usual ones that are registered are enough.
    missing = [name for name in CLOSABLE if name in wanted and name not in events]
    missing = [name for name in missing if not closed or name not in USUAL]
    if missing:
        sentence = f"{' and '.join(missing)} cannot fail closed: not registered."
        raise Problem(sentence, "Register the events that are to fail closed: --events default")
    return closed


def fail_closed_notes(closed: Sequence[str], client: Client) -> list[str]:
    """Return a note if the client does not support failing closed without the shim."""
    if not closed or (client.version and client.version >= BLOCKS):
        return []
    first = ".".join(map(str, BLOCKS))
    lost = "if the shim itself is missing, these calls run"
    if client.version is None:
        return [f"Claude Code before {first} ignores onFailure: {lost}"]
    return [f"Claude Code {client.text} ignores onFailure, which {first} supports: {lost}"]


def _closable_events_of(word: str) -> tuple[str, ...]:
    if word == DEFAULT_WORD:
        return USUAL
    if word not in EVENTS:
        hint = suggestion(word, (*CLOSABLE, DEFAULT_WORD))
        step = f"These can fail closed: {_CLOSABLE_NAMES}; {DEFAULT_WORD} is {' and '.join(USUAL)}."
        raise Problem(f'"{word}" is not an event of Claude Code.{hint}', step)
    if word not in CLOSABLE:
        why = WHY_NOT.get(word, "hookd never denies it")
        raise Problem(f"{word} cannot fail closed: {why}.", f"These can: {_CLOSABLE_NAMES}.")
    return (word,)


def closed_with_no_verdict(choice: str | None, closed: set[str] | None) -> set[str] | None:
    """Return the events that are to fail closed, given --no-verdict; None: as before.

    `closed` are those of --fail-closed. Raise Problem if the two options contradict each other.
    """
    if choice == _OPEN and closed:
        sentence = "--no-verdict open and --fail-closed contradict each other."
        raise Problem(sentence, "Omit one of them; --no-verdict judge goes with --fail-closed")
    if choice == _CLOSED and closed == set():
        sentence = "--no-verdict closed and --fail-open contradict each other."
        raise Problem(sentence, "Omit one of them; --no-verdict open allows everything")
    if choice == _OPEN:
        return set()
    return closed


def default_closed(
    choice: str | None, closed: Sequence[str], events: Sequence[str]
) -> tuple[str, ...]:
    """Return the events that fail closed: the usual ones for `closed` if none is named."""
    if choice == _CLOSED and not closed:
        return tuple(name for name in events if name in USUAL)
    return tuple(closed)


def no_verdict(choice: str | None, before: str, closed: Sequence[str]) -> str:
    """Return the value of --no-verdict to register; `before` is the registered one or "".

    A registered value is changed if it contradicts the events that fail closed.
    """
    if choice is not None:
        return choice
    if before == _CLOSED and not closed:
        return _JUDGE
    if before == _OPEN and closed:
        return _CLOSED
    return before if before in NO_VERDICT else _JUDGE


def shim(choice: str | None, before: str) -> str:
    """Return the value of --shim to register, "" for `auto`; `before` is the registered one."""
    wanted = before if choice is None else choice
    return "" if wanted == AUTO else wanted


def no_verdict_weakening(before: str, after: str) -> str:
    """Return how a value of --no-verdict weakens the one before it; "" if it does not."""
    order = (_OPEN, _JUDGE, _CLOSED)
    if before not in order or order.index(after) >= order.index(before):
        return ""
    effect = "lets events pass" if after == _OPEN else "judges events"
    return f"{effect} that no daemon answers"


def permission_choice(
    settings: Json,
    before: Sequence[str] | None,
    *,
    wanted: bool | None,
    profile: str,
    ask: bool,
) -> tuple[str, ...] | None:
    """Return the permission entries that the settings are to have; None: no choice was made.

    `before` are the entries that an earlier install added, None if it made no choice. Without
    `wanted`, those that still exist are kept; with `ask`, a person at a terminal chooses once; else
    the profile `workflow` adds them, unless a client runs the command.
    """
    if wanted is not None:
        return ENTRIES if wanted else ()
    if before is not None:
        return present(settings, before)
    if present(settings) == ENTRIES:
        return None
    if ask and at_terminal():
        question = f"Let Claude Code run {_COMMAND_NAMES} without a permission prompt?"
        return ENTRIES if click.confirm(question, default=profile == "workflow") else ()
    if profile == "workflow" and not ancestry.caller_of(os.getpid()).why:
        return ENTRIES
    return None


def permission_notes(own: Sequence[str] | None) -> list[str]:
    """Return a preview's note about the question that it did not ask."""
    return [_ASKS_LATER] if own is None and at_terminal() else []


def permission_weakening(before: Json, after: Json) -> str:
    """Return how the new entries weaken the client's prompts; "" if there are none."""
    added = set(present(after)) - set(present(before))
    return "adds permission entries" if added else ""


def permission_facts(before: Json, after: Json, target: Target) -> Json:
    """Return the entries after an install, the changes, and the command that reverts them."""
    old, new = present(before), present(after)
    where = {"user": "", "file": f" --settings {shlex.quote(str(target.path))}"}.get(
        target.scope, f" --scope {target.scope}"
    )
    option = "--no-permissions" if new else "--permissions"
    return {
        "permissions": {
            "allowed": list(new),
            "put_in": [entry for entry in new if entry not in old],
            "taken_out": [entry for entry in old if entry not in new],
            "command": f"hookd install{where} {option}",
        }
    }


def permissions_text(facts: Json) -> str:
    """Return in one line what changed in the entries, and the command that reverts it."""
    if facts["allowed"]:
        return f"{', '.join(facts['allowed'])}; to remove them: {facts['command']}"
    removed = f"removed {', '.join(facts['taken_out'])}" if facts["taken_out"] else ""
    if not facts["command"]:
        return removed
    return (
        f"{removed or 'no entries'}: Claude Code may ask before {_COMMAND_NAMES}; to change:"
        f" {facts['command']}"
    )


def status_line_shim(settings: Json, hooks: Shim, *, wanted: bool | None) -> LineShim | None:
    """Return the status line to register, or None; without `wanted`, as `settings` have it."""
    if wanted is None:
        wanted = status_line_entry.parse(settings) is not None
    return LineShim(hooks.link(LINE_SHIM)) if wanted else None


def status_line_facts(before: Json, after: Json) -> Json:
    """Return the change of hookd's status line; empty if there is and was none."""
    old, new = (status_line_entry.parse(value) for value in (before, after))
    line = new or old
    return {"status_line": {"registered": bool(new), "own": line.own}} if line else {}


def status_line_notes(settings: Json, target: Target) -> list[str]:
    """Return notes for the user about hookd's status line in the settings of `target`."""
    return status_line_entry.notes(settings) + _hidden_status_line(settings, target)


def _hidden_status_line(settings: Json, target: Target) -> list[str]:
    """Return a note if hookd's status line hides the user's own, which is in a weaker file."""
    line, user = status_line_entry.parse(settings), scope.user_settings()
    if line is None or line.own is not None or target.path == user:
        return []
    with suppress(Problem, RecursionError, OSError):
        theirs = settings_file.read(user).value
        shown = status_line_entry.parse(theirs)
        if "statusLine" in theirs and (shown is None or shown.own is not None):
            step = "to keep it, copy it here and run hookd install --statusline again"
            return [f"these settings hide the statusLine in {user}; {step}"]
    return []
