"""`hookd install --permissions`: let the client run hookd's own commands without asking."""

import os
import shlex
from collections.abc import Sequence

import click

from hookd.cli.install.scope import Target
from hookd.cli.lib.person import at_terminal
from hookd.clients.claude_code.permission_entries import COMMANDS, ENTRIES, present
from hookd.clients.claude_code.registration import Json
from hookd.system import ancestry

_NAMES = " and ".join(f"`{command}`" for command in COMMANDS)
_ASKED = "install asks about the permission entries when it runs at a terminal"


def chosen(
    settings: Json,
    before: Sequence[str] | None,
    *,
    wanted: bool | None,
    profile: str,
    ask: bool,
) -> tuple[str, ...] | None:
    """Return the entries that the settings are to have of hookd; None: no choice was made.

    `before` are the entries that an earlier install put in, None if it had no choice. Without a
    wish, those that are still there stay; with `ask`, a person at a terminal chooses once; else the
    profile `workflow` adds them, unless a client runs the command.
    """
    if wanted is not None:
        return ENTRIES if wanted else ()
    if before is not None:
        return present(settings, before)
    if present(settings) == ENTRIES:
        return None
    if ask and at_terminal():
        question = f"Let Claude Code run {_NAMES} without a permission prompt?"
        return ENTRIES if click.confirm(question, default=profile == "workflow") else ()
    if profile == "workflow" and not ancestry.caller_of(os.getpid()).why:
        return ENTRIES
    return None


def notes(own: Sequence[str] | None) -> list[str]:
    """Return what a preview says of the question that it did not ask."""
    return [_ASKED] if own is None and at_terminal() else []


def loosens(before: Json, after: Json) -> str:
    """Return how the new entries weaken the client's prompts, "" if there are none."""
    added = set(present(after)) - set(present(before))
    return "adds permission entries" if added else ""


def facts(before: Json, after: Json, target: Target) -> Json:
    """Return which entries the settings have, which come and go, and the command to change it."""
    old, new = present(before), present(after)
    where = {"user": "", "file": f" --settings {shlex.quote(str(target.path))}"}.get(
        target.scope, f" --{target.scope}"
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


def told(found: Json) -> str:
    """Return in one line what was done with the entries, and the command to change it."""
    if found["allowed"]:
        return f"{', '.join(found['allowed'])}; to take them out: {found['command']}"
    gone = f"took out {', '.join(found['taken_out'])}" if found["taken_out"] else ""
    if not found["command"]:
        return gone
    return (
        f"{gone or 'no entries'}: Claude Code may ask before {_NAMES}; to change:"
        f" {found['command']}"
    )
