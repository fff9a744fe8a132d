"""Live: no hook's answer removes a guard's question."""

import json

import pytest

from support.home import Home, window_in
from support.payloads import verdict


@pytest.mark.parametrize("word", ["defer", "allow"])
def test_a_guard_asks_whatever_a_hook_says(home: Home, word: str) -> None:
    own = {"hookEventName": "PreToolUse", "permissionDecision": word}
    hook = {"type": "command", "command": f"echo '{json.dumps({'hookSpecificOutput': own})}'"}
    home.settings({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    window = window_in(home.serves())
    home.hookd("guard", "add", "deploy", "Bash(make deploy *)", "--ask", "Is it meant?")
    said, reason = verdict(window.bash("make deploy all"))
    assert (said, "Is it meant?" in reason) == ("ask", True)
    assert verdict(window.bash("make test"))[0] == word, "where no guard speaks, the hook decides"
