"""The home of the user's own hooks, as doctor sees them: entries that do not hold, and trust."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, State, fail, found, ok, warn
from hookd.cli.doctor.checks.settings_layers import install
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.hooks import own_files
from hookd.cli.install import deadlines
from hookd.cli.lib.errors import Problem
from hookd.events.protocol import EVENTS

_CHECK = "own hooks"


def check_own_hooks(root: Path, ours: list[Hook]) -> Iterator[Finding]:
    """Report whether the user's own hooks run in a project, and whether they are given their time.

    `ours` are hookd's entries in all layers.
    """
    try:
        page = ask("userHooks.list", {"root": str(root)})
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
        yield from _cut(root, ours)
        yield ok(_CHECK, f"{on} of your own hooks {'holds' if on == 1 else 'hold'} here.")


def _cut(root: Path, ours: list[Hook]) -> Iterator[Finding]:
    """Yield the events whose shim waits less than a hook needs: the hook is cut, and not heard."""
    needs = deadlines.wanted(str(root))
    for one in ours:
        text = one.option("--deadline") or ""
        waits = int(text) if text.isascii() and text.isdecimal() else EVENTS[one.event].deadline
        if needs.get(one.event, 0) <= waits:
            continue
        what = f"{one.event} in {one.file}: a hook needs {needs[one.event]} s, and the shim waits"
        found = fail if EVENTS[one.event].can_block_tool else warn
        yield found(_CHECK, f"{what} {waits} s: it is cut.", install(one.layer))


def _wrong(problems: list[dict[str, Any]]) -> Finding:
    first = next((one for one in problems if one["fatal"]), problems[0])
    where = ": ".join(filter(None, (own_files.in_home(first["path"]), first["key"])))
    more = f" {len(problems) - 1} more like it." if len(problems) > 1 else ""
    return warn(_CHECK, f"{where}: {first['sentence']}.{more}", "hookd settings check")
