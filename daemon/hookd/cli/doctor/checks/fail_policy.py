"""The home of what becomes of each event where hookd gives no answer, as the settings have it."""

from collections.abc import Iterable, Iterator, Sequence

from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, ok, warn
from hookd.cli.doctor.checks.settings_layers import Layer, install
from hookd.clients.claude_code.fail_closed import CLOSABLE
from hookd.events.protocol import EVENTS

_CHECK = "fail policy"


def check_failing(layer: Layer, ours: Sequence[Hook]) -> Iterator[Finding]:
    """Report for one layer what happens without a verdict, and without the shim itself."""
    under = {name: [hook for hook in ours if hook.event == name] for name in EVENTS}
    found = {name: hooks for name, hooks in under.items() if hooks}
    closed = [name for name, hooks in found.items() if all(one.closed for one in hooks)]
    blocked = [name for name, hooks in found.items() if all(one.blocked for one in hooks)]
    yield ok(_CHECK, f"{layer.name} settings, no verdict: {_told(closed, 'the shim', found)}.")
    what = f"{layer.name} settings, no shim: {_told(blocked, 'Claude Code', found)}."
    if set(closed) - set(blocked):
        yield warn(_CHECK, what, f"{install(layer.name)}, which asks Claude Code for it, too")
    else:
        yield ok(_CHECK, what)


def _told(refused: Sequence[str], by: str, found: Iterable[str]) -> str:
    """Return what is refused, and what goes on: by name where it could be refused."""
    open_ = [name for name in found if name not in refused]
    named = [name for name in open_ if name in CLOSABLE]
    others = len(open_) - len(named)
    rest = [*named, *([f"{others} other{'s' * (others > 1)}"] if others else [])]
    goes = "goes" if len(open_) == 1 else "go"
    on = f"{_listed(rest)} {goes} on" if rest else ""
    verb = "is" if len(refused) == 1 else "are"
    no = f"{_listed(refused)} {verb} refused by {by}" if refused else ""
    return "; ".join(part for part in (no, on) if part)


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
