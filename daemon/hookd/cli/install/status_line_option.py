"""The home of whether `hookd install` registers a status line, and of what it says of it."""

from contextlib import suppress

from hookd.cli.install import scope, settings_file
from hookd.cli.install.scope import Target
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import status_line_entry
from hookd.clients.claude_code.registration import Json, Shim
from hookd.clients.claude_code.status_line_entry import LINE_SHIM, LineShim


def shim(settings: Json, hooks: Shim, *, wanted: bool | None) -> LineShim | None:
    """Return the status line to register, or None; without a wish, it is as `settings` have it."""
    if wanted is None:
        wanted = status_line_entry.parse(settings) is not None
    return LineShim(hooks.link(LINE_SHIM)) if wanted else None


def facts(before: Json, after: Json) -> Json:
    """Return what becomes of our status line; nothing where there is none and was none."""
    old, new = (status_line_entry.parse(value) for value in (before, after))
    found = new or old
    return {"status_line": {"registered": bool(new), "own": found.own}} if found else {}


def notes(settings: Json, target: Target) -> list[str]:
    """Return what a person should know of our status line in the settings of `target`."""
    return status_line_entry.notes(settings) + _hidden(settings, target)


def _hidden(settings: Json, target: Target) -> list[str]:
    """Say that the user's own status line is not seen where a stronger file holds ours alone."""
    found, user = status_line_entry.parse(settings), scope.user_settings()
    if found is None or found.own is not None or target.path == user:
        return []
    with suppress(Problem, RecursionError, OSError):
        theirs = settings_file.read(user).value
        shown = status_line_entry.parse(theirs)
        if "statusLine" in theirs and (shown is None or shown.own is not None):
            step = "to keep it, copy it here and run hookd install --statusline again"
            return [f"these settings hide the statusLine in {user}; {step}"]
    return []
