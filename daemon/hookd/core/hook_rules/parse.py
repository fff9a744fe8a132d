"""Parse the hooks of a settings file, in any dialect, into hooks in normal form.

An invalid entry is a problem with its file and key; the other entries apply. No pydantic here: the
command line imports it.
"""

import shlex
from collections.abc import Mapping
from dataclasses import replace

from hookd.config.deprecated_keys import current_settings
from hookd.core.hook_rules.dialects import Entry, left_to_claude, unfold
from hookd.core.hook_rules.field_reader import TYPE_KEYS, FieldReader
from hookd.core.hook_rules.if_condition import rule_problem
from hookd.core.hook_rules.model import Hook, HookType, OnFailure, Source, derived_id
from hookd.core.hook_rules.problems import Findings, Problem, json_kind
from hookd.core.hook_rules.sources import HookFileLocation
from hookd.core.model.shim_paths import SHIM, is_shim
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

DEFAULT_TIMEOUTS_S = {"PreToolUse": 10.0, "UserPromptSubmit": 10.0, "SessionEnd": 1.0}
DEFAULT_TIMEOUT_S = 60.0
"""Default timeout in seconds; shorter on events that delay the user."""

MIN_TIMEOUT_S, MAX_TIMEOUT_S = 0.1, 600.0
"""Limits of a hook's timeout in seconds."""

IF_EVENTS = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "PermissionDenied",
)
"""The events that support `if`; on others a hook with it would never run."""

_ENDS = ("Stop", "SubagentStop", "TaskCompleted", "TeammateIdle")
_TYPES: dict[str, HookType] = {"command": "command", "http": "http", "prompt": "prompt"}
_REACTIONS: dict[str, OnFailure] = {
    "warn": "warn",
    "block": "block",
    "ask": "ask",
    "continue": "warn",
}
_SETS: dict[str, str] = {"opta": "opta", "plain": "plain"}
_SET_OF: dict[str, tuple[str, ...]] = {"opta": ("opta",), "gencode": ("plain",)}
_ID = lazy_compile(r"[A-Za-z0-9_.-]+")
_DISABLED = "disabled_hooks"


@dataclass(frozen=True, slots=True)
class ParsedHooks:
    """Hooks and policies of one file.

    `disabled_hooks` are disabled by their own entry. `disabled_ids` are the ids, or globs of ids,
    of hooks of weaker layers that the file disables; `disabled_key` is that list's name in the
    file. `policies` is None in the user's own settings, which are read as a whole elsewhere.
    """

    place: HookFileLocation
    hooks: tuple[Hook, ...] = ()
    problems: tuple[Problem, ...] = ()
    disabled_ids: tuple[str, ...] = ()
    disabled_hooks: tuple[Hook, ...] = ()
    policies: Mapping[str, object] | None = None
    disabled_key: str = _DISABLED

    @property
    def is_empty(self) -> bool:
        """Return whether the file has no hooks, disables none and has no policy settings."""
        return not (self.hooks or self.disabled_ids or self.policies)


def parse_hooks(document: object, place: HookFileLocation) -> ParsedHooks:
    """Return the hooks in the JSON value of a settings file; never raises."""
    findings = Findings(place.path)
    layer = place.layer != "user" or place.dialect != "hookd"
    current = current_settings(document, layer=layer)
    for one in current.deprecations:
        findings.add_warning(one.key, one.advice)
    hooks: list[Hook] = []
    off: list[Hook] = []
    for entry in unfold(document, place, findings):
        if _calls_us(entry.values):
            continue  # a hook that calls the daemon would recurse forever
        if place.dialect == "claude" and _waits_for_mail(entry.values):
            continue  # an entry of hookd's own, for a day; doctor has a check of it
        given = FieldReader(entry.values, entry.key, findings)
        hook, disabled = _hook(entry, given), given.flag("disabled")
        if hook is not None and not given.broken:
            (off if disabled else hooks).append(hook)
    disabled_key = current.key_in_file(_DISABLED)
    ids = _disabled_ids(current.value, disabled_key, findings)
    policies = _policies(current.value, place, findings)
    problems = findings.problems()
    return ParsedHooks(place, tuple(hooks), problems, ids, tuple(off), policies, disabled_key)


