"""The built-in guard rules, in the shape that `guards.add` takes: off until somebody sets one."""

from collections.abc import Mapping
from typing import Any

_FULL = {"type": "contextThreshold", "condition": {"gte": "overflow"}}
_GETS_FREE = ["AskUserQuestion", "Skill", "Bash(hookd *)"]
_CHANGES_HOOKD = [
    "Bash(hookd guard add *)",
    "Bash(hookd guard remove *)",
    "Bash(hookd stop *)",
    "Bash(hookd restart *)",
    "Bash(hookd install *)",
    "Bash(hookd uninstall *)",
    "Bash(hookd rpc *)",
    "Bash(hookd dialogue export *)",
    "Bash(python* -m hookd *)",
]
_NO_EFFORT = (
    "no effort is active in this window, so there is nowhere to log the work. A skill starts one"
    " (the Skill tool), and so does the command."
)

BUILTIN: Mapping[str, Mapping[str, Any]] = {
    "overflow-dehydration": {
        "description": "In a nearly full window, only the handover can still be written.",
        "trigger": _FULL,
        "payload": {
            "text": "the context window is $contextUsage full; the rest of it is kept for a"
            " handover. Write one as a JSON file (summary, lastAction, nextSteps, requiredFiles),"
            " save it, and tell the user that a new window can go on from there.",
            "command": "hookd handover save FILE",
        },
        "urgency": "block",
        "priority": 1,
        "whitelist": ["Bash(hookd *)", "Write", "AskUserQuestion"],
    },
    "session-gate": {
        "description": "Without an effort, things can be read but not done.",
        "trigger": {"type": "lifecycle", "condition": {"noActiveSession": True}},
        "payload": {"text": _NO_EFFORT, "command": "hookd effort start TASK_DIR SKILL"},
        "urgency": "block",
        "priority": 2,
        "whitelist": [*_GETS_FREE, "Read", "Glob", "Grep"],
    },
    "idle-gate": {
        "description": "Without an effort, an effort is started first; nothing is read either.",
        "trigger": {"type": "lifecycle", "condition": {"eq": "none"}},
        "payload": {"text": _NO_EFFORT, "command": "hookd effort start TASK_DIR SKILL"},
        "urgency": "block",
        "priority": 3,
        "whitelist": _GETS_FREE,
    },
    "read-throttle": {
        "description": "In a nearly full window, files are read in parts.",
        "trigger": _FULL,
        "toolFilter": {"include": ["Read"]},
        "payload": {
            "text": "the context window is $contextUsage full. Parts of a file take less of it:"
            " head, tail or sed -n '10,40p' FILE in Bash, Grep with a few lines of context, Glob"
            " for names. The next window can read the whole: hookd handover save FILE.",
        },
        "urgency": "block",
        "priority": 4,
    },
    "preload": {
        "description": "Tells which files are on their way to the window.",
        "trigger": {
            "type": "discovery",
            "condition": {"field": "pendingPreloads", "nonEmpty": True},
        },
        "payload": {"text": "These files come with hookd's answers: $pendingPreloads"},
        "urgency": "allow",
    },
    "hookd-self": {
        "description": "What changes hookd itself is asked about first.",
        "toolFilter": {"include": _CHANGES_HOOKD},
        "payload": {"text": "this changes hookd itself, or what it guards. Is it meant?"},
        "urgency": "ask",
    },
    "synthesis-commands": {
        "description": "Tells, once in a window, how the work of an effort is brought together.",
        "trigger": {"type": "phase", "condition": {"matches": "Synthesis"}},
        "payload": {
            "text": "Phase $phase: what came of the work is written down in $task, beside its log"
            " ($logPath), and then the effort is finished.",
            "command": "hookd effort finish",
        },
        "urgency": "allow",
        "inject": "once",
    },
}
"""Every built-in rule by its name."""

POLICIES: Mapping[str, tuple[str, str]] = {
    "heartbeat-block": ("block", "Denies calls when none was logged for long."),
    "heartbeat-warn": ("allow", "Reminds of the log before that."),
}
"""What is the policy `heartbeat`, which holds from the start: urgency and description."""
