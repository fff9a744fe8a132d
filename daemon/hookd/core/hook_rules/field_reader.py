"""Field reader: the keys of a hook's entry, and typed access that collects problems."""

from collections.abc import Mapping
from typing import TypeVar

from hookd.core.hook_rules.model import HookType
from hookd.core.hook_rules.problems import Findings, json_kind, printable, text_problem

COMMON_KEYS = (
    "type",
    "if",
    "timeout",
    "timeout_ms",
    "statusMessage",
    "once",
    "async",
    "background",
    "asyncRewake",
    "rewake",
    "on_failure",
    "onFailure",
    "on_error",
    "blocking",
    "always",
    "inherit_env",
    "env_compat",
    "id",
    "disabled",
)
"""The keys of every entry."""

TYPE_KEYS: dict[HookType, tuple[str, ...]] = {
    "command": ("command", "args", "shell"),
    "http": ("url", "headers", "allowedEnvVars"),
    "prompt": ("prompt", "model", "continueOnBlock"),
}
"""The keys of a single type; the first is required."""

GROUP_KEYS = ("matcher", "hooks", "sequential")
"""The keys of a group in Claude Code's form."""

_OWNER = {key: type_ for type_, keys in TYPE_KEYS.items() for key in keys}
_T = TypeVar("_T")


class FieldReader:
    """Typed access to one entry's keys; problems are added to the findings.

    `broken` is True after an error: then the entry is ignored.
    """

    def __init__(self, values: Mapping[str, object], key: str, findings: Findings) -> None:
        self._values = values
        self._key = key
        self._findings = findings
        self.broken = False

    def add_error(self, name: str, sentence: str) -> None:
        """Add an error at a key, which breaks the entry."""
        self.broken = True
        self._findings.add_error(f"{self._key}.{name}", sentence)

    def add_warning(self, name: str, sentence: str) -> None:
        """Add a warning at a key."""
        self._findings.add_warning(f"{self._key}.{name}", sentence)

    def first_key(self, *names: str) -> str | None:
        """Return the first of several synonymous keys that exists, None without one."""
        there = [name for name in names if name in self._values]
        for name in there[1:]:
            self.add_warning(name, f"the same as `{there[0]}`, which counts")
        return there[0] if there else None

    def flag(self, name: str | None) -> bool | None:
        """Return a boolean, None if missing."""
        value = self._at(name, bool, "must be true or false")
        return value if isinstance(value, bool) else None

    def text(self, name: str, *, needed: bool = False) -> str:
        """Return a text, "" if missing; a `needed` text must not be empty."""
        value = self._at(name, str, "must be text")
        text = value if isinstance(value, str) else ""
        if said := text_problem(text):
            self.add_error(name, said)
        elif needed and name not in self._values:
            self.add_error(name, "is missing")
        elif needed and isinstance(value, str) and not text.strip():
            self.add_error(name, "must not be empty")
        return text

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Return a list of texts, None if missing."""
        value = self._at(name, list, "must be a list of texts")
        if not isinstance(value, list):
            return None
        for at, one in enumerate(value):
            if not isinstance(one, str):
                self.add_error(f"{name}[{at}]", f"must be text, but is {json_kind(one)}")
            elif said := text_problem(one):
                self.add_error(f"{name}[{at}]", said)
        return tuple(one for one in value if isinstance(one, str))

    def pairs(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return the items of an object of texts."""
        value = self._at(name, dict, "must be an object of texts")
        if not isinstance(value, dict):
            return ()
        for key, one in value.items():
            if not isinstance(one, str):
                self.add_error(name, f"{printable(key)} must be text, but is {json_kind(one)}")
            elif said := text_problem(key + one):
                self.add_error(name, f"{printable(key)} {said}")
        return tuple((key, one) for key, one in value.items() if isinstance(one, str))

    def choice(self, name: str | None, choices: Mapping[str, _T]) -> _T | None:
        """Return the value for the word at a key, None if missing."""
        value = None if name is None else self._values.get(name)
        if isinstance(value, str) and value in choices:
            return choices[value]
        if name is not None and name in self._values:
            *most, last = map(ascii, choices)
            self.add_error(
                name, f"must be {', '.join(most)} or {last}" if most else f"must be {last}"
            )
        return None

    def number(self, name: str) -> float | None:
        """Return a number above 0, None if missing."""
        value = self._values.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return value
        if name in self._values:
            self.add_error(name, "must be a number above 0")
        return None

    def warn_unknown_keys(self, type_: HookType, *further: str) -> None:
        """Add a warning for each key that an entry of this type does not have."""
        known = (*COMMON_KEYS, *TYPE_KEYS[type_], *further)
        for name in self._values:
            if name in known:
                continue
            if name in _OWNER:
                self.add_warning(name, f"is for the type `{_OWNER[name]}`; it has no effect here")
            elif name in GROUP_KEYS:
                self.add_warning(name, "belongs into the group, beside `hooks`; no effect here")
            else:
                near = self._findings.did_you_mean(name, known)
                self._findings.add_warning(self._key, f"no such key: {printable(name)}{near}")

    def _at(self, name: str | None, wanted: type, sentence: str) -> object:
        value = None if name is None else self._values.get(name)
        if name is not None and name in self._values and not isinstance(value, wanted):
            self.add_error(name, f"{sentence}, but is {json_kind(value)}")
        return value