def _hook(entry: Entry, given: FieldReader) -> Hook | None:
    """Return the hook of an entry, None if its type is unknown."""
    type_ = _type(entry, given)
    if type_ is None:
        return None
    given.warn_unknown_keys(type_, *entry.extra_keys)
    place = entry.place
    on_failure, on_error = _reactions(entry, given)
    rewake = bool(given.flag(given.first_key("asyncRewake", "rewake")))
    hook = Hook(
        id="",
        event=entry.event,
        type=type_,
        source=Source(place.layer, place.path, entry.key, entry.form),
        matcher=entry.matcher,
        condition=_condition(entry, given),
        timeout=_timeout(entry, given),
        status_message=given.text("statusMessage"),
        on_failure=on_failure,
        chain=entry.chain,
        background=bool(given.flag(given.first_key("async", "background"))) or rewake,
        rewake=rewake,
        always=bool(given.flag("always")),
        inherit_env=bool(given.flag("inherit_env")),
        env_sets=_env_sets(entry, given),
        on_error=on_error,
    )
    if given.flag("once"):
        given.add_warning("once", "has no effect in settings: the hook runs each time")
    whole = _handled(hook, given)
    return replace(whole, id=_id(entry, given) or derived_id(whole))


def _type(entry: Entry, given: FieldReader) -> HookType | None:
    named = entry.values.get("type", "command" if entry.form == "opta" else None)
    if isinstance(named, str) and named in _TYPES:
        return _TYPES[named]
    if named in ("mcp_tool", "agent"):
        if entry.place.runs:  # a hook that Claude Code runs is in the right place
            why = f"is run by Claude Code alone: {left_to_claude(entry.place)}"
            given.add_error("type", f"`{named}` {why}")
    else:
        meant = next((key for key, (first, *_) in TYPE_KEYS.items() if first in entry.values), None)
        near = f'; write "type": "{meant}"' if meant else ""
        given.add_error("type", f"must be command, http or prompt{near}")
    return None


def _handled(hook: Hook, given: FieldReader) -> Hook:
    """Return the hook with its command, URL or prompt."""
    if hook.type == "command":
        given.choice("shell", {"bash": "bash"})
        return replace(hook, command=given.text("command", needed=True), args=given.texts("args"))
    if hook.type == "http":
        url = given.text("url", needed=True)
        if url.strip() and not url.startswith(("http://", "https://")):
            given.add_error("url", "must begin with http:// or https://")
        allowed = given.texts("allowedEnvVars") or ()
        return replace(hook, url=url, headers=given.pairs("headers"), allowed_env=allowed)
    if given.flag("continueOnBlock") is False:
        given.add_warning("continueOnBlock", "has no effect: a blocked call never ends the turn")
    model = given.text("model") or None
    return replace(hook, prompt=given.text("prompt", needed=True), model=model)


def _condition(entry: Entry, given: FieldReader) -> str | None:
    if "if" not in entry.values:
        return None
    if entry.event not in IF_EVENTS:
        given.add_error("if", f"{entry.event} has no `if`: the hook would never run; remove it")
    rule = given.text("if", needed=True)
    if rule.strip() and (said := rule_problem(rule)):
        given.add_error("if", f"{said}; the hook would never run")
    return rule


def _timeout(entry: Entry, given: FieldReader) -> float:
    """Return the timeout in seconds, within the limits."""
    standard = DEFAULT_TIMEOUTS_S.get(entry.event, DEFAULT_TIMEOUT_S)
    name = given.first_key("timeout_ms", "timeout")
    value = given.number(name) if name else None
    if name is None or value is None:
        return standard
    in_ms = name == "timeout_ms" or entry.dialect in {"opta", "gencode"}
    unit, word = (1000, "milliseconds") if in_ms else (1, "seconds")
    if not in_ms and value > 3600:
        given.add_warning(
            name, "looks like milliseconds, but is in seconds; 600, the most, is taken"
        )
    elif value > MAX_TIMEOUT_S * unit:
        given.add_warning(name, f"{MAX_TIMEOUT_S * unit:.0f} {word} are the most, and are taken")
    elif value < MIN_TIMEOUT_S * unit:
        seconds = ", not seconds" if in_ms else ""
        given.add_warning(
            name, f"{MIN_TIMEOUT_S * unit:g} {word} are the least, and are taken{seconds}"
        )
    return max(MIN_TIMEOUT_S, min(value, MAX_TIMEOUT_S * unit) / unit)


