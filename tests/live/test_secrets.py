"""Live: no secret rests on disk, whatever event it came with."""

import json
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from support.home import Home, Window, window_in
from support.payloads import verdict

KEY = "sk-ant-api03-" + "Q7w" * 12
OTHER = "sk-ant-api03-" + "9Zk" * 12
SECRETS = {
    "API key": (f"export ANTHROPIC_API_KEY={KEY}", KEY),
    "URL": ("psql postgres://app:hunter2horse@db.example.com/orders", "hunter2horse"),
    "header": ("curl -H 'Authorization: Bearer abcdefsecret123456'", "abcdefsecret123456"),
    "flag": ("deploy --password=correct-battery-9", "correct-battery-9"),
    "assignment": ('{"client_secret": "zXcVbNm123456"}', "zXcVbNm123456"),
}


def found(home: Home, secret: str) -> list[str]:
    """Return the names of the files of the daemon that hold this text."""
    files = [path for path in home.path.rglob("*") if path.is_file()]
    assert {"hookd.db", "hookd.log"} <= {path.name for path in files}
    return [path.name for path in files if secret.encode() in path.read_bytes()]


def events(window: Window, text: str) -> list[dict[str, Any]]:
    """Return events that hold `text` in each of the places where a text may stand."""
    answer = {"stdout": text, "stderr": ""}
    asked = {"questions": [{"question": text, "options": [{"label": text}]}]}
    return [
        window.event("PreToolUse.Bash", tool_input={"command": text, "description": text}),
        window.event("PostToolUse.Bash", tool_response=answer, tool_input={"command": "x"}),
        window.event("PostToolUse.Write", tool_input={"file_path": "/x", "content": text}),
        window.event("PostToolUse.AskUserQuestion", tool_input=asked, tool_response={}),
        window.event("UserPromptSubmit", prompt=text),
        window.event("Notification", message=text),
        window.event("Stop", hook_event_name="FutureEvent", unknown=[{"deep": [text]}]),
        window.event("PreToolUse.Bash", tool_name="mcp__x__y", tool_input={text: {"a": text}}),
        window.event("PermissionRequest", tool_input={"command": text}),
        window.event("TeammateIdle", team_name=text, agent_id="a-1", agent_type=text),
    ]


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_in_any_event_is_nowhere_in_the_files(daemon: Home, kind: str) -> None:
    text, secret = SECRETS[kind]
    window = window_in(daemon)
    effort = window.starts()
    for event in events(window, text):
        assert daemon.hook(event, env=window.identity).returncode == 0
    daemon.bare(f"not JSON: {text}".encode())
    daemon.bare(json.dumps(window.event("PreToolUse.Bash", tool_input=text)).encode())
    window.rpc("effort.log", text=f"## Tried this\n\n{text}")
    assert Path(effort["logPath"]).is_file()
    assert found(daemon, secret) == []
    daemon.hookd("stop", "--yes")
    assert found(daemon, secret) == []
    assert found(daemon, "redacted:"), "what stands around a secret is kept"


def test_a_secret_in_a_path_is_nowhere_in_the_files(daemon: Home) -> None:
    window = window_in(daemon)
    path = f"/work/{KEY}/notes.txt"
    window.calls("Edit", file_path=path, old_string="a", new_string="b")
    window.calls("Edit", file_path=path, old_string="b", new_string="c")
    for _ in range(2):
        window.says("PostToolUse", tool_name="Read", tool_input={"file_path": path})
    assert found(daemon, KEY) == []
    assert window.count == 1, "edits of one file still count once"
    ((files,),) = window.sessions("loaded_files_json")
    assert len(json.loads(files)) == 1


def test_values_of_an_env_file_are_nowhere_in_the_files(daemon: Home) -> None:
    window = window_in(daemon)
    content = "HOST=internal-host-77\nexport COLOUR='ultra-violet-88'\n"
    read = {"type": "text", "file": {"filePath": "/work/.env", "content": content}}
    window.says("PostToolUse", tool_input={"file_path": "/work/.env"}, tool_response=read)
    window.says(
        "PostToolUse.Bash",
        tool_input={"command": "cat .env"},
        tool_response={"stdout": content, "stderr": ""},
    )
    window.calls("Write", file_path="/work/.env", content=content)
    for value in ("internal-host-77", "ultra-violet-88"):
        assert found(daemon, value) == []


def test_a_secret_astride_the_cut_of_a_long_payload_is_nowhere(daemon: Home) -> None:
    window = window_in(daemon)
    for before in (65_400, 65_500, 65_530):
        window.bash(f"echo {'x' * (before - 600)} {KEY}")
    window.bash("echo " + f"{KEY} " * 4000)
    assert found(daemon, KEY) == []
    for at in (8, 16, 24):
        assert found(daemon, KEY[:at] if at > 13 else KEY[-at:]) == []


def test_what_the_shim_sends_of_the_environment_is_nowhere_in_the_files(daemon: Home) -> None:
    window = window_in(daemon)
    env = window.identity | {
        "VIRTUAL_ENV": "/secret-xyz",
        "TMUX": "/tmp/tmux,secret-1,0",  # its socket is stored: panes are painted through it
        "PATH": f"{daemon.env['PATH']}:/secret-path",
        "CLAUDE_PLUGIN_ROOT": "/secret-root",
        "MINE": "secret-mine",
    }
    for name in ("SessionStart", "PreToolUse.Bash", "UserPromptSubmit", "SessionEnd"):
        done = daemon.hook(window.event(name), "--send", "MINE", env=env)
        assert (done.returncode, done.stderr) == (0, b"")
    daemon.hook(b"not JSON", "--send", "MINE", env=env)
    assert found(daemon, "secret-") == []
    assert found(daemon, "secret_") == []


def test_guard_rules_that_an_older_hookd_stored_are_redacted_at_the_start(home: Home) -> None:
    home.serves()
    home.hookd("guard", "add", "no-x", "Bash(x *)", "--deny", "Take Y.")
    home.hookd("guard", "add", "by-key", "Bash(y *)", "--deny", "Not so.")
    home.ends()
    with closing(connect(home.database)) as db, db:
        for rule, old, new in (("no-x", "Take Y.", f"Use {KEY}."), ("by-key", "y *", f"y {OTHER}")):
            sql = "UPDATE guards SET rule_json = replace(rule_json, ?, ?) WHERE name = ?"
            assert db.execute(sql, (old, new, rule)).rowcount == 1
    home.serves()
    assert home.logged("secrets removed from guard rules")[0]["rules"] == 1
    (told,) = home.rows("SELECT rule_json FROM guards WHERE name = 'no-x'")
    assert "Use [redacted:anthropic-key]." in told[0]
    window = window_in(home)
    assert verdict(window.bash("x 1"))[0] == verdict(window.bash(f"y {OTHER}"))[0] == "deny"
    assert "A pattern contains what looks like a secret" in home.hookd("guard", "list").stderr
    home.ends()
    assert found(home, KEY) == []
