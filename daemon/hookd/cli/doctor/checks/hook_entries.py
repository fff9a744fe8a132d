"""Read hook entries as Claude Code does: the hooks that run, and malformed entries.

Values in, values out. Nothing is raised: people edit these settings.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hookd.cli.lib.claude_version import EXEC_FORM
from hookd.clients.claude_code.registration import CLOSED, ON_FAILURE, program
from hookd.clients.hook_groups import Json
from hookd.core.model.fail_policy import CLOSABLE, UNHEARD
from hookd.core.model.shim_config import EventRule, ShimConfig
from hookd.core.model.shim_paths import link_event
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass

_NEEDED = {
    "command": ("command",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
    "prompt": ("prompt",),
    "agent": ("prompt",),
}
"""Required texts by the kind of a hook."""

_TEXTS = ("if", "statusMessage", "model")
_FLAGS = ("once", "async", "asyncRewake", "continueOnBlock")
_CHOICES = {"onFailure": ("continue", "block"), "shell": ("bash", "powershell")}
_WIDE = ("", "*", ".*", ".+")
_VALUED = ("--event", "--socket", "--deadline", "--transport", "--hookd", "--send")
"""The options of the shim that take the next word, whatever it is."""


@dataclass(frozen=True)
class Hook:
    """One hook of one layer. `words` are the program and its arguments, as they are started.

    `line` is what `sh` gets where no arguments are passed to the program. `config` is what the shim
    reads beside a link of a scope's folder, or None.
    """

    layer: str
    file: Path
    event: str
    matcher: str
    value: Json
    words: tuple[str, ...]
    line: str = ""
    config: ShimConfig | None = None

    @property
    def ours(self) -> bool:
        """Whether it starts hookd's shim."""
        return program(self.value) is not None

    @property
    def linked(self) -> bool:
        """Whether it starts the shim by a scope's link, which has a configuration beside it."""
        return self.ours and link_event(self.words[0]) is not None

    @property
    def rule(self) -> EventRule | None:
        """The configuration of the event that the link is named after; None without."""
        event = link_event(self.words[0]) if self.words else None
        return self.config.events.get(event) if self.config and event else None

    @property
    def transports(self) -> tuple[str, ...]:
        """The shim's transports to the socket, as `KIND:/path`, in their order."""
        named = self.option("--transport")
        if self.config and "--transport" not in self.words:
            return self.config.transports
        return () if named is None else (named,)

    def started(self, version: tuple[int, int, int] | None) -> tuple[str, ...]:
        """Return the command by which a client of that version starts it; None: a newer one."""
        if "args" in self.value and (version is None or version >= EXEC_FORM):
            return self.words
        return ("/bin/sh", "-c", self.line)

    @property
    def wide(self) -> bool:
        """Whether it runs at every delivery of its event."""
        spec = EVENTS.get(self.event)
        # FileChanged's matcher is the list of files to watch.
        bound = spec is not None and spec.match and self.event != "FileChanged"
        return "if" not in self.value and (not bound or self.matcher in _WIDE)

    @property
    def closed(self) -> bool:
        """Whether the shim denies the event without an answer."""
        rule = self.rule
        return self.event in CLOSABLE and (CLOSED in self.words or bool(rule and rule.closed))

    @property
    def blocked(self) -> bool:
        """Whether the client denies the event if the shim cannot run."""
        aside = self.value.get("async") or self.value.get("asyncRewake")
        heard = self.event not in UNHEARD and not aside
        return heard and self.value.get(ON_FAILURE) == "block"

    @property
    def timeout(self) -> float | None:
        """Seconds that Claude Code waits for it; None if the entry has no timeout."""
        return self.value.get("timeout")

    def option(self, name: str) -> str | None:
        """Return the value of an option as the shim reads it; None if it has none.

        Of two arguments, the later one counts; without one, the configuration beside a link.
        """
        words, found = iter(self.words[1:]), None
        for word in words:
            if word in _VALUED:
                value = next(words, None)
                found = value if word == name else found
        return self._configured(name) if found is None else found

    def _configured(self, name: str) -> str | None:
        if name == "--event":
            return link_event(self.words[0]) if self.words else None
        if self.config is None:
            return None
        rule, transports = self.rule, self.config.transports
        known = {
            "--socket": self.config.socket,
            "--hookd": self.config.hookd,
            "--deadline": str(rule.deadline) if rule else "",
            "--transport": transports[0] if transports else "",
        }
        return known.get(name) or None


