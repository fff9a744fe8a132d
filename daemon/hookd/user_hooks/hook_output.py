"""Output of a user hook, parsed: nothing, plain text, an answer, or a fault in it.

As in Claude Code, an answer is one JSON object and nothing beside it, and one known key of a
wrong type voids the whole of it.
"""

import json
from collections.abc import Mapping
from typing import Any

from hookd import json_text
from hookd.events.answer_fields import (
    OF_EVENT,
    Check,
    is_flag,
    is_object,
    is_one_of,
    is_text,
    is_text_list,
)
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

_DEEPEST = 90
"""Levels of an answer: no real one has ten, and what writes it again gives up beyond some 200."""

_BLANK = lazy_compile(r"\s*")

_TOP: Mapping[str, Check] = {
    "continue": is_flag,
    "stopReason": is_text,
    "suppressOutput": is_flag,
    "decision": is_one_of("approve", "block"),
    "reason": is_text,
    "systemMessage": is_text,
    "terminalSequence": is_text,
}

_REASON = "permissionDecisionReason"


@dataclass(frozen=True, slots=True)
class Output:
    """A parsed stdout: `text` if it is no answer, `fault` if it is a wrong one.

    `blocks` is the reason of a top-level `decision: "block"`, None without one: it applies even if
    the rest names another event. `handed_over` is the answer of a hook that continues in the
    background and decides nothing.
    """

    text: str = ""
    answer: Mapping[str, Any] | None = None
    fault: str = ""
    blocks: str | None = None
    handed_over: bool = False

    @property
    def specific(self) -> Mapping[str, Any]:
        """The part of the answer that is for this event."""
        own = (self.answer or {}).get("hookSpecificOutput")
        return own if isinstance(own, dict) else {}


def parse(stdout: str, event: str, *, cut: bool = False) -> Output:
    """Read what a hook printed at an event. `cut` says that its end may be missing."""
    said = stdout.strip().strip("\ufeff").strip()
    if not said.startswith("{"):
        return Output(text=said)
    if _hands_over(said.partition("\n")[0]) or _hands_over(said):
        return Output(handed_over=True)
    if not said.endswith("}") and not cut:
        return Output(text=said)
    try:
        return _checked(_object(said), event)
    except ValueError as error:
        if not cut and _several(said):
            return Output(text=said)
        why = "longer than hookd keeps" if cut else f"no valid JSON: {error}"
        return Output(fault=f"its answer is {why}")


def refusal(event: str, reason: str) -> str:
    """Return what a hook prints on an event to refuse it; on a failed call, a text for the model.

    No output refuses an event that only the end of the turn blocks: exit code 2 does.
    """
    decides = EVENTS[event].decides
    if decides == "block":
        return json_text.dump({"decision": "block", "reason": reason}).decode()
    specific = {"hookEventName": event}
    if decides in ("permission", "switch"):
        specific |= {"permissionDecision": "deny", _REASON: reason}
    else:
        specific["additionalContext"] = reason
    return json_text.dump({"hookSpecificOutput": specific}).decode()


def _hands_over(line: str) -> bool:
    if '"async"' not in line:
        return False
    try:
        return _object(line).get("async") is True
    except ValueError:
        return False


def _object(said: str) -> dict[str, Any]:
    try:
        value = json.loads(said, parse_constant=_refuse, parse_int=_number)
    except RecursionError:
        value = None
    if not isinstance(value, dict) or _deeper(value, _DEEPEST):
        raise ValueError("nested too deeply")
    return _without_surrogates(value) if "\\u" in said else value


def _without_surrogates(value: dict[str, Any]) -> dict[str, Any]:
    """Return the value with halves of characters, which cannot be written, as question marks."""
    flat = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    clean: dict[str, Any] = json.loads(flat)
    return clean


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _number(digits: str) -> int | float:
    # Python refuses to read integers of more than 4,300 digits; JavaScript rounds them.
    return int(digits) if len(digits) < 300 else float(digits)


