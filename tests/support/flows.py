"""What the tests of whole flows share: skills on disk, typed commands, handovers, sudden deaths."""

import json
import os
import signal
from pathlib import Path
from typing import Any

from support.home import Home, Window, until
from support.payloads import context

PHASED = """---
name: implement
description: Builds what was asked for.
phases:
  - "0: Setup"
  - label: "1"
    name: Build
    proof: [files, tests]
    steps: [write it, test it]
    commands: [build]
  - "2: Check"
---
Build it.
"""
"""A SKILL.md with three phases, of which the second takes a proof and has a command text."""


def put(path: str | Path, text: str) -> str:
    """Write a file, with its folders; return its path."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
    return str(path)


def skill(window: Window, name: str = "implement", text: str = PHASED) -> str:
    """Give the project a skill; return the skill's folder."""
    folder = f"{window.project}/.claude/skills/{name}"
    put(f"{folder}/SKILL.md", text)
    return folder


def with_templates(*paths: str) -> str:
    """Return a SKILL.md without phases that names these templates, in their order."""
    named = "".join(f"  t{number}: {path}\n" for number, path in enumerate(paths))
    return f"---\ndescription: Has templates.\ntemplates:\n{named}---\n"


def typed(window: Window, command: str, words: str = "") -> Any:
    """Let the user type a command; return the answer."""
    prompt = f"/{command} {words}".rstrip()
    more = {"command_name": command, "command_args": words, "prompt": prompt}
    return window.says("UserPromptExpansion", **more)


def has_run(window: Window, tool: str, **tool_input: Any) -> Any:
    """Let a tool have run; return the answer."""
    more = {"tool_name": tool, "tool_input": tool_input, "tool_response": {}}
    return window.says("PostToolUse", **more)


def called(window: Window, name: str, words: str = "") -> str:
    """Let the model call a skill; return its context."""
    return context(has_run(window, "Skill", skill=name, args=words))


def has_read(window: Window, path: str) -> str:
    """Let a file be read; return the model's context."""
    return context(has_run(window, "Read", file_path=path))


def within(window: Window, method: str, **params: Any) -> Any:
    """Call a method from within the conversation, as a command that the model runs does."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    return window.home.rpc(method, params | {"env": env})


def handover(**more: Any) -> dict[str, Any]:
    """Return a handover, with `more` added."""
    return {
        "summary": "GET /orders takes page and size.",
        "lastAction": "Wrote the test of the last page.",
        "nextSteps": ["Document both.", "Ask for a review."],
        "requiredFiles": [],
        "handoverInstructions": "Mind the index.",
        "userHistory": ["pages of orders, please"],
    } | more


def hands_over(window: Window, **more: Any) -> dict[str, Any]:
    """Leave a handover from within the conversation, at the terminal, by JSON on its stdin."""
    done = window.home.hookd(
        "handover",
        "save",
        "-",
        "--json",
        input=json.dumps(handover(**more), ensure_ascii=False),
        env=window.identity | {"CLAUDE_CODE_SESSION_ID": window.id},
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def after_clear(window: Window, *, ends: bool = True) -> tuple[Window, str]:
    """Clear the conversation; return the next window, and its model's context at the start.

    The client continues under another id, in the same process. Without `ends` it did not report the
    end of the window before.
    """
    if ends:
        window.says("SessionEnd", reason="clear")
    following = Window(window.home, window.project, env=window.env)
    return following, context(following.says("SessionStart", source="clear"))


def told(window: Window, most: int = 40) -> list[str]:
    """Return the model's context with the next calls, until nothing waits."""
    texts: list[str] = []
    for turn in range(most):
        text = context(has_run(window, "Bash", command=f"echo {turn}"))
        if not text:
            return texts
        texts.append(text)
    raise AssertionError(f"{most} answers brought no end")


def kills(home: Home) -> None:
    """Kill the daemon in the midst of things; the next hook starts another."""
    os.kill(home.pid, signal.SIGKILL)
    until(lambda: refuses(home))


def dies(home: Home) -> None:
    """Kill the daemon in the midst of things, and have another, as the next hook would."""
    kills(home)
    home.serves()


def refuses(home: Home) -> bool:
    """Whether connections are refused by now."""
    try:
        with home.link():
            return False
    except OSError:
        return True