@dataclass(frozen=True)
class Flaw:
    """A malformed entry and its event; `path` are the keys that lead to it."""

    event: str
    path: str
    reason: str

    @property
    def spoils(self) -> bool:
        """Whether Claude Code then applies nothing of the whole file."""
        # These two may guard the permissions in the same file.
        return self.event in ("", "PreToolUse", "PermissionRequest")

    @property
    def text(self) -> str:
        """The path and the reason."""
        return f"{self.path} {self.reason}"


def parse_hooks(
    settings: Json, layer: str, file: Path, project: Path
) -> tuple[tuple[Hook, ...], tuple[Flaw, ...]]:
    """Return the hooks that run and what is malformed; a malformed hook kills its matcher group."""
    hooks, flaws = list[Hook](), list[Flaw]()
    named = settings.get("hooks", {})
    if not isinstance(named, dict):
        return (), (Flaw("", "hooks", "must be an object"),)
    for event, groups in named.items():
        if event not in EVENTS:
            continue
        if not isinstance(groups, list):
            flaws.append(Flaw(event, f"hooks.{event}", "must be a list"))
            continue
        for at, group in enumerate(groups):
            wrong = list(_flaws(event, f"hooks.{event}[{at}]", group))
            flaws += wrong
            if not wrong:
                matcher = group.get("matcher") or ""
                hooks += [
                    Hook(layer, file, event, matcher, hook, *_started(hook, project))
                    for hook in group["hooks"]
                ]
    return tuple(hooks), tuple(flaws)


def _started(hook: Json, project: Path) -> tuple[tuple[str, ...], str]:
    """Return the program and its arguments, and the line that `sh` gets without them."""
    if hook["type"] != "command":
        return (), ""
    words = (program(hook) or hook["command"], *hook.get("args", ()), hook["command"])
    # Half of a surrogate pair is valid in JSON, but in no argument.
    clean = (word.encode("utf-8", "replace").decode() for word in words)
    *given, line = (word.replace("${CLAUDE_PROJECT_DIR}", str(project)) for word in clean)
    return tuple(given), line


def _flaws(event: str, path: str, group: Any) -> Iterator[Flaw]:
    if not isinstance(group, dict):
        yield Flaw(event, path, "must be an object")
        return
    if not isinstance(group.get("matcher", ""), str):
        yield Flaw(event, f"{path}.matcher", "must be text")
    hooks = group.get("hooks")
    if not isinstance(hooks, list):
        yield Flaw(event, f"{path}.hooks", "must be a list")
        return
    for at, hook in enumerate(hooks):
        if reason := _reason(hook):
            yield Flaw(event, f"{path}.hooks[{at}]", reason)


def _reason(hook: Any) -> str:
    """Return the error of one hook, "" if there is none."""
    if not isinstance(hook, dict):
        return "must be an object"
    kind = hook.get("type")
    if not isinstance(kind, str) or kind not in _NEEDED:
        return f"must have a type: one of {', '.join(_NEEDED)}"
    for name in _NEEDED[kind]:
        if not isinstance(hook.get(name), str):
            return f"must have a text {name}"
    return next((f"has a wrong {name}" for name in hook if not _fits(name, hook[name])), "")


def _fits(name: str, value: Any) -> bool:
    """Return whether a key that every kind may have has a valid value; other keys are valid."""
    if name == "timeout":
        return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    if name == "args":
        return isinstance(value, list) and all(map(_is_argument, value))
    if name == "command":
        return _is_argument(value)
    if name in _TEXTS:
        return isinstance(value, str)
    if name in _FLAGS:
        return isinstance(value, bool)
    return name not in _CHOICES or value in _CHOICES[name]


def _is_argument(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value
