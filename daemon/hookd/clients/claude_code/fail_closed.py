"""The home of failing closed: which events can, and what becomes of one that gets no answer.

Only what can be said no to before it happens, and tried again once hookd is back, is in the table.
A refusal of what stands in `WHY_NOT` would do harm, or no good.
"""

CLOSABLE = (
    "PreToolUse",
    "PermissionRequest",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "TaskCreated",
    "PreModelSwitch",
)
"""What can fail closed."""

USUAL = ("PreToolUse", "PermissionRequest")
"""What fails closed where no event is named: all that can keep a tool from running."""

WHY_NOT = {
    "Stop": "an agent would never come to its end",
    "SubagentStop": "a subagent would never come to its end",
    "TaskCompleted": "a task would never come to its end",
    "TeammateIdle": "an agent would never come to its end",
    "PostToolUse": "the tool has run by then",
    "PostToolUseFailure": "the tool has run by then",
    "PostToolBatch": "the tools have run by then",
    "PreCompact": "a window that is full could not be compacted",
    "ConfigChange": "settings that were mended would not be taken",
}
"""Events that could be refused, and must not be."""

NO_VERDICT = ("judge", "open", "closed")
"""What `install --no-verdict` can choose for an event that no daemon answers, the first by default.

`judge`: the guards judge it in a process of their own; where that fails, too, it fails open or
closed, as was chosen for the event. `open` and `closed`: nothing judges it, and all events fail
open, or the usual ones and those that were named fail closed.
"""

UNHEARD = ("Stop", "SubagentStop", "TaskCompleted", "TeammateIdle")
"""Where the client takes no notice of `onFailure`."""

BLOCKS = (2, 1, 295)
"""The first client that knows `onFailure`; older ones drop the key in silence."""