def _reactions(entry: Entry, given: FieldReader) -> tuple[OnFailure, OnFailure]:
    """Return the reactions to a failure and to a missing answer."""
    name = given.first_key("on_failure", "onFailure")
    chosen, blocking = given.choice(name, _REACTIONS), given.flag("blocking")
    cancels = entry.dialect == "opta" and entry.event == "PreToolUse"
    failed: OnFailure = "block" if (cancels if blocking is None else blocking) else "warn"
    error = given.choice("on_error", _REACTIONS)
    # Claude Code's key applies to both, but never blocks a stop.
    if error is None and name == "onFailure" and entry.event not in _ENDS:
        error = chosen
    return chosen or failed, error or "warn"


def _env_sets(entry: Entry, given: FieldReader) -> tuple[str, ...]:
    if "env_compat" not in entry.values:
        return _SET_OF.get(entry.dialect, ())
    if isinstance(entry.values["env_compat"], str):
        chosen = given.choice("env_compat", _SETS)
        return (chosen,) if chosen else ()
    names = given.texts("env_compat") or ()
    if not set(names) <= set(_SETS):
        given.add_error("env_compat", "must hold nothing but 'opta' and 'plain'")
    return tuple(dict.fromkeys(names))


def _id(entry: Entry, given: FieldReader) -> str:
    """Return the id that the user chose, "" without one."""
    if "id" not in entry.values:
        return ""
    chosen = given.text("id", needed=True)
    if chosen.strip() and not _ID.fullmatch(chosen):
        given.add_error("id", "must be made of letters, digits, dots, dashes and underscores")
    # One entry for two events is two hooks, and each has a name.
    return f"{chosen}.{entry.event}" if entry.several_events else chosen


def _calls_us(given: Mapping[str, object]) -> bool:
    """Return whether an entry's command is, or starts, a shim of hookd."""
    command, args = given.get("command"), given.get("args")
    words = args if isinstance(args, list) else []
    if isinstance(command, str) and (SHIM in command or "shims/" in command):
        words = [*words, command, *_split(command)]
    return any(isinstance(word, str) and is_shim(word) for word in words)


def _waits_for_mail(given: Mapping[str, object]) -> bool:
    """Return whether an entry of Claude Code is that of `hookd install --wake`."""
    command = given.get("command")
    words = _split(command) if isinstance(command, str) else []
    *_, name = ["", *words[:-2]]
    return words[-2:] == ["mail", "wake"] and name.rpartition("/")[2] == "hookd"


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _policies(
    document: object, place: HookFileLocation, findings: Findings
) -> Mapping[str, object] | None:
    said = document.get("policies") if isinstance(document, dict) else None
    if said is None or place.dialect != "hookd" or place.layer in ("user", "plugin"):
        return None
    if not isinstance(said, dict):
        findings.add_error("policies", f"must be an object, but is {json_kind(said)}")
        return None
    return said


def _disabled_ids(document: object, key: str, findings: Findings) -> tuple[str, ...]:
    listed = document.get(_DISABLED, []) if isinstance(document, dict) else []
    if not isinstance(listed, list):
        findings.add_error(key, f"must be a list of ids, but is {json_kind(listed)}")
        return ()
    for at, one in enumerate(listed):
        if not isinstance(one, str) or not one:
            why = "must be an id of a hook, or a glob such as `lint-*`"
            findings.add_error(f"{key}[{at}]", why)
    return tuple(one for one in listed if isinstance(one, str) and one)
