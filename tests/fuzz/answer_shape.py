"""What each event's answer may hold, written down from the client's side: it knows nothing of ours.

The client throws away a whole answer for one known field of a wrong type, and a denial with it.
"""

import json
from typing import Any

_TEXT, _FLAG, _OBJECT, _LIST = (str,), (bool,), (dict,), (list,)
_ANY = (str, int, float, bool, dict, list, type(None))

# fmt: off
_BLOCKS = {
    "UserPromptSubmit", "UserPromptExpansion", "PostToolUse", "PostToolBatch", "Stop",
    "SubagentStop", "TaskCreated", "PreCompact", "ConfigChange",
}
_QUIET = {
    "InstructionsLoaded", "StopFailure", "Notification", "PreCompact", "PostCompact", "SessionEnd",
    "Elicitation", "ElicitationResult", "ConfigChange", "CwdChanged", "FileChanged",
    "DirectoryAdded", "WorktreeCreate", "WorktreeRemove",
}
# fmt: on
"""Events of the client's reduced engine: it reads neither `continue` nor `systemMessage`."""
_CONTEXT = {"additionalContext": _TEXT}
_PERMISSION = {"permissionDecision": _TEXT, "permissionDecisionReason": _TEXT}
_PROMPT = _CONTEXT | {"sessionTitle": _TEXT, "suppressOriginalPrompt": _FLAG}
_OUTPUT = {"updatedToolOutput": _ANY, "updatedMCPToolOutput": _ANY, "classifierContext": _TEXT}
_REPLY = {"action": _TEXT, "content": _OBJECT}
_STARTS = {"initialUserMessage": _TEXT, "sessionTitle": _TEXT, "reloadSkills": _FLAG}
_WATCHES = {"watchPaths": _LIST}
SPECIFIC: dict[str, dict[str, tuple[type, ...]]] = {
    "SessionStart": _CONTEXT | _STARTS | _WATCHES,
    "Setup": _CONTEXT,
    "UserPromptSubmit": _PROMPT,
    "UserPromptExpansion": _PROMPT,
    "PreToolUse": _CONTEXT | _PERMISSION | {"updatedInput": _OBJECT},
    "PermissionRequest": {"decision": _OBJECT},
    "PermissionDenied": {"retry": _FLAG},
    "PostToolUse": _CONTEXT | _OUTPUT,
    "PostToolUseFailure": _CONTEXT,
    "PostToolBatch": _CONTEXT,
    "SubagentStart": _CONTEXT,
    "SubagentStop": _CONTEXT,
    "Stop": _CONTEXT,
    "PostModelSwitch": _CONTEXT,
    "PreModelSwitch": _PERMISSION,
    "MessageDisplay": {"displayContent": _TEXT},
    "Elicitation": _REPLY,
    "ElicitationResult": _REPLY,
    "CwdChanged": _WATCHES,
    "FileChanged": _WATCHES,
}
_DECISIONS = {
    "PreToolUse": ("allow", "deny", "ask", "defer"),
    "PreModelSwitch": ("allow", "deny", "ask"),
}
# Around a compaction the client takes what is printed as text, whatever its names are.
_COMPACTING = {"PreCompact": {"customInstructions": _TEXT}, "PostCompact": {"message": _TEXT}}
_CAP = 10_000


def wrong(event: str, answer: Any) -> str:
    """Return what the client would not take of an answer to this event; empty: it takes it."""
    if answer is None:
        return ""
    if not isinstance(answer, dict) or not answer:
        return "it is no object, or an empty one"
    top = _top(event)
    own = answer.get("hookSpecificOutput", {"hookEventName": event})
    found = [f"there is no {key}" for key in answer if key not in {*top, "hookSpecificOutput"}]
    found += _mistyped(answer, top)
    if answer.get("decision", "block") != "block":
        found.append("a decision is block, or not there")
    if not isinstance(own, dict) or own.get("hookEventName") != event:
        return "hookSpecificOutput is of another event"
    specific = SPECIFIC.get(event, {}) | {"hookEventName": _TEXT}
    found += [f"there is no {key} in hookSpecificOutput" for key in own if key not in specific]
    found += [*_mistyped(own, specific), *_undecided(event, own)]
    return "; ".join(found)


def line(event: str, text: bytes) -> str:
    """Return what is wrong with what a shim printed: nothing, or one answer on one line."""
    if not text:
        return ""
    if not text.endswith(b"\n") or b"\n" in text[:-1]:
        return "it is not one line"
    try:
        return wrong(event, json.loads(text))
    except ValueError as error:
        return f"it is no JSON: {error}"


def _top(event: str) -> dict[str, tuple[type, ...]]:
    top = {"terminalSequence": _TEXT, "suppressOutput": _FLAG}
    if event not in _QUIET:
        top |= {"continue": _FLAG, "stopReason": _TEXT, "systemMessage": _TEXT}
    if event == "DirectoryAdded":
        top |= {"systemMessage": _TEXT}
    if event in _BLOCKS:
        top |= {"decision": _TEXT, "reason": _TEXT}
    return top | _COMPACTING.get(event, {})


def _mistyped(value: dict[str, Any], kinds: dict[str, tuple[type, ...]]) -> list[str]:
    found = []
    for key, kind in kinds.items():
        if key not in value:
            continue
        one = value[key]
        if not isinstance(one, kind):
            found.append(f"{key} is of a wrong type")
        elif kind is _TEXT and len(one.encode("utf-16-le", "surrogatepass")) > 2 * _CAP:
            found.append(f"{key} is longer than the client takes")
    return found


def _undecided(event: str, own: dict[str, Any]) -> list[str]:
    words = _DECISIONS.get(event)
    if words and own.get("permissionDecision", words[0]) not in words:
        return ["permissionDecision is no word of this event"]
    decision = own.get("decision")
    if event == "PermissionRequest" and isinstance(decision, dict):
        known = {"allow": {"updatedInput", "updatedPermissions"}, "deny": {"message", "interrupt"}}
        behavior = decision.get("behavior")
        if behavior not in known or decision.keys() - known[behavior] != {"behavior"}:
            return ["decision is none that the client takes"]
    return []