def _deeper(value: Any, levels: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return bool(parts) and (levels == 0 or any(_deeper(part, levels - 1) for part in parts))


def _several(said: str) -> bool:
    """Return whether a text is several JSON documents."""
    at, found, decoder = 0, 0, json.JSONDecoder()
    while at < len(said):
        try:
            _, end = decoder.raw_decode(said, at)
        except (ValueError, RecursionError):
            return False
        blank = _BLANK.match(said, end)
        at, found = (blank.end() if blank else end), found + 1
    return found > 1


def _checked(value: dict[str, Any], event: str) -> Output:
    if wrong := _wrong(value, _TOP):
        return Output(fault=wrong)
    blocks = None
    if value.get("decision") == "block" and event != "PermissionRequest":
        blocks = value.get("reason", "")
    own = value.get("hookSpecificOutput", {"hookEventName": event})
    if not isinstance(own, dict):
        return Output(fault='its answer has a wrong "hookSpecificOutput"')
    if own.get("hookEventName") != event:
        named = own.get("hookEventName")
        why = f"is for {named}" if is_text(named) else 'has no "hookEventName"'
        return Output(fault=f'its "hookSpecificOutput" {why}', blocks=blocks)
    if wrong := _wrong(own, _checks(event)):
        return Output(fault=wrong)
    return Output(answer=value, blocks=blocks)


def _wrong(given: Mapping[str, Any], checks: Mapping[str, Check]) -> str:
    """Return a clause about the first known key with a wrong type, "" if there is none."""
    wrong = (name for name in given if name in checks and not checks[name](given[name]))
    return next((f'its answer has a wrong "{name}"' for name in wrong), "")


def _checks(event: str) -> dict[str, Check]:
    decides = EVENTS[event].decides if event in EVENTS else None
    fields = OF_EVENT.get(event, ())
    checks = {field.key: field.check for field in fields if field.place == "specific"}
    if event in EVENTS and (EVENTS[event].context or event == "Notification"):
        checks["additionalContext"] = is_text
    if decides == "permission":
        checks |= {
            "permissionDecision": is_one_of("allow", "deny", "ask", "defer"),
            _REASON: is_text,
        }
        checks["updatedInput"] = is_object
    if decides == "switch":
        checks |= {"permissionDecision": is_one_of("allow", "deny", "ask"), _REASON: is_text}
    if decides == "request":
        checks["decision"] = _decision
    return checks


def _decision(value: Any) -> bool:
    """Return whether a value is the decision of a PermissionRequest."""
    if not isinstance(value, dict) or value.get("behavior") not in ("allow", "deny"):
        return False
    checks: dict[str, Check] = {"updatedInput": is_object, "updatedPermissions": _permissions}
    if value["behavior"] == "deny":
        checks = {"message": is_text, "interrupt": is_flag}
    return all(check(value[name]) for name, check in checks.items() if name in value)


def _permissions(value: Any) -> bool:
    return isinstance(value, list) and all(map(_permission, value))


_PLACES = is_one_of("userSettings", "projectSettings", "localSettings", "session", "cliArg")
_BEHAVIORS = is_one_of("allow", "deny", "ask")


def _rules(value: Any) -> bool:
    return isinstance(value, list) and all(
        is_object(rule) and is_text(rule.get("toolName")) and is_text(rule.get("ruleContent", ""))
        for rule in value
    )


_RULES: Mapping[str, Check] = {"rules": _rules, "behavior": _BEHAVIORS}
_FOLDERS: Mapping[str, Check] = {"directories": is_text_list}
_UPDATES: Mapping[str, Mapping[str, Check]] = {
    "addRules": _RULES,
    "replaceRules": _RULES,
    "removeRules": _RULES,
    "addDirectories": _FOLDERS,
    "removeDirectories": _FOLDERS,
    "setMode": {"mode": is_text},
}


def _permission(value: Any) -> bool:
    """Return whether a value is a change of permissions that the client takes."""
    if not isinstance(value, dict) or not is_text(value.get("type")):
        return False
    checks = _UPDATES.get(value["type"])
    if checks is None or not _PLACES(value.get("destination")):
        return False
    return all(check(value.get(name)) for name, check in checks.items())
