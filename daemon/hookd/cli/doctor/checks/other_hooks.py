"""Checks of other hooks: foreign ones beside hookd's, and the user hooks that hookd runs."""

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, State, fail, found, ok, warn
from hookd.cli.doctor.checks.settings_layers import Layer, install
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.hooks import own_files
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import wake_entry
from hookd.events.protocol import EVENTS

_PATHS = ("/", "~", "$", ".")


def check_others(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Report foreign hooks at the events of hookd; they are no failure."""
    hooks = [hook for layer in layers for hook in layer.hooks]
    mine = {hook.event for hook in hooks if hook.ours}
    beside = defaultdict[str, list[Hook]](list)
    for hook in hooks:
        if not (hook.ours or wake_entry.program(hook.value)) and hook.event in mine:
            beside[hook.event].append(hook)
    for event, others in beside.items():
        names = dict.fromkeys(f"{_name(hook)} ({hook.layer})" for hook in others)
        yield ok("others", f"{event} runs beside hookd: {', '.join(names)}.")


def _name(hook: Hook) -> str:
    """Return what a hook runs, without its arguments: they may hold secrets."""
    kind = str(hook.value["type"])
    if kind == "http":
        return f"http {_host(hook.value['url'])}"
    if kind == "mcp_tool":
        return f"{hook.value['server']}.{hook.value['tool']}"
    return _program(hook) if kind == "command" else kind


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or "nowhere"
    except ValueError:
        return "nowhere"


def _program(hook: Hook) -> str:
    try:
        words = list(hook.words) if "args" in hook.value else shlex.split(hook.words[0])
    except ValueError:
        return "a command that no shell can read"
    # VAR=value before the program may be a secret, too.
    while words and "=" in words[0]:
        words.pop(0)
    script = words[1:2] if words[1:2] and words[1].startswith(_PATHS) else []
    return " ".join(Path(word).name for word in words[:1] + script) or "nothing"


_USER_HOOKS_CHECK = "own hooks"


def check_user_hooks(root: Path, ours: list[Hook]) -> Iterator[Finding]:
    """Report whether user hooks run in a project, and whether the shim waits long enough.

    `ours` are hookd's entries in all layers.
    """
    try:
        page = ask("userHooks.list", {"root": str(root)})
    except Problem as problem:
        yield found(_USER_HOOKS_CHECK, State.FAIL, problem)
        return
    states = [hook["state"] for hook in page["hooks"]]
    if page["problems"]:
        yield _wrong(page["problems"])
    if waiting := states.count("untrusted"):
        what = f"{waiting} of your own hooks {'waits' if waiting == 1 else 'wait'} for your trust."
        yield warn(_USER_HOOKS_CHECK, what, f"hookd trust {root}")
    elif not page["problems"]:
        on = states.count("on")
        # Older daemons do not tell them; the check of the version says to restart such a daemon.
        yield from _cut(page.get("deadlines", {}), ours)
        yield ok(
            _USER_HOOKS_CHECK, f"{on} of your own hooks {'holds' if on == 1 else 'hold'} here."
        )


def _cut(needs: Mapping[str, int], ours: list[Hook]) -> Iterator[Finding]:
    """Yield the events whose shim waits less than a hook needs, in seconds: the hook is cut."""
    for one in ours:
        text = one.option("--deadline") or ""
        waits = int(text) if text.isascii() and text.isdecimal() else EVENTS[one.event].deadline
        if needs.get(one.event, 0) <= waits:
            continue
        what = f"{one.event} in {one.file}: a hook needs {needs[one.event]} s, and the shim waits"
        found = fail if EVENTS[one.event].can_block_tool else warn
        yield found(_USER_HOOKS_CHECK, f"{what} {waits} s: it is cut.", install(one.layer))


def _wrong(problems: list[dict[str, Any]]) -> Finding:
    first = next((one for one in problems if one["fatal"]), problems[0])
    where = ": ".join(filter(None, (own_files.in_home(first["path"]), first["key"])))
    more = f" {len(problems) - 1} more like it." if len(problems) > 1 else ""
    return warn(_USER_HOOKS_CHECK, f"{where}: {first['sentence']}.{more}", "hookd settings check")
