"""Live: which known calls are judged again when they are repeated."""

import json
from typing import Any

from support.home import Home, Window, window_in
from support.payloads import verdict

TOKEN = "ghp_" + "aB3dE5gH7jK9" * 3


def saying(home: Home, **own: Any) -> None:
    said = {"hookSpecificOutput": {"hookEventName": "PreToolUse"} | own}
    hook = {"type": "command", "command": f"echo '{json.dumps(said)}'"}
    home.settings({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})


def call(window: Window) -> dict[str, Any]:
    return window.event("PreToolUse", tool_name="Bash", tool_input={"command": "make"})


def test_a_deferred_call_is_judged_when_its_conversation_is_resumed(home: Home) -> None:
    saying(home, permissionDecision="defer")
    window = window_in(home.serves())
    event = call(window)
    assert verdict(home.said(event, env=window.identity))[0] == "defer"
    window.says("SessionStart", source="resume")
    saying(home, permissionDecision="allow")
    home.restarts()
    assert verdict(home.said(event, env=window.identity))[0] == "allow"


def test_a_rewritten_call_with_a_secret_in_it_is_rewritten_alike_again(home: Home) -> None:
    made = {"command": f"GITHUB_TOKEN={TOKEN} make"}
    saying(home, permissionDecision="allow", updatedInput=made)
    window = window_in(home.serves())
    event = call(window)
    first = home.said(event, env=window.identity)["hookSpecificOutput"]
    again = home.said(event, env=window.identity)["hookSpecificOutput"]
    assert first["updatedInput"] == again["updatedInput"]
    assert home.rows("SELECT count(*) FROM events WHERE answer LIKE ?", f"%{TOKEN}%") == [(0,)]
