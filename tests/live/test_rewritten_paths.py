"""Live: what a hook of the user's makes of a call may name other files; the guards look there."""

import json
from typing import Any

import pytest

from support.home import Home, Window, window_in
from support.payloads import verdict


def rewritten(home: Home, tool_input: dict[str, Any]) -> Window:
    """Return a window whose every call a hook turns into this one."""
    own = {"hookEventName": "PreToolUse", "updatedInput": tool_input}
    command = f"echo '{json.dumps({'hookSpecificOutput': own})}'"
    hook = {"type": "command", "command": command}
    home.settings({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    return window_in(home.serves())


def kept(home: Home) -> list[Any]:
    sql = "SELECT decision, pending FROM events WHERE event = 'PreToolUse' ORDER BY id"
    return home.rows(sql)


@pytest.mark.parametrize("command", ["cat notes/b.txt", "rm -rf build", "touch new"])
def test_a_harmless_call_that_a_hook_made_goes_through_rewritten(home: Home, command: str) -> None:
    window = rewritten(home, {"command": command})
    said = window.bash("ls")["hookSpecificOutput"]
    assert said["updatedInput"] == {"command": command}
    assert "permissionDecision" not in said
    assert kept(home) == [(None, 0)], "it is one event, and it is over"


def test_what_a_hook_made_of_a_call_is_denied_by_the_guards_own_word(home: Home) -> None:
    window = rewritten(home, {"command": "rm -rf /"})
    event = window.event("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    first = home.said(event, env=window.identity)
    said, reason = verdict(first)
    assert said == "deny"
    assert "destructive-guard" in reason
    assert home.said(event, env=window.identity) == first
    assert kept(home) == [("deny", 0)]


def test_a_link_that_a_hook_led_to_is_followed(home: Home) -> None:
    window = rewritten(home, {"command": "cat notes"})
    (home.path / ".ssh").mkdir()
    (home.path / ".ssh" / "id_rsa").touch()
    (home.path / "projects" / window.project.rpartition("/")[2] / "notes").symlink_to(
        home.path / ".ssh" / "id_rsa"
    )
    said, reason = verdict(window.bash("ls"))
    assert (said, "secrets-guard" in reason) == ("deny", True)
