"""Fail policy: which events can fail closed, and what decides an event without an answer.

An event can fail closed if it can be refused before it happens, and be tried again once hookd is
back. To refuse one in `WHY_NOT` would do harm, or no good.
"""

CLOSABLE = (
    "PreToolUse",
    "PermissionRequest",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "TaskCreated",
    "PreModelSwitch",
)
"""Events that can fail closed."""

USUAL = ("PreToolUse", "PermissionRequest")
"""Events that fail closed if none is named: those that can keep a tool from running."""

WHY_NOT = {
    "Stop": "an agent would never come to its end",
    "SubagentStop": "a subagent would never come to its end",
    "TaskCompleted": "a task would never come to its end",
    "TeammateIdle": "an agent would never come to its end",
    "PostToolUse": "the tool has run by then",
    "PostToolUseFailure": "the tool has run by then",
    "PostToolBatch": "the tools have run by then",
    "PreCompact": "a window that is full could not be compacted",
    "ConfigChange": "repaired settings would not be loaded",
}
"""Events that could be refused, and must not be."""

NO_VERDICT = ("judge", "open", "closed")
"""Values of `install --no-verdict` for an event that no daemon answers; the first is the default.

`judge`: the guards judge it in a separate process; if that fails too, it fails open or closed, as
chosen for the event. `open` and `closed`: nothing judges it; all events fail open, or the usual
ones and those that were named fail closed.
"""

UNHEARD = ("Stop", "SubagentStop", "TaskCompleted", "TeammateIdle")
"""Events on which the client ignores `onFailure`."""

BLOCKS = (2, 1, 295)
"""First version of the client that knows `onFailure`; older ones ignore the key."""
