"""JSON-RPC methods and hook event handlers, pure: one per file, and their table.

A method is imported when it is first used, so that a command imports only its own; the daemon
imports all of them once it serves. A hook event without a file here is recorded and answered with
silence.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

from pydantic.alias_generators import to_snake

from hookd.core.model.method import HookMethod, Method
from hookd.events.protocol import EVENTS

_NAMES = (
    "hooks.sessionStart",
    "hooks.setup",
    "hooks.instructionsLoaded",
    "hooks.userPrompt",
    "hooks.userPromptExpansion",
    "hooks.preToolUse",
    "hooks.permissionRequest",
    "hooks.permissionDenied",
    "hooks.postToolUse",
    "hooks.postToolUseFailure",
    "hooks.postToolBatch",
    "hooks.subagentStart",
    "hooks.subagentStop",
    "hooks.taskCreated",
    "hooks.taskCompleted",
    "hooks.teammateIdle",
    "hooks.stop",
    "hooks.stopFailure",
    "hooks.notification",
    "hooks.preCompact",
    "hooks.postCompact",
    "hooks.preModelSwitch",
    "hooks.postModelSwitch",
    "hooks.elicitation",
    "hooks.elicitationResult",
    "hooks.configChange",
    "hooks.cwdChanged",
    "hooks.fileChanged",
    "hooks.directoryAdded",
    "hooks.worktreeRemove",
    "hooks.sessionEnd",
    "session.list",
    "session.updateContextUsage",
    "session.statusLine",
    "session.finish",
    "session.forget",
    "effort.start",
    "effort.preview",
    "effort.resume",
    "effort.phase",
    "effort.list",
    "effort.history",
    "effort.log",
    "effort.finish",
    "task.list",
    "skill.list",
    "handover.list",
    "handover.offer",
    "messages.list",
    "injections.list",
    "events.list",
    "events.body",
    "events.slow",
    "events.subscribe",
    "stats.summary",
    "stats.rebuild",
    "guards.add",
    "guards.list",
    "guards.explain",
    "guards.files",
    "guards.trust",
    "guards.remove",
    "allowances.add",
    "allowances.list",
    "allowances.remove",
    "handover.save",
    "claims.add",
    "claims.release",
    "claims.list",
    "loop.start",
    "loop.cancel",
    "loop.status",
    "agents.register",
    "agents.list",
    "agents.updateStatus",
    "agents.remove",
    "userHooks.list",
    "userHooks.runs",
    "userHooks.trust",
    "userHooks.untrust",
    "fleet.received",
    "fleet.claims",
    "fleet.items",
    "fleet.status",
    "fleet.focus",
    "fleet.subscribe",
    "fleet.join",
    "fleet.leave",
    "fleet.membership",
    "fleet.outbox",
    "fleet.shipped",
    "fleet.reject",
    "fleet.retry",
    "fleet.drop",
    "fleet.restart",
    "fleet.synced",
    "approvals.subscribe",
    "approvals.list",
    "approvals.answer",
    "mail.send",
    "mail.list",
    "mail.inbox",
    "mail.read",
    "mail.allow",
    "mail.drop",
    "mail.subscribe",
    "mail.wake",
    "work.add",
    "work.take",
    "work.done",
    "work.block",
    "work.release",
    "work.list",
    "mcp.caller",
    "run.attach",
    "run.end",
    "caller.check",
    "daemon.status",
    "daemon.query",
    "daemon.integrity",
    "daemon.size",
    "daemon.backup",
    "daemon.compact",
    "daemon.canary",
    "daemon.sweep",
    "daemon.unjudged",
    "daemon.pause",
    "daemon.resume",
    "daemon.stop",
)
"""Every method. Its file has the same name in snake_case, such as session/status_line.py."""

_M = TypeVar("_M", bound=Method)


class _Table(Mapping[str, _M], Generic[_M]):
    """Methods by key, from the name of each; `METHOD` of its module is imported on first use."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._imported: dict[str, _M] = {}

    def __getitem__(self, key: str) -> _M:
        if key not in self._imported:
            module = import_module(f"{__name__}.{to_snake(self._names[key])}")
            self._imported[key] = module.METHOD
        return self._imported[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, key: object) -> bool:
        return key in self._names


_EVENTS = {spec.method: event for event, spec in EVENTS.items()}

METHODS: Mapping[str, Method] = _Table[Method]({name: name for name in _NAMES})
"""Every method by its JSON-RPC name, in the order of the documentation."""

HOOKS: Mapping[str, HookMethod[Any]] = _Table[HookMethod[Any]](
    {_EVENTS[name]: name for name in _NAMES if name in _EVENTS}
)
"""The methods that serve hook events, by the event's name."""
