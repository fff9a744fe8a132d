"""The home of who else hooks: what runs beside hookd at the events that it is registered for."""

import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, ok
from hookd.cli.doctor.checks.settings_layers import Layer

_PATHS = ("/", "~", "$", ".")


def check_others(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Tell which other hooks run at the same events; they are no fault."""
    hooks = [hook for layer in layers for hook in layer.hooks]
    mine = {hook.event for hook in hooks if hook.ours}
    beside = defaultdict[str, list[Hook]](list)
    for hook in hooks:
        if not hook.ours and hook.event in mine:
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
