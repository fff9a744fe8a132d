"""Hooks at a terminal, on every event: which run, how they end, what they block."""

import json
from pathlib import Path
from typing import Any

from hookd.core.hook_rules.dialects import UNSUPPORTED_EVENTS
from hookd.events.protocol import EVENTS
from support.home import Home, Window

FAILS = "echo '2 tests fail' >&2; exit 1"


def run(command: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, **more}


def test_a_run_is_told_by_its_command_and_a_block_by_what_to_do_about_it(home: Home) -> None:
    entries = [run(FAILS, blocking=True, id="test"), run("echo fine >&2", id="lint")]
    home.settings({"hooks": {"PostToolUse": [{"matcher": "Write|Edit", "hooks": entries}]}})
    lines = home.hookd("hook", "test", "PostToolUse", "--tool", "Edit").stdout.splitlines()
    assert lines[:2] == ["Running hooks...", f"▶ PostToolUse: {FAILS}"]
    assert lines[2].startswith("✗ 2 tests fail  (test, exit 1, ")
    held = "  The model was asked to fix this first. "
    assert lines[3].startswith(held)
    assert "hookd hook disable test" in lines[3]
    after = lines.index("▶ PostToolUse: echo fine >&2")
    assert lines[after + 1].startswith("✓ fine  (lint, exit 0, ")


def test_hooks_of_all_events_are_in_the_table(window: Window) -> None:
    path = Path(window.project, ".hookd", "settings.json")
    path.parent.mkdir()
    path.write_text(json.dumps({"hooks": {name: [{"hooks": [run("true")]}] for name in EVENTS}}))
    done = window.home.hookd("hook", "list", cwd=window.project)
    listed = {line.split()[0] for line in done.stdout.splitlines()[1:] if line}
    assert listed == set(EVENTS) - set(UNSUPPORTED_EVENTS)
    assert "hooks.WorktreeCreate: Claude Code alone runs hooks on it" in done.stderr


def test_of_two_twins_the_one_that_decides_is_tried_out_as_in_earnest(home: Home) -> None:
    behind, firm = run("exit 2", **{"async": True, "id": "behind"}), run("exit 2", id="firm")
    groups = [{"hooks": [behind]}, {"matcher": "Bash", "hooks": [firm]}]
    home.settings({"hooks": {"PreToolUse": groups}})
    done = home.hookd("hook", "test", "PreToolUse", "--tool", "Bash", "--json")
    told = json.loads(done.stdout)
    assert [one["id"] for one in told["hooks"]] == ["firm"]
    assert told["answer"]["hookSpecificOutput"]["permissionDecision"] == "deny"
