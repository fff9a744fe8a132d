"""The home of a user's hook as hookd knows it, in whatever form its settings had it.

No pydantic here: the terminal half reads it.
"""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hookd.core.model.verdict import Opinion


HookType = Literal["command", "http", "prompt"]
OnFailure = Literal["warn", "block", "ask"]
"""What follows where a hook fails: a line in the log, a block, or a question to the user.

As `on_failure` it is about a command that ends with any code but 0, as `on_error` about one that
gave no answer at all: a timeout, a program that is not there, an address that cannot be reached.
"""

Layer = Literal["user", "plugin", "project", "local", "cli", "managed"]
"""Where settings come from, the weakest first."""

Form = Literal["nested", "flat", "opta"]
"""Claude Code's own form; entries that stand right below their event; the array of Opta."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a hook stands: its file, absolute, and the key in it, `hooks.Stop[0].hooks[1]`."""

    layer: Layer
    path: str
    key: str
    form: Form = "nested"


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook in its normal form.

    `event` is Claude Code's name. `matcher` is as the user wrote it, None for all; `condition` is
    the permission rule of `if`. A command runs by a shell, or with `args` as a program of its own.
    `timeout` is in seconds. `chain` names the group whose hooks run one after the other, None where
    it runs beside all others. `background` ones are not waited for; with `rewake` what they say is
    told to the model later. `always` runs it also where the call is denied already. `env_sets`
    are further sets of variables that it is given: `opta`, `plain`. `on_error` is what follows
    where it gave no answer.
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
        """What it does, as the user wrote it."""
        if self.type == "http":
            return self.url
        return (
            self.prompt if self.type == "prompt" else " ".join((self.command, *(self.args or ())))
        )


@dataclass(frozen=True, slots=True)
class HookExecution:
    """What became of one run of a hook.

    `exit_code` is None where it did not end by itself; `fault` says then why in words (`timed out
    after 5 s`, `could not be started: ...`). `stdout` and `stderr` are decoded, replaced where they
    are no UTF-8, and as long as is kept; `truncated` says that more came.
    What an address or a model answers stands in `stdout`.
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
    """A run of a hook with what it said: `opinion` is None for silence, `notes` are for the log."""

    execution: HookExecution
    opinion: "Opinion | None" = None
    notes: tuple[str, ...] = ()


HandlerKey = tuple[object, ...]


def handler_key(hook: Hook) -> HandlerKey:
    """Return what a hook does: the same one runs once for an event, whoever registered it."""
    headers = tuple(sorted(hook.headers))
    what = (hook.type, hook.command, hook.args, hook.url, headers, hook.prompt, hook.model)
    return (*what, hook.condition)


def entry_key(hook: Hook) -> HandlerKey:
    """Return what makes two entries one: the event, the matcher and the handler."""
    return (hook.event, hook.matcher, *handler_key(hook))


def derived_id(hook: Hook) -> str:
    """Return the name of a hook that has none: the same in whatever file and form it stands."""
    text = json.dumps(entry_key(hook), separators=(",", ":"))
    return f"{hook.event}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def unique_id(hook: Hook, taken: Collection[str]) -> str:
    """Return the name of a hook among others: its own, else the derived one, else a numbered one.

    Two hooks never have one name: what is said of one would be said of the other.
    """
    derived, number = derived_id(hook), 2
    for wanted in (hook.id, derived):
        if wanted not in taken:
            return wanted
    while f"{derived}.{number}" in taken:
        number += 1
    return f"{derived}.{number}"


def without_duplicates(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
    """Return the hooks without a handler twice: of two, the managed one, else one that decides."""
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
