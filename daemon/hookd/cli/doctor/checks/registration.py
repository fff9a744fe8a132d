"""The home of where hookd is registered, and of what keeps an entry from being run as it should."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from hookd.cli.doctor.checks.fail_policy import check_failing
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.doctor.checks.settings_layers import MANAGED, Layer, install
from hookd.core.model.shim_paths import SHIM, link_event
from hookd.events.protocol import EVENTS

_CHECK = "registration"
_SHOWN = 4
"""Names that a finding lists."""
_DEFAULT = [spec.name for spec in EVENTS.values() if spec.registered]


def check_settings(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Tell which settings files Claude Code does not take, whole or in part."""
    step = "mend the file, then hookd doctor"
    for layer in layers:
        if layer.refused:
            say = fail if layer.names else warn
            what = f"Claude Code applies nothing of {layer.path}: {layer.refused}."
            yield say("settings", what, step)
        for flaw in () if layer.refused else layer.flaws:
            what = f"Claude Code drops a group of hooks in {layer.path}: {flaw.text}."
            yield warn("settings", what, step)


def check_registration(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Tell which events are registered where, which are missing, and which entries are weak."""
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
    """Tell of command lines that hold the shim, but not as their program."""
    for hook in (hook for layer in layers for hook in layer.hooks):
        parts = [part for word in hook.words for part in word.split()]
        if not hook.ours and any(SHIM in part or link_event(part) for part in parts):
            what = f"{hook.event} in {hook.file} names {SHIM} within a longer command line: "
            step = f"take it out, then {install(hook.layer)}"
            yield warn(_CHECK, f"{what}hookd does not know it as its own.", step)


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
        yield warn(_CHECK, f"{what}{shown}{more}.", f"{again}, unless it is meant")
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
        what = f'{", ".join(events)} stands under "{matcher}" in {file}: hookd sees nothing else.'
        step = 'make the matcher "*" and take out any "if", unless it is meant'
        yield warn(_CHECK, what, step)


def _unanswerable(ours: list[Hook]) -> Iterator[Finding]:
    """Tell of entries whose answer does not arrive, or arrives as another event's."""
    for hook in ours:
        where, renew = f"{hook.event} in {hook.file}", install(hook.layer)
        named, deadline = hook.option("--event"), _number(hook.option("--deadline"))
        if named not in (hook.event, None):
            yield fail(_CHECK, f"{where} is sent as another event: --event {named}.", renew)
        if EVENTS[hook.event].can_block_tool and (
            hook.value.get("async") or hook.value.get("asyncRewake")
        ):
            what = f"{where} runs async: Claude Code does not wait for its decision."
            yield fail(_CHECK, what, 'take "async" out of the entry')
        if hook.timeout is not None and deadline is not None and hook.timeout <= deadline:
            what = f"{where}: Claude Code waits {hook.timeout:g} s, the shim {deadline} s"
            yield warn(_CHECK, f"{what}, so its fail policy may never run.", renew)


def _number(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else None


def _twice(ours: list[Hook]) -> Iterator[Finding]:
    """Tell which events run more than one command line; the client runs equal ones once."""
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
    """Return how to take hookd out of one of the files; an administrator's is not the user's."""
    managed = {hook.file for hook in ours if hook.layer == MANAGED}
    mine = [file for file in files if file not in managed]
    if len(files) == 1 or not mine:
        return "take out all but one of them"
    return f"hookd uninstall --settings {mine[0]}"


def _overlap(hooks: list[Hook]) -> bool:
    """Say whether two different command lines of one event would run at one delivery."""
    lines = defaultdict[str, set[tuple[str, ...]]](set)
    for hook in hooks:
        lines["" if hook.wide else hook.matcher].add((*hook.words, str(hook.value.get("if"))))
    every = set[tuple[str, ...]]().union(*lines.values())
    return len(every) > 1 and ("" in lines or any(len(some) > 1 for some in lines.values()))
