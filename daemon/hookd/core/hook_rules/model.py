"""User hook model: a hook in normal form, its execution, and the keys that make hooks equal.

No pydantic here: the command line imports it.
"""

import hashlib
import json
from collections.abc import Collection
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from hookd.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hookd.core.model.verdict import Opinion


HookType = Literal["command", "http", "prompt"]
OnFailure = Literal["warn", "block", "ask"]
"""Reaction to a failed hook: a line in the log, a block, or a question to the user.

`on_failure` applies if a command exits with a code other than 0, `on_error` if there is no answer:
a timeout, a missing program, an unreachable address.
"""

Layer = Literal["user", "plugin", "project", "local", "cli", "managed"]
"""Layers of settings, the weakest first."""

Form = Literal["nested", "flat", "opta"]
"""Claude Code's form; entries directly below their event; the array of Opta."""


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a hook: its file, absolute, and its key, `hooks.Stop[0].hooks[1]`."""

    layer: Layer
    path: str
    key: str
    form: Form = "nested"


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook in its normal form.

    `event` is Claude Code's name. `matcher` is as the user wrote it, None for all; `condition` is
    the permission rule of `if`. A command runs by a shell, or with `args` as a program of its own.
    `timeout` is in seconds. `chain` names the group whose hooks run one after the other, None if it
    runs in parallel. `background` hooks are not waited for; with `rewake` their output is given to
    the model later. `always` runs it even if the call is denied already. `env_sets` are further
    sets of variables: `opta`, `plain`. `on_error` is the reaction to a missing answer.
    """

    id: str
    event: str
    type: HookType
    source: Source
    matcher: str | None = None
    condition: str | None = None
    command: str = ""
    args: tuple[str, ...] | None = None
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    allowed_env: tuple[str, ...] = ()
    prompt: str = ""
    model: str | None = None
    timeout: float = 60.0
    status_message: str = ""
    on_failure: OnFailure = "warn"
    chain: str | None = None
    background: bool = False
    rewake: bool = False
    always: bool = False
    inherit_env: bool = False
    env_sets: tuple[str, ...] = ()
    on_error: OnFailure = "warn"

    @property
    def action(self) -> str:
        """The command, URL or prompt, as the user wrote it."""
        if self.type == "http":
            return self.url
        return (
            self.prompt if self.type == "prompt" else " ".join((self.command, *(self.args or ())))
        )


@dataclass(frozen=True, slots=True)
class HookExecution:
    """The result of one run of a hook.

    `exit_code` is None if it did not exit; then `fault` is the reason (`timed out after 5 s`,
    `could not be started: ...`). `stdout` and `stderr` are decoded, with invalid UTF-8 replaced,
    and cut; `truncated` says that there was more. The answer of an endpoint is in `stdout`.
    """

    hook: Hook
    exit_code: int | None = None
    stdout: str = ""
    stderr: str = ""
    milliseconds: float = 0.0
    fault: str = ""
    timed_out: bool = False
    truncated: bool = False
    started_background: bool = False
    notes: tuple[str, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class HookRun:
    """A run of a hook with its opinion, None for silence; `notes` are for the log."""

    execution: HookExecution
    opinion: "Opinion | None" = None
    notes: tuple[str, ...] = ()


HandlerKey = tuple[object, ...]


def handler_key(hook: Hook) -> HandlerKey:
    """Return the key of a hook's action: hooks with the same key run once for an event."""
    headers = tuple(sorted(hook.headers))
    what = (hook.type, hook.command, hook.args, hook.url, headers, hook.prompt, hook.model)
    return (*what, hook.condition)


def entry_key(hook: Hook) -> HandlerKey:
    """Return the key of an entry: the event, the matcher and the action."""
    return (hook.event, hook.matcher, *handler_key(hook))


def derived_id(hook: Hook) -> str:
    """Return the id of a hook without one: the same in every file and form."""
    text = json.dumps(entry_key(hook), separators=(",", ":"))
    return f"{hook.event}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def unique_id(hook: Hook, taken: Collection[str]) -> str:
    """Return the id of a hook among others: its own, else the derived one, else a numbered one."""
    derived, number = derived_id(hook), 2
    for wanted in (hook.id, derived):
        if wanted not in taken:
            return wanted
    while f"{derived}.{number}" in taken:
        number += 1
    return f"{derived}.{number}"


def without_duplicates(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
    """Return the hooks with each action once: the managed hook wins, else a blocking one."""
    chosen: dict[object, Hook] = {}
    for hook in hooks:
        before = chosen.get(handler_key(hook))
        if before is None or _strength(hook) > _strength(before):
            chosen[handler_key(hook)] = hook
    kept = set(map(id, chosen.values()))
    return tuple(hook for hook in hooks if id(hook) in kept)


def _strength(hook: Hook) -> tuple[bool, bool, bool]:
    firm = hook.on_failure == "block" or hook.on_error == "block"
    return hook.source.layer == "managed", not hook.background, firm
