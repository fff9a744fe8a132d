"""Registration checks: registered events, the client's version, and the fail policy."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, State, fail, found, ok, warn
from hookd.cli.doctor.checks.settings_layers import MANAGED, Layer, install
from hookd.cli.lib import claude_version
from hookd.cli.lib.claude_version import EXEC_FORM, Client
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code.registration import ON_FAILURE
from hookd.core.model.fail_policy import BLOCKS, CLOSABLE
from hookd.core.model.shim_paths import SHIM, link_event
from hookd.events.protocol import EVENTS

_CHECK = "registration"
_SHOWN = 4
"""Names that a finding lists."""
_DEFAULT = [spec.name for spec in EVENTS.values() if spec.registered]


def check_settings(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Report settings files that Claude Code ignores, whole or in part."""
    step = "fix the file, then hookd doctor"
    for layer in layers:
        if layer.refused:
            say = fail if layer.names else warn
            what = f"Claude Code applies nothing of {layer.path}: {layer.refused}."
            yield say("settings", what, step)
        for flaw in () if layer.refused else layer.flaws:
            what = f"Claude Code drops a group of hooks in {layer.path}: {flaw.text}."
            yield warn("settings", what, step)


def check_registration(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Report registered and missing events, and entries that weaken them."""
    ours = [hook for layer in layers for hook in layer.hooks if hook.ours]
    for layer in layers:
        if mine := [hook for hook in ours if hook.file == layer.path]:
            yield ok(_CHECK, _places(layer, mine))
            yield from check_failing(layer, mine)
    yield from _strange(layers)
    yield from _missing(ours)
    yield from _narrow(ours)
    yield from _unanswerable(ours)
    yield from _twice(ours)


def _places(layer: Layer, ours: list[Hook]) -> str:
    events = dict.fromkeys(hook.event for hook in ours)
    names = f": {', '.join(events)}" if len(events) <= 5 else ""
    plural = "event" if len(events) == 1 else "events"
    return f"{layer.name} settings, {layer.path}: {len(events)} {plural}{names}."


def _strange(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Report command lines that name the shim, but not as their program."""
    for hook in (hook for layer in layers for hook in layer.hooks):
        parts = [part for word in hook.words for part in word.split()]
        if not hook.ours and any(SHIM in part or link_event(part) for part in parts):
            what = f"{hook.event} in {hook.file} names {SHIM} within a longer command line: "
            step = f"remove it, then {install(hook.layer)}"
            yield warn(_CHECK, f"{what}hookd does not recognize it as its own.", step)


def _missing(ours: list[Hook]) -> Iterator[Finding]:
    names = {hook.event for hook in ours}
    missing = [name for name in _DEFAULT if name not in names]
    again = install(ours[0].layer, " --events default") if ours else "hookd install"
    if not ours:
        what = "hookd is registered in no settings that Claude Code takes here."
        yield fail(_CHECK, what, again)
    elif "PreToolUse" in missing:
        yield fail(_CHECK, "PreToolUse is not registered: no call of a tool is judged.", again)
    elif missing:
        what = f"{len(missing)} of {len(_DEFAULT)} events are registered nowhere: "
        shown = ", ".join(missing[:_SHOWN])
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        yield warn(_CHECK, f"{what}{shown}{more}.", f"{again}, unless it is intended")
    if "WorktreeCreate" in names:
        what = "WorktreeCreate is registered: Claude Code leaves making worktrees to hookd, "
        yield fail(_CHECK, what + "which makes none.", again)


def _narrow(ours: list[Hook]) -> Iterator[Finding]:
    wide = {hook.event for hook in ours if hook.wide}
    found = defaultdict[tuple[Path, str], list[str]](list)
    for hook in ours:
        if hook.event not in wide:
            found[hook.file, hook.value.get("if") or hook.matcher].append(hook.event)
    for (file, matcher), events in found.items():
        what = f'{", ".join(events)} is under "{matcher}" in {file}: hookd receives no other.'
        step = 'make the matcher "*" and remove any "if", unless it is intended'
        yield warn(_CHECK, what, step)


def _unanswerable(ours: list[Hook]) -> Iterator[Finding]:
    """Report entries whose answer does not arrive, or arrives as another event's."""
    for hook in ours:
        where, renew = f"{hook.event} in {hook.file}", install(hook.layer)
        named, deadline = hook.option("--event"), _number(hook.option("--deadline"))
        if named not in (hook.event, None):
            yield fail(_CHECK, f"{where} is sent as another event: --event {named}.", renew)
        if EVENTS[hook.event].can_block_tool and (
            hook.value.get("async") or hook.value.get("asyncRewake")
        ):
            what = f"{where} runs async: Claude Code does not wait for its decision."
            yield fail(_CHECK, what, 'remove "async" from the entry')
        if hook.timeout is not None and deadline is not None and hook.timeout <= deadline:
            what = f"{where}: Claude Code waits {hook.timeout:g} s, the shim {deadline} s"
            yield warn(_CHECK, f"{what}, so its fail policy may never run.", renew)


def _number(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else None


def _twice(ours: list[Hook]) -> Iterator[Finding]:
    """Report events with more than one command line; the client runs equal ones once."""
    events = defaultdict[str, list[Hook]](list)
    for hook in ours:
        events[hook.event].append(hook)
    found = defaultdict[tuple[Path, ...], list[str]](list)
    for event, hooks in events.items():
        if _overlap(hooks):
            found[tuple(dict.fromkeys(hook.file for hook in hooks))].append(event)
    for files, names in found.items():
        plural = "events run" if len(names) > 1 else "event runs"
        what = f"{len(names)} {plural} hookd more than once, by different command lines in "
        which = " and ".join(map(str, files))
        yield warn(_CHECK, f"{what}{which}: {', '.join(names)}.", _leave(files, ours))


def _leave(files: tuple[Path, ...], ours: list[Hook]) -> str:
    """Return how to remove hookd from one of the files, but not from an administrator's."""
    managed = {hook.file for hook in ours if hook.layer == MANAGED}
    mine = [file for file in files if file not in managed]
    if len(files) == 1 or not mine:
        return "remove all but one of them"
    return f"hookd uninstall --settings {mine[0]}"


def _overlap(hooks: list[Hook]) -> bool:
    """Return whether two different command lines of one event run at one delivery."""
    lines = defaultdict[str, set[tuple[str, ...]]](set)
    for hook in hooks:
        lines["" if hook.wide else hook.matcher].add((*hook.words, str(hook.value.get("if"))))
    every = set[tuple[str, ...]]().union(*lines.values())
    return len(every) > 1 and ("" in lines or any(len(some) > 1 for some in lines.values()))


_CLIENT_CHECK = "claude code"


def check_client(client: Client, ours: Sequence[Hook]) -> Iterator[Finding]:
    """Report what the installed client does not support of the settings."""
    try:
        if note := claude_version.check(client):
            step = "put claude on your PATH: claude --version"
            yield warn(_CLIENT_CHECK, f"{note}.", step)
            return
    except Problem as problem:
        state = State.FAIL if ours else State.WARN
        yield found(_CLIENT_CHECK, state, Problem(problem.message, "claude update"))
        return
    yield ok(_CLIENT_CHECK, f"Claude Code {client.text} is on the PATH.")
    older = dict.fromkeys(hook.event for hook in ours if len(hook.words) > 1)
    if older and client.version and client.version < EXEC_FORM:
        what = f"Claude Code {client.text} ignores the arguments of entries of an older form: "
        yield fail(_CLIENT_CHECK, f"{what}{', '.join(older)}.", "hookd install")
    named = dict.fromkeys(hook.event for hook in ours if ON_FAILURE in hook.value)
    if named and client.version and client.version < BLOCKS:
        what = f"Claude Code {client.text} does not support onFailure, which is set at "
        yield warn(
            _CLIENT_CHECK,
            f"{what}{', '.join(named)}: without the shim they are allowed.",
            "claude update",
        )


_FAIL_POLICY_CHECK = "fail policy"


def check_failing(layer: Layer, ours: Sequence[Hook]) -> Iterator[Finding]:
    """Report for one layer what happens without a verdict, and without the shim itself."""
    under = {name: [hook for hook in ours if hook.event == name] for name in EVENTS}
    found = {name: hooks for name, hooks in under.items() if hooks}
    closed = [name for name, hooks in found.items() if all(one.closed for one in hooks)]
    blocked = [name for name, hooks in found.items() if all(one.blocked for one in hooks)]
    yield ok(
        _FAIL_POLICY_CHECK,
        f"{layer.name} settings, no verdict: {_fail_policy_text(closed, 'the shim', found)}.",
    )
    what = f"{layer.name} settings, no shim: {_fail_policy_text(blocked, 'Claude Code', found)}."
    if set(closed) - set(blocked):
        yield warn(
            _FAIL_POLICY_CHECK, what, f"{install(layer.name)}, which asks Claude Code for it, too"
        )
    else:
        yield ok(_FAIL_POLICY_CHECK, what)


def _fail_policy_text(refused: Sequence[str], by: str, found: Iterable[str]) -> str:
    """Return which events are denied, and which are allowed: by name if they could be denied."""
    open_ = [name for name in found if name not in refused]
    named = [name for name in open_ if name in CLOSABLE]
    others = len(open_) - len(named)
    rest = [*named, *([f"{others} other{'s' * (others > 1)}"] if others else [])]
    goes = "goes" if len(open_) == 1 else "go"
    on = f"{_and_list(rest)} {goes} on" if rest else ""
    verb = "is" if len(refused) == 1 else "are"
    no = f"{_and_list(refused)} {verb} refused by {by}" if refused else ""
    return "; ".join(part for part in (no, on) if part)


def _and_list(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
