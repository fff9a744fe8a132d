"""The home of the user's own hooks, as doctor sees them: entries that do not hold, and trust."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hookd.cli import hook_files
from hookd.cli.checks.bounded import ask
from hookd.cli.checks.finding import Finding, State, found, ok, warn
from hookd.cli.problem import Problem

_CHECK = "own hooks"


def check_own_hooks(root: Path) -> Iterator[Finding]:
    """Tell whether the user's own hooks hold in a project as its settings have them."""
    try:
        page = ask("commands.list", {"root": str(root)})
    except Problem as problem:
        yield found(_CHECK, State.FAIL, problem)
        return
    states = [hook["state"] for hook in page["hooks"]]
    if page["problems"]:
        yield _wrong(page["problems"])
    if waiting := states.count("untrusted"):
        what = f"{waiting} of your own hooks {'waits' if waiting == 1 else 'wait'} for your trust."
        yield warn(_CHECK, what, f"hookd trust {root}")
    elif not page["problems"]:
        on = states.count("on")
        yield ok(_CHECK, f"{on} of your own hooks {'holds' if on == 1 else 'hold'} here.")


def _wrong(problems: list[dict[str, Any]]) -> Finding:
    first = next((one for one in problems if one["fatal"]), problems[0])
    where = ": ".join(filter(None, (hook_files.in_home(first["path"]), first["key"])))
    more = f" {len(problems) - 1} more like it." if len(problems) > 1 else ""
    return warn(_CHECK, f"{where}: {first['sentence']}.{more}", "hookd settings check")
