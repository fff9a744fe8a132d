"""Variables in a guard rule's texts and paths: `$phase`, `$contextUsage`, ...

A value is inserted as plain text: a name inside it is not expanded. `$$` is a dollar.
"""

import re
from collections.abc import Iterable, Mapping

from hookd.core.guard_rules.trigger_match import effort_state, named_list
from hookd.core.model.facts import Facts
from hookd.events.tool_pattern import ToolCall
from hookd.lazy_pattern import lazy_compile

_NAME = lazy_compile(r"\$(\$|[A-Za-z][A-Za-z0-9_]*)")
_LISTS = ("pendingPreloads", "discoveredDirectives", "loadedFiles")
_TEXTS = ("heartbeat", "contextUsage", "phase", "skill", "task", "logPath", "lifecycle", "tool")
NAMES = (*_TEXTS, "toolCalls", *_LISTS)
_PATHS = (*_LISTS, "logPath")
_ROOTS = ("task", "logPath")

Value = str | tuple[str, ...] | None
Values = Mapping[str, Value]


def check_text(text: str) -> str:
    """Return the text of a rule. Raise ValueError with a sentence for an unknown variable."""
    for name in _named(text):
        if name not in NAMES:
            known = ", ".join(f"${one}" for one in NAMES)
            raise ValueError(f"there is no ${name}, only {known}; write $$ for a dollar")
    return text


def check_path(path: str) -> str:
    """Return a path of a rule, or `$name` for paths. Raise ValueError if it is neither."""
    check_text(path)
    alone = _alone(path)
    if alone is not None and alone not in _PATHS:
        known = ", ".join(f"${one}" for one in _PATHS)
        raise ValueError(f"${alone} is no path; {known} are")
    for name in _named(path):
        if alone is None and name in _LISTS:
            raise ValueError(f"${name} is a list: use it alone")
    return path


def variable_values(call: ToolCall, facts: Facts) -> Values:
    """Return the values of all variables for this call; None is unknown."""
    session, effort = facts.session, facts.effort
    usage = session.context_usage if session else None
    return {
        "heartbeat": str(session.heartbeat_counter) if session else None,
        "contextUsage": None if usage is None else f"{usage:.0%}",
        "phase": effort.phase if effort else None,
        "skill": effort.skill if effort else None,
        "task": effort.task_dir if effort else None,
        "logPath": effort.log_path if effort else None,
        "lifecycle": effort_state(effort),
        "tool": call.name,
        "toolCalls": str(session.tool_calls) if session else None,
        **{name: named_list(name, facts) for name in _LISTS},
    }


def expand(text: str, known: Values) -> str:
    """Return a text with its variables expanded; unknown or empty values become `none`."""

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name == "$":
            return "$"
        return _shown(known[name]) if name in known else found[0]

    return _NAME.sub(value, text)


def expand_paths(given: Iterable[str], known: Values) -> tuple[str, ...]:
    """Return the paths that a rule lists, without those with unknown values or that lead away."""
    found: list[str] = []
    for path in given:
        alone = known.get(_alone(path) or "")
        if isinstance(alone, tuple):
            found += alone
        elif all(known.get(name, name) for name in _named(path)) and not leads_elsewhere(
            path, known
        ):
            found.append(expand(path, known))
    return tuple(dict.fromkeys(found))


def leads_elsewhere(path: str, known: Values) -> bool:
    """Return whether a value in a path would lead elsewhere, such as a phase called `../.env`.

    A path may begin with the task or the log.
    """
    inside = (found[1] for found in _NAME.finditer(path) if found.start() or found[1] not in _ROOTS)
    texts = [value for name in inside if isinstance(value := known.get(name), str)]
    if any("/" in text or ".." in text for text in texts):
        return True
    # Two dots can also come together at the edge of a value.
    return _climbs(expand(path, known)) > _climbs(path)


def _climbs(path: str) -> int:
    return path.split("/").count("..")


def _shown(value: Value) -> str:
    return (", ".join(value) if isinstance(value, tuple) else value) or "none"


def _named(text: str) -> tuple[str, ...]:
    return tuple(name for name in _NAME.findall(text) if name != "$")


def _alone(path: str) -> str | None:
    found = _NAME.fullmatch(path)
    return found[1] if found and found[1] != "$" else None
