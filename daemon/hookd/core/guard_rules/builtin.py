"""Built-in guard rules, in the form that `guards.add` accepts; off until a user adds one."""

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
    "no effort is active in this session, so there is no log for the work. Start one with a skill"
    " (the Skill tool) or the command."
)

BUILTIN: Mapping[str, Mapping[str, Any]] = {
    "overflow-dehydration": {
        "description": "Block everything except the handover in a nearly full context window.",
        "trigger": _FULL,
        "payload": {
            "text": "the context window is $contextUsage full; the rest is reserved for a"
            " handover. Write one as a JSON file (summary, lastAction, nextSteps, requiredFiles),"
            " save it, and tell the user that a new session can continue from it.",
            "command": "hookd handover save FILE",
        },
        "urgency": "block",
        "priority": 1,
        "whitelist": ["Bash(hookd *)", "Write", "AskUserQuestion"],
    },
    "session-gate": {
        "description": "Block changes while no effort is active; reading is allowed.",
        "trigger": {"type": "lifecycle", "condition": {"noActiveSession": True}},
        "payload": {"text": _NO_EFFORT, "command": "hookd effort start TASK_DIR SKILL"},
        "urgency": "block",
        "priority": 2,
        "whitelist": [*_GETS_FREE, "Read", "Glob", "Grep"],
    },
    "idle-gate": {
        "description": "Block everything while no effort is active, reading too.",
        "trigger": {"type": "lifecycle", "condition": {"eq": "none"}},
        "payload": {"text": _NO_EFFORT, "command": "hookd effort start TASK_DIR SKILL"},
        "urgency": "block",
        "priority": 3,
        "whitelist": _GETS_FREE,
    },
    "read-throttle": {
        "description": "Block reading whole files in a nearly full context window.",
        "trigger": _FULL,
        "toolFilter": {"include": ["Read"]},
        "payload": {
            "text": "the context window is $contextUsage full. Read a part of the file: head, tail"
            " or sed -n '10,40p' FILE in Bash, Grep with a few lines of context, Glob for names."
            " The next session can read the whole: hookd handover save FILE.",
        },
        "urgency": "block",
        "priority": 4,
    },
    "preload": {
        "description": "Tell the model which files hookd is about to add.",
        "trigger": {
            "type": "discovery",
            "condition": {"field": "pendingPreloads", "nonEmpty": True},
        },
        "payload": {"text": "hookd adds these files with its next answers: $pendingPreloads"},
        "urgency": "allow",
    },
    "protected-branches": {
        "description": "Block pushes to main, master and release/*, in any spelling.",
        "protectedBranches": ["main", "master", "release/*"],
        "payload": {"text": "push a branch of your own and open a pull request."},
        "urgency": "block",
    },
    "hookd-self": {
        "description": "Ask before commands that change hookd itself.",
        "toolFilter": {"include": _CHANGES_HOOKD},
        "payload": {"text": "this changes hookd itself or its guards. Is it intentional?"},
        "urgency": "ask",
    },
    "synthesis-commands": {
        "description": "Tell the model, once in a session, how to finish an effort.",
        "trigger": {"type": "phase", "condition": {"matches": "Synthesis"}},
        "payload": {
            "text": "Phase $phase: write the result into $task, beside the log ($logPath), then"
            " finish the effort.",
            "command": "hookd effort finish",
        },
        "urgency": "allow",
        "inject": "once",
    },
}
"""Every built-in rule by its name."""

POLICIES: Mapping[str, tuple[str, str]] = {
    "heartbeat-block": ("block", "Deny calls after too many without a log entry."),
    "heartbeat-warn": ("allow", "Remind of the log before that."),
}
"""Names under which the policy `heartbeat` is listed, which is on by default: urgency and text."""
